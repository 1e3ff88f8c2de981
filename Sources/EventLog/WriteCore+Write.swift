public import Cryptography

/// Putting a planned batch into the transaction.
extension WriteCore {
    @inlinable
    func write(
        _ plan: AppendPlan, _ writer: Store.Writer, _ set: RowSet
    ) throws(LogError) {
        let last = head.recordedAt
        let now = clock.now()
        let isHeld = now < last
        let streams = head.streams
        for index in plan.records.indices {
            try write(plan.records[index], at: max(now, last), isHeld, writer, set)
            reached?(.recordPut)
        }
        uncheckpointed += UInt64(plan.records.count)
        reached?(.recordsPut)
        for index in plan.keys.indices {
            let key = plan.keys[index]
            try write(
                key, isNewStream: key.stream >= streams, isChunked: !plan.records.isEmpty, writer)
        }
        if fresh.chunk.count >= Limits.freshChunkBytes { try writeFresh(writer) }
    }

    @inlinable
    func write(
        _ record: AppendPlan.PlannedRecord, at time: Int64, _ isHeld: Bool, _ writer: Store.Writer,
        _ set: RowSet
    ) throws(LogError) {
        // Taken out of the object: bytes lent from its property could not outlive one expression.
        var bytes = scratch
        scratch = []
        defer { scratch = bytes }
        record.encode(recordedAt: time, isHeld ? .clockHeld : [], into: &bytes)
        try put(&bytes, at: record.position, writer, set)
        dedupes.add(record)
    }

    /// Puts a record whose bytes are final, and everything that follows from it but its keys.
    @inlinable
    func put(
        _ bytes: inout [UInt8], at position: UInt64, _ writer: Store.Writer, _ set: RowSet
    ) throws(LogError) {
        let leaf = bytes.withUnsafeBytes { sha.hash($0, prefix: 0x00) }
        leaf.withUnsafeBytes {
            bytes.append(contentsOf: $0.prefix(StorageLayout.checksumByteCount))
        }
        try writer.append(.log, position, bytes)
        try growTree(leaf, writer)
        guard let view = RecordView(stored: bytes.span.bytes) else {
            throw .damagedRecord(at: position)
        }
        try tail.fold(view, writer, set)
        let number = StorageLayout.blockNumber(of: position)
        if head.block.number != number {
            try writeBlock(writer)
            head.startBlock(number)
        }
        head.block.add(view, Schema.self)
    }

    @inlinable
    func growTree(_ leaf: Digest, _ writer: Store.Writer) throws(LogError) {
        // One leaf in 256 completes a stored node: nothing is made before that.
        var nodes: [MerkleFrontier.Node] = []
        head.frontier.add(leaf, using: &sha) { nodes.append($0) }
        for node in nodes {
            var row: [UInt8] = []
            row.add(node.hash)
            try writer.put(.tree, TreeKey.key(level: node.level, index: node.index), row)
        }
    }

    /// Writes an identity; into a chunk, which is found by the record it came with, or where it
    /// came with none into its row.
    @inlinable
    func write(
        _ key: AppendPlan.NewKey, isNewStream: Bool, isChunked: Bool, _ writer: Store.Writer
    ) throws(LogError) {
        if key.isShared {
            let share = IdentityShare(key.key, key.stream)
            guard !shares.contains(share) else { return }
            shares.remember(share)
            // A shared key comes with every event of its stream; it is written once.
            if fresh.contains(share) { return }
            let stored = IdentityKey.shared(key.key, stream: key.stream)
            if !isNewStream, try writer.value(.ids, stored, { _ in true }) == true { return }
            if isChunked { return fresh.add(key) }
            try writer.put(.ids, stored, [])
        } else {
            routes.remember(IdentityName(key.key), key.stream)
            if isChunked { return fresh.add(key) }
            var value: [UInt8] = []
            value.add(key.stream)
            try writer.put(.ids, IdentityKey.route(key.key), value)
        }
    }

    /// Writes the block that the log now ends in, and the frontier with it.
    @inlinable
    func writeHead(_ writer: Store.Writer) throws(LogError) {
        scratch.removeAll(keepingCapacity: true)
        head.block.encode(Schema.self, with: head.frontier, into: &scratch)
        try writer.put(.blocks, head.block.number, scratch)
    }

