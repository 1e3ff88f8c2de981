/// A stream's row, read.
@usableFromInline
struct StreamRow<State> {
    @usableFromInline var last: UInt64
    @usableFromInline var count: UInt32
    @usableFromInline var state: State
}

extension StreamRow {
    init<Schema: LogSchema>(
        stored row: RawSpan, stream: UInt64, _ schema: Schema.Type
    ) throws(LogError) where Schema.State == State {
        guard row.byteCount >= StreamField.state else {
            throw .damagedRow("The row of stream \(stream)")
        }
        do {
            state = try row.extracting(droppingFirst: StreamField.state).withUnsafeBytes {
                try Schema.decode($0)
            }
        } catch {
            throw .damagedRow("The row of stream \(stream)")
        }
        last = row.field(StreamField.last)
        count = row.field(StreamField.count)
    }
}

extension LogReading {
    /// The stored row of a stream.
    @usableFromInline
    func row<Schema: LogSchema>(
        of stream: UInt64, _ set: RowSet, _ schema: Schema.Type
    ) throws(LogError) -> StreamRow<Schema.State>? {
        try value(set.streams, stream) { (row) throws(LogError) in
            try StreamRow(stored: row, stream: stream, schema)
        }
    }
}

extension Tail {
    /// The row of a stream that is at hand.
    func row(of stream: UInt64) -> StreamRow<Schema.State>? {
        heads[stream].map { head in
            StreamRow(last: head.last, count: head.count, state: state(of: head))
        }
    }

    /// Writes the rows of all dirty streams, in the order of their keys, and the new outcomes.
    func writeRows(
        _ writer: some LogWriting, _ set: RowSet, outcomesFrom first: UInt64
    ) throws(LogError) {
        var bytes: [UInt8] = []
        // A row behind all others goes into a page of its own once the last one is full; put like
        // the rest it would leave every page half empty.
        let known = try writer.lastKey(set.streams)
        for stream in dirty.sorted() {
            guard let row = row(of: stream) else { continue }
            bytes.removeAll(keepingCapacity: true)
            bytes.add(row.last)
            bytes.add(row.count)
            Schema.encode(row.state, into: &bytes)
            if known.map({ $0 < stream }) ?? true {
                try writer.append(set.streams, stream, bytes)
            } else {
                try writer.put(set.streams, stream, bytes)
            }
            if let openedAt = Schema.openedAt(row.state) {
                bytes.removeAll(keepingCapacity: true)
                bytes.add(openedAt)
                try writer.put(set.open, stream, bytes)
            } else {
                try writer.delete(set.open, stream)
            }
        }
        for outcome in changes.outcomes where outcome.position >= first {
            try writer.append(set.outcomes, outcome.position, outcome.row)
        }
    }
}
