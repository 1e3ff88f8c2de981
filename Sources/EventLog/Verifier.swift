import Cryptography

/// Reads every record again and keeps what must be compared at the end.
///
/// Trusts nothing: a record is looked into only after its length was checked, and folded only while
/// no damage was found before it.
struct Verifier<Schema: LogSchema>: ~Copyable {
    private struct StreamEnd {
        var last: UInt64
        var count: UInt32
    }

    var report = VerificationReport()
    private(set) var states: [Schema.State] = []
    private(set) var changes = ProjectionChanges()
    private(set) var frontier = MerkleFrontier()
    private var ends: [StreamEnd] = []
    private var recordedAt = Int64.min
    private var block: BlockSummary<Schema.Summary>
    private var sha = SHA256()
    /// What the records before any damage name.
    var named = NamedIdentities()
    /// Mixed from stream and dedupe hash; what stands twice is looked at again.
    private var dedupes: [UInt64] = []
    /// True once a record could not be folded: from there on states say nothing.
    private(set) var isDamaged = false

    /// Heads that the log must agree with, and the next one by rising size.
    private var heads = ExpectedHeads()

    var next: UInt64 { report.end }

    init() { block = BlockSummary(number: 0, streams: 0, domain: Schema.emptySummary) }

    /// Takes the heads to compare; to be called before anything is read.
    mutating func expect(
        _ anchors: [Anchor], signedBy verifiers: [NoteVerifier], _ reader: some LogReading
    ) throws(LogError) {
        heads = try ExpectedHeads(anchors, verifiers, reader, &report)
        heads.compare(at: 0, frontier, &report)
    }

    /// Takes in the records of a snapshot up to `target`.
    mutating func read(
        to target: UInt64, _ reader: some LogReading
    ) throws(LogError) {
        try reader.scan(.log, from: next) { (position, stored) throws(LogError) in
            guard position < target else { return .stop }
            try skip(to: position, reader)
            try take(stored, reader)
            return .more
        }
        try skip(to: target, reader)
    }

    /// Compares the last, unfinished block too, and the frontier; nothing is read after it.
    mutating func finish(_ reader: some LogReading) throws(LogError) {
        if block.count > 0 { try compareBlock(reader) }
        report.streams = UInt64(ends.count)
        report.root = frontier.root()
        heads.finish(&report)
        let stored = try? reader.frontier()
        if stored != frontier {
            report.find(
                .treeDamaged, at: nil, "The stored Merkle frontier differs from the records.")
        }
        report.nodes += 1
    }

    private mutating func skip(
        to position: UInt64, _ reader: some LogReading
    ) throws(LogError) {
        while next < position {
            report.find(.missing, at: next, "There is no record at position \(next).")
            isDamaged = true
            try addLeaf(Digest.zero, reader)
            try advance(reader)
        }
    }

    private mutating func take(_ stored: RawSpan, _ reader: some LogReading) throws(LogError) {
        let position = next
        let hashed = stored.byteCount - StorageLayout.checksumByteCount
        guard hashed >= 0 else {
            report.find(.unreadable, at: position, "The record at \(position) is cut short.")
            isDamaged = true
            try addLeaf(Digest.zero, reader)
            return try advance(reader)
        }
        let leaf = stored.extracting(first: hashed).withUnsafeBytes { sha.hash($0, prefix: 0x00) }
        let isIntact = stored.extracting(droppingFirst: hashed)
            .equals(leaf.bytes.prefix(StorageLayout.checksumByteCount))
        if !isIntact {
            report.find(.edited, at: position, "The record at \(position) was edited.")
        }
        try addLeaf(leaf, reader)
        if let record = RecordView(stored: stored) {
            try check(record, isIntact, position)
        } else {
            report.find(.unreadable, at: position, "The record at \(position) cannot be read.")
            isDamaged = true
        }
        try advance(reader)
    }

    private mutating func check(
        _ record: borrowing RecordView, _ isIntact: Bool, _ position: UInt64
    ) throws(LogError) {
        if record.position != position {
            report.find(
                .displaced, at: position,
                "The record at \(position) says that it stands at \(record.position).")
        }
        if record.recordedAt < recordedAt {
            report.find(
                .timeBroken, at: position, "The record at \(position) goes back in time.")
        }
        recordedAt = max(recordedAt, record.recordedAt)
        if let cause = record.cause, cause >= position {
            report.find(
                .causeBroken, at: position, "The record at \(position) names a later cause.")
        }
        let follows = follow(record, position)
        if !follows {
            report.find(
                .chainBroken, at: position,
                "The record at \(position) does not follow the last one of its stream.")
        }
        // Damaged bytes are not given to the schema, whose rows are then compared with nothing.
        guard isIntact, follows, record.position == position, !isDamaged else {
            isDamaged = true
            return
        }
        block.add(record, Schema.self)
        named.add(Schema.identities(of: record), at: position, in: record.stream)
        Schema.fold(record, into: &states[Int(record.stream)], changes: &changes)
    }

