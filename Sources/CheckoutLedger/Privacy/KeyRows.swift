import Synchronization

/// Where wrapped keys are kept: ordered rows, one durable commit at a time, shared with other
/// processes, any of which may put rewritten rows in the place of all.
protocol KeyRows: Sendable {
    /// How often the rows were rewritten as a whole.
    var generation: UInt64 { get }
    /// Another value after any change by any process; costs no transaction.
    func stamp() throws(LedgerError) -> KeyRowsStamp
    /// Goes over to rows that another process has put in the place of these.
    func follow() throws(LedgerError)
    /// True before the first key was made.
    func isEmpty() throws(LedgerError) -> Bool
    func value(_ key: [UInt8]) throws(LedgerError) -> [UInt8]?
    /// Rows from a key on that begin with a prefix, in order, at most so many.
    func rows(
        beginning prefix: [UInt8], from key: [UInt8], limit: Int
    ) throws(LedgerError) -> [KeyRow]
    /// Commits the change, or nothing and false when the rows are of another generation by now:
    /// whoever wrapped keys under older ones has to do it again.
    func commit(_ change: KeyRowChange, in generation: UInt64) throws(LedgerError) -> Bool
    /// Rewrites every row, in order, and destroys the old ones; true when they were overwritten.
    ///
    /// Nobody else commits meanwhile. `transform` is called once for each row.
    func replace(
        reached: (ErasureStep) -> Void,
        _ transform: (KeyRow) throws(LedgerError) -> KeyRow
    ) throws(LedgerError) -> Bool
    func close()
}

/// A key and its value.
struct KeyRow: Sendable, Hashable {
    var key: [UInt8]
    var value: [UInt8]
}

/// What one commit does.
struct KeyRowChange: Sendable {
    /// Written over what is there.
    var puts: [KeyRow] = []
    /// Left as they are where another process was first.
    var insertions: [KeyRow] = []
    var deletions: [[UInt8]] = []
}

/// Tells whether rows may have changed.
struct KeyRowsStamp: Sendable, Hashable {
    var generation: UInt64
    var transaction: UInt64
}

/// Rows in memory, for ledgers that are thrown away.
final class InMemoryKeyRows: KeyRows {
    private struct State {
        var rows: [[UInt8]: [UInt8]] = [:]
        var stamp = KeyRowsStamp(generation: 0, transaction: 0)
    }

    private let state = Mutex(State())

    func close() {}

    func follow() {}

    var generation: UInt64 { state.withLock { $0.stamp.generation } }

    func stamp() -> KeyRowsStamp { state.withLock { $0.stamp } }

    func isEmpty() -> Bool { state.withLock { $0.rows.isEmpty } }

    func value(_ key: [UInt8]) -> [UInt8]? { state.withLock { $0.rows[key] } }

    func rows(beginning prefix: [UInt8], from key: [UInt8], limit: Int) -> [KeyRow] {
        let found = state.withLock { $0.rows }
            .filter { $0.key.starts(with: prefix) && !$0.key.lexicographicallyPrecedes(key) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        return found.prefix(limit).map { KeyRow(key: $0.key, value: $0.value) }
    }

    func commit(_ change: KeyRowChange, in generation: UInt64) -> Bool {
        state.withLock { state in
            guard state.stamp.generation == generation else { return false }
            for row in change.puts { state.rows[row.key] = row.value }
            for row in change.insertions where state.rows[row.key] == nil {
                state.rows[row.key] = row.value
            }
            for key in change.deletions { state.rows[key] = nil }
            state.stamp.transaction += 1
            return true
        }
    }

    func replace(
        reached: (ErasureStep) -> Void,
        _ transform: (KeyRow) throws(LedgerError) -> KeyRow
    ) throws(LedgerError) -> Bool {
        var rewritten: [[UInt8]: [UInt8]] = [:]
        for row in rows(beginning: [], from: [], limit: .max) {
            let row = try transform(row)
            rewritten[row.key] = row.value
        }
        reached(.copied)
        let rows = rewritten
        state.withLock { state in
            state.rows = rows
            state.stamp.generation += 1
        }
        return true
    }
}
