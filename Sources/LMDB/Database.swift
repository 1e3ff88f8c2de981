// Databases, and what may be a key or a value in them.

/// The kind of a database's keys, known to the compiler.
public protocol KeySpace: SendableMetatype {
    /// The same for the program.
    static var kind: KeyKind { get }
}

/// Keys that are 64-bit numbers.
@frozen public enum IntegerKeys: KeySpace {
    /// Numbers.
    public static var kind: KeyKind { .integer }
}

/// Keys that are 1 to 511 bytes.
@frozen public enum ByteKeys: KeySpace {
    /// Bytes.
    public static var kind: KeyKind { .bytes }
}

/// A database of one environment; valid with that environment only.
@frozen public struct Database<Space: KeySpace>: Sendable, Hashable {
    @usableFromInline let index: UInt32

    @usableFromInline
    init(index: UInt32) { self.index = index }
}

/// Anything that lends its bytes to be stored as a value.
public protocol RawBytes {
    /// Lends the bytes for the time of the call.
    func withRawBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R
}

/// Anything that is a key of databases of one kind.
///
/// Numbers go only into databases of numbers: LMDB accepts bytes of any length there and loses
/// their order.
public protocol DatabaseKey {
    /// The databases that have such keys.
    associatedtype Space: KeySpace
    /// Lends the key's bytes for the time of the call.
    func withKeyBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R
}

extension UInt64: DatabaseKey {
    /// Databases of numbers.
    public typealias Space = IntegerKeys

    /// Lends the eight bytes in the machine's order.
    @inlinable
    public func withKeyBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try withUnsafeBytes(of: self, body)
    }
}

/// A number as a key of eight bytes, biggest first, so that byte order is number order.
@frozen public struct BigEndianKey: DatabaseKey, RawBytes, Sendable, Hashable {
    /// Databases of bytes.
    public typealias Space = ByteKeys

    @usableFromInline let stored: UInt64

    /// The key of a number.
    @inlinable
    public init(_ value: UInt64) { stored = value.bigEndian }

    /// The number of a key; nil unless it has exactly eight bytes.
    @inlinable
    public init?(_ bytes: RawSpan) {
        guard bytes.byteCount == 8 else { return nil }
        stored = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }

    /// The number.
    @inlinable
    public var value: UInt64 { UInt64(bigEndian: stored) }

    /// Lends the eight bytes.
    @inlinable
    public func withRawBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try withUnsafeBytes(of: stored, body)
    }
}

extension DatabaseKey where Self: RawBytes {
    /// The same bytes as for a value.
    @inlinable
    public func withKeyBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try withRawBytes(body)
    }
}

extension UnsafeRawBufferPointer: RawBytes, DatabaseKey {
    /// Databases of bytes.
    public typealias Space = ByteKeys

    /// Lends itself.
    @inlinable
    public func withRawBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(self)
    }
}

extension Array: RawBytes, DatabaseKey where Element == UInt8 {
    /// Databases of bytes.
    public typealias Space = ByteKeys

    /// A copy of bytes that were lent.
    @inlinable
    public init(copying bytes: RawSpan) {
        self = bytes.withUnsafeBytes { [UInt8]($0) }
    }

    /// Lends the elements.
    @inlinable
    public func withRawBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try span.bytes.withUnsafeBytes(body)
    }
}

extension ArraySlice: RawBytes, DatabaseKey where Element == UInt8 {
    /// Databases of bytes.
    public typealias Space = ByteKeys

    /// Lends the elements.
    @inlinable
    public func withRawBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try span.bytes.withUnsafeBytes(body)
    }
}
