/// Where a stream ends, and where its state is kept.
struct StreamHead: Sendable {
    /// Position of the stream's last record.
    var last: UInt64
    /// How many records the stream has.
    var count: UInt32
    /// True when its row differs from its state here.
    var isDirty: Bool
    /// True when the state names linked streams.
    var hasLinks: Bool
    /// Index of the state.
    var slot: Int
}

/// The streams that were touched since a watermark, folded to the log's end.
///
/// A stream that is not in it stands exactly in the rows of any snapshot whose watermark is at
/// `base` or later and whose end is not beyond `end`: the memory here is a cache, the file is the
/// truth. Heads and states are apart, so that all but the fold itself is code for known types.
struct Tail<Schema: LogSchema>: Sendable {
    private(set) var base: UInt64
    private(set) var end: UInt64
    private(set) var heads: [UInt64: StreamHead] = [:]
    private var states: [Schema.State] = []
    /// Streams whose rows differ from their states here, each once.
    private(set) var dirty: [UInt64] = []
    private(set) var changes = ProjectionChanges()

    init(at position: UInt64) {
        base = position
        end = position
    }

    /// How many streams are at hand.
    var count: Int { states.count }

    /// The state of a stream that is at hand.
    func state(of head: StreamHead) -> Schema.State { states[head.slot] }

    /// Folds the records up to `target`.
    mutating func catchUp(
        to target: UInt64, _ reader: some LogReading, _ set: RowSet
    ) throws(LogError) {
        guard end < target else { return }
        var next = end
        try reader.scan(.log, from: next) { (position, stored) throws(LogError) in
            guard position < target else { return .stop }
            guard position == next else { throw .missingRecord(at: next) }
            guard let record = RecordView(stored: stored), record.position == position else {
                throw .damagedRecord(at: position)
            }
            try fold(record, reader, set)
            next += 1
            return .more
        }
        guard end == target else { throw .missingRecord(at: end) }
    }

    /// Folds the record at `end`.
    mutating func fold(
        _ record: borrowing RecordView, _ reader: some LogReading, _ set: RowSet
    ) throws(LogError) {
        let stream = record.stream
        var head: StreamHead
        if let known = heads[stream] {
            head = known
        } else if record.revision > 0, let fetched = try fetch(stream, reader, set) {
            head = fetched
        } else {
            head = StreamHead(
                last: StorageLayout.noPosition, count: 0, isDirty: false, hasLinks: false,
                slot: states.count)
            states.append(Schema.initialState)
        }
        Schema.fold(record, into: &states[head.slot], changes: &changes)
        if !head.isDirty { dirty.append(stream) }
        head.last = record.position
        head.count = record.revision &+ 1
        head.isDirty = true
        if !head.hasLinks { head.hasLinks = !Schema.links(states[head.slot]).isEmpty }
        heads[stream] = head
        end += 1
    }

    /// The stream's head, fetched from its row when it is not at hand; nil for an unknown stream.
    mutating func fetch(
        _ stream: UInt64, _ reader: some LogReading, _ set: RowSet
    ) throws(LogError) -> StreamHead? {
        if let head = heads[stream] { return head }
        guard let row = try reader.row(of: stream, set, Schema.self) else { return nil }
        let head = StreamHead(
            last: row.last, count: row.count, isDirty: false,
            hasLinks: !Schema.links(row.state).isEmpty, slot: states.count)
        states.append(row.state)
        heads[stream] = head
        return head
    }

    /// Lets go of outcomes that stand in the rows of every snapshot from this watermark on.
    mutating func forgetOutcomes(before position: UInt64) {
        guard base < position else { return }
        base = position
        changes.outcomes.removeAll { $0.position < position }
    }

    /// The rows were written: nothing differs from them any more.
    mutating func markClean() {
        for stream in dirty { heads[stream]?.isDirty = false }
        dirty.removeAll(keepingCapacity: true)
        changes.outcomes.removeAll(keepingCapacity: true)
    }
}
