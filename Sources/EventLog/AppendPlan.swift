/// What one caller's batch will write; made before anything is written, so that a refused batch
/// leaves nothing, and seen by the batch's own later requests.
struct AppendPlan {
    /// A record whose place is known.
    struct PlannedRecord {
        var draft: EventDraft
        var position: UInt64
        var stream: UInt64
        var revision: UInt32
        var previous: UInt64
        var cause: UInt64
        var flags: RecordFlags
    }

    /// Where a stream ends.
    struct StreamEnd {
        var last: UInt64
        var count: UInt32
    }

    /// A key that is new to the log.
    struct NewKey {
        var key: [UInt8]
        var stream: UInt64
        var isShared: Bool
    }

    var records: [PlannedRecord] = []
    var keys: [NewKey] = []
    var routes: [[UInt8]: UInt64] = [:]
    var ends: [UInt64: StreamEnd] = [:]
    var dedupes: [DedupeIndex.Key: DedupeIndex.Place] = [:]
    var links: [UInt64: [UInt64]] = [:]
    var nextPosition: UInt64
    var nextStream: UInt64

    init(end: UInt64, streams: UInt64) {
        nextPosition = end
        nextStream = streams
    }

    /// Gives the draft its place at the end of a stream.
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
struct DedupeIndex {
    struct Key: Hashable {
        var stream: UInt64
        var hash: DedupeHash
    }

    struct Place: Hashable {
        var position: UInt64
        var revision: UInt32
    }

    private static var capacity: Int { 1 << 18 }
    private var places: [Key: Place] = [:]
    private var complete: Set<UInt64> = []

    /// True when everything the stream's chain holds is known here.
    func knows(_ stream: UInt64) -> Bool { complete.contains(stream) }

    /// Where the hash stands in a stream that is known.
    func place(_ key: Key) -> Place? { places[key] }

    /// Takes in a whole chain, from its last record back.
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
    mutating func add(_ record: AppendPlan.PlannedRecord) {
        if record.revision == 0 { complete.insert(record.stream) }
        guard let hash = record.draft.dedupe, complete.contains(record.stream) else { return }
        places[Key(stream: record.stream, hash: hash)] =
            Place(position: record.position, revision: record.revision)
    }

    /// Keeps the memory bounded; the log can be asked again.
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
