#if !canImport(CryptoKit) || os(macOS)
    import CCrypto

    /// The half of an RSA key that verifies, held by libcrypto.
    struct RSAVerifier: Sendable {
        private let key: PublicKeyReference

        /// Throws `MALFORMED_KEY` and `UNSUPPORTED_KEY`.
        init(_ bytes: [UInt8], form: RSAKeyForm) throws(CryptographyError) {
            key = try PublicKeyReference(rsa: bytes, what: "public key") { reader in
                switch form {
                case .keyPEM: PEM_read_bio_PUBKEY(reader, nil, noPassword, nil)
                case .keyDER: d2i_PUBKEY_bio(reader, nil)
                case .certificatePEM:
                    Self.key(of: PEM_read_bio_X509(reader, nil, noPassword, nil))
                case .certificateDER: Self.key(of: d2i_X509_bio(reader, nil))
                }
            }
        }

        private static func key(of certificate: OpaquePointer?) -> OpaquePointer? {
            guard let certificate else { return nil }
            defer { X509_free(certificate) }
            return X509_get_pubkey(certificate)
        }

        var bitCount: Int { Int(EVP_PKEY_get_bits(key.pointer)) }

        func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
            key.verify(signature, of: message, .sha256)
        }
    }

    /// The half of an RSA key that signs, held by libcrypto.
    struct RSASigner: Sendable {
        private let key: PublicKeyReference

        /// Throws `MALFORMED_KEY` and `UNSUPPORTED_KEY`.
        init(_ bytes: [UInt8], isPEM: Bool) throws(CryptographyError) {
            key = try PublicKeyReference(rsa: bytes, what: "private key") { reader in
                isPEM
                    ? PEM_read_bio_PrivateKey(reader, nil, noPassword, nil)
                    : d2i_PrivateKey_bio(reader, nil)
            }
        }

        /// Nil when the key's numbers do not fit each other.
        func sign(_ message: [UInt8]) -> [UInt8]? {
            guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
            defer {
                EVP_MD_CTX_free(context)
                ERR_clear_error()
            }
            let algorithm = HashAlgorithm.sha256.implementation.pointer
            var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(key.pointer)))
            var count = signature.count
            guard EVP_DigestSignInit(context, nil, algorithm, nil, key.pointer) == 1,
                EVP_DigestSign(context, &signature, &count, message, message.count) == 1
            else { return nil }
            return Array(signature.prefix(count))
        }
    }
#endif
