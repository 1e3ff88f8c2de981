public import Cryptography

extension Snapshot {
    /// The Merkle frontier over all records of the snapshot; its root is `frontier().root()`.
    public func frontier() throws(LogError) -> MerkleFrontier { try reader.frontier() }

    /// The leaf hash of a record, hashed anew; throws `DAMAGED` when there is no such record.
    public func leafHash(at position: UInt64) throws(LogError) -> Digest {
        try reader.record(at: position) { $0.leafHash }
    }

    /// A stored hash of a full subtree of 2^level leaves; only levels 8, 16, 24 … are stored.
    public func node(level: Int, index: UInt64) throws(LogError) -> Digest? {
        try reader.node(Subtree(level: level, index: index))
    }

    /// How large the log is and how far its rows have come.
    public func statistics() throws(LogError) -> LogStatistics {
        let mark = try reader.watermark()
        return LogStatistics(
            events: end, streams: try streamCount(), watermark: mark.position,
            foldVersion: mark.foldVersion,
            firstRecordedAt: end == 0 ? nil : try reader.record(at: 0) { $0.recordedAt },
            lastRecordedAt: end == 0 ? nil : try reader.record(at: end - 1) { $0.recordedAt })
    }
}

/// How large a log is, at one moment.
public struct LogStatistics: Sendable, Hashable {
    /// How many records there are.
    public let events: UInt64
    /// How many streams they make.
    public let streams: UInt64
    /// Records before this position are in the projections' rows.
    public let watermark: UInt64
    /// The version of the fold that made the rows.
    public let foldVersion: UInt32
    /// When the first record was recorded, µs since 1970.
    public let firstRecordedAt: Int64?
    /// When the last record was recorded, µs since 1970.
    public let lastRecordedAt: Int64?
}
