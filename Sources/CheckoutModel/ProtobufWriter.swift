/// Writes protobuf wire format field by field, in ascending field order chosen by the caller.
///
/// By hand and not generated: the payloads are small, the schema is published beside
/// (`checkout_event.proto`), and a test reads them with the real `protoc`.
/// Source: protobuf.dev, "Encoding".
package struct ProtobufWriter {
    package private(set) var bytes: [UInt8] = []

    /// With room for as many bytes before memory must be found anew.
    package init(reserving count: Int = 0) { bytes.reserveCapacity(count) }

    package mutating func string(_ field: UInt32, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        let utf8 = value.utf8
        let isWritten: Void? = utf8.withContiguousStorageIfAvailable {
            lengthDelimited(field, UnsafeRawBufferPointer($0))
        }
        if isWritten == nil { data(field, Array(utf8)) }
    }

    package mutating func data(_ field: UInt32, _ value: [UInt8]) {
        if value.isEmpty { return }
        value.withUnsafeBytes { lengthDelimited(field, $0) }
    }

    package mutating func integer(_ field: UInt32, _ value: UInt64) {
        if value == 0 { return }
        tag(field, .varint)
        varint(value)
    }

    package mutating func fixed64(_ field: UInt32, _ value: UInt64) {
        tag(field, .fixed64)
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// A nested message; an empty one is written too, so that its presence is kept.
    package mutating func message(_ field: UInt32, _ body: (inout ProtobufWriter) -> Void) {
        var nested = ProtobufWriter()
        body(&nested)
        nested.bytes.withUnsafeBytes { lengthDelimited(field, $0) }
    }

    /// Fields of a newer build, carried along as they were read.
    package mutating func raw(_ fields: [UInt8]) { bytes += fields }

    private mutating func lengthDelimited(_ field: UInt32, _ value: UnsafeRawBufferPointer) {
        tag(field, .lengthDelimited)
        varint(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    private mutating func tag(_ field: UInt32, _ type: WireType) {
        varint(UInt64(field) << 3 | UInt64(type.rawValue))
    }

    private mutating func varint(_ value: UInt64) {
        if value < 0x80 { return bytes.append(UInt8(truncatingIfNeeded: value)) }
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}

/// How a field's bytes are laid out.
package enum WireType: UInt8 {
    case varint = 0
    case fixed64 = 1
    case lengthDelimited = 2
    case fixed32 = 5
}
