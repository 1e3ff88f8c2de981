/// How far a long run over the log has come.
public struct LogProgress: Sendable, Hashable {
    /// Records done so far.
    public let done: UInt64
    /// Records to do in all.
    public let total: UInt64

    /// A step of a run.
    @inlinable
    public init(done: UInt64, total: UInt64) {
        self.done = done
        self.total = total
    }
}

/// What all streams fold to, from the first record on.
public struct ReplayedStates<State: Sendable>: Sendable {
    /// One state for each stream, by its number.
    public let states: [State]
    /// The log's end that was folded to.
    public let end: UInt64

    @usableFromInline
    init(states: [State], end: UInt64) {
        self.states = states
        self.end = end
    }
}

/// A part of the log that is folded in one piece, and which streams begin in it.
@usableFromInline struct ReplayRange: Sendable {
    @usableFromInline let positions: Range<UInt64>
    @usableFromInline let streams: Range<UInt64>
}

/// The states of the streams that begin in one range, in the memory of the array that holds all.
///
/// Unchecked: each range writes its own part, and nobody reads before all are done. An array for
/// each range would have to be copied behind the others.
@usableFromInline struct StateSection<State>: @unchecked Sendable {
    @usableFromInline let states: UnsafeMutableBufferPointer<State>

    @inlinable
    init(_ states: UnsafeMutableBufferPointer<State>) { self.states = states }
}

/// What a range says about streams that began before it, by the order it came upon them.
@usableFromInline struct EarlierStreams<Schema: LogSchema>: Sendable {
    /// For each stream one more than its index here; 0 for those that the range does not touch.
    @usableFromInline var places: [UInt32]
    @usableFromInline var streams: [UInt64] = []
    @usableFromInline var states: [Schema.State] = []
    /// Position of each one's last record in the range.
    @usableFromInline var lasts: [UInt64] = []

    @inlinable
    init(count: UInt64) { places = Array(repeating: 0, count: Int(count)) }

    @inlinable
    mutating func fold(_ record: borrowing RecordView, changes: inout ProjectionChanges) {
        let stream = record.stream
        var place = Int(places[Int(stream)])
        if place == 0 {
            streams.append(stream)
            states.append(Schema.initialState)
            lasts.append(record.position)
            place = states.count
            places[Int(stream)] = UInt32(place)
        }
        lasts[place - 1] = record.position
        Schema.fold(record, into: &states[place - 1], changes: &changes)
    }
}

extension EventLog {
    /// Folds all streams anew from position 0; neither reads nor writes the projections' rows.
    ///
    /// With several workers the log is cut into ranges, which as many threads take one after the
    /// other, and streams that span a border are merged. Holds one state for each stream in memory,
    /// and one more for each border that it spans. Blocks its caller; `progress` may be called from
    /// any of the threads. Throws `DAMAGED`, `LOG_CLOSED`, `STORAGE_FAILED`.
    @inlinable
    public func replay(
        workers: Int = 1, progress: (@Sendable (LogProgress) -> Void)? = nil
    ) throws(LogError) -> ReplayedStates<Schema.State> {
        let ranges = try replayRanges(workers)
        guard let last = ranges.last else { return ReplayedStates(states: [], end: 0) }
        let counter = ProgressCounter(total: last.positions.upperBound, progress)
        let results = WorkerResults<EarlierStreams<Schema>>(count: ranges.count)
        let total = Int(last.streams.upperBound)
        var states = [Schema.State](unsafeUninitializedCapacity: total) { memory, count in
            let whole = StateSection(memory)
            runWorkers(min(workers, ranges.count), on: ranges.count) { index in
                let streams = ranges[index].streams
                let part = whole.states[Int(streams.lowerBound)..<Int(streams.upperBound)]
                let section = StateSection(UnsafeMutableBufferPointer(rebasing: part))
                section.states.initialize(repeating: Schema.initialState)
                do throws(LogError) {
                    results.set(
                        .success(try self.fold(ranges[index], into: section, counter)), at: index)
                } catch {
                    results.set(.failure(error), at: index)
                }
            }
            count = total
        }
        for index in ranges.indices {
            let earlier = try results.take(index)
            for place in earlier.streams.indices {
                let stream = Int(earlier.streams[place])
                if Schema.merge(earlier.states[place], into: &states[stream]) { continue }
                try foldChain(
                    endingAt: earlier.lasts[place], from: ranges[index].positions.lowerBound,
                    into: &states[stream])
            }
        }
        return ReplayedStates(states: states, end: last.positions.upperBound)
    }

