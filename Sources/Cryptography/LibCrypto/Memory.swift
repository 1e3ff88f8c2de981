#if !canImport(CryptoKit) || os(macOS)
    import CCrypto

    /// What an optimizer must not make something else of.
    enum Memory {
        /// Overwrites the bytes with zeros, also where nobody reads them again.
        static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
            OPENSSL_cleanse(bytes.baseAddress, bytes.count)
        }

        /// Whether as many bytes are the same, in a time that does not tell where they differ.
        static func isEqual(
            _ left: UnsafeRawPointer?, _ right: UnsafeRawPointer?, count: Int
        ) -> Bool {
            count == 0 || CRYPTO_memcmp(left, right, count) == 0
        }
    }
#endif
