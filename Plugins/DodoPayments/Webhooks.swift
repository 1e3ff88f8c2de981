import CheckoutModel
public import ProviderKit

/// Dodo signs by the Standard Webhooks scheme with a shared secret.
/// Source: dodo-docs, developer-resources/webhooks.mdx.
extension DodoPaymentsProvider: WebhookReceiving {
    /// The configured business.
    public var account: String? { configuration.businessID }

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
            provider: Self.id, account: account, mode: configuration.providerMode,
            id: webhookID(of: delivery))
    }

    /// One event for a delivery.
    ///
    /// Throws what ``ProviderKit/JSONFields`` throws for the fields that the event's type needs.
    public func events(
        in delivery: VerifiedDelivery
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        let body = try JSONFields(body: delivery.delivery.body)
        let type = try body.requiredText("type")
        guard let meaning = StatusMapping.events[type] else {
            return [ignored(body, type: type, in: delivery)]
        }
        let data = try body.requiredObject("data")
        return [
            ProviderEvent(
                key: DedupeKey(rawValue: webhookID(of: delivery)),
                kind: try kind(meaning, data), occurredAt: body.time("timestamp"),
                mode: configuration.providerMode, ids: try ids(of: data, meaning: meaning),
                account: body.note("business_id"), rawType: type,
                rawStatus: data.note("status") ?? data.note("dispute_status"),
                privateFields: try privateFields(of: data, meaning: meaning))
        ]
    }

    private func webhookID(of delivery: VerifiedDelivery) -> String {
        // Verification has read this header, so it is there.
        delivery.delivery.headers.first(StandardWebhooks.idHeader) ?? ""
    }

    /// An event without a meaning here; no shape is expected of it.
    private func ignored(
        _ body: JSONFields, type: String, in delivery: VerifiedDelivery
    ) -> ProviderEvent {
        let data = (try? body.object("data")) ?? nil
        return ProviderEvent(
            key: DedupeKey(rawValue: webhookID(of: delivery)), kind: .ignored,
            occurredAt: body.time("timestamp"), mode: configuration.providerMode,
            ids: ProviderIDs(
                session: data?.note("checkout_session_id"), payment: data?.note("payment_id"),
                subscription: data?.note("subscription_id"),
                customer: data?.note("customer_id")),
            account: body.note("business_id"), rawType: type, rawStatus: data?.note("status"))
    }
}
