import CCrypto

/// SHA-256 with a context that is made once and used for many messages.
///
/// Not copyable, so that a half-fed context cannot be shared by mistake. Holds about 200 bytes of
/// memory outside Swift; hashing allocates nothing more. Source: FIPS 180-4.
public struct SHA256: ~Copyable {
    private let context: OpaquePointer

    /// Ready for the first byte of a message.
    public init() { context = HashAlgorithm.sha256.makeContext() }

    deinit { EVP_MD_CTX_free(context) }

    /// Feeds the next bytes of the message.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) { context.update(bytes) }

    /// Feeds the next bytes of the message.
    public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { context.update($0) } }

    /// Feeds the next bytes of the message; bytes that do not lie side by side are copied once.
    public mutating func update(_ bytes: some Collection<UInt8>) {
        let context = context
        let fed: Void? = bytes.withContiguousStorageIfAvailable {
            context.update(UnsafeRawBufferPointer($0))
        }
        if fed == nil { update([UInt8](bytes)) }
    }

    /// Ends the message and gives its hash; the context is ready for the next message.
    public mutating func finalize() -> Digest {
        let digest = Digest { context.finish(into: $0) }
        guard EVP_DigestInit_ex2(context, HashAlgorithm.sha256.pointer, nil) == 1 else {
            preconditionFailure("libcrypto refused to hash")
        }
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
