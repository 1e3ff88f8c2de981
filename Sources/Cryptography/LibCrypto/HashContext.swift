#if !canImport(CryptoKit) || os(macOS)
    import CCrypto

    /// A message that libcrypto is hashing.
    ///
    /// About 200 bytes outside Swift; feeding allocates nothing more.
    struct HashContext: ~Copyable {
        private let pointer: OpaquePointer

        /// Ready for the first byte of a message.
        init(_ algorithm: HashAlgorithm) {
            guard let pointer = EVP_MD_CTX_new(),
                EVP_DigestInit_ex2(pointer, algorithm.implementation.pointer, nil) == 1
            else { preconditionFailure("out of memory") }
            self.pointer = pointer
        }

        /// As far as another one.
        init(_ other: borrowing HashContext) {
            guard let pointer = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
            self.pointer = pointer
            become(other)
        }

        // Freeing also wipes the state.
        deinit { EVP_MD_CTX_free(pointer) }

        /// Goes on from where another one is.
        mutating func become(_ other: borrowing HashContext) {
            guard EVP_MD_CTX_copy_ex(pointer, other.pointer) == 1 else {
                preconditionFailure("out of memory")
            }
        }

        /// Feeds the next bytes.
        mutating func update(_ bytes: UnsafeRawBufferPointer) {
            guard EVP_DigestUpdate(pointer, bytes.baseAddress, bytes.count) == 1 else {
                preconditionFailure("libcrypto refused to hash")
            }
        }

        /// Ends the message and writes its hash; nothing can be fed before ``restart(_:)``.
        mutating func finish(into bytes: UnsafeMutablePointer<UInt8>) {
            guard EVP_DigestFinal_ex(pointer, bytes, nil) == 1 else {
                preconditionFailure("libcrypto refused to hash")
            }
        }

        /// Begins the next message.
        mutating func restart(_ algorithm: HashAlgorithm) {
            let implementation = algorithm.implementation.pointer
            guard EVP_DigestInit_ex2(pointer, implementation, nil) == 1 else {
                preconditionFailure("libcrypto refused to hash")
            }
        }
    }

    /// A hash function of libcrypto's, looked up once in a process.
    ///
    /// `EVP_sha256()` was refused: libcrypto then looks the implementation up again for every
    /// message, which costs about as much as hashing 128 bytes.
    struct HashImplementation: @unchecked Sendable {
        /// An `EVP_MD`, immutable and never freed.
        let pointer: OpaquePointer

        fileprivate static let sha256 = HashImplementation("SHA256")
        fileprivate static let sha1 = HashImplementation("SHA1")

        private init(_ name: String) {
            guard let pointer = EVP_MD_fetch(nil, name, nil) else {
                preconditionFailure("libcrypto offers no \(name); its configuration removes it")
            }
            self.pointer = pointer
        }
    }

    extension HashAlgorithm {
        var implementation: HashImplementation {
            switch self {
            case .sha256: .sha256
            case .sha1: .sha1
            }
        }
    }
#endif
