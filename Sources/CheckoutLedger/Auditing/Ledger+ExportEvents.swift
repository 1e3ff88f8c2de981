import CheckoutModel
public import Cryptography
public import EventLog
import ProviderKit

extension EventExport {
    /// A piece of an export, from left to right: together they are all records of its positions.
    public enum Piece: Sendable {
        /// A row, and the record that it was read from.
        case event(RecordedEvent, record: [UInt8])
        /// Records that were left out, by the hash of the full subtree over them.
        case leftOut(Subtree, Digest)

        /// Its line in the file with the proof, without a line break.
        public var proofLine: [UInt8] {
            switch self {
            case .event(let recorded, let record):
                LedgerExport.linePrefix(recorded.position) + Array(Base64.encode(record).utf8)
                    + LedgerExport.lineSuffix
            case .leftOut(let subtree, let hash):
                JSONValue.object([
                    "position": .integer(
                        Int64(clamping: subtree.index << UInt64(subtree.level))),
                    "level": .integer(Int64(subtree.level)), "hash": .string(hash.hex),
                ]).json
            }
        }
    }
}

extension Ledger {
    /// Lends the pieces of an export in order, and sums up what its rows come to.
    ///
    /// Constant memory. Under a seal the records are those that it covers, and must give its root;
    /// without one the log's size and root are those of the moment in which it began. Throws
    /// `HISTORY_REWRITTEN`, `DAMAGED`, and what `body` throws.
    public func exportEvents(
        matching query: AuditQuery, actor: String? = nil, under seal: Seal? = nil,
        _ body: (EventExport.Piece) throws -> Void
    ) throws -> EventExport.Summary {
        var query = query
        var summary = try exportSummary(of: &query, seal)
        var tree = PartialTree()
        let positions = summary.positions
        guard tree.add(summary.sides.left, upTo: positions.lowerBound) else {
            throw LedgerError(.historyRewritten(below: summary.logSize))
        }
        func leaveOut(upTo end: UInt64) throws {
            guard tree.size < end else { return }
            let start = tree.size
            for (subtree, hash) in try log.read({ try $0.cover(of: start..<end) }) {
                _ = tree.add(hash, of: subtree)
                try body(.leftOut(subtree, hash))
            }
        }
        try forEachExportPage(of: query, positions) { page in
            for recorded in page where actor == nil || recorded.event.actor == actor {
                try leaveOut(upTo: recorded.position)
                let record = try log.read { try $0.record(at: recorded.position) }
                tree.add(record.leafHash)
                try body(.event(recorded, record: record.bytes))
                summary.add(recorded)
            }
        }
        try leaveOut(upTo: positions.upperBound)
        // What is handed out must be what was sealed.
        guard tree.add(summary.sides.right, upTo: summary.logSize), tree.root() == summary.root
        else { throw LedgerError(.historyRewritten(below: summary.logSize)) }
        return summary
    }

    /// Gives the query the positions that it is about, and says what the export is of.
    private func exportSummary(
        of query: inout AuditQuery, _ seal: Seal?
    ) throws(LedgerError) -> EventExport.Summary {
        let asked = query
        let summary = try read { (snapshot) throws(LedgerError) in
            do throws(LogError) {
                let size = seal?.head.size ?? snapshot.end
                guard size <= snapshot.end else {
                    throw .rolledBack(to: snapshot.end, from: size)
                }
                let root: Digest
                if let seal {
                    root = seal.head.root
                } else {
                    root = try snapshot.root(ofSize: size)
                }
                let range = try Self.positions(of: asked, before: size, in: snapshot)
                return EventExport.Summary(
                    ledgerID: id, epoch: log.identity.epoch, positions: range, logSize: size,
                    root: root, sides: try snapshot.rangeProof(of: range, in: size), seal: seal)
            } catch {
                throw LedgerError(error)
            }
        }
        (query.since, query.until) = (nil, nil)
        return summary
    }

    private static func positions(
        of query: AuditQuery, before size: UInt64,
        in snapshot: borrowing Snapshot<CheckoutSchema, Store>
    ) throws(LogError) -> Range<UInt64> {
        var query = query
        let asked = query.positions ?? 0..<UInt64.max
        query.positions = min(asked.lowerBound, size)..<min(asked.upperBound, size)
        do throws(LedgerError) {
            return try snapshot.range(of: query)
        } catch {
            throw LogError(error)
        }
    }

    /// Lends the events that a query asks for, some thousand positions at a time: records never
    /// change, so that no snapshot must be held over all of them.
    private func forEachExportPage(
        of query: AuditQuery, _ positions: Range<UInt64>,
        _ body: ([RecordedEvent]) throws -> Void
    ) throws {
        var query = query
        let isNarrow = query.session != nil || query.order != nil || query.payment != nil
        let step = isNarrow ? UInt64.max : Limits.positionsPerExportPage
        var next = positions.lowerBound
        while next < positions.upperBound {
            let end = next + min(step, positions.upperBound - next)
            query.positions = next..<end
            var page: [RecordedEvent] = []
            try forEachEvent(matching: query) { (recorded) throws(LedgerError) in
                page.append(recorded)
                return .more
            }
            try body(page)
            next = end
        }
    }
}
