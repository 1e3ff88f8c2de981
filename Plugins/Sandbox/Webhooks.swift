import CheckoutModel
public import ProviderKit

/// The sandbox signs by the Standard Webhooks scheme with a shared secret.
extension SandboxProvider: WebhookReceiving {
    /// None: a sandbox has one shop.
    public var account: String? { nil }

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
            provider: Self.id, account: account, mode: .test, id: webhookID(of: delivery))
    }

    /// One event for a delivery, always of mode test.
    ///
    /// Throws what ``ProviderKit/JSONFields`` throws for the fields that the event's type needs,
    /// and `unexpected_type` for a body that does not call itself pretend.
    public func events(
        in delivery: VerifiedDelivery
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        let body = try JSONFields(body: delivery.delivery.body)
        let type = try body.requiredText("type")
        try Self.requirePretence(body)
        guard let meaning = StatusMapping.events[type] else {
            return [event(.ignored, type: type, body, in: delivery)]
        }
        let data = try body.requiredObject("data")
        return [
            event(
                try kind(meaning, data), type: type, body, in: delivery,
                ids: try ids(of: data, meaning: meaning), rawStatus: data.note("status"),
                email: data.note("customer_email"))
        ]
    }

    private func event(
        _ kind: ProviderEvent.Kind, type: String, _ body: JSONFields,
        in delivery: VerifiedDelivery, ids: ProviderIDs = ProviderIDs(), rawStatus: String? = nil,
        email: String? = nil
    ) -> ProviderEvent {
        ProviderEvent(
            key: DedupeKey(rawValue: webhookID(of: delivery)), kind: kind,
            occurredAt: body.time("created_at"), mode: .test, ids: ids, rawType: type,
            rawStatus: rawStatus, privateFields: PrivateFields(customerEmail: email))
    }

    private func webhookID(of delivery: VerifiedDelivery) -> String {
        // Verification has read this header, so it is there.
        delivery.delivery.headers.first(StandardWebhooks.idHeader) ?? ""
    }
}
