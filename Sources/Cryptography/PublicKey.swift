import CCrypto

/// A key of libcrypto's, freed with its last owner; only read after `init`.
final class PublicKeyReference: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over the key.
    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(pointer) }

    /// True when `signature` is this key's signature of `message`, hashed with `algorithm` where
    /// the signature scheme does not hash by itself.
    func verify(_ signature: [UInt8], of message: [UInt8], _ algorithm: HashAlgorithm?) -> Bool {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
        defer {
            EVP_MD_CTX_free(context)
            // A refused signature leaves its reasons in this thread's list.
            ERR_clear_error()
        }
        return EVP_DigestVerifyInit(context, nil, algorithm?.pointer, nil, pointer) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
