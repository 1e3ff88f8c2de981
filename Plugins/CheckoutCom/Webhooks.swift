import CheckoutModel
public import ProviderKit

/// Checkout.com signs the raw body with HMAC-SHA256 under the workflow's signature key. It signs
/// no time, so an old delivery can be sent again: only its identity keeps it from counting.
/// Source: checkout.com, docs, Set up your webhook receiver.
extension CheckoutComProvider: WebhookReceiving {
    /// Nil: events name no account.
    public var account: String? { nil }

    /// One plan over `Cko-Signature`, hexadecimal.
    public func plans(
        for delivery: WebhookDelivery
    ) throws(WebhookRejection) -> [VerificationPlan] {
        [
            try VerificationPlan.body(
                of: delivery, header: "Cko-Signature", encoding: .hex,
                scheme: "checkout.com/hmac-sha256")
        ]
    }

    /// Named by the event's id; a body without one is named by its hash.
    public func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        let body = try? JSONFields(body: delivery.delivery.body)
        return DeliveryIdentity(
            provider: Self.id, account: account, mode: configuration.mode,
            id: body?.note("id") ?? "sha256:\(delivery.bodyHex)")
    }

    /// One event for a delivery.
    ///
    /// Throws what ``ProviderKit/JSONFields`` throws for the fields that the event's type needs.
    public func events(
        in delivery: VerifiedDelivery
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        let body = try JSONFields(body: delivery.delivery.body)
        let type = try body.requiredText("type")
        let key = DedupeKey(rawValue: try body.requiredText("id"))
        // Older workflows write the time as `created_on`.
        let time = body.time("timestamp") ?? body.time("created_on")
        guard let meaning = StatusMapping.events[type] else {
            let data = (try? body.object("data")) ?? nil
            return [
                ProviderEvent(
                    key: key, kind: .ignored, occurredAt: time, mode: configuration.mode,
                    rawType: type, rawStatus: data?.note("status"))
            ]
        }
        let data = try body.requiredObject("data")
        return [
            ProviderEvent(
                key: key, kind: try kind(meaning, data), occurredAt: time,
                mode: configuration.mode, ids: try ids(meaning, data), rawType: type,
                rawStatus: data.note("status"), privateFields: privateFields(data))
        ]
    }
}
