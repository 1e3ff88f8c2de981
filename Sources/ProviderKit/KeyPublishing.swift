public import CheckoutModel

/// The provider publishes the keys that it signs with under serial numbers, for those who can prove
/// who they are.
///
/// The host asks when a delivery names a ``KeyRequest/platformKey(serial:)`` that it does not have,
/// and from time to time, since keys are replaced; it fills ``ResolvedKeys`` with the answer. How
/// often an unknown serial may cause a request is the host's to limit: anyone can invent one.
public protocol KeyPublishing: PaymentProvider {
    /// The request to send; no secret is in its URL.
    func keysRequest(
        secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan
    /// The keys that can be trusted; throws `unauthorized`, `refused`, `unreadable_reply`, the
    /// last also when one of them is not authentic.
    func interpretKeys(
        _ reply: HTTPReply, secrets: SecretSet
    ) throws(ProviderReplyError) -> [PublishedKey]
}

/// A public key of a provider, and from when to when it signs.
public struct PublishedKey: Sendable, Hashable {
    /// The name under which deliveries ask for it.
    public let request: KeyRequest
    /// A certificate or a public key.
    public let pem: String
    /// From when on it is used; nil when not told.
    public let validFrom: Instant?
    /// Until when it is used; nil when not told.
    public let validUntil: Instant?

    /// States a key.
    public init(request: KeyRequest, pem: String, validFrom: Instant?, validUntil: Instant?) {
        self.request = request
        self.pem = pem
        self.validFrom = validFrom
        self.validUntil = validUntil
    }

    /// True when the key is used at that time, ends included.
    public func isValid(at time: Instant) -> Bool {
        (validFrom.map { $0.microseconds <= time.microseconds } ?? true)
            && (validUntil.map { time.microseconds <= $0.microseconds } ?? true)
    }
}

extension ResolvedKeys {
    /// Takes the keys that are used at that time; a key of the same name is replaced.
    ///
    /// Throws `malformed_secret` for text that is no key, and for RSA keys that are too weak.
    public mutating func add(
        _ published: [PublishedKey], at time: Instant
    ) throws(SecretError) {
        for key in published where key.isValid(at: time) {
            try add(pem: key.pem, for: key.request)
        }
    }
}
