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
            var waiting: [AppendRequest] = []
            while let line = readLine() {
                let words = line.split(separator: " ").map(String.init)
                do {
                    print(try await answer(words, ledger, &waiting))
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
        _ words: [String], _ ledger: Ledger<LMDBStore>, _ waiting: inout [AppendRequest]
    ) async throws -> String {
        let now = Instant(seconds: 1_772_600_767)
        switch (words.first, words.count) {
        case ("record", 3):
            return "\(try await ledger.record(opened(words[1], words[2])).position)"
        case ("seal", 3):
            // What an event goes through before it is written, and no further.
            waiting.append(try ledger.request(for: EventEntry(opened(words[1], words[2]))))
            return "sealed"
        case ("write", 1):
            // Past the ledger, which would look for erasures afterwards: as if killed there.
            let results = try await ledger.log.append(waiting)
            waiting = []
            return "\(results.first?.entries.first?.position ?? 0)"
        case ("sweep", 2):
            let cutoff = Instant(seconds: Int64(words[1]) ?? 0)
            return try ledger.erase(
                ErasureOrder(.retention(olderThan: cutoff)), at: now
            ).entry?.level?.name ?? "nothing"
        case ("hold", 2):
            return "\(try ledger.hold(.session(words[1]), reason: "Court", at: now).position)"
        case ("erase", 2):
            return try ledger.erase(
                ErasureOrder(.session(words[1])), at: now
            ).entry?.level?.name ?? "nothing"
        case ("rotate", 1):
            let event = try ledger.rotateKeys(at: now)
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

    private static func opened(_ session: String, _ address: String) -> CheckoutEvent {
        var event = CheckoutEvent(
            .sessionOpened, source: .app, provider: "dodo", ids: ProviderIDs(session: session))
        event.privateFields.customerEmail = address
        return event
    }
}
