import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog

/// Reads what a query asks for, some hundred events at a time.
///
/// Between two pages no read transaction is open: however slowly the rows are taken away, by a
/// pager or a pipe, the store's free pages can be used again.
struct EventPages {
    private let query: AuditQuery
    private let bounds: Range<UInt64>
    /// The position that is looked at next.
    private(set) var next: UInt64

    private static let pageCount = 256

    init(_ query: AuditQuery) {
        self.query = query
        bounds = query.positions ?? 0..<UInt64.max
        next = bounds.lowerBound
    }

    /// The next events; empty when the log has no more of them now.
    mutating func page(of ledger: Ledger<LMDBStore>) throws(LedgerError) -> [RecordedEvent] {
        let end = min(try ledger.endPosition(), bounds.upperBound)
        guard next < end else { return [] }
        var query = query
        query.positions = next..<end
        var events: [RecordedEvent] = []
        try ledger.forEachEvent(matching: query) { (event) throws(LedgerError) in
            events.append(event)
            return events.count < Self.pageCount ? .more : .stop
        }
        if events.count == Self.pageCount, let last = events.last {
            next = last.position + 1
        } else {
            next = end
        }
        return events
    }

    /// Waits until the log has grown, by whichever process; false when Ctrl-C came first, or the
    /// one who reads the rows went away.
    func waitForMore(in ledger: Ledger<LMDBStore>, for context: Context) async throws -> Bool {
        while !Interrupt.isRequested, !context.isReaderGone {
            if try ledger.endPosition() > next { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }
}
