/// An RSA key that verifies what a provider signed; 2,048 to 16,384 bits.
///
/// A certificate is only a container here: who issued it, whether it is expired and whom it names
/// is not looked at. Where that matters, the caller pins the key or checks the chain.
public struct RSAPublicKey: Sendable {
    private let key: RSAVerifier

    /// A `BEGIN PUBLIC KEY` block (SubjectPublicKeyInfo).
    ///
    /// Throws `MALFORMED_KEY` for other text, `UNSUPPORTED_KEY` for other kinds and sizes of key.
    public init(spkiPEM text: String) throws(CryptographyError) {
        key = try RSAVerifier([UInt8](text.utf8), form: .keyPEM)
    }

    /// The DER bytes of a SubjectPublicKeyInfo.
    ///
    /// Throws as ``init(spkiPEM:)``.
    public init(spkiDER bytes: [UInt8]) throws(CryptographyError) {
        key = try RSAVerifier(bytes, form: .keyDER)
    }

    /// The key in a `BEGIN CERTIFICATE` block.
    ///
    /// Throws as ``init(spkiPEM:)``.
    public init(certificatePEM text: String) throws(CryptographyError) {
        key = try RSAVerifier([UInt8](text.utf8), form: .certificatePEM)
    }

    /// The key in the DER bytes of a certificate.
    ///
    /// Throws as ``init(spkiPEM:)``.
    public init(certificateDER bytes: [UInt8]) throws(CryptographyError) {
        key = try RSAVerifier(bytes, form: .certificateDER)
    }

    /// The length of the modulus in bits.
    public var bitCount: Int { key.bitCount }

    /// True when `signature` is this key's RSASSA-PKCS1-v1_5 signature, with SHA-256, of `message`;
    /// false for any other bytes of any length.
    ///
    /// Source: RFC 8017 §8.2.
    public func verifyPKCS1SHA256(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        key.isValid(signature, for: message)
    }
}

/// The forms in which the half of an RSA key that verifies is written down.
enum RSAKeyForm: Sendable {
    case keyPEM
    case keyDER
    case certificatePEM
    case certificateDER
}
