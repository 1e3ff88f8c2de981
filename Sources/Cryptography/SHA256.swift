/// SHA-256 with a context that is made once and used for many messages.
///
/// Not copyable, so that a half-fed context cannot be shared by mistake. Hashing allocates nothing.
/// Source: FIPS 180-4.
public struct SHA256: ~Copyable {
    private var context = HashContext(.sha256)

    /// Ready for the first byte of a message.
    public init() {}

    /// Feeds the next bytes of the message.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) { context.update(bytes) }

    /// Feeds the next bytes of the message.
    public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { context.update($0) } }

    /// Feeds the next bytes of the message; bytes that do not lie side by side are copied once.
    public mutating func update(_ bytes: some Collection<UInt8>) {
        bytes.withContiguousBytes { update(UnsafeRawBufferPointer($0)) }
    }

    /// Ends the message and gives its hash; the context is ready for the next message.
    public mutating func finalize() -> Digest {
        let digest = Digest { context.finish(into: $0) }
        context.restart(.sha256)
        return digest
    }

    /// The hash of one message, with a context of its own.
    public static func hash(_ bytes: [UInt8]) -> Digest {
        bytes.withUnsafeBytes { hash($0) }
    }

    /// The hash of one message, with a context of its own.
    public static func hash(_ bytes: UnsafeRawBufferPointer) -> Digest {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalize()
    }

    /// The hash of `prefix ‖ bytes`, as for a Merkle leaf; allocates nothing.
    ///
    /// Must not be called in the middle of another message.
    public mutating func hash(_ bytes: UnsafeRawBufferPointer, prefix: UInt8) -> Digest {
        withUnsafeBytes(of: prefix) { context.update($0) }
        context.update(bytes)
        return finalize()
    }

    /// The hash of `prefix ‖ left ‖ right`, as for a Merkle node; allocates nothing.
    ///
    /// Must not be called in the middle of another message.
    public mutating func hash(prefix: UInt8, _ left: Digest, _ right: Digest) -> Digest {
        withUnsafeBytes(of: prefix) { context.update($0) }
        left.withUnsafeBytes { context.update($0) }
        right.withUnsafeBytes { context.update($0) }
        return finalize()
    }
}
