/// The random 16 bytes that name an event for ever, wherever its record is copied to.
public struct EventID: Sendable, Hashable {
    /// The 16 bytes, read as a little-endian number.
    public let value: UInt128

    /// From the number that the 16 bytes make when read little-endian.
    @inlinable
    public init(value: UInt128) { self.value = value }

    /// Nil unless there are exactly 16 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard let value = UInt128(littleEndianBytes: bytes) else { return nil }
        self.value = value
    }

    /// The 16 bytes as stored.
    public var bytes: [UInt8] { value.littleEndianBytes }
}

/// 16 bytes that are equal for two tellings of one fact, such as a delivery that came twice.
///
/// Looked for along the chains of a stream's group only. All zero stands for none.
public struct DedupeHash: Sendable, Hashable {
    /// The 16 bytes, read as a little-endian number; never 0.
    public let value: UInt128

    /// Nil for 0, which stands for none.
    @inlinable
    public init?(value: UInt128) {
        guard value != 0 else { return nil }
        self.value = value
    }

    /// Nil unless there are exactly 16 bytes and one of them is not 0.
    public init?(bytes: some Collection<UInt8>) {
        guard let value = UInt128(littleEndianBytes: bytes), value != 0 else { return nil }
        self.value = value
    }

    /// The 16 bytes as stored.
    public var bytes: [UInt8] { value.littleEndianBytes }
}

extension UInt128 {
    init?(littleEndianBytes bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self = bytes.reversed().reduce(0) { $0 << 8 | UInt128($1) }
    }

    var littleEndianBytes: [UInt8] { Swift.withUnsafeBytes(of: littleEndian) { [UInt8]($0) } }
}

/// The 48 bytes of a record's header that belong to the schema; the log never looks into them.
///
/// Read and written as little-endian integers at offsets that the schema chooses.
public struct DomainArea: Sendable, Hashable {
    /// Always 48.
    public static let byteCount = 48

    // `InlineArray` was refused: it needs macOS 26 and is not Hashable.
    @usableFromInline var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    /// All zero.
    @inlinable
    public init() { words = (0, 0, 0, 0, 0, 0) }

    /// The integer at a byte offset; traps beyond the area.
    @inlinable
    public func load<T: FixedWidthInteger & BitwiseCopyable>(
        _ offset: Int, as type: T.Type = T.self
    ) -> T {
        precondition(offset >= 0 && offset + MemoryLayout<T>.size <= Self.byteCount)
        return Swift.withUnsafeBytes(of: words) { bytes in
            T(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
        }
    }

    /// Writes an integer at a byte offset; traps beyond the area.
    @inlinable
    public mutating func store<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, at offset: Int) {
        precondition(offset >= 0 && offset + MemoryLayout<T>.size <= Self.byteCount)
        Swift.withUnsafeMutableBytes(of: &words) { bytes in
            bytes.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
        }
    }

    /// True when all 48 bytes are the same.
    public static func == (left: Self, right: Self) -> Bool { left.words == right.words }

    /// Feeds all 48 bytes.
    public func hash(into hasher: inout Hasher) {
        Swift.withUnsafeBytes(of: words) { hasher.combine(bytes: $0) }
    }
}
