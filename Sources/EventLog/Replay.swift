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

/// The states of the streams that begin before the end of a range, by their numbers.
@usableFromInline struct StateTable<Schema: LogSchema>: Sendable {
    @usableFromInline var states: [Schema.State]
    @usableFromInline var isTouched: [Bool]
    @usableFromInline var changes = ProjectionChanges(wantsOutcomes: false)

    @usableFromInline
    init(streams: UInt64) {
        states = Array(repeating: Schema.initialState, count: Int(streams))
        isTouched = Array(repeating: false, count: Int(streams))
    }

    /// False when the record names a stream that cannot be.
    @inlinable
    mutating func fold(_ record: borrowing RecordView) -> Bool {
        let stream = record.stream
        guard stream < UInt64(states.count) else { return false }
        Schema.fold(record, into: &states[Int(stream)], changes: &changes)
        isTouched[Int(stream)] = true
        return true
    }

    /// Takes in the table of the range behind this one.
    @usableFromInline
    mutating func merge(_ later: consuming StateTable) {
        let known = states.count
        for index in 0..<known where later.isTouched[index] {
            if isTouched[index] {
                Schema.merge(later.states[index], into: &states[index])
            } else {
                states[index] = later.states[index]
                isTouched[index] = true
            }
        }
        states.append(contentsOf: later.states[known...])
        isTouched.append(contentsOf: later.isTouched[known...])
    }
}

/// A part of the log for one worker, and how many streams there are at its end.
@usableFromInline struct ReplayRange: Sendable {
    @usableFromInline let positions: Range<UInt64>
    @usableFromInline let streams: UInt64
}

extension EventLog {
    /// Folds all streams anew from position 0; neither reads nor writes the projections' rows.
    ///
    /// With several workers the log is cut into ranges, one thread each, and streams that span a
    /// border are merged. Holds one state for each stream in memory, for each worker. Blocks its
    /// caller; `progress` may be called from any of the threads.
    /// Throws `DAMAGED`, `LOG_CLOSED`, `STORAGE_FAILED`.
    @inlinable
    public func replay(
        workers: Int = 1, progress: (@Sendable (LogProgress) -> Void)? = nil
    ) throws(LogError) -> ReplayedStates<Schema.State> {
        let ranges = try replayRanges(workers)
        guard let end = ranges.last?.positions.upperBound else {
            return ReplayedStates(states: [], end: 0)
        }
        let counter = ProgressCounter(total: end, progress)
        if ranges.count == 1 {
            let table = try fold(ranges[0], counter)
            return ReplayedStates(states: table.states, end: end)
        }
        let results = WorkerResults<StateTable<Schema>>(count: ranges.count)
        runThreads(ranges.count) { index in
            do throws(LogError) {
                results.set(.success(try self.fold(ranges[index], counter)), at: index)
            } catch {
                results.set(.failure(error), at: index)
            }
        }
        var table = try results.take(0)
        for index in 1..<ranges.count { table.merge(try results.take(index)) }
        return ReplayedStates(states: table.states, end: end)
    }

    @inlinable
    func fold(
        _ range: ReplayRange, _ counter: ProgressCounter
    ) throws(LogError) -> StateTable<Schema> {
        var table = StateTable<Schema>(streams: range.streams)
        var next = range.positions.lowerBound
        while next < range.positions.upperBound {
            let first = next
            let last = counter.sliceEnd(from: first, before: range.positions.upperBound)
            try whileOpen { () throws(LogError) in
                try store.read { (reader) throws(LogError) in
                    try reader.scan(.log, from: first) { (position, stored) throws(LogError) in
                        guard position == next, next < last else { return .stop }
                        guard let record = RecordView(stored: stored),
                            record.position == position, table.fold(record)
                        else {
                            throw .damagedRecord(at: position)
                        }
                        next += 1
                        return .more
                    }
                }
            }
            guard next == last else { throw .missingRecord(at: next) }
            counter.add(last - first)
        }
        return table
    }

    @usableFromInline
    func replayRanges(_ workers: Int) throws(LogError) -> [ReplayRange] {
        try reading { (snapshot) throws(LogError) in
            let blocks = (snapshot.end + 1_023) >> StorageLayout.blockShift
            let count = UInt64(max(1, min(workers, Int(blocks))))
            var ranges: [ReplayRange] = []
            var next: UInt64 = 0
            for index in 1...count where next < snapshot.end {
                let border = blocks * index / count
                let end = min(border << StorageLayout.blockShift, snapshot.end)
                let block = try snapshot.reader.block(border - 1, Schema.self)
                guard let block, block.streams <= end else {
                    throw .damagedRow("The summary of block \(border - 1)")
                }
                ranges.append(ReplayRange(positions: next..<end, streams: block.streams))
                next = end
            }
            return ranges
        }
    }
}
