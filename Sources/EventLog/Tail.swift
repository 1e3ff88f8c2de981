/// Where a stream ends, and where its state is kept.
@usableFromInline
struct StreamHead: Sendable {
    /// Position of the stream's last record.
    @usableFromInline var last: UInt64
    /// How many records the stream has.
    @usableFromInline var count: UInt32
    /// True when its row differs from its state here.
    @usableFromInline var isDirty: Bool
    /// True when the state names linked streams.
    @usableFromInline var hasLinks: Bool
    /// Index of the state.
    @usableFromInline var slot: Int

    @usableFromInline
    init(last: UInt64, count: UInt32, isDirty: Bool, hasLinks: Bool, slot: Int) {
        self.last = last
        self.count = count
        self.isDirty = isDirty
        self.hasLinks = hasLinks
        self.slot = slot
    }

    /// Takes in the stream's next record; true when the stream's row was true until now.
    @inlinable
    mutating func follow(_ record: borrowing RecordView) -> Bool {
        let wasDirty = isDirty
        last = record.position
        count = record.revision &+ 1
        isDirty = true
        // Streams are joined by the log's own records only.
        if record.flags.contains(.link) { hasLinks = true }
        return !wasDirty
    }
}

/// The streams that were touched since a watermark, folded to the log's end.
///
/// A stream that is not in it stands exactly in the rows of any snapshot whose watermark is at
/// `base` or later and whose end is not beyond `end`: the memory here is a cache, the file is the
/// truth. Heads and states are apart, so that all but the fold itself is code for known types.
@usableFromInline
struct Tail<Schema: LogSchema>: Sendable {
    @usableFromInline var base: UInt64
    @usableFromInline var end: UInt64
    @usableFromInline var heads: [UInt64: StreamHead] = [:]
    @usableFromInline var states: [Schema.State] = []
    /// Streams whose rows differ from their states here, each once.
    @usableFromInline var dirty: [UInt64] = []
    @usableFromInline var changes = ProjectionChanges()

    @usableFromInline
    init(at position: UInt64) {
        base = position
        end = position
    }

    /// How many streams are at hand.
    @usableFromInline var count: Int { states.count }

    /// The state of a stream that is at hand.
    @inlinable
    func state(of head: StreamHead) -> Schema.State { states[head.slot] }

    /// Folds the records up to `target` over rows that stand at a watermark.
    ///
    /// Rows that are further on than the tail have taken in what it lacks: folded once more over
    /// them, those records would count twice. It then begins anew where the rows end.
    mutating func catchUp(
        to target: UInt64, _ reader: some LogReading, over mark: Watermark
    ) throws(LogError) {
        if end < mark.position { self = Tail(at: mark.position) }
        try catchUp(to: target, reader, mark.set)
    }

    /// Folds the records up to `target` over rows that stand where the tail ends, or before it.
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
    @inlinable
    mutating func fold(
        _ record: borrowing RecordView, _ reader: some LogReading, _ set: RowSet
    ) throws(LogError) {
        let stream = record.stream
        if let index = heads.index(forKey: stream) {
            let slot = heads.values[index].slot
            Schema.fold(record, into: &states[slot], changes: &changes)
            if heads.values[index].follow(record) { dirty.append(stream) }
            end += 1
            return
        }
        var head: StreamHead
        if record.revision > 0, let fetched = try fetch(stream, reader, set) {
            head = fetched
        } else {
            head = StreamHead(
                last: StorageLayout.noPosition, count: 0, isDirty: false, hasLinks: false,
                slot: states.count)
            states.append(Schema.initialState)
        }
        Schema.fold(record, into: &states[head.slot], changes: &changes)
        if head.follow(record) { dirty.append(stream) }
        heads[stream] = head
        end += 1
    }

    /// The stream's head, fetched from its row when it is not at hand; nil for an unknown stream.
    @inlinable
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
