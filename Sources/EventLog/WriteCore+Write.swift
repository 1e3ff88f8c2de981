import Cryptography

/// Putting a planned batch into the transaction.
extension WriteCore {
    func write(
        _ plan: AppendPlan, _ writer: Store.Writer, _ set: RowSet
    ) throws(LogError) {
        let last = head.recordedAt
        let now = clock.now()
        let isHeld = now < last
        for record in plan.records {
            try write(record, at: max(now, last), isHeld, writer, set)
            reached?(.recordPut)
        }
        uncheckpointed += UInt64(plan.records.count)
        reached?(.recordsPut)
        for key in plan.keys { try write(key, writer) }
    }

    private func write(
        _ record: AppendPlan.PlannedRecord, at time: Int64, _ isHeld: Bool, _ writer: Store.Writer,
        _ set: RowSet
    ) throws(LogError) {
        // Taken out of the object: bytes lent from its property could not outlive one expression.
        var bytes = scratch
        scratch = []
        defer { scratch = bytes }
        bytes.removeAll(keepingCapacity: true)
        record.encode(recordedAt: time, isHeld ? .clockHeld : [], into: &bytes)
        try put(&bytes, at: record.position, writer, set)
        dedupes.add(record)
    }

    /// Puts a record whose bytes are final, and everything that follows from it but its keys.
    func put(
        _ bytes: inout [UInt8], at position: UInt64, _ writer: Store.Writer, _ set: RowSet
    ) throws(LogError) {
        let leaf = bytes.withUnsafeBytes { sha.hash($0, prefix: 0x00) }
        leaf.withUnsafeBytes { bytes.append(contentsOf: $0) }
        try writer.append(.log, position, bytes)
        try growTree(leaf, writer)
        guard let view = RecordView(stored: bytes.span.bytes) else {
            throw .damagedRecord(at: position)
        }
        try tail.fold(view, writer, set)
        let number = position >> StorageLayout.blockShift
        if head.block.number != number {
            try writeBlock(writer)
            head.startBlock(number)
        }
        head.block.add(view, Schema.self)
    }

    private func growTree(_ leaf: Digest, _ writer: Store.Writer) throws(LogError) {
        var nodes: [MerkleFrontier.Node] = []
        head.frontier.add(leaf, using: &sha) { nodes.append($0) }
        for node in nodes {
            var row: [UInt8] = []
            node.hash.withUnsafeBytes { row.append(contentsOf: $0) }
            let key = TreeKey.key(level: node.level, index: node.index)
            try writer.put(.tree, key, row)
        }
    }

    func write(_ key: AppendPlan.NewKey, _ writer: Store.Writer) throws(LogError) {
        let stored =
            key.isShared
            ? IdentityKey.shared(key.key, stream: key.stream) : IdentityKey.route(key.key)
        // A shared key comes with every event of its stream; the row is written once.
        if key.isShared, try writer.value(.ids, stored, { _ in true }) == true { return }
        var value: [UInt8] = []
        value.add(key.stream)
        try writer.put(.ids, stored, value)
    }

    /// Writes the frontier and the block that the log now ends in.
    func writeHead(_ writer: Store.Writer) throws(LogError) {
        scratch.removeAll(keepingCapacity: true)
        head.frontier.encode(into: &scratch)
        try writer.put(.tree, TreeKey.frontier, scratch)
        try writeBlock(writer)
    }

    private func writeBlock(_ writer: Store.Writer) throws(LogError) {
        let block = head.block
        guard block.count > 0 else { return }
        var row: [UInt8] = []
        block.encode(Schema.self, into: &row)
        try writer.put(.blocks, block.number, row)
    }
}

extension LogHead {
    mutating func startBlock(_ number: UInt64) {
        block = BlockSummary(number: number, streams: block.streams, domain: Schema.emptySummary)
    }
}

extension AppendPlan.PlannedRecord {
    func encode(
        recordedAt: Int64, _ clock: RecordFlags, into bytes: inout [UInt8]
    ) {
        bytes.reserveCapacity(
            StorageLayout.recordHeaderByteCount + draft.payload.count
                + StorageLayout.leafHashByteCount)
        bytes.append(StorageLayout.formatVersion)
        bytes.append(flags.union(clock).rawValue)
        bytes.add(draft.type)
        bytes.add(UInt32(draft.payload.count))
        bytes.add(position)
        bytes.add(stream)
        bytes.add(revision)
        bytes.add(UInt32(0))
        bytes.add(previous)
        bytes.add(cause)
        bytes.add(draft.eventID.value)
        bytes.add(recordedAt)
        bytes.add(draft.occurredAt ?? StorageLayout.noTime)
        bytes.add(draft.dedupe?.value ?? 0)
        withUnsafeBytes(of: draft.domain.words) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: draft.payload)
    }
}

extension TreeKey {
    static func key(level: Int, index: UInt64) -> [UInt8] {
        var key: [UInt8] = [node, UInt8(level)]
        key.addBigEndian(index)
        return key
    }
}

extension IdentityKey {
    static func route(_ key: [UInt8]) -> [UInt8] { [route] + key }

    static func shared(_ key: [UInt8]) -> [UInt8] {
        var stored: [UInt8] = [share]
        stored.addBigEndian(UInt16(key.count))
        stored += key
        return stored
    }

    static func shared(_ key: [UInt8], stream: UInt64) -> [UInt8] {
        var stored = shared(key)
        stored.addBigEndian(stream)
        return stored
    }
}

extension LogReading {
    /// The stream that a key routes to.
    func stream(routedBy key: [UInt8]) throws(LogError) -> UInt64? {
        let stored = IdentityKey.route(key)
        return try value(.ids, stored) { (row) throws(LogError) in
            guard row.byteCount == 8 else { throw .damagedRow("Where an identity leads") }
            return row.field(0, as: UInt64.self)
        }
    }

    /// The streams that share a key, in order of their numbers.
    func streams(sharing key: [UInt8]) throws(LogError) -> [UInt64] {
        let prefix = IdentityKey.shared(key)
        var streams: [UInt64] = []
        try scan(.ids, from: prefix) { (stored, _) throws(LogError) in
            guard stored.byteCount == prefix.count + 8,
                stored.extracting(first: prefix.count).equals(prefix)
            else { return .stop }
            streams.append(
                UInt64(
                    bigEndian: stored.unsafeLoadUnaligned(
                        fromByteOffset: prefix.count, as: UInt64.self)))
            return .more
        }
        return streams
    }
}

extension RawSpan {
    /// Whether the bytes are the same.
    func equals(_ other: [UInt8]) -> Bool {
        withUnsafeBytes { $0.elementsEqual(other) }
    }
}
