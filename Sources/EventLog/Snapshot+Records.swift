extension Snapshot {
    /// Lends the records of a range in order, only those of the given types where they are given;
    /// blocks without any of the types are not read.
    ///
    /// The range is cut at the log's end. Throws what `body` throws, and `DAMAGED`.
    public func forEachRecord(
        in range: Range<UInt64>, matching types: TypeSet? = nil,
        _ body: (borrowing RecordView) throws -> ScanStep
    ) throws {
        var failure: (any Error)?
        try scanRecords(in: range, matching: types) { (record) throws(LogError) in
            do {
                return try body(record)
            } catch {
                failure = error
                return .stop
            }
        }
        if let failure { throw failure }
    }

    /// The same for a body that throws the log's errors only.
    func scanRecords(
        in range: Range<UInt64>, matching types: TypeSet? = nil,
        _ body: (borrowing RecordView) throws(LogError) -> ScanStep
    ) throws(LogError) {
        let range = range.clamped(to: 0..<end)
        guard let types else { return try scan(range, body) }
        var next = range.lowerBound
        while next < range.upperBound {
            let run = try matchingRun(from: next, before: range.upperBound, types)
            var isStopped = false
            try scan(run) { (record) throws(LogError) in
                guard types.contains(record.type) else { return .more }
                let step = try body(record)
                isStopped = step == .stop
                return step
            }
            if isStopped { return }
            next = run.upperBound
        }
    }

    private func scan(
        _ range: Range<UInt64>, _ body: (borrowing RecordView) throws(LogError) -> ScanStep
    ) throws(LogError) {
        guard !range.isEmpty else { return }
        var next = range.lowerBound
        try reader.scan(.log, from: next) { (position, stored) throws(LogError) in
            guard position < range.upperBound else { return .stop }
            guard position == next else { throw .missingRecord(at: next) }
            guard let record = RecordView(stored: stored), record.position == position else {
                throw .damagedRecord(at: position)
            }
            next += 1
            return try body(record) == .more && next < range.upperBound ? .more : .stop
        }
    }

    /// Lends the places of the records that are there, in order, and passes over positions at which
    /// none is or none that can be read.
    ///
    /// For telling what is missing; every other reader stops there with `DAMAGED`. Throws what
    /// `body` throws, and what the storage says.
    public func forEachPlace(
        in range: Range<UInt64>, _ body: (RecordPlace) throws -> ScanStep
    ) throws {
        var failure: (any Error)?
        try reader.scan(.log, from: range.lowerBound) { (position, stored) throws(LogError) in
            guard position < range.upperBound else { return .stop }
            guard let record = RecordView(stored: stored), record.position == position else {
                return .more
            }
            let place = RecordPlace(
                position: position, stream: record.stream, revision: record.revision)
            do { return try body(place) } catch {
                failure = error
                return .stop
            }
        }
        if let failure { throw failure }
    }

    /// The next positions whose blocks may hold one of the types; empty at the end when none does.
    private func matchingRun(
        from first: UInt64, before last: UInt64, _ types: TypeSet
    ) throws(LogError) -> Range<UInt64> {
        var run: Range<UInt64>?
        let number = first >> StorageLayout.blockShift
        try reader.scan(.blocks, from: number) { (number, row) throws(LogError) in
            let block = try BlockSummary(number: number, stored: row, Schema.self)
            let start = number << StorageLayout.blockShift
            guard start < last else { return .stop }
            if block.mayContain(types) {
                let end = min(start + 1 << StorageLayout.blockShift, last)
                run = (run?.lowerBound ?? max(start, first))..<end
                return .more
            }
            return run == nil ? .more : .stop
        }
        return run ?? last..<last
    }

    /// The first position that was recorded at or after a time, µs since 1970; `end` when none was.
    ///
    /// Recorded times never decrease, so it is found by bisection.
    public func position(atOrAfter time: Int64) throws(LogError) -> UInt64 {
        var low: UInt64 = 0
        var high = end
        while low < high {
            let middle = low + (high - low) / 2
            let recordedAt = try reader.record(at: middle) { $0.recordedAt }
            if recordedAt >= time { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Lends the summaries of all blocks in order.
    public func forEachBlock(
        from number: UInt64 = 0, _ body: (BlockSummary<Schema.Summary>) throws -> ScanStep
    ) throws {
        var failure: (any Error)?
        try reader.scan(.blocks, from: number) { (number, row) throws(LogError) in
            let block = try BlockSummary(number: number, stored: row, Schema.self)
            do { return try body(block) } catch {
                failure = error
                return .stop
            }
        }
        if let failure { throw failure }
    }
}

/// Where a record stands in the log and in its stream.
public struct RecordPlace: Sendable, Hashable {
    /// Place in the log.
    public let position: UInt64
    /// The stream's number.
    public let stream: UInt64
    /// Place in the stream.
    public let revision: UInt32
}
