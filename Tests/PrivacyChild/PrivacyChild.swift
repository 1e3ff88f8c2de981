import CheckoutLedger
import CheckoutModel
import EventLog
import ProviderKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Another process with the same ledger open: the other side of the tests about keys, of no use
/// otherwise.
///
/// Arguments: ledger, root key, and the number of the erasure's step at which it kills itself, or
/// `-`. Reads commands from standard input, a line each, and answers each with a line.
@main
struct PrivacyChild {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 4 else { exit(2) }
        do {
            var options = LedgerOptions(providers: try ProviderRegistry([]))
            options.rootKeyPath = arguments[2]
            let last = Int(arguments[3])
            options.reached = { step in
                if step.rawValue == last { kill(getpid(), SIGKILL) }
            }
            let ledger = try Ledger.open(at: arguments[1], options: options)
            print("open")
            fflush(nil)
            while let line = readLine() {
                let words = line.split(separator: " ").map(String.init)
                do {
                    print(try await answer(words, ledger))
                } catch {
                    print("error \(error)")
                }
                fflush(nil)
            }
            ledger.close()
        } catch {
            print("error \(error)")
            exit(1)
        }
    }

    private static func answer(
        _ words: [String], _ ledger: Ledger<LMDBStore>
    ) async throws -> String {
        switch (words.first, words.count) {
        case ("record", 3):
            var event = CheckoutEvent(
                .sessionOpened, source: .app, provider: "dodo",
                ids: ProviderIDs(session: words[1]))
            event.privateFields.customerEmail = words[2]
            return "\(try await ledger.record(event).position)"
        case ("erase", 2):
            return try ledger.erase(
                ErasureOrder(.session(words[1])), at: Instant(seconds: 1_772_600_767)
            ).entry?.level?.name ?? "nothing"
        case ("rotate", 1):
            let event = try ledger.rotateKeys(at: Instant(seconds: 1_772_600_767))
            return event.payload.privacy?.level?.name ?? "nothing"
        case ("read", 2):
            let event = try ledger.event(at: UInt64(words[1]) ?? 0)
            switch try ledger.privateFields(of: event) {
            case .fields(let fields): return fields.customerEmail ?? "no address"
            case .none: return "none"
            case let answer: return answer.lossWord ?? ""
            }
        default: return "what?"
        }
    }
}
