extension Snapshot {
    /// Position of the stream's last record and how many it has; nil for an unknown stream.
    public func end(of stream: UInt64) throws(LogError) -> (last: UInt64, count: UInt32)? {
        guard let head = try head(of: stream) else { return nil }
        return (head.last, head.count)
    }

    /// Lends a stream's records from the newest back to the oldest.
    ///
    /// Throws what `body` throws, and `DAMAGED`. An unknown stream has no records.
    public func walk(
        _ stream: UInt64, _ body: (borrowing RecordView) throws -> ScanStep
    ) throws {
        guard let last = try head(of: stream)?.last else { return }
        var failure: (any Error)?
        try reader.walk(from: last) { (record) throws(LogError) in
            do { return try body(record) } catch {
                failure = error
                return .stop
            }
        }
        if let failure { throw failure }
    }

    /// The positions of a stream's records, oldest first; only those before `limit`.
    public func positions(
        of stream: UInt64, before limit: UInt64 = .max
    ) throws(LogError) -> [UInt64] {
        guard let last = try head(of: stream)?.last else { return [] }
        var positions: [UInt64] = []
        try reader.walk(from: last) { (record) throws(LogError) in
            if record.position < limit { positions.append(record.position) }
            return .more
        }
        return positions.reversed()
    }

    /// Copies of a stream's records, oldest first; only those before `limit`.
    public func records(
        of stream: UInt64, before limit: UInt64 = .max
    ) throws(LogError) -> [Record] {
        guard let last = try head(of: stream)?.last else { return [] }
        var records: [Record] = []
        try reader.walk(from: last) { (record) throws(LogError) in
            if record.position < limit { records.append(Record(record)) }
            return .more
        }
        return records.reversed()
    }

    /// A stream's state at this snapshot's end, exact; nil for an unknown stream.
    public func state(of stream: UInt64) throws(LogError) -> Schema.State? {
        try withTail { (tail, set) throws(LogError) in
            try tail.fetch(stream, reader, set).map { tail.state(of: $0) }
        }
    }

    /// A stream's state as it was before position `limit`; nil where it had no record by then.
    public func state(of stream: UInt64, before limit: UInt64) throws(LogError) -> Schema.State? {
        guard limit < end else { return try state(of: stream) }
        let positions = try positions(of: stream, before: limit)
        guard !positions.isEmpty else { return nil }
        var state = Schema.initialState
        var changes = ProjectionChanges(wantsOutcomes: false)
        for position in positions {
            try reader.record(at: position) { Schema.fold($0, into: &state, changes: &changes) }
        }
        return state
    }

    /// The stream and all that are linked to it, directly or over others; itself first.
    ///
    /// With a limit, links recorded at or after that position do not count.
    public func group(
        of stream: UInt64, before limit: UInt64 = .max
    ) throws(LogError) -> [UInt64] {
        try linkedStreams(from: stream) { (stream) throws(LogError) in
            try state(of: stream, before: limit).map { Schema.links($0) } ?? []
        }
    }

    /// How many streams there are; they are numbered from 0.
    public func streamCount() throws(LogError) -> UInt64 {
        guard end > 0 else { return 0 }
        return try reader.block((end - 1) >> StorageLayout.blockShift, Schema.self)?.streams ?? 0
    }

    private func head(of stream: UInt64) throws(LogError) -> StreamHead? {
        try withTail { (tail, set) throws(LogError) in try tail.fetch(stream, reader, set) }
    }
}