    @inlinable
    func fold(
        _ range: ReplayRange, into section: StateSection<Schema.State>, _ counter: ProgressCounter
    ) throws(LogError) -> EarlierStreams<Schema> {
        let (states, known) = (section.states, range.streams.lowerBound)
        var earlier = EarlierStreams<Schema>(count: known)
        var changes = ProjectionChanges(wantsOutcomes: false)
        var next = range.positions.lowerBound
        while next < range.positions.upperBound {
            let first = next
            let last = counter.sliceEnd(from: first, before: range.positions.upperBound)
            try whileOpen { () throws(LogError) in
                try store.read { (reader) throws(LogError) in
                    try reader.scan(.log, from: first) { (position, stored) throws(LogError) in
                        guard position == next, next < last else { return .stop }
                        guard let record = RecordView(stored: stored),
                            record.position == position, record.stream < range.streams.upperBound
                        else { throw .damagedRecord(at: position) }
                        if record.stream >= known {
                            let index = Int(truncatingIfNeeded: record.stream &- known)
                            Schema.fold(record, into: &states[index], changes: &changes)
                        } else {
                            earlier.fold(record, changes: &changes)
                        }
                        next &+= 1
                        return .more
                    }
                }
            }
            guard next == last else { throw .missingRecord(at: next) }
            counter.add(last - first)
        }
        // Only those that were touched are needed from here on.
        earlier.places = []
        return earlier
    }

    /// Folds the part of a chain that begins at a position or later.
    @usableFromInline
    func foldChain(
        endingAt last: UInt64, from first: UInt64, into state: inout Schema.State
    ) throws(LogError) {
        state = try reading { (snapshot) throws(LogError) in
            var positions: [UInt64] = []
            try snapshot.reader.walk(from: last) { (record) throws(LogError) in
                guard record.position >= first else { return .stop }
                positions.append(record.position)
                return .more
            }
            var folded = state
            var changes = ProjectionChanges(wantsOutcomes: false)
            for position in positions.reversed() {
                try snapshot.reader.record(at: position) {
                    Schema.fold($0, into: &folded, changes: &changes)
                }
            }
            return folded
        }
    }

    /// Ranges that end where blocks do, whose summaries say which streams there were by then.
    ///
    /// Four for each worker, so that one that is held up leaves the rest of its share to others.
    @usableFromInline
    func replayRanges(_ workers: Int) throws(LogError) -> [ReplayRange] {
        try reading { (snapshot) throws(LogError) in
            let blocks = (snapshot.end + 1_023) >> StorageLayout.blockShift
            let share = max(1, min(UInt64(clamping: workers), blocks))
            let count = share > 1 ? min(share * 4, blocks) : 1
            var ranges: [ReplayRange] = []
            var next: UInt64 = 0
            var streams: UInt64 = 0
            for index in 1...count where next < snapshot.end {
                let border = blocks * index / count
                let end = min(border << StorageLayout.blockShift, snapshot.end)
                let block = try snapshot.reader.block(border - 1, Schema.self)
                // Each stream has a record, so that a damaged row cannot ask for all memory.
                guard let block, (streams...end).contains(block.streams) else {
                    throw .damagedRow("The summary of block \(border - 1)")
                }
                ranges.append(
                    ReplayRange(positions: next..<end, streams: streams..<block.streams))
                (next, streams) = (end, block.streams)
            }
            return ranges
        }
    }
}
