/// A set of event types with the bitmap by which blocks are skipped.
public struct TypeSet: Sendable, Hashable {
    /// The types, ascending.
    public let types: [UInt16]
    let bitmap: TypeBitmap

    /// A set of the given types.
    public init(_ types: some Sequence<UInt16>) {
        self.types = Set(types).sorted()
        var bitmap = TypeBitmap()
        for type in self.types { bitmap.insert(type) }
        self.bitmap = bitmap
    }

    /// Whether the type is in the set; exact.
    public func contains(_ type: UInt16) -> Bool {
        guard bitmap.mayContain(type) else { return false }
        return types.count == 1 ? types[0] == type : types.contains(type)
    }
}

/// 512 bits, one for each type code modulo 512.
@usableFromInline
struct TypeBitmap: Sendable, Hashable {
    @usableFromInline var words = SIMD8<UInt64>()

    mutating func insert(_ type: UInt16) {
        words[Int(type >> 6) & 7] |= 1 << UInt64(type & 63)
    }

    func mayContain(_ type: UInt16) -> Bool {
        words[Int(type >> 6) & 7] & 1 << UInt64(type & 63) != 0
    }

    func intersects(_ other: TypeBitmap) -> Bool {
        words & other.words != SIMD8<UInt64>()
    }
}

/// What a block holds whatever the schema: counts, bounds and types.
@usableFromInline
struct BlockCounts: Sendable {
    @usableFromInline var count: UInt32 = 0
    @usableFromInline var streams: UInt64
    @usableFromInline var recorded = (min: Int64.max, max: Int64.min)
    @usableFromInline var occurred = (min: Int64.max, max: Int64.min)
    @usableFromInline var types = TypeBitmap()

    @usableFromInline
    init(streams: UInt64) { self.streams = streams }

    @usableFromInline
    mutating func add(_ record: borrowing RecordView) {
        count += 1
        streams = max(streams, record.stream + 1)
        let time = record.recordedAt
        recorded = (min(recorded.min, time), max(recorded.max, time))
        if let time = record.occurredAt {
            occurred = (min(occurred.min, time), max(occurred.max, time))
        }
        types.insert(record.type)
    }
}

/// What a block of 1,024 events holds in short.
public struct BlockSummary<Summary: Sendable>: Sendable {
    /// The block's number; its first position is 1,024 times that.
    public let number: UInt64
    @usableFromInline var counts: BlockCounts
    @usableFromInline var summary: Summary

    /// How many events it holds so far.
    public var count: UInt32 { counts.count }
    /// How many streams the whole log has at the block's end.
    public var streams: UInt64 { counts.streams }
    /// Least recorded-at, µs.
    public var recordedMin: Int64 { counts.recorded.min }
    /// Greatest recorded-at, µs.
    public var recordedMax: Int64 { counts.recorded.max }
    /// Least occurred-at, µs; nil when no event has one.
    public var occurredMin: Int64? { hasOccurred ? counts.occurred.min : nil }
    /// Greatest occurred-at, µs; nil when no event has one.
    public var occurredMax: Int64? { hasOccurred ? counts.occurred.max : nil }
    /// The schema's part.
    public var domain: Summary { summary }

    private var hasOccurred: Bool { counts.occurred.min <= counts.occurred.max }

    @usableFromInline
    init(number: UInt64, streams: UInt64, domain: Summary) {
        self.number = number
        counts = BlockCounts(streams: streams)
        summary = domain
    }

    /// False only when no event of the block has one of the types.
    public func mayContain(_ types: TypeSet) -> Bool { counts.types.intersects(types.bitmap) }

    @inlinable
    mutating func add<Schema: LogSchema>(_ record: borrowing RecordView, _ schema: Schema.Type)
    where Schema.Summary == Summary {
        counts.add(record)
        Schema.summarise(record, into: &summary)
    }

    @usableFromInline
    func encode<Schema: LogSchema>(
        _ schema: Schema.Type, with frontier: MerkleFrontier?, into bytes: inout [UInt8]
    ) where Schema.Summary == Summary {
        bytes.add(counts.count)
        bytes.add(UInt32(frontier?.encodedByteCount ?? 0))
        bytes.add(counts.streams)
        bytes.add(counts.recorded.min)
        bytes.add(counts.recorded.max)
        bytes.add(counts.occurred.min)
        bytes.add(counts.occurred.max)
        for index in 0..<8 { bytes.add(counts.types.words[index]) }
        Schema.encodeSummary(summary, into: &bytes)
        frontier?.encode(into: &bytes)
    }

    init<Schema: LogSchema>(number: UInt64, stored: RawSpan, _ schema: Schema.Type) throws(LogError)
    where Schema.Summary == Summary {
        let frontier = BlockField.frontierByteCount(of: stored)
        guard let frontier else { throw .damagedRow("The summary of block \(number)") }
        self.number = number
        counts = BlockCounts(streams: stored.field(BlockField.streams))
        counts.count = stored.field(BlockField.count)
        counts.recorded = (
            stored.field(BlockField.recordedMin), stored.field(BlockField.recordedMax)
        )
        counts.occurred = (
            stored.field(BlockField.occurredMin), stored.field(BlockField.occurredMax)
        )
        for index in 0..<8 {
            counts.types.words[index] = stored.field(BlockField.types + 8 * index)
        }
        do {
            let domain = stored.extracting(
                BlockField.summary..<(stored.byteCount - frontier))
            summary = try domain.withUnsafeBytes { try Schema.decodeSummary($0) }
        } catch {
            throw .damagedRow("The summary of block \(number)")
        }
    }
}

extension BlockField {
    /// How many of a row's last bytes are the frontier; nil when the row cannot be one.
    static func frontierByteCount(of row: RawSpan) -> Int? {
        guard row.byteCount >= summary else { return nil }
        let count = Int(row.field(frontier, as: UInt32.self))
        return count <= row.byteCount - summary ? count : nil
    }
}
