public import CheckoutModel

/// What must hold for a message to be authentic, as data: which bytes, which keys, which algorithm.
///
/// Adapters write plans and compute nothing; only the kit carries them out. There is no algorithm
/// called "none", so a plan that lets everything through cannot be written.
public struct VerificationPlan: Sendable, Hashable {
    /// One of these must hold; never empty.
    public let anyOf: [SignatureCandidate]
    /// When the message says it was signed; nil where the scheme signs no time.
    public let time: TimeWindow?
    /// What is to be opened once the signature held; nil where nothing is sealed.
    public let sealed: SealedResource?

    /// Nil without a candidate: a plan that nothing has to satisfy is no plan.
    public init?(
        anyOf: [SignatureCandidate], time: TimeWindow?, sealed: SealedResource? = nil
    ) {
        guard !anyOf.isEmpty else { return nil }
        self.anyOf = anyOf
        self.time = time
        self.sealed = sealed
    }

    /// A plan with one candidate or more.
    public init(
        _ first: SignatureCandidate, _ others: SignatureCandidate..., time: TimeWindow?,
        sealed: SealedResource? = nil
    ) {
        anyOf = [first] + others
        self.time = time
        self.sealed = sealed
    }
}

/// One way in which a message may be signed.
public struct SignatureCandidate: Sendable, Hashable {
    /// A stable name for the record, such as `standard-webhooks/v1`.
    public let scheme: String
    /// What to compute.
    public let algorithm: SignatureAlgorithm
    /// The keys to try, each of them.
    public let keys: KeySelector
    /// The signed bytes in parts that are read as one message, so that a body is not copied.
    public let signed: [[UInt8]]
    /// The decoded signatures of the message, each of them tried, at most ``Limits/signatures``.
    ///
    /// One code is computed for each key, whatever their number. Empty holds for no key.
    public let signatures: [[UInt8]]

    /// States one way.
    public init(
        scheme: String, algorithm: SignatureAlgorithm, keys: KeySelector, signed: [[UInt8]],
        signatures: [[UInt8]]
    ) {
        self.scheme = scheme
        self.algorithm = algorithm
        self.keys = keys
        self.signed = signed
        self.signatures = Array(signatures.prefix(Limits.signatures))
    }
}

/// The algorithms that the kit computes.
///
/// Closed: a new one needs a release of the kit.
public enum SignatureAlgorithm: Sendable, Hashable {
    /// RFC 2104 with SHA-256.
    case hmacSHA256
    /// RFC 2104 with SHA-1, for senders that have nothing better.
    case hmacSHA1
    /// RFC 8032.
    case ed25519
    /// RFC 8017 §8.2 with SHA-256.
    case rsaPKCS1SHA256
}

/// Which keys a signature is checked with.
public enum KeySelector: Sendable, Hashable {
    /// Each of our secrets of this role.
    case secret(SecretRole)
    /// A public key that the host has fetched, by its own list of trusted places.
    case resolved(KeyRequest)
}

/// A public key that a message names.
public enum KeyRequest: Sendable, Hashable {
    /// The certificate at this URL. The adapter refuses places that the provider does not document
    /// with `untrusted_key_source`; the host fetches nothing else.
    case certificate(url: String)
    /// The provider's platform key with this serial number.
    case platformKey(serial: String)
}

/// A part of a message that is sealed with AES-256-GCM, on top of being signed.
public struct SealedResource: Sendable, Hashable {
    /// The role of the keys to try.
    public let keys: SecretRole
    /// 12 bytes.
    public let nonce: [UInt8]
    /// What was authenticated beside it; may be empty.
    public let associatedData: [UInt8]
    /// The sealed text with its 16-byte tag at the end.
    public let ciphertextAndTag: [UInt8]

    /// Describes a sealed part.
    public init(
        keys: SecretRole, nonce: [UInt8], associatedData: [UInt8], ciphertextAndTag: [UInt8]
    ) {
        self.keys = keys
        self.nonce = nonce
        self.associatedData = associatedData
        self.ciphertextAndTag = ciphertextAndTag
    }
}

/// The time a message was signed, and how far from now it may be, both ways, ends included.
public struct TimeWindow: Sendable, Hashable {
    /// What the message says.
    public enum SignedTime: Sendable, Hashable {
        /// Whole seconds since 1970.
        case at(Instant)
        /// Not a count of seconds; the header's name.
        case unreadable(header: String)
    }

    /// When the message says it was signed.
    public let signedAt: SignedTime
    /// The distance allowed, in seconds; nil = any, for reading stored deliveries again.
    public let toleranceSeconds: Int64?

    /// Reads the header's text, which must be ASCII digits only: libraries that read a number's
    /// start take `123abc`, and the signature covers the text.
    public init(unixSeconds text: some StringProtocol, header: String, toleranceSeconds: Int64?) {
        let isDigits = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        if isDigits, let seconds = Int64(text) {
            signedAt = .at(Instant(seconds: seconds))
        } else {
            signedAt = .unreadable(header: header)
        }
        self.toleranceSeconds = toleranceSeconds
    }
}

extension TimeWindow {
    /// Reads a header that holds a time as RFC 3339 has it.
    public init(rfc3339 text: String, header: String, toleranceSeconds: Int64?) {
        if let time = try? Instant(iso8601: text) {
            signedAt = .at(time)
        } else {
            signedAt = .unreadable(header: header)
        }
        self.toleranceSeconds = toleranceSeconds
    }
}
