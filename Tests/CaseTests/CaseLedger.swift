import CheckoutLedger
import CheckoutModel
import DodoPayments
import EventLog
import ProviderKit
import Synchronization

/// A clock that stands where a case puts it.
final class CaseClock: LogClock {
    private let time: Mutex<Int64>

    init(_ instant: Instant) { time = Mutex(instant.microseconds) }

    func now() -> Int64 { time.withLock { $0 } }
    func set(_ instant: Instant) { time.withLock { $0 = instant.microseconds } }
}

/// What the runners share: a ledger in memory with the Dodo adapter.
enum CaseLedger {
    static let scope = AccountScope("dodo")
    static let now = Instant(seconds: 1_772_600_767)

    static func options(clock: any LogClock = CaseClock(now)) throws -> LedgerOptions {
        var options = LedgerOptions(providers: try ProviderRegistry([DodoPaymentsProvider()]))
        options.clock = clock
        return options
    }

    static func memory(clock: any LogClock = CaseClock(now)) throws -> Ledger<InMemoryStore> {
        try .inMemory(options: options(clock: clock))
    }
}

extension Ledger {
    func sessions() throws -> [Session] {
        var found: [Session] = []
        try forEachSession { (session) throws(LedgerError) in
            found.append(session)
            return .more
        }
        return found
    }

    /// Sessions with an outcome or a contradiction: what a projection would show of them.
    func concluded() throws -> [String] {
        try sessions().filter { $0.outcome != nil || !$0.state.evidence.discrepancies.isEmpty }
            .map(\.name)
    }
}
