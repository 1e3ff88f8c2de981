#if !canImport(CryptoKit) || os(macOS)
    import CCrypto

    /// Signs with libcrypto, which keeps the seed, wipes it at the end and signs the same message
    /// always in the same way.
    struct Ed25519Signer: Sendable {
        private let key: PublicKeyReference
        let publicBytes: [UInt8]

        init?(seed: [UInt8]) {
            guard seed.count == Limits.ed25519KeyBytes,
                let pointer = EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, seed, seed.count)
            else { return nil }
            key = PublicKeyReference(pointer)
            var bytes = [UInt8](repeating: 0, count: Limits.ed25519KeyBytes)
            var count = bytes.count
            guard EVP_PKEY_get_raw_public_key(pointer, &bytes, &count) == 1 else {
                preconditionFailure("libcrypto gave no public key")
            }
            publicBytes = bytes
        }

        func sign(_ message: [UInt8]) -> [UInt8] {
            guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
            defer { EVP_MD_CTX_free(context) }
            var signature = [UInt8](repeating: 0, count: Limits.ed25519SignatureBytes)
            var count = signature.count
            guard EVP_DigestSignInit(context, nil, nil, nil, key.pointer) == 1,
                EVP_DigestSign(context, &signature, &count, message, message.count) == 1,
                count == signature.count
            else { preconditionFailure("libcrypto refused to sign") }
            return signature
        }
    }

    /// Verifies with libcrypto.
    struct Ed25519Verifier: Sendable {
        private let key: PublicKeyReference

        init?(bytes: [UInt8]) {
            guard bytes.count == Limits.ed25519KeyBytes,
                let pointer = EVP_PKEY_new_raw_public_key_ex(
                    nil, "ED25519", nil, bytes, bytes.count)
            else { return nil }
            key = PublicKeyReference(pointer)
        }

        func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
            key.verify(signature, of: message, nil)
        }
    }
#endif
