extension Snapshot {
    /// The stream that an identity's key routes to.
    public func resolve(_ key: [UInt8]) throws(LogError) -> UInt64? {
        if let stream = try reader.storedStream(routedBy: key) { return stream }
        return try fresh.rows(of: reader, sorted: false).stream(routedBy: key)
    }

    /// The streams that share an identity of the role `.finds`, in order of their numbers.
    public func streams(finding key: [UInt8]) throws(LogError) -> [UInt64] {
        let waiting = try fresh.rows(of: reader, sorted: false).streams(sharing: key)
        // One that is being moved stands in both.
        return Set(waiting + (try reader.storedStreams(sharing: key))).sorted()
    }

    private func scanIdentities(
        from key: [UInt8], _ body: (RawSpan, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) {
        let waiting = try fresh.rows(of: reader, sorted: true).rows(from: key)
        try reader.scanIdentities(from: key, waiting, body)
    }

    /// Lends the routing identities in the order of their keys, from `key` on.
    ///
    /// Keys of one beginning lie together, so a schema that puts what it searches for last finds
    /// by beginnings.
    public func forEachIdentity(
        from key: [UInt8], _ body: (RawSpan, UInt64) -> ScanStep
    ) throws(LogError) {
        try scanIdentities(from: [IdentityKey.route] + key) {
            (stored, row) throws(LogError) in
            guard stored.field(0, as: UInt8.self) == IdentityKey.route else { return .stop }
            guard row.byteCount == 8 else { throw .damagedRow("An identity's stream") }
            return body(stored.extracting(droppingFirst: 1), row.field(0, as: UInt64.self))
        }
    }

    /// Lends every shared identity with each of the streams that share it, streams of one key in
    /// a row; keys in no order that means anything.
    public func forEachSharedIdentity(
        _ body: (RawSpan, UInt64) -> ScanStep
    ) throws(LogError) {
        let overhead = IdentityKey.sharedOverhead
        try scanIdentities(from: [IdentityKey.share]) { (stored, row) throws(LogError) in
            guard stored.field(0, as: UInt8.self) == IdentityKey.share else { return .stop }
            guard stored.byteCount > overhead, row.isEmpty else {
                throw .damagedRow("An identity's stream")
            }
            let key = stored.extracting(3..<(stored.byteCount - 8))
            let stream = stored.unsafeLoadUnaligned(
                fromByteOffset: stored.byteCount - 8, as: UInt64.self)
            return body(key, UInt64(bigEndian: stream))
        }
    }
}
