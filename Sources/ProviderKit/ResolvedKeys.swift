import Cryptography

/// Public keys that the host fetched for the deliveries it receives.
///
/// Trust is the host's: it fetches from places it knows, and checks certificates as it must.
/// Nothing here looks at who issued a certificate or when it ends.
public struct ResolvedKeys: Sendable {
    private var keys: [KeyRequest: ResolvedKey] = [:]

    /// No keys.
    public init() {}

    /// Takes the PEM text of a certificate or of a public key.
    ///
    /// Throws `malformed_secret` for any other text and for RSA keys that are too weak.
    public mutating func add(pem: String, for request: KeyRequest) throws(SecretError) {
        let rsa: RSAPublicKey
        do throws(CryptographyError) {
            rsa =
                pem.contains("BEGIN CERTIFICATE")
                ? try RSAPublicKey(certificatePEM: pem) : try RSAPublicKey(spkiPEM: pem)
        } catch {
            throw SecretError(role: .webhookPublicKey, problem: .notAPublicKey)
        }
        keys[request] = ResolvedKey(
            rsa: rsa, fingerprint: SecretKey.fingerprint(Array(pem.utf8)))
    }

    subscript(_ request: KeyRequest) -> ResolvedKey? { keys[request] }
}

/// A fetched key and its name in an audit.
struct ResolvedKey: Sendable {
    let rsa: RSAPublicKey
    let fingerprint: String
}
