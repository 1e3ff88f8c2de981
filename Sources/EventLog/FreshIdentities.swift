#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Identities that stand in chunks in the order of their commits and not yet in `ids`.
///
/// An id is random: its row would touch a page of its own, and four of them for each checkout cost
/// a commit more than its records. So a commit adds one chunk. When enough have come together that
/// a page takes several of their rows, the commits after move them to `ids` in the order of the
/// keys there, each a few more than it adds itself: no commit is a long one, and none frees more
/// pages than the next ones use again. Readers look into both. What is here is a copy of what the
/// chunks say.
@usableFromInline
struct FreshIdentities {
    /// What the transaction that is going on adds.
    @usableFromInline private(set) var chunk: [UInt8] = []
    private var routes: [IdentityName: UInt64] = [:]
    private var shares: Set<IdentityShare> = []
    /// The rows that are being moved, in the order of their keys.
    private var moving: [IdentityRow] = []
    /// How many of them were moved.
    private var moved = 0
    /// Chunks before this one are wholly among the rows that are being moved.
    private var movingEnd: UInt64 = 0
    /// Identities that the transaction that is going on added.
    private var added = 0

    @usableFromInline
    init() {}

    /// True while rows are being moved.
    var isMoving: Bool { !moving.isEmpty }

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
        added += 1
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

    /// Begins to move all that stand in chunks.
    mutating func beginMoving(_ reader: some LogReading) throws(LogError) {
        var rows: [IdentityRow] = []
        try reader.scanFresh(from: 0) { kind, key, stream in
            rows.append(IdentityRow(kind, key, stream))
        }
        // Another process may have moved what is remembered here.
        if rows.isEmpty { self = FreshIdentities() }
        rows.sort()
        moving = rows
        moved = 0
        movingEnd = try reader.end()
    }

    /// Moves the next rows, twice as many as were added and one; lets go of the chunks at the end.
    @usableFromInline
    mutating func moveOn(_ writer: some LogWriting) throws(LogError) {
        let count = 2 * added + 1
        added = 0
        guard isMoving else { return }
        for row in moving[moved..<min(moved + count, moving.count)] {
            // The first stream that a key was given to keeps it.
            if !row.value.isEmpty, try writer.value(.ids, row.key, { _ in true }) == true {
                continue
            }
            try writer.put(.ids, row.key, row.value)
        }
        moved += count
        guard moved >= moving.count else { return }
        var chunks: [UInt64] = []
        try writer.scan(.fresh, from: 0) { (key, _) in
            guard key < movingEnd else { return .stop }
            chunks.append(key)
            return .more
        }
        for chunk in chunks { try writer.delete(.fresh, chunk) }
        self = FreshIdentities()
        try read(from: 0, writer)
    }

    /// From how many on they are moved, in a log of so many streams.
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

    /// Writes what follows from all records that a transaction added.
    @inlinable
    func writeEnd(_ writer: Store.Writer) throws(LogError) {
        try writeFresh(writer)
        try fresh.moveOn(writer)
        try writeHead(writer)
    }
}

/// A row of `ids`.
struct IdentityRow: Comparable, Sendable {
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

    static func < (left: IdentityRow, right: IdentityRow) -> Bool { left.precedes(right.key) }

    func precedes(_ key: [UInt8]) -> Bool { self.key.span.bytes.precedes(key) }
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
        from key: [UInt8], _ waiting: ArraySlice<IdentityRow>,
        _ body: (RawSpan, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) {
        var next = waiting.startIndex
        var isDone = false
        try scan(.ids, from: key) { (stored, value) throws(LogError) in
            while next < waiting.endIndex, !isDone, stored.follows(waiting[next].key) {
                isDone = try waiting[next].lend(body) == .stop
                next += 1
            }
            // It was moved already.
            while next < waiting.endIndex, stored.equals(waiting[next].key) { next += 1 }
            if !isDone { isDone = try body(stored, value) == .stop }
            return isDone ? .stop : .more
        }
        while next < waiting.endIndex, !isDone {
            isDone = try waiting[next].lend(body) == .stop
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
    fileprivate func follows(_ other: [UInt8]) -> Bool { order(other) > 0 }

    fileprivate func precedes(_ other: [UInt8]) -> Bool { order(other) < 0 }

    private func order(_ other: [UInt8]) -> Int {
        let common = min(byteCount, other.count)
        let order = withUnsafeBytes { first in
            other.withUnsafeBytes { second in
                guard let first = first.baseAddress, let second = second.baseAddress else {
                    return 0
                }
                return Int(memcmp(first, second, common))
            }
        }
        return order == 0 ? byteCount - other.count : order
    }
}

extension LogError {
    fileprivate static var damagedFresh: LogError { .damagedRow("A chunk of new identities") }
}
