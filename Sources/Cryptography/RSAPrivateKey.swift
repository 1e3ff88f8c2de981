/// An RSA key of ours that signs requests to a provider; 2,048 to 16,384 bits.
///
/// Never shown, never written: it can only sign.
public struct RSAPrivateKey: Sendable, CustomStringConvertible, CustomReflectable {
    private let key: RSASigner

    /// A `BEGIN PRIVATE KEY` or `BEGIN RSA PRIVATE KEY` block, not encrypted.
    ///
    /// Throws `MALFORMED_KEY` for other text, `UNSUPPORTED_KEY` for other kinds and sizes of key.
    public init(pem text: String) throws(CryptographyError) {
        key = try RSASigner([UInt8](text.utf8), isPEM: true)
    }

    /// The DER bytes of a PKCS #8 or PKCS #1 key.
    ///
    /// Throws as ``init(pem:)``.
    public init(der bytes: [UInt8]) throws(CryptographyError) {
        key = try RSASigner(bytes, isPEM: false)
    }

    /// RSASSA-PKCS1-v1_5 with SHA-256; the same message gives the same bytes.
    ///
    /// Throws `UNSUPPORTED_KEY` when the key's numbers do not fit each other. Source: RFC 8017
    /// §8.2.
    public func signPKCS1SHA256(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        guard let signature = key.sign(message) else {
            throw CryptographyError(
                .unsupportedKey, "The private key cannot sign.",
                hint: "Make a new key pair and upload its public half.")
        }
        return signature
    }

    /// Shows nothing.
    public var description: String { "<private key>" }

    /// Shows nothing, also to debuggers and `dump`.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
