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
struct TypeBitmap: Sendable, Hashable {
    var words = SIMD8<UInt64>()

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

/// What a block of 1,024 events holds in short.
public struct BlockSummary<Summary: Sendable>: Sendable {
    /// The block's number; its first position is 1,024 times that.
    public let number: UInt64
    /// How many events it holds so far.
    public internal(set) var count: UInt32 = 0
    /// How many streams the whole log has at the block's end.
    public internal(set) var streams: UInt64
    /// Least recorded-at, µs.
    public internal(set) var recordedMin = Int64.max
    /// Greatest recorded-at, µs.
    public internal(set) var recordedMax = Int64.min
    /// Least occurred-at, µs; nil when no event has one.
    public var occurredMin: Int64? { occurred.min > occurred.max ? nil : occurred.min }
    /// Greatest occurred-at, µs; nil when no event has one.
    public var occurredMax: Int64? { occurred.min > occurred.max ? nil : occurred.max }
    /// The schema's part.
    public internal(set) var domain: Summary

    var occurred = (min: Int64.max, max: Int64.min)
    var types = TypeBitmap()

    init(number: UInt64, streams: UInt64, domain: Summary) {
        self.number = number
        self.streams = streams
        self.domain = domain
    }

    /// False only when no event of the block has one of the types.
    public func mayContain(_ types: TypeSet) -> Bool { self.types.intersects(types.bitmap) }

    mutating func add<Schema: LogSchema>(_ record: borrowing RecordView, _ schema: Schema.Type)
    where Schema.Summary == Summary {
        count += 1
        streams = max(streams, record.stream + 1)
        recordedMin = min(recordedMin, record.recordedAt)
        recordedMax = max(recordedMax, record.recordedAt)
        if let time = record.occurredAt {
            occurred = (min(occurred.min, time), max(occurred.max, time))
        }
        types.insert(record.type)
        Schema.summarise(record, into: &domain)
    }

    func encode<Schema: LogSchema>(_ schema: Schema.Type, into bytes: inout [UInt8])
    where Schema.Summary == Summary {
        bytes.add(count)
        bytes.add(UInt32(0))
        bytes.add(streams)
        bytes.add(recordedMin)
        bytes.add(recordedMax)
        bytes.add(occurred.min)
        bytes.add(occurred.max)
        for index in 0..<8 { bytes.add(types.words[index]) }
        Schema.encodeSummary(domain, into: &bytes)
    }

    init<Schema: LogSchema>(number: UInt64, stored: RawSpan, _ schema: Schema.Type) throws(LogError)
    where Schema.Summary == Summary {
        guard stored.byteCount >= BlockField.summary else {
            throw .damagedRow("The summary of block \(number)")
        }
        self.number = number
        count = stored.field(BlockField.count)
        streams = stored.field(BlockField.streams)
        recordedMin = stored.field(BlockField.recordedMin)
        recordedMax = stored.field(BlockField.recordedMax)
        occurred = (stored.field(BlockField.occurredMin), stored.field(BlockField.occurredMax))
        for index in 0..<8 { types.words[index] = stored.field(BlockField.types + 8 * index) }
        do {
            domain = try stored.extracting(droppingFirst: BlockField.summary).withUnsafeBytes {
                try Schema.decodeSummary($0)
            }
        } catch {
            throw .damagedRow("The summary of block \(number)")
        }
    }
}