    /// Writes a block that is full; the frontier moves on to the next one.
    @inlinable
    func writeBlock(_ writer: Store.Writer) throws(LogError) {
        let block = head.block
        guard block.count > 0 else { return }
        var row: [UInt8] = []
        block.encode(Schema.self, with: nil, into: &row)
        try writer.put(.blocks, block.number, row)
    }
}

extension LogHead {
    @inlinable
    mutating func startBlock(_ number: UInt64) {
        block = BlockSummary(number: number, streams: block.streams, domain: Schema.emptySummary)
    }
}

extension AppendPlan.PlannedRecord {
    /// Makes `bytes` the record, in the layout of `RecordField`.
    @usableFromInline
    func encode(
        recordedAt: Int64, _ clock: RecordFlags, into bytes: inout [UInt8]
    ) {
        bytes.removeAll(keepingCapacity: true)
        bytes.reserveCapacity(
            StorageLayout.recordHeaderByteCount + draft.payload.count
                + StorageLayout.checksumByteCount)
        withUnsafeTemporaryAllocation(
            byteCount: StorageLayout.recordHeaderByteCount, alignment: 8
        ) { header in
            func store<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, _ offset: Int) {
                header.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
            }
            store(StorageLayout.formatVersion, RecordField.format)
            store(flags.union(clock).rawValue, RecordField.flags)
            store(draft.type, RecordField.type)
            store(UInt32(draft.payload.count), RecordField.payloadLength)
            store(position, RecordField.position)
            store(stream, RecordField.stream)
            store(revision, RecordField.revision)
            store(UInt32(0), RecordField.reserved)
            store(previous, RecordField.previous)
            store(cause, RecordField.causation)
            store(draft.eventID.value, RecordField.eventID)
            store(recordedAt, RecordField.recordedAt)
            store(draft.occurredAt ?? StorageLayout.noTime, RecordField.occurredAt)
            store(draft.dedupe?.value ?? 0, RecordField.dedupe)
            withUnsafeBytes(of: draft.domain.words) { words in
                UnsafeMutableRawBufferPointer(rebasing: header[RecordField.domain...])
                    .copyMemory(from: words)
            }
            bytes.append(contentsOf: header)
        }
        bytes.append(contentsOf: draft.payload)
    }
}

extension StorageLayout {
    /// The block that a position is in.
    @usableFromInline
    static func blockNumber(of position: UInt64) -> UInt64 { position >> blockShift }
}

extension Array where Element == UInt8 {
    /// Adds the 32 bytes.
    @usableFromInline
    mutating func add(_ digest: Digest) {
        digest.withUnsafeBytes { append(contentsOf: $0) }
    }
}

extension TreeKey {
    @usableFromInline
    static func key(level: Int, index: UInt64) -> [UInt8] {
        var key: [UInt8] = [node, UInt8(level)]
        key.addBigEndian(index)
        return key
    }
}

extension IdentityKey {
    @usableFromInline
    static func route(_ key: [UInt8]) -> [UInt8] { [route] + key }

    static func shared(_ key: [UInt8]) -> [UInt8] {
        var stored: [UInt8] = [share]
        stored.addBigEndian(UInt16(key.count))
        stored += key
        return stored
    }

    @usableFromInline
    static func shared(_ key: [UInt8], stream: UInt64) -> [UInt8] {
        var stored = shared(key)
        stored.addBigEndian(stream)
        return stored
    }
}

extension LogReading {
    /// The stream that a key routes to, by its row.
    @usableFromInline
    func storedStream(routedBy key: [UInt8]) throws(LogError) -> UInt64? {
        try value(.ids, IdentityKey.route(key)) { (row) throws(LogError) in
            guard row.byteCount == 8 else { throw .damagedRow("Where an identity leads") }
            return row.field(0, as: UInt64.self)
        }
    }

    /// The streams that share a key, by their rows.
    func storedStreams(sharing key: [UInt8]) throws(LogError) -> [UInt64] {
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
    func equals(_ other: some Collection<UInt8>) -> Bool {
        byteCount == other.count && withUnsafeBytes { $0.elementsEqual(other) }
    }
}
