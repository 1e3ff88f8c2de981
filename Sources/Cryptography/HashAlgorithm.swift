import CCrypto

/// One of libcrypto's hash functions, looked up once in a process.
///
/// `EVP_sha256()` was refused: libcrypto then looks the implementation up again for every message,
/// which costs about as much as hashing 128 bytes.
struct HashAlgorithm: @unchecked Sendable {
    /// An `EVP_MD`, immutable and never freed.
    let pointer: OpaquePointer
    let byteCount: Int

    static let sha256 = HashAlgorithm("SHA256", byteCount: Limits.sha256Bytes)
    static let sha1 = HashAlgorithm("SHA1", byteCount: Limits.sha1Bytes)

    private init(_ name: String, byteCount: Int) {
        guard let pointer = EVP_MD_fetch(nil, name, nil) else {
            preconditionFailure("libcrypto offers no \(name); its configuration removes it")
        }
        self.pointer = pointer
        self.byteCount = byteCount
    }

    /// A context ready for the first byte of a message, which the caller frees.
    func makeContext() -> OpaquePointer {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex2(context, pointer, nil) == 1 else {
            preconditionFailure("out of memory")
        }
        return context
    }
}

extension OpaquePointer {
    /// Feeds bytes to this `EVP_MD_CTX`.
    func update(_ bytes: UnsafeRawBufferPointer) {
        guard EVP_DigestUpdate(self, bytes.baseAddress, bytes.count) == 1 else {
            preconditionFailure("libcrypto refused to hash")
        }
    }

    /// Ends the message of this `EVP_MD_CTX`.
    func finish(into bytes: UnsafeMutablePointer<UInt8>) {
        guard EVP_DigestFinal_ex(self, bytes, nil) == 1 else {
            preconditionFailure("libcrypto refused to hash")
        }
    }
}
