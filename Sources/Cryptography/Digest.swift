/// The 32 bytes of a SHA-256 hash, held in place; ordered as its bytes are.
///
/// Comparing digests takes a time that tells how they differ: it is for hashes that anyone may
/// know. Compare authentication codes with ``ConstantTime``.
public struct Digest: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Always 32.
    public static let byteCount = Limits.sha256Bytes

    // Four words in memory order. `InlineArray` was refused: it needs macOS 26 and is not Hashable.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Has `fill` write all 32 bytes.
    init(filling fill: (UnsafeMutablePointer<UInt8>) -> Void) {
        Swift.withUnsafeMutableBytes(of: &words) { buffer in
            buffer.withMemoryRebound(to: UInt8.self) { bytes in
                if let base = bytes.baseAddress { fill(base) }
            }
        }
    }

    /// Nil unless there are exactly 32 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        bytes.withContiguousBytes { bytes in
            Swift.withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
        }
    }

    /// Nil unless the text is exactly 64 lower-case hexadecimal digits, so that a digest has one
    /// written form.
    public init?(hex: some StringProtocol) {
        guard hex.utf8.count == 2 * Self.byteCount, let bytes = Hex.decode(hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// A new array of the 32 bytes.
    public var bytes: [UInt8] { withUnsafeBytes { [UInt8]($0) } }

    /// 64 lower-case hexadecimal digits.
    public var hex: String { withUnsafeBytes { Hex.encode($0) } }

    /// The same as ``hex``.
    public var description: String { hex }

    /// Lends the 32 bytes; the buffer must not be kept.
    public func withUnsafeBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try Swift.withUnsafeBytes(of: words, body)
    }

    /// True when all 32 bytes are the same.
    public static func == (left: Self, right: Self) -> Bool { left.words == right.words }

    /// Orders as the bytes are ordered, first byte first.
    public static func < (left: Self, right: Self) -> Bool {
        left.bigEndianWords < right.bigEndianWords
    }

    /// A digest is already even, so one word is enough for a table and the rest is for equality.
    public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }

    private var bigEndianWords: (UInt64, UInt64, UInt64, UInt64) {
        (
            UInt64(bigEndian: words.0), UInt64(bigEndian: words.1),
            UInt64(bigEndian: words.2), UInt64(bigEndian: words.3)
        )
    }
}
