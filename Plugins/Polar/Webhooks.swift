import CheckoutModel
public import ProviderKit

/// Polar signs by the Standard Webhooks scheme, under a key of its own reading.
/// Source: polar-python, _webhooks/__init__.py; polar-sdk 1.0.2, polar/webhooks.py.
extension PolarProvider: WebhookReceiving {
    /// The configured organization.
    public var account: String? { configuration.organizationID }

    /// The Standard Webhooks plan with this installation's tolerance.
    public func plans(
        for delivery: WebhookDelivery
    ) throws(WebhookRejection) -> [VerificationPlan] {
        [
            try StandardWebhooks.plan(
                for: delivery, toleranceSeconds: configuration.toleranceSeconds)
        ]
    }

    /// Named by `webhook-id`, which stays over retries while time and signature change.
    public func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        DeliveryIdentity(
            provider: Self.id, account: account, mode: configuration.mode,
            id: webhookID(of: delivery))
    }

    /// One event for a delivery, or two for a refund that carries a dispute.
    ///
    /// Throws what ``ProviderKit/JSONFields`` throws for the fields that the event's type needs.
    public func events(
        in delivery: VerifiedDelivery
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        let body = try JSONFields(body: delivery.delivery.body)
        let data = (try? body.object("data")) ?? nil
        let envelope = EventEnvelope(
            id: webhookID(of: delivery), type: try body.requiredText("type"),
            createdAt: body.time("timestamp"), mode: configuration.mode,
            account: data?.note("organization_id"))
        guard let meaning = StatusMapping.events[envelope.type] else {
            return [envelope.event(.ignored, rawStatus: data?.note("status"))]
        }
        return try events(meaning, try body.requiredObject("data"), envelope)
    }

    private func webhookID(of delivery: VerifiedDelivery) -> String {
        // Verification has read this header, so it is there.
        delivery.delivery.headers.first(StandardWebhooks.idHeader) ?? ""
    }
}
