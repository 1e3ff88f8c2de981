/// The built-in projections: rows as of the watermark, and the tail folded over them.
extension Snapshot {
    /// Lends every stream's exact state, in order of their numbers, from `stream` on.
    ///
    /// Throws what `body` throws, and `DAMAGED`.
    public func forEachState(
        from stream: UInt64 = 0, _ body: (UInt64, Schema.State) throws -> ScanStep
    ) throws {
        try forEachStateEnd(from: stream) { stream, state, _, _ in try body(stream, state) }
    }

    /// The same with the position of the stream's last record and how many it has.
    func forEachStateEnd(
        from stream: UInt64 = 0,
        _ body: (UInt64, Schema.State, UInt64, UInt32) throws -> ScanStep
    ) throws {
        let (tail, set) = try currentTail()
        let touched = tail.heads.keys.filter { $0 >= stream }.sorted()
        try merge(set.streams, from: stream, touched) { (stream, row) throws(LogError) in
            if let known = tail.row(of: stream) { return known }
            guard let row else { return nil }
            return try StreamRow(stored: row, stream: stream, Schema.self)
        } _: { (stream, entry) in
            try body(stream, entry.state, entry.last, entry.count)
        }
    }

    /// Lends every open stream and when it was opened, µs since 1970, in order of their numbers,
    /// from `stream` on.
    ///
    /// Throws what `body` throws, and `DAMAGED`.
    public func forEachOpen(
        from stream: UInt64 = 0, _ body: (UInt64, Int64) throws -> ScanStep
    ) throws {
        let (tail, set) = try currentTail()
        let touched = tail.heads.keys.filter { $0 >= stream }.sorted()
        try merge(set.open, from: stream, touched) { (stream, row) throws(LogError) in
            if let known = tail.row(of: stream) { return Schema.openedAt(known.state) }
            guard let row else { return nil }
            guard row.byteCount == 8 else { throw .damagedRow("The open row of stream \(stream)") }
            return row.field(0, as: Int64.self)
        } _: { (stream, openedAt) in
            try body(stream, openedAt)
        }
    }

    /// Lends the outcome rows in the order of the positions that made them, from `position` on.
    ///
    /// Throws what `body` throws.
    public func forEachOutcome(
        from position: UInt64 = 0, _ body: (UInt64, RawSpan) throws -> ScanStep
    ) throws {
        let mark = try reader.watermark(of: Schema.self)
        let recent = try withTail { (tail, _) throws(LogError) in tail.changes.outcomes }
        var failure: (any Error)?
        var isStopped = false
        func lend(_ position: UInt64, _ row: RawSpan) -> ScanStep {
            do {
                let step = try body(position, row)
                isStopped = step == .stop
                return step
            } catch {
                failure = error
                isStopped = true
                return .stop
            }
        }
        try reader.scan(mark.set.outcomes, from: position) { lend($0, $1) }
        for outcome in recent
        where !isStopped && outcome.position >= max(position, mark.position) {
            _ = lend(outcome.position, outcome.row.span.bytes)
        }
        if let failure { throw failure }
    }

    private func currentTail() throws(LogError) -> (Tail<Schema>, RowSet) {
        try withTail { (tail, set) throws(LogError) in (tail, set) }
    }

    /// Walks a table's rows and the touched streams together, each stream once, in order.
    private func merge<Value>(
        _ table: LogTable, from stream: UInt64, _ touched: [UInt64],
        value: (UInt64, RawSpan?) throws(LogError) -> Value?,
        _ body: (UInt64, Value) throws -> ScanStep
    ) throws {
        var failure: (any Error)?
        var isStopped = false
        var next = 0
        func lend(_ stream: UInt64, _ row: RawSpan?) throws(LogError) -> ScanStep {
            guard let value = try value(stream, row) else { return .more }
            do {
                let step = try body(stream, value)
                isStopped = step == .stop
                return step
            } catch {
                failure = error
                isStopped = true
                return .stop
            }
        }
        try reader.scan(table, from: stream) { (stream, row) throws(LogError) in
            while next < touched.count, touched[next] < stream {
                next += 1
                if try lend(touched[next - 1], nil) == .stop { return .stop }
            }
            if next < touched.count, touched[next] == stream { next += 1 }
            return try lend(stream, row)
        }
        while next < touched.count, !isStopped {
            next += 1
            _ = try lend(touched[next - 1], nil)
        }
        if let failure { throw failure }
    }
}
