/// What one caller's batch will write; made before anything is written, so that a refused batch
/// leaves nothing, and seen by the batch's own later requests.
@usableFromInline
struct AppendPlan {
    /// A record whose place is known.
    @usableFromInline
    struct PlannedRecord {
        @usableFromInline var draft: EventDraft
        @usableFromInline var position: UInt64
        @usableFromInline var stream: UInt64
        @usableFromInline var revision: UInt32
        @usableFromInline var previous: UInt64
        @usableFromInline var cause: UInt64
        @usableFromInline var flags: RecordFlags
    }

    /// Where a stream ends.
    @usableFromInline
    struct StreamEnd {
        @usableFromInline var last: UInt64
        @usableFromInline var count: UInt32

        /// The end of a stream without events.
        @usableFromInline
        static var none: StreamEnd { StreamEnd(last: StorageLayout.noPosition, count: 0) }

        @usableFromInline
        init(last: UInt64, count: UInt32) {
            self.last = last
            self.count = count
        }
    }

    /// A key that is new to the log.
    @usableFromInline
    struct NewKey {
        @usableFromInline var key: [UInt8]
        @usableFromInline var stream: UInt64
        @usableFromInline var isShared: Bool

        @usableFromInline
        init(key: [UInt8], stream: UInt64, isShared: Bool) {
            self.key = key
            self.stream = stream
            self.isShared = isShared
        }
    }

    @usableFromInline var records: [PlannedRecord] = []
    @usableFromInline var keys: [NewKey] = []
    @usableFromInline var nextPosition: UInt64 = 0
    @usableFromInline var nextStream: UInt64 = 0
    private var routes = SmallTable<IdentityName, UInt64>()
    private var ends = SmallTable<UInt64, StreamEnd>()
    private var dedupes = SmallTable<DedupeIndex.Key, DedupeIndex.Place>()
    private var links = SmallTable<UInt64, [UInt64]>()

    @usableFromInline
    init() {}

    /// Begins a batch, in the memory of the one before.
    @usableFromInline
    mutating func restart(end: UInt64, streams: UInt64) {
        records.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        routes.removeAll()
        ends.removeAll()
        dedupes.removeAll()
        links.removeAll()
        nextPosition = end
        nextStream = streams
    }

    /// The stream that an earlier request of the batch gave the key to.
    @usableFromInline
    func route(_ key: [UInt8]) -> UInt64? { routes[IdentityName(key)] }

    /// Where the stream ends after the batch's earlier drafts; nil when none went to it.
    @usableFromInline
    func end(of stream: UInt64) -> StreamEnd? { ends[stream] }

    /// Where the hash stands among the batch's earlier drafts.
    @usableFromInline
    func place(_ key: DedupeIndex.Key) -> DedupeIndex.Place? { dedupes[key] }

    /// The streams that the batch joins to this one.
    @usableFromInline
    func links(of stream: UInt64) -> [UInt64] { links[stream] ?? [] }

    /// Has the stream joined to another.
    @usableFromInline
    mutating func link(_ stream: UInt64, to other: UInt64) {
        links[stream] = links(of: stream) + [other]
    }

    /// Gives a routing key that is new to the log to a stream, unless it was given before.
    @usableFromInline
    mutating func give(_ key: [UInt8], to stream: UInt64) {
        guard route(key) == nil else { return }
        routes[IdentityName(key)] = stream
        keys.append(NewKey(key: key, stream: stream, isShared: false))
    }

    /// Gives the draft its place at the end of a stream.
    @usableFromInline
    mutating func add(
        _ draft: EventDraft, to stream: UInt64, after end: StreamEnd, cause: UInt64?,
        flags: RecordFlags
    ) throws(LogError) -> DedupeIndex.Place {
        guard end.count < UInt32.max else { throw .invalid("A stream can take no more events.") }
        let place = DedupeIndex.Place(position: nextPosition, revision: end.count)
        records.append(
            PlannedRecord(
                draft: draft, position: nextPosition, stream: stream, revision: end.count,
                previous: end.last, cause: cause ?? StorageLayout.noPosition, flags: flags))
        ends[stream] = StreamEnd(last: nextPosition, count: end.count + 1)
        if let hash = draft.dedupe {
            dedupes[DedupeIndex.Key(stream: stream, hash: hash)] = place
        }
        nextPosition += 1
        return place
    }
}

