import Cryptography

/// The checked secrets of one provider, several for each role where they are being rotated.
///
/// Cannot be made from a malformed secret, never shows one, and is not `Codable` for that reason.
/// HMAC keys are prepared once, here.
public struct SecretSet: Sendable, CustomStringConvertible, CustomReflectable {
    private let byRole: [SecretRole: [SecretKey]]

    /// Checks the texts of each role, in order of preference, against the provider's rules.
    ///
    /// Throws `malformed_secret`, also for a role that the rules do not know. `lengths` other than
    /// the default is for published test vectors.
    public init(
        _ texts: [SecretRole: [String]], rules: [SecretRule],
        lengths: SecretLengthPolicy = .standard
    ) throws(SecretError) {
        var byRole: [SecretRole: [SecretKey]] = [:]
        for (role, texts) in texts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard let rule = rules.first(where: { $0.role == role }) else {
                throw SecretError(role: role, problem: .undecodable(.utf8))
            }
            guard texts.count <= Limits.secretsPerRole else {
                throw SecretError(role: role, index: Limits.secretsPerRole, problem: .tooMany)
            }
            var keys: [SecretKey] = []
            for (index, text) in texts.enumerated() {
                let bytes = try rule.keyBytes(of: text, index: index, lengths: lengths)
                keys.append(try SecretKey(text: text, bytes: bytes, index: index, rule: rule))
            }
            byRole[role] = keys
        }
        self.byRole = byRole
    }

    /// Keys that were read in other ways than the rules say, for a diagnosis only.
    init(unchecked byRole: [SecretRole: [SecretKey]]) { self.byRole = byRole }

    var roles: [SecretRole] { Array(byRole.keys) }

    /// How many secrets this role has.
    public func count(_ role: SecretRole) -> Int { keys(role).count }

    /// The same eight characters for the same key of the same role, in the order of the secrets;
    /// tells keys apart in an audit without telling anything of them.
    public func fingerprints(_ role: SecretRole) -> [String] { keys(role).map(\.fingerprint) }

    /// The first secret's own text, to be put into an `Authorization` header and nowhere else.
    public func apiKey() throws(SecretError) -> String {
        guard let key = keys(.apiKey).first else {
            throw SecretError(role: .apiKey, problem: .missing)
        }
        return key.text
    }

    func keys(_ role: SecretRole) -> [SecretKey] { byRole[role] ?? [] }

    /// Shows nothing.
    public var description: String { "<secrets>" }

    /// Shows nothing, also to debuggers and `dump`.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// One secret and what is computed from it once.
struct SecretKey: Sendable, CustomStringConvertible, CustomReflectable {
    let text: String
    let bytes: [UInt8]
    let index: Int
    let hmac: HMACKey
    /// Set where the rule has the text read in a second way.
    let otherHMAC: HMACKey?
    /// Set for public keys only.
    private(set) var ed25519: Ed25519.PublicKey?
    /// Set for public keys and certificates only.
    private(set) var rsa: RSAPublicKey?
    /// Set for private keys only.
    private(set) var signer: RSAPrivateKey?
    let fingerprint: String

    init(text: String, bytes: [UInt8], index: Int, rule: SecretRule) throws(SecretError) {
        self.text = text
        self.bytes = bytes
        self.index = index
        hmac = HMACKey(sha256: bytes)
        otherHMAC = rule.otherKeyBytes(of: text, first: bytes).map { HMACKey(sha256: $0) }
        fingerprint = Self.fingerprint(bytes)
        func refuse(_ problem: SecretError.Problem) -> SecretError {
            SecretError(role: rule.role, index: index, problem: problem)
        }
        switch rule.encoding {
        case .rsaPublicKey:
            rsa = Self.publicKey(text, bytes)
            if rsa == nil { throw refuse(.notAPublicKey) }
        case .rsaPrivateKey:
            signer =
                text.hasPrefix("-----BEGIN ")
                ? try? RSAPrivateKey(pem: text) : try? RSAPrivateKey(der: bytes)
            if signer == nil { throw refuse(.notAPrivateKey) }
        case .utf8, .hex, .base64:
            guard rule.role == .webhookPublicKey else { return }
            ed25519 = Ed25519.PublicKey(bytes: bytes)
            if ed25519 == nil { throw refuse(.notAPublicKey) }
        }
    }

    private static func publicKey(_ text: String, _ bytes: [UInt8]) -> RSAPublicKey? {
        if text.hasPrefix("-----BEGIN ") {
            return (try? RSAPublicKey(spkiPEM: text)) ?? (try? RSAPublicKey(certificatePEM: text))
        }
        return (try? RSAPublicKey(spkiDER: bytes)) ?? (try? RSAPublicKey(certificateDER: bytes))
    }

    /// Eight hexadecimal digits of a labelled hash.
    ///
    /// The label keeps it from being the plain hash of a key, which other systems may have
    /// published.
    static func fingerprint(_ bytes: [UInt8]) -> String {
        let label = Array("checkout-ledger webhook key\u{0}".utf8)
        return String(SHA256.hash(label + bytes).hex.prefix(8))
    }

    var description: String { "<secret>" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
