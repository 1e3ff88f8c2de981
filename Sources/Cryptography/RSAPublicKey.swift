import CCrypto

/// An RSA key that verifies what a provider signed; 2,048 to 16,384 bits.
///
/// A certificate is only a container here: who issued it, whether it is expired and whom it names
/// is not looked at. Where that matters, the caller pins the key or checks the chain.
public struct RSAPublicKey: Sendable {
    private let key: PublicKeyReference

    /// A `BEGIN PUBLIC KEY` block (SubjectPublicKeyInfo).
    ///
    /// Throws `MALFORMED_KEY` for other text, `UNSUPPORTED_KEY` for other kinds and sizes of key.
    public init(spkiPEM text: String) throws(CryptographyError) {
        try self.init(bytes: [UInt8](text.utf8)) {
            PEM_read_bio_PUBKEY($0, nil, noPassword, nil)
        }
    }

    /// The DER bytes of a SubjectPublicKeyInfo.
    ///
    /// Throws as ``init(spkiPEM:)``.
    public init(spkiDER bytes: [UInt8]) throws(CryptographyError) {
        try self.init(bytes: bytes) { d2i_PUBKEY_bio($0, nil) }
    }

    /// The key in a `BEGIN CERTIFICATE` block.
    ///
    /// Throws as ``init(spkiPEM:)``.
    public init(certificatePEM text: String) throws(CryptographyError) {
        try self.init(bytes: [UInt8](text.utf8)) {
            Self.key(of: PEM_read_bio_X509($0, nil, noPassword, nil))
        }
    }

    /// The key in the DER bytes of a certificate.
    ///
    /// Throws as ``init(spkiPEM:)``.
    public init(certificateDER bytes: [UInt8]) throws(CryptographyError) {
        try self.init(bytes: bytes) { Self.key(of: d2i_X509_bio($0, nil)) }
    }

    /// The length of the modulus in bits.
    public var bitCount: Int { Int(EVP_PKEY_get_bits(key.pointer)) }

    /// True when `signature` is this key's RSASSA-PKCS1-v1_5 signature, with SHA-256, of `message`;
    /// false for any other bytes of any length.
    ///
    /// Source: RFC 8017 §8.2.
    public func verifyPKCS1SHA256(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        key.verify(signature, of: message, .sha256)
    }

    private init(
        bytes: [UInt8], read: (OpaquePointer) -> OpaquePointer?
    ) throws(CryptographyError) {
        // The reasons of a refusal stay in this thread's list otherwise.
        defer { ERR_clear_error() }
        guard !bytes.isEmpty, bytes.count <= Limits.keyTextBytes,
            let pointer = Self.withReader(of: bytes, read)
        else {
            throw CryptographyError(
                .malformedKey, "The text holds no public key.",
                hint: "Give the whole PEM block or DER file of the key or certificate.")
        }
        key = PublicKeyReference(pointer)
        let bits = Limits.minimumRSABits...Limits.maximumRSABits
        guard EVP_PKEY_is_a(pointer, "RSA") == 1, bits.contains(bitCount) else {
            throw CryptographyError(
                .unsupportedKey, "The key is not an RSA key of 2,048 to 16,384 bits.",
                hint: "Use the key that the provider publishes for this purpose.")
        }
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

    private static func key(of certificate: OpaquePointer?) -> OpaquePointer? {
        guard let certificate else { return nil }
        defer { X509_free(certificate) }
        return X509_get_pubkey(certificate)
    }
}

/// Has no password for any block; libcrypto would ask the terminal otherwise.
private func noPassword(
    _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?
) -> Int32 { -1 }
