extension RawSpan {
    /// The little-endian integer at an offset; the caller has checked the length.
    @inlinable
    func field<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as type: T.Type = T.self) -> T
    {
        T(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: T.self))
    }

    /// The same without a check of its own, for the fixed part of a record, whose view checked its
    /// length: the fold reads a dozen of them for each record.
    @inlinable
    func uncheckedField<T: FixedWidthInteger & BitwiseCopyable>(
        _ offset: Int, as type: T.Type = T.self
    ) -> T {
        T(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: T.self))
    }

    /// A new array of the bytes.
    @inlinable
    func copied() -> [UInt8] { withUnsafeBytes { [UInt8]($0) } }
}

extension Array where Element == UInt8 {
    /// Adds an integer, little-endian.
    @inlinable
    mutating func add(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    /// Adds an integer, big-endian, for keys that sort as their numbers do.
    mutating func addBigEndian(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    /// Adds lent bytes.
    mutating func add(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { append(contentsOf: $0) }
    }
}
