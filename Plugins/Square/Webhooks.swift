import CheckoutModel
public import ProviderKit

/// Square signs the webhook's URL and the body, with nothing between, by HMAC-SHA256 under the text
/// of the signature key.
///
/// The URL is the configured one, never the request's: a sender must not choose what its signature
/// covers. Source: square-python-sdk, src/square/utils/webhooks_helper.py,
/// tests/integration/test_webhooks_helper.py.
extension SquareProvider: WebhookReceiving {
    static let signatureHeader = "x-square-hmacsha256-signature"

    /// The configured merchant.
    public var account: String? { configuration.merchantID }

    /// One plan; without any configured URL nothing is believed.
    public func plans(
        for delivery: WebhookDelivery
    ) throws(WebhookRejection) -> [VerificationPlan] {
        let url = configuration.notificationURL ?? delivery.configuredURL
        guard !url.isEmpty else { throw .signatureMismatch }
        return [
            try VerificationPlan.body(
                of: delivery, header: Self.signatureHeader, encoding: .base64,
                before: Array(url.utf8), scheme: "square/hmacsha256")
        ]
    }

    /// Named by the event's id in the body; a body without one is named by its hash.
    public func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        let body = try? JSONFields(body: delivery.delivery.body)
        return DeliveryIdentity(
            provider: Self.id, account: account, mode: configuration.mode,
            id: body?.note("event_id") ?? "sha256:\(delivery.bodyHex)")
    }

    /// One event for a delivery.
    ///
    /// Throws what ``ProviderKit/JSONFields`` throws for the fields that the event's type needs.
    public func events(
        in delivery: VerifiedDelivery
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        let body = try JSONFields(body: delivery.delivery.body)
        let type = try body.requiredText("type")
        let key = body.note("event_id") ?? "sha256:\(delivery.bodyHex)"
        let envelope = EventEnvelope(
            id: key, type: type, createdAt: body.time("created_at"),
            mode: configuration.mode, account: body.note("merchant_id"))
        guard let meaning = StatusMapping.events[type] else {
            return [envelope.event(.ignored, rawStatus: nil)]
        }
        let object = try body.requiredObject("data").requiredObject("object")
        return [try event(meaning, object, envelope)]
    }
}
