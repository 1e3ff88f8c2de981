public import CheckoutModel

/// Decides whether a delivery was sent by a provider; the only maker of ``VerifiedDelivery``.
///
/// Reads no clock, does no I/O, keeps no state: the same input gives the same answer on any thread.
public struct DeliveryVerifier: Sendable {
    /// The adapter whose plans are carried out.
    public let provider: any WebhookReceiving
    package let secrets: SecretSet

    /// Binds an adapter to its secrets.
    ///
    /// Throws `missing_secret` when there is none of the roles that sign: a receiver without a
    /// secret must not start, because anyone could sign for it. The same for what else the adapter
    /// cannot do without.
    public init(provider: any WebhookReceiving, secrets: SecretSet) throws(SecretError) {
        try secrets.requireSigningKey(of: type(of: provider).descriptor)
        if let role = provider.missingRole(in: secrets) {
            throw SecretError(role: role, problem: .missing)
        }
        self.provider = provider
        self.secrets = secrets
    }

    /// Verifies raw bytes; parses nothing of the body unless the scheme signs parts of it.
    ///
    /// Order: size, headers, time, signature. Time comes before the signature because it costs
    /// nothing to look at and tells a sender nothing. A time that cannot be read is
    /// `timestamp_malformed` when the signature fits, so that the provider is at fault, and
    /// `malformed_header` when it does not, so that anyone may have written it. `unknown_key` when
    /// nothing holds and ``keyRequests(of:)`` names a key that `resolved` lacks.
    public func verify(
        _ delivery: WebhookDelivery, at now: Instant, resolved: ResolvedKeys = ResolvedKeys()
    ) throws(WebhookRejection) -> VerifiedDelivery {
        guard delivery.body.count <= Limits.bodyBytes else { throw .bodyTooLarge }
        var first: (match: SignatureMatch, signedAt: Instant?)?
        var opened: [[UInt8]] = []
        for plan in try provider.plans(for: delivery) {
            let signedAt = try plan.time?.check(at: now)
            let match = plan.match(secrets, resolved)
            if let time = plan.time, case .unreadable(let header) = time.signedAt {
                throw match == nil ? .malformedHeader(header) : .timestampMalformed
            }
            guard let match else {
                let isKeyMissing = plan.requests().contains { resolved[$0] == nil }
                throw isKeyMissing ? .unknownKey : .signatureMismatch
            }
            if first == nil { first = (match, signedAt) }
            if let text = try plan.open(secrets) { opened.append(text) }
        }
        // No plan at all verifies nothing.
        guard let first else { throw .signatureMismatch }
        return VerifiedDelivery(
            provider: type(of: provider).descriptor.id, delivery: delivery, match: first.match,
            signedAt: first.signedAt, opened: opened)
    }

    /// The public keys that the host must have at hand to verify this delivery.
    ///
    /// What the delivery says is not verified yet: fetch from trusted places only.
    public func keyRequests(
        of delivery: WebhookDelivery
    ) throws(WebhookRejection) -> [KeyRequest] {
        guard delivery.body.count <= Limits.bodyBytes else { throw .bodyTooLarge }
        return try provider.plans(for: delivery).flatMap { $0.requests() }
    }
}

extension TimeWindow {
    /// The signed time when it is near enough to `now`; nil when it cannot be read.
    ///
    /// Whole seconds on both sides, as the reference libraries count.
    func check(at now: Instant) throws(WebhookRejection) -> Instant? {
        guard case .at(let signedAt) = signedAt else { return nil }
        guard let toleranceSeconds else { return signedAt }
        // Instants span 584,000 years of seconds: the difference cannot overflow.
        let age = now.seconds - signedAt.seconds
        guard age <= toleranceSeconds else { throw .timestampTooOld }
        guard -age <= toleranceSeconds else { throw .timestampTooNew }
        return signedAt
    }
}