    /// Keeps where the record's stream ends now; false when the record is not its next one.
    private mutating func follow(_ record: borrowing RecordView, _ position: UInt64) -> Bool {
        let stream = record.stream
        if let hash = record.dedupe { dedupes.append(Self.mix(stream, hash)) }
        guard stream <= UInt64(ends.count) else { return false }
        if stream == UInt64(ends.count) {
            ends.append(StreamEnd(last: position, count: 1))
            states.append(Schema.initialState)
            return record.revision == 0 && record.previous == nil
        }
        let end = ends[Int(stream)]
        ends[Int(stream)] = StreamEnd(last: position, count: end.count &+ 1)
        return record.revision == end.count && record.previous == end.last
    }

    private mutating func addLeaf(
        _ leaf: Digest, _ reader: some LogReading
    ) throws(LogError) {
        var nodes: [MerkleFrontier.Node] = []
        frontier.add(leaf, using: &sha) { nodes.append($0) }
        for node in nodes {
            let key = TreeKey.key(level: node.level, index: node.index)
            let isEqual = try reader.value(.tree, key) { $0.equals(node.hash.bytes) }
            report.nodes += 1
            if isEqual != true {
                report.find(
                    .treeDamaged, at: next,
                    "The stored hash of \(node.leaves) differs.")
            }
        }
    }

    private mutating func advance(_ reader: some LogReading) throws(LogError) {
        report.end += 1
        if report.end == heads.nextSize { heads.compare(at: report.end, frontier, &report) }
        guard report.end.isMultiple(of: 1 << StorageLayout.blockShift) else { return }
        try compareBlock(reader)
        block = BlockSummary(
            number: block.number + 1, streams: block.streams, domain: Schema.emptySummary)
    }

    private mutating func compareBlock(_ reader: some LogReading) throws(LogError) {
        report.blocks += 1
        guard !isDamaged else { return }
        var row: [UInt8] = []
        block.encode(Schema.self, with: nil, into: &row)
        // Only the last row ends in the frontier, which is compared by itself.
        let isLast = try reader.end() == report.end
        let isEqual = try reader.value(.blocks, block.number) { (stored) throws(LogError) in
            let frontier = BlockField.frontierByteCount(of: stored) ?? 0
            var summary = stored.extracting(droppingLast: frontier).copied()
            if isLast, summary.count >= BlockField.streams {
                summary.replaceSubrange(
                    BlockField.frontier..<BlockField.streams, with: [0, 0, 0, 0])
            }
            return summary == row
        }
        if isEqual != true {
            report.find(
                .blockDiffers, at: block.number << StorageLayout.blockShift,
                "The summary of block \(block.number) differs from its records.")
        }
    }

    /// Where the stream ends; nil for a stream that no record has.
    func end(of stream: UInt64) -> (last: UInt64, count: UInt32)? {
        guard stream < UInt64(ends.count) else { return nil }
        let end = ends[Int(stream)]
        return (end.last, end.count)
    }

    /// The mixed dedupe hashes that stand more than once: duplicates, or chance.
    func suspects() -> Set<UInt64> {
        let sorted = dedupes.sorted()
        return Set(zip(sorted, sorted.dropFirst()).filter { $0 == $1 }.map(\.0))
    }

    static func mix(_ stream: UInt64, _ hash: DedupeHash) -> UInt64 {
        let low = UInt64(truncatingIfNeeded: hash.value)
        let high = UInt64(truncatingIfNeeded: hash.value >> 64)
        return (stream &* 0x9E37_79B9_7F4A_7C15) ^ (low &* 0xBF58_476D_1CE4_E5B9) ^ high
    }
}

extension Digest {
    /// Stands for the leaf of a record that is not there.
    static let zero: Digest = {
        guard let zero = Digest(bytes: [UInt8](repeating: 0, count: byteCount)) else {
            preconditionFailure("a digest has 32 bytes")
        }
        return zero
    }()
}
