/// Reads protobuf wire format; any bytes at all, without trapping.
package struct ProtobufReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    /// Borrows `bytes`, which must outlive the reader.
    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// One field: its number, its value, and the bytes it stands in, tag included.
    package struct Field {
        package let number: UInt32
        package let value: Value
        package let raw: UnsafeRawBufferPointer
    }

    /// A field's value by wire type.
    package enum Value {
        case integer(UInt64)
        case fixed64(UInt64)
        case fixed32(UInt32)
        case bytes(UnsafeRawBufferPointer)
    }

    /// The next field; nil at the end.
    package mutating func next() throws(PayloadError) -> Field? {
        if offset == bytes.count { return nil }
        let start = offset
        let tag = try varint()
        guard let number = UInt32(exactly: tag >> 3), number != 0,
            let type = WireType(rawValue: UInt8(tag & 7))
        else { throw PayloadError(offset: start) }
        let value: Value =
            switch type {
            case .varint: .integer(try varint())
            case .fixed64: .fixed64(try fixed(8))
            case .fixed32: .fixed32(UInt32(truncatingIfNeeded: try fixed(4)))
            case .lengthDelimited: .bytes(try lengthDelimited())
            }
        return Field(
            number: number, value: value,
            raw: UnsafeRawBufferPointer(rebasing: bytes[start..<offset]))
    }

    private mutating func varint() throws(PayloadError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            // The tenth byte has one bit left to give.
            if shift == 63, byte > 1 { break }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
            if shift > 63 { break }
        }
        throw PayloadError(offset: offset)
    }

    private mutating func fixed(_ count: Int) throws(PayloadError) -> UInt64 {
        guard bytes.count - offset >= count else { throw PayloadError(offset: offset) }
        var value: UInt64 = 0
        for index in 0..<count { value |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
        offset += count
        return value
    }

    private mutating func lengthDelimited() throws(PayloadError) -> UnsafeRawBufferPointer {
        let count = try varint()
        guard count <= UInt64(bytes.count - offset) else { throw PayloadError(offset: offset) }
        let start = offset
        offset += Int(count)
        return UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
    }
}

/// A payload that is not protobuf wire format, or text that is not UTF-8.
public struct PayloadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The byte at which reading stopped making sense.
    public let offset: Int

    /// Names the byte.
    public init(offset: Int) { self.offset = offset }

    /// Stable code: `PAYLOAD_MALFORMED`.
    public var code: String { "PAYLOAD_MALFORMED" }

    /// A sentence for a person; shows no content.
    public var description: String { "The payload makes no sense from byte \(offset) on." }
}
