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

    /// Nil without a candidate: a plan that nothing has to satisfy is no plan.
    public init?(anyOf: [SignatureCandidate], time: TimeWindow?) {
        guard !anyOf.isEmpty else { return nil }
        self.anyOf = anyOf
        self.time = time
    }

    /// A plan with one candidate or more.
    public init(_ first: SignatureCandidate, _ others: SignatureCandidate..., time: TimeWindow?) {
        anyOf = [first] + others
        self.time = time
    }
}

/// One way in which a message may be signed.
public struct SignatureCandidate: Sendable, Hashable {
    /// A stable name for the record, such as `standard-webhooks/v1`.
    public let scheme: String
    /// What to compute.
    public let algorithm: SignatureAlgorithm
    /// The role of the keys to try, each of them.
    public let keys: SecretRole
    /// The signed bytes in parts that are read as one message, so that a body is not copied.
    public let signed: [[UInt8]]
    /// The decoded signatures of the message, each of them tried, at most ``Limits/signatures``.
    /// One code is computed for each key, whatever their number. Empty holds for no key.
    public let signatures: [[UInt8]]

    /// States one way.
    public init(
        scheme: String, algorithm: SignatureAlgorithm, keys: SecretRole, signed: [[UInt8]],
        signatures: [[UInt8]]
    ) {
        self.scheme = scheme
        self.algorithm = algorithm
        self.keys = keys
        self.signed = signed
        self.signatures = Array(signatures.prefix(Limits.signatures))
    }
}

/// The algorithms that the kit computes. Closed: a new one needs a release of the kit.
public enum SignatureAlgorithm: Sendable, Hashable {
    /// RFC 2104 with SHA-256.
    case hmacSHA256
    /// RFC 8032.
    case ed25519
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
