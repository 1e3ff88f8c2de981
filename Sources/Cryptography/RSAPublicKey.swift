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
        key = try PublicKeyReference(rsa: bytes, what: "public key", read)
    }

    private static func key(of certificate: OpaquePointer?) -> OpaquePointer? {
        guard let certificate else { return nil }
        defer { X509_free(certificate) }
        return X509_get_pubkey(certificate)
    }
}
