import Cryptography

/// What a secret is for; an adapter may add roles of its own.
public struct SecretRole: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// Lower-case words joined by `_`.
    public let rawValue: String

    /// For roles read from text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// For constants in adapters.
    public init(stringLiteral value: String) { rawValue = value }

    /// The role's name.
    public var description: String { rawValue }

    /// Shared with the provider; signs webhooks.
    public static let webhook: SecretRole = "webhook_secret"
    /// The provider's public key; checks webhooks.
    ///
    /// Not secret, kept with the secrets all the same.
    public static let webhookPublicKey: SecretRole = "webhook_public_key"
    /// Lets us call the provider's API.
    public static let apiKey: SecretRole = "api_key"
    /// Our private key; signs requests.
    public static let signingKey: SecretRole = "signing_key"
    /// Opens what the provider sealed.
    public static let decryptionKey: SecretRole = "decryption_key"
}

/// How a secret's text becomes key bytes.
public enum SecretEncoding: Sendable, Hashable {
    /// The bytes of the whole text, prefix included.
    case utf8
    /// Hexadecimal digits of either case behind the prefix.
    case hex
    /// Base64 behind the prefix, padding optional, unused bits not looked at.
    case base64
    /// An RSA public key or certificate: a PEM block, or the base64 of its DER form on one line.
    case rsaPublicKey
    /// An RSA private key, not encrypted: a PEM block, or the base64 of its DER form on one line.
    case rsaPrivateKey
}

/// A provider's grammar of one kind of secret, as data: what people paste is checked against it
/// when the receiver starts, so that a wrong secret is never reported as a wrong sender.
public struct SecretRule: Sendable, Hashable {
    /// What the secret is for.
    public let role: SecretRole
    /// How the text becomes key bytes.
    public let encoding: SecretEncoding
    /// The provider's own prefix, such as `whsec_`; may be missing unless ``needsPrefix``.
    public let prefix: String
    /// True when a text without the prefix is refused.
    public let needsPrefix: Bool
    /// The fewest key bytes, after decoding.
    public let minimumBytes: Int
    /// The most key bytes, after decoding.
    public let maximumBytes: Int
    /// True when signatures of the provider are checked with it: a receiver needs one such secret.
    public let verifies: Bool
    /// True when the text is also tried as a key in its base64 reading, behind the prefix, for
    /// providers whose own libraries do not agree; HMAC-SHA256 only.
    ///
    /// A text that is no base64 has the one reading.
    public let isAlsoBase64: Bool
    /// True when signed returns of the provider are checked with it.
    public let verifiesReturns: Bool

    /// States a grammar.
    ///
    /// `verifies` nil = as the role's name says: API, signing and decryption keys do not.
    /// `verifiesReturns` nil = as ``verifies``.
    public init(
        role: SecretRole, encoding: SecretEncoding, prefix: String = "", needsPrefix: Bool = false,
        minimumBytes: Int = 1, maximumBytes: Int = Limits.secretBytes, verifies: Bool? = nil,
        verifiesReturns: Bool? = nil, isAlsoBase64: Bool = false
    ) {
        let isOfWebhooks = verifies ?? ![.apiKey, .signingKey, .decryptionKey].contains(role)
        self.verifies = isOfWebhooks
        self.verifiesReturns = verifiesReturns ?? isOfWebhooks
        self.isAlsoBase64 = isAlsoBase64
        self.role = role
        self.encoding = encoding
        self.prefix = prefix
        self.needsPrefix = needsPrefix
        self.minimumBytes = minimumBytes
        self.maximumBytes = maximumBytes
    }

    /// The second reading of a text that was taken; nil when there is none, or the same.
    func otherKeyBytes(of text: String, first: [UInt8]) -> [UInt8]? {
        guard isAlsoBase64 else { return nil }
        let rest = text.dropFirst(text.hasPrefix(prefix) ? prefix.count : 0)
        guard let key = Base64.decode(rest, padding: .optional, canonical: false),
            !key.isEmpty, key != first
        else { return nil }
        return key
    }

