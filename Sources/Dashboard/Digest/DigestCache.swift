import CheckoutLedger
import EventLog
import Synchronization

/// The digest of one ledger, brought up to date whenever it is asked for.
///
/// One value for all requests; the first one after the start reads the whole log, so a host asks
/// once before it listens.
final class DigestCache<Store: LogStore>: Sendable {
    private let ledger: Ledger<Store>
    private let held = Mutex(LedgerDigest())
    private let twice = Mutex((end: UInt64.max, streams: Set<UInt64>()))

    init(_ ledger: Ledger<Store>) { self.ledger = ledger }

    /// The digest at the log's end.
    func current() throws(LedgerError) -> LedgerDigest {
        let result: Result<LedgerDigest, LedgerError> = held.withLock { digest in
            do throws(LedgerError) {
                if try ledger.endPosition() != digest.end { try digest.catchUp(with: ledger) }
                return .success(digest)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Streams of sessions whose order another paid session has, looked for once at each end.
    func ordersPaidTwice(at end: UInt64) throws(LedgerError) -> Set<UInt64> {
        if let known = twice.withLock({ $0.end == end ? $0.streams : nil }) { return known }
        let found = try ledger.streamsOfOrdersPaidTwice()
        twice.withLock { $0 = (end, found) }
        return found
    }
}
