/// What the writer must know of the log's end to add to it.
@usableFromInline
struct LogHead<Schema: LogSchema> {
    @usableFromInline var frontier: MerkleFrontier
    /// The block that the last record is in; for an empty log the first.
    @usableFromInline var block: BlockSummary<Schema.Summary>

    @inlinable var end: UInt64 { frontier.size }
    /// How many streams there are; the next new one gets this number.
    @inlinable var streams: UInt64 { block.streams }
    /// Recorded time of the last record.
    @inlinable var recordedAt: Int64 { block.recordedMax }

    /// The head of an empty log.
    @usableFromInline
    init() {
        frontier = MerkleFrontier()
        block = BlockSummary(number: 0, streams: 0, domain: Schema.emptySummary)
    }

    /// Reads it from the storage; its parts must agree on where the log ends.
    init(_ reader: some LogReading) throws(LogError) {
        let end = try reader.end()
        frontier = try reader.frontier()
        guard frontier.size == end else { throw .headsDiffer }
        guard end > 0 else {
            block = BlockSummary(number: 0, streams: 0, domain: Schema.emptySummary)
            return
        }
        let number = (end - 1) >> StorageLayout.blockShift
        guard let block = try reader.block(number, Schema.self),
            UInt64(block.count) == end - number << StorageLayout.blockShift, block.streams <= end
        else { throw .headsDiffer }
        self.block = block
    }
}

extension LogReading {
    /// The frontier in the row of the block that the log ends in.
    func frontier() throws(LogError) -> MerkleFrontier {
        let end = try end()
        guard end > 0 else { return MerkleFrontier() }
        let number = (end - 1) >> StorageLayout.blockShift
        let frontier = try value(.blocks, number) { (row) throws(LogError) in
            guard let count = BlockField.frontierByteCount(of: row),
                let frontier = MerkleFrontier(stored: row.extracting(last: count))
            else { throw .damagedRow("The frontier of the Merkle tree") }
            return frontier
        }
        return frontier ?? MerkleFrontier()
    }

    func block<Schema: LogSchema>(
        _ number: UInt64, _ schema: Schema.Type
    ) throws(LogError) -> BlockSummary<Schema.Summary>? {
        try value(.blocks, number) { (row) throws(LogError) in
            try BlockSummary(number: number, stored: row, Schema.self)
        }
    }
}

extension LogError {
    static let headsDiffer = LogError(
        .invariantBroken, "The log, its Merkle frontier and its last block end at other positions.",
        hint: "Run a verification; do not write to this ledger before it is understood.")
}
