extension Snapshot {
    /// How far a rebuild of the projections has come, in whichever process; nil when none runs.
    ///
    /// One that was broken off stays until the next one takes its place.
    package func rebuildProgress() throws(LogError) -> LogProgress? {
        try reader.rebuildMark().map { LogProgress(done: $0.position, total: end) }
    }

    /// Every user's projection that has read something: name, version, and the position it reads
    /// next; in the order of the lengths of their names, then by name.
    package func userProjections() throws(LogError) -> [(
        name: String, version: UInt32, next: UInt64
    )] {
        var found: [(name: String, version: UInt32, next: UInt64)] = []
        try reader.scan(.user, from: [UserKey.checkpoint]) { (key, row) throws(LogError) in
            guard key.field(0, as: UInt8.self) == UserKey.checkpoint else { return .stop }
            guard key.byteCount > 2, row.byteCount == UserKey.checkpointByteCount else {
                throw .damagedRow("The checkpoint of a projection")
            }
            let name = String(decoding: key.extracting(droppingFirst: 2).copied(), as: UTF8.self)
            found.append((name, row.field(0), row.field(4)))
            return .more
        }
        return found
    }
}
