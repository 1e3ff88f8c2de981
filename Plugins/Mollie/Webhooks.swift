import CheckoutModel
public import ProviderKit

/// The next-generation webhook: HMAC-SHA256 of the body in hexadecimal, with or without `sha256=`,
/// several of them while a secret is replaced.
///
/// The reference library takes a message without the header for a classic one and lets it pass;
/// here it is refused, and ``hint(in:)`` reads what is a hint.
/// Source: mollie-api-php, src/Webhooks/SignatureValidator.php.
extension MollieProvider: WebhookReceiving {
    private static let signatureHeader = "X-Mollie-Signature"
    private static let signaturePrefix = "sha256="

    /// The configured profile.
    public var account: String? { configuration.profileID }

    /// One plan over all signatures that are sent.
    public func plans(
        for delivery: WebhookDelivery
    ) throws(WebhookRejection) -> [VerificationPlan] {
        let signatures = try delivery.headers.all(Self.signatureHeader).compactMap { value in
            SignatureCandidate.decode(
                value.hasPrefix(Self.signaturePrefix)
                    ? value.dropFirst(Self.signaturePrefix.count) : value[...], .hex)
        }
        return [
            VerificationPlan(
                SignatureCandidate(
                    scheme: "mollie/sha256", algorithm: .hmacSHA256, keys: .secret(.webhook),
                    signed: [delivery.body], signatures: signatures),
                time: nil)
        ]
    }

    /// Named by the event's id; what is no event is named by its hash.
    public func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        let body = try? JSONFields(body: delivery.delivery.body)
        let isEvent = body?.note("resource") == "event"
        let entity = isEvent ? entity(in: body) : body
        return DeliveryIdentity(
            provider: Self.id, account: account, mode: mode(of: entity),
            id: (isEvent ? body?.note("id") : nil) ?? "sha256:\(delivery.bodyHex)")
    }

    /// One event for a delivery: about the embedded entity, or about the entity that is named where
    /// the endpoint is set to simple payloads.
    ///
    /// Throws what ``ProviderKit/JSONFields`` throws for the fields that the event's type needs.
    public func events(
        in delivery: VerifiedDelivery
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        let body = try JSONFields(body: delivery.delivery.body)
        let hash = "sha256:\(delivery.bodyHex)"
        guard body.note("resource") == "event" else {
            let resource = body.note("resource")
            let envelope = Envelope(
                key: hash, type: resource ?? body.note("event_type") ?? "", createdAt: nil,
                entityID: body.note("id"), mode: mode(of: body))
            guard let meaning = resource.flatMap({ StatusMapping.snapshots[$0] }) else {
                return [envelope.event(.ignored, rawStatus: body.note("status"))]
            }
            return [try event(meaning, body, envelope)]
        }
        let entity = try body.object("_embedded")?.object("entity")
        let envelope = Envelope(
            key: try body.requiredText("id"), type: try body.requiredText("type"),
            createdAt: body.time("createdAt"), entityID: try body.identifier("entityId"),
            mode: mode(of: entity))
        guard let meaning = StatusMapping.events[envelope.type] else {
            return [envelope.event(.ignored, rawStatus: entity?.note("status"))]
        }
        return [try event(meaning, entity, envelope)]
    }

    private func entity(in body: JSONFields?) -> JSONFields? {
        (try? body?.object("_embedded")?.object("entity")) ?? nil
    }

    /// As the entity says, else as the account is configured.
    func mode(of entity: JSONFields?) -> ProviderMode {
        switch entity?.note("mode") {
        case "live": .live
        case "test": .test
        default: configuration.mode
        }
    }
}
