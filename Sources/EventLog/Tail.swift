/// The streams that were touched since a watermark, folded to the log's end.
///
/// A stream that is not in it stands exactly in the rows of any snapshot whose watermark is at
/// `base` or later and whose end is not beyond `end`: the memory here is a cache, the file is the
/// truth.
struct Tail<Schema: LogSchema>: Sendable {
    struct Entry: Sendable {
        var state: Schema.State
        /// Position of the stream's last record.
        var last: UInt64
        /// How many records the stream has.
        var count: UInt32
        var isDirty: Bool
    }

    private(set) var base: UInt64
    private(set) var end: UInt64
    private(set) var entries: [UInt64: Entry] = [:]
    /// Streams whose rows differ from their entries, each once.
    private(set) var dirty: [UInt64] = []
    private(set) var changes = ProjectionChanges()

    init(at position: UInt64) {
        base = position
        end = position
    }

    var count: Int { entries.count }

    /// Folds the records up to `target`.
    mutating func catchUp(
        to target: UInt64, _ reader: some LogReading, _ set: RowSet
    ) throws(LogError) {
        guard end < target else { return }
        var tail = self
        self = Tail(at: 0)  // so that the copy above is the only one and folds in place
        defer { self = tail }
        try reader.scan(.log, from: tail.end) { (position, stored) throws(LogError) in
            guard position < target else { return .stop }
            guard position == tail.end else { throw .missingRecord(at: tail.end) }
            guard let record = RecordView(stored: stored) else {
                throw .damagedRecord(at: position)
            }
            try tail.fold(record, reader, set)
            return .more
        }
        guard tail.end == target else { throw .missingRecord(at: tail.end) }
    }

    /// Folds the record at `end`.
    mutating func fold(
        _ record: borrowing RecordView, _ reader: some LogReading, _ set: RowSet
    ) throws(LogError) {
        let stream = record.stream
        if entries[stream] == nil {
            entries[stream] =
                (record.revision == 0 ? nil : try reader.row(of: stream, set, Schema.self))
                ?? Entry(
                    state: Schema.initialState, last: StorageLayout.noPosition, count: 0,
                    isDirty: false)
        }
        let wasDirty = entries[stream]?.add(record, &changes) ?? true
        if !wasDirty { dirty.append(stream) }
        end += 1
    }

    /// The stream's entry, fetched from its row when it is not at hand; nil for an unknown stream.
    mutating func fetch(
        _ stream: UInt64, _ reader: some LogReading, _ set: RowSet
    ) throws(LogError) -> Entry? {
        if let entry = entries[stream] { return entry }
        guard let entry: Entry = try reader.row(of: stream, set, Schema.self) else { return nil }
        entries[stream] = entry
        return entry
    }

    /// Lets go of outcomes that stand in the rows of every snapshot from this watermark on.
    mutating func forgetOutcomes(before position: UInt64) {
        guard base < position else { return }
        base = position
        changes.outcomes.removeAll { $0.position < position }
    }

    /// The rows were written: nothing differs from them any more.
    mutating func markClean() {
        for stream in dirty { entries[stream]?.isDirty = false }
        dirty.removeAll(keepingCapacity: true)
        changes.outcomes.removeAll(keepingCapacity: true)
    }
}

extension Tail.Entry {
    /// Folds one record and says whether the entry was dirty before.
    fileprivate mutating func add(
        _ record: borrowing RecordView, _ changes: inout ProjectionChanges
    ) -> Bool {
        Schema.fold(record, into: &state, changes: &changes)
        last = record.position
        count = record.revision + 1
        defer { isDirty = true }
        return isDirty
    }
}

extension LogReading {
    /// The stored state of a stream.
    func row<Schema: LogSchema>(
        of stream: UInt64, _ set: RowSet, _ schema: Schema.Type
    ) throws(LogError) -> Tail<Schema>.Entry? {
        try value(set.streams, stream) { (row) throws(LogError) in
            try Tail<Schema>.Entry(stored: row, stream: stream)
        }
    }
}

extension Tail.Entry {
    init(stored row: RawSpan, stream: UInt64) throws(LogError) {
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
        isDirty = false
    }

    func encode(into bytes: inout [UInt8]) {
        bytes.add(last)
        bytes.add(count)
        bytes.add(UInt32(0))
        Schema.encode(state, into: &bytes)
    }
}

extension Tail {
    /// Writes the rows of all dirty streams, in the order of their keys, and the new outcomes.
    func writeRows(_ writer: some LogWriting, _ set: RowSet, outcomesFrom first: UInt64)
        throws(LogError)
    {
        var row: [UInt8] = []
        for stream in dirty.sorted() {
            guard let entry = entries[stream] else { continue }
            row.removeAll(keepingCapacity: true)
            entry.encode(into: &row)
            try writer.put(set.streams, stream, row)
            if let openedAt = Schema.openedAt(entry.state) {
                row.removeAll(keepingCapacity: true)
                row.add(openedAt)
                try writer.put(set.open, stream, row)
            } else {
                try writer.delete(set.open, stream)
            }
        }
        for outcome in changes.outcomes where outcome.position >= first {
            try writer.append(set.outcomes, outcome.position, outcome.row)
        }
    }
}
