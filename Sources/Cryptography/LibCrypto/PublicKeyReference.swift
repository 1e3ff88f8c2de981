#if !canImport(CryptoKit) || os(macOS)
    import CCrypto

    /// A key of libcrypto's, freed with its last owner; only read after `init`.
    final class PublicKeyReference: @unchecked Sendable {
        let pointer: OpaquePointer

        /// Takes over the key.
        init(_ pointer: OpaquePointer) { self.pointer = pointer }

        deinit { EVP_PKEY_free(pointer) }

        /// True when `signature` is this key's signature of `message`, hashed with `algorithm`
        /// where the signature scheme does not hash by itself.
        func verify(_ signature: [UInt8], of message: [UInt8], _ algorithm: HashAlgorithm?) -> Bool
        {
            guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
            defer {
                EVP_MD_CTX_free(context)
                // A refused signature leaves its reasons in this thread's list.
                ERR_clear_error()
            }
            return EVP_DigestVerifyInit(
                context, nil, algorithm?.implementation.pointer, nil, pointer) == 1
                && EVP_DigestVerify(context, signature, signature.count, message, message.count)
                    == 1
        }
    }

    extension PublicKeyReference {
        /// Reads an RSA key, public or private, through libcrypto's reader.
        ///
        /// Throws `MALFORMED_KEY` and `UNSUPPORTED_KEY`.
        convenience init(
            rsa bytes: [UInt8], what: String, _ read: (OpaquePointer) -> OpaquePointer?
        ) throws(CryptographyError) {
            // The reasons of a refusal stay in this thread's list otherwise.
            defer { ERR_clear_error() }
            guard !bytes.isEmpty, bytes.count <= Limits.keyTextBytes,
                let pointer = Self.withReader(of: bytes, read)
            else {
                throw .malformedKey(what)
            }
            self.init(pointer)
            let bits = Limits.minimumRSABits...Limits.maximumRSABits
            guard EVP_PKEY_is_a(pointer, "RSA") == 1, bits.contains(Int(EVP_PKEY_get_bits(pointer)))
            else { throw .unsupportedKey }
        }

        /// Lends libcrypto's reader over bytes in memory.
        private static func withReader(
            of bytes: [UInt8], _ read: (OpaquePointer) -> OpaquePointer?
        ) -> OpaquePointer? {
            bytes.withUnsafeBytes { buffer in
                guard let reader = BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count)) else {
                    preconditionFailure("out of memory")
                }
                defer { BIO_free(reader) }
                return read(reader)
            }
        }
    }

    /// Has no password for any block; libcrypto would ask the terminal otherwise.
    func noPassword(
        _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?
    ) -> Int32 { -1 }
#endif
