/// Identities that stand in chunks in the order of their commits and not yet in `ids`.
///
/// An id is random: its row would touch a page of its own, and four of them for each checkout cost
/// a commit more than its records. So a commit adds one chunk, and a checkpoint moves all chunks
/// to `ids` when enough have come together that a page takes several of their rows. Readers look
/// into both. What is here is a copy of what the chunks say.
@usableFromInline
struct FreshIdentities {
    /// What the transaction that is going on adds.
    @usableFromInline private(set) var chunk: [UInt8] = []
    private var routes: [IdentityName: UInt64] = [:]
    private var shares: Set<IdentityShare> = []

    @usableFromInline
    init() {}

    /// How many there are.
    var count: Int { routes.count + shares.count }

    /// The stream that a routing key leads to.
    @usableFromInline
    func stream(_ name: IdentityName) -> UInt64? { routes[name] }

    /// Whether the stream is among those that share a key.
    @usableFromInline
    func contains(_ share: IdentityShare) -> Bool { shares.contains(share) }

    /// Adds a key to the chunk.
    @usableFromInline
    mutating func add(_ key: AppendPlan.NewKey) {
        let byteCount = 1 + key.key.count
        chunk.add(UInt16(byteCount))
        chunk.append(key.isShared ? IdentityKey.share : IdentityKey.route)
        chunk.append(contentsOf: key.key)
        chunk.add(key.stream)
        remember(key.key, key.stream, isShared: key.isShared)
    }

    /// Begins the next chunk; the last one was written.
    @usableFromInline
    mutating func beginChunk() { chunk.removeAll(keepingCapacity: true) }

    /// Takes in the chunks from a key on: of other processes, or all after an opening.
    mutating func read(from first: UInt64, _ reader: some LogReading) throws(LogError) {
        try reader.scanFresh(from: first) { kind, key, stream in
            remember(key.copied(), stream, isShared: kind == IdentityKey.share)
        }
    }

    private mutating func remember(_ key: [UInt8], _ stream: UInt64, isShared: Bool) {
        if isShared {
            shares.insert(IdentityShare(key, stream))
        } else if routes[IdentityName(key)] == nil {
            routes[IdentityName(key)] = stream
        }
    }

    /// From how many on a checkpoint moves them, in a log of so many streams.
    ///
    /// A share of all, so that a small log is not mostly chunks; bounded, so that a look-up which
    /// finds nothing in `ids` reads little more.
    static func bound(streams: UInt64) -> Int {
        Int(min(max(streams / 2, Limits.freshIdentitiesAtLeast), Limits.freshIdentitiesAtMost))
    }
}

extension WriteCore {
    /// Writes the chunk of new identities; a record was added since the last one was.
    @inlinable
    func writeFresh(_ writer: Store.Writer) throws(LogError) {
        guard !fresh.chunk.isEmpty else { return }
        try writer.append(.fresh, head.end - 1, fresh.chunk)
        fresh.beginChunk()
    }

    /// Moves all chunks to `ids`, in the order of the keys there.
    func moveFresh(_ writer: Store.Writer) throws(LogError) {
        var rows: [IdentityRow] = []
        try writer.scanFresh(from: 0) { kind, key, stream in
            rows.append(IdentityRow(kind, key, stream))
        }
        for row in rows.sorted() {
            // The first stream that a key was given to keeps it.
            if !row.value.isEmpty, try writer.value(.ids, row.key, { _ in true }) == true {
                continue
            }
            try writer.put(.ids, row.key, row.value)
        }
        var chunks: [UInt64] = []
        try writer.scan(.fresh, from: 0) { (key, _) in
            chunks.append(key)
            return .more
        }
        for chunk in chunks { try writer.delete(.fresh, chunk) }
    }
}

/// A row of `ids`.
struct IdentityRow: Comparable {
    let key: [UInt8]
    let value: [UInt8]

    init(_ kind: UInt8, _ key: RawSpan, _ stream: UInt64) {
        if kind == IdentityKey.share {
            self.key = IdentityKey.shared(key.copied(), stream: stream)
            value = []
        } else {
            self.key = IdentityKey.route(key.copied())
            var bytes: [UInt8] = []
            bytes.add(stream)
            value = bytes
        }
    }

    static func < (left: IdentityRow, right: IdentityRow) -> Bool {
        left.key.lexicographicallyPrecedes(right.key)
    }
}

extension LogReading {
    /// Lends what stands in the chunks, in the order in which it was added: a kind, `route` or
    /// `share`, the key and the stream.
    func scanFresh(
        from first: UInt64, _ body: (UInt8, RawSpan, UInt64) throws(LogError) -> Void
    ) throws(LogError) {
        try scan(.fresh, from: first) { (_, chunk) throws(LogError) in
            var offset = 0
            while offset < chunk.byteCount {
                guard chunk.byteCount - offset >= 2 else { throw .damagedFresh }
                let count = Int(chunk.field(offset, as: UInt16.self))
                let end = offset + 2 + count
                guard count > 1, chunk.byteCount - end >= 8 else { throw .damagedFresh }
                let kind = chunk.field(offset + 2, as: UInt8.self)
                guard kind == IdentityKey.route || kind == IdentityKey.share else {
                    throw .damagedFresh
                }
                try body(kind, chunk.extracting((offset + 3)..<end), chunk.field(end))
                offset = end + 8
            }
            return .more
        }
    }

    /// Lends the rows of `ids` and those that will be, in the order of their keys, from `key` on.
    func scanIdentities(
        from key: [UInt8], _ body: (RawSpan, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) {
        var fresh: [IdentityRow] = []
        try scanFresh(from: 0) { kind, name, stream in
            let row = IdentityRow(kind, name, stream)
            if !row.key.lexicographicallyPrecedes(key) { fresh.append(row) }
        }
        fresh.sort()
        var next = 0
        var isDone = false
        try scan(.ids, from: key) { (stored, value) throws(LogError) in
            while next < fresh.count, !isDone, stored.follows(fresh[next].key) {
                isDone = try fresh[next].lend(body) == .stop
                next += 1
            }
            if !isDone { isDone = try body(stored, value) == .stop }
            return isDone ? .stop : .more
        }
        while next < fresh.count, !isDone {
            isDone = try fresh[next].lend(body) == .stop
            next += 1
        }
    }
}

extension IdentityRow {
    fileprivate func lend(
        _ body: (RawSpan, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) -> ScanStep {
        try body(key.span.bytes, value.span.bytes)
    }
}

extension RawSpan {
    fileprivate func follows(_ other: [UInt8]) -> Bool {
        withUnsafeBytes { other.lexicographicallyPrecedes($0) }
    }
}

extension LogError {
    fileprivate static var damagedFresh: LogError { .damagedRow("A chunk of new identities") }
}