/// The dedupe hashes of streams whose chains were walked; a bounded memory of what the log says.
@usableFromInline
struct DedupeIndex {
    @usableFromInline
    struct Key: Hashable {
        @usableFromInline var stream: UInt64
        @usableFromInline var hash: DedupeHash

        @usableFromInline
        init(stream: UInt64, hash: DedupeHash) {
            self.stream = stream
            self.hash = hash
        }

        /// The hash is even already: one half of it is enough for a table, all is for equality.
        @usableFromInline
        func hash(into hasher: inout Hasher) {
            hasher.combine(stream ^ UInt64(truncatingIfNeeded: hash.value))
        }
    }

    @usableFromInline
    struct Place: Hashable {
        @usableFromInline var position: UInt64
        @usableFromInline var revision: UInt32

        @usableFromInline
        init(position: UInt64, revision: UInt32) {
            self.position = position
            self.revision = revision
        }
    }

    @usableFromInline
    init() {}

    private static var capacity: Int { 1 << 18 }
    private var places: [Key: Place] = [:]
    private var complete: Set<UInt64> = []

    /// True when everything the stream's chain holds is known here.
    @usableFromInline
    func knows(_ stream: UInt64) -> Bool { complete.contains(stream) }

    /// Where the hash stands in a stream that is known.
    @usableFromInline
    func place(_ key: Key) -> Place? { places[key] }

    /// Takes in a whole chain, from its last record back.
    @usableFromInline
    mutating func read(
        _ stream: UInt64, endingAt last: UInt64, _ reader: some LogReading
    ) throws(LogError) {
        try reader.walk(from: last) { record in
            if let hash = record.dedupe {
                places[Key(stream: stream, hash: hash)] =
                    Place(position: record.position, revision: record.revision)
            }
            return .more
        }
        complete.insert(stream)
    }

    /// Takes in what other processes appended to the streams that are known.
    @usableFromInline
    mutating func read(_ range: Range<UInt64>, _ reader: some LogReading) throws(LogError) {
        guard !complete.isEmpty else { return }
        try reader.scan(.log, from: range.lowerBound) { (position, stored) throws(LogError) in
            guard position < range.upperBound else { return .stop }
            guard let record = RecordView(stored: stored) else {
                throw .damagedRecord(at: position)
            }
            if record.revision == 0 { complete.insert(record.stream) }
            if let hash = record.dedupe, complete.contains(record.stream) {
                places[Key(stream: record.stream, hash: hash)] =
                    Place(position: position, revision: record.revision)
            }
            return .more
        }
    }

    /// Takes in a record that was just written.
    @usableFromInline
    mutating func add(_ record: AppendPlan.PlannedRecord) {
        if record.revision == 0 { complete.insert(record.stream) }
        guard let hash = record.draft.dedupe, complete.contains(record.stream) else { return }
        places[Key(stream: record.stream, hash: hash)] =
            Place(position: record.position, revision: record.revision)
    }

    /// Keeps the memory bounded; the log can be asked again.
    @usableFromInline
    mutating func trim() {
        guard places.count > Self.capacity || complete.count > Self.capacity else { return }
        places = [:]
        complete = []
    }
}

extension LogReading {
    /// Lends one record; throws when it is missing or cannot be read.
    func record<R>(
        at position: UInt64, _ body: (borrowing RecordView) throws(LogError) -> R
    ) throws(LogError) -> R {
        let result = try value(.log, position) { (stored) throws(LogError) in
            guard let record = RecordView(stored: stored), record.position == position else {
                throw .damagedRecord(at: position)
            }
            return try body(record)
        }
        guard let result else { throw .missingRecord(at: position) }
        return result
    }

    /// Walks a stream's chain from a record back to its first.
    func walk(
        from last: UInt64, _ body: (borrowing RecordView) throws(LogError) -> ScanStep
    ) throws(LogError) {
        var next: UInt64? = last == StorageLayout.noPosition ? nil : last
        while let position = next {
            next = try record(at: position) { (record) throws(LogError) -> UInt64? in
                guard try body(record) == .more else { return nil }
                guard let previous = record.previous else { return nil }
                // A damaged chain must not send the walk round in a circle.
                guard previous < position else { throw .damagedRecord(at: position) }
                return previous
            }
        }
    }
}