    /// The key bytes of a text, or what is wrong with it.
    func keyBytes(
        of text: String, index: Int, lengths: SecretLengthPolicy
    ) throws(SecretError) -> [UInt8] {
        func refuse(_ problem: SecretError.Problem) -> SecretError {
            SecretError(role: role, index: index, problem: problem)
        }
        guard !text.isEmpty else { throw refuse(.empty) }
        guard text.utf8.count <= Limits.secretBytes else { throw refuse(.tooLong) }
        if text.hasPrefix("-----BEGIN ") {
            guard encoding == .rsaPublicKey || encoding == .rsaPrivateKey else {
                throw refuse(.pemBlock)
            }
            return Array(text.utf8)
        }
        guard !text.unicodeScalars.contains(where: \.properties.isWhitespace) else {
            throw refuse(.whitespace)
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw refuse(.unprintable)
        }
        guard !text.hasPrefix("v1,"), !text.hasPrefix("v1a,") else {
            throw refuse(.signaturePrefix)
        }
        if let kind = SecretKind.named(by: text), kind.role != role {
            throw refuse(.wrongKind(kind))
        }
        let hasPrefix = !prefix.isEmpty && text.hasPrefix(prefix)
        guard hasPrefix || !needsPrefix else { throw refuse(.missingPrefix(prefix)) }
        let rest = text.dropFirst(hasPrefix ? prefix.count : 0)
        guard !rest.isEmpty else { throw refuse(.empty) }
        let key: [UInt8]? =
            switch encoding {
            case .utf8: Array(text.utf8)
            case .hex: Hex.decode(rest, accepting: .any)
            case .base64, .rsaPublicKey, .rsaPrivateKey:
                Base64.decode(rest, padding: .optional, canonical: false)
            }
        guard let key else { throw refuse(.undecodable(encoding)) }
        let minimum = lengths == .standard ? minimumBytes : 1
        guard key.count >= minimum else { throw refuse(.tooShort(key.count, minimum: minimum)) }
        guard key.count <= maximumBytes else { throw refuse(.tooLong) }
        return key
    }
}

/// Whether secrets shorter than their rule are taken.
public enum SecretLengthPolicy: Sendable, Hashable {
    /// As the rule says.
    case standard
    /// Any length from one byte on: for published test vectors, whose keys are short. Never for a
    /// receiver that real deliveries reach.
    case shortForTestVectors
}

/// A kind of key that people paste into the wrong field, told by how its text starts.
public enum SecretKind: String, Sendable, Hashable, CaseIterable {
    /// A key that calls the provider's API and can move money.
    case apiKey = "API key"
    /// A key for pages and apps, not secret.
    case publishableKey = "publishable key"
    /// A secret that signs webhooks.
    case webhookSecret = "webhook secret"
    /// A private key that only the sender may hold.
    case webhookPrivateKey = "webhook private key"
    /// The public half of a signing key.
    case webhookPublicKey = "webhook public key"

    /// The role in which this kind is right; nil where it is right nowhere.
    var role: SecretRole? {
        switch self {
        case .apiKey: .apiKey
        case .webhookSecret: .webhook
        case .webhookPublicKey: .webhookPublicKey
        case .publishableKey, .webhookPrivateKey: nil
        }
    }

    private var starts: [String] {
        switch self {
        case .apiKey: ["sk_live_", "sk_test_", "rk_live_", "rk_test_"]
        case .publishableKey: ["pk_live_", "pk_test_"]
        case .webhookSecret: ["whsec_"]
        case .webhookPrivateKey: ["whsk_"]
        case .webhookPublicKey: ["whpk_"]
        }
    }

    static func named(by text: String) -> SecretKind? {
        allCases.first { kind in kind.starts.contains { text.hasPrefix($0) } }
    }
}
