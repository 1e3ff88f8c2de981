import CheckoutModel
public import ProviderKit

/// Coinbase Commerce signs the raw body with HMAC-SHA256 under the text of the shared secret. It
/// signs no time, so an old delivery can be sent again: only its identity keeps it from counting.
/// Source: coinbase-commerce-python, coinbase_commerce/webhook.py.
extension CoinbaseCommerceProvider: WebhookReceiving {
    /// Nil: events name no account.
    public var account: String? { nil }

    /// One plan over `X-CC-Webhook-Signature`, hexadecimal.
    public func plans(
        for delivery: WebhookDelivery
    ) throws(WebhookRejection) -> [VerificationPlan] {
        [
            try VerificationPlan.body(
                of: delivery, header: "X-CC-Webhook-Signature", encoding: .hex,
                scheme: "coinbase-commerce/hmac-sha256")
        ]
    }

    /// Named by `event.id`; the body around the event changes with each attempt.
    ///
    /// A body without one is named by its hash.
    public func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        let body = try? JSONFields(body: delivery.delivery.body)
        let event = body.flatMap { try? $0.object("event") }
        return DeliveryIdentity(
            provider: Self.id, account: account, mode: .live,
            id: event?.note("id") ?? "sha256:\(delivery.bodyHex)")
    }

    /// One event for a delivery.
    ///
    /// Throws what ``ProviderKit/JSONFields`` throws; `unknown_currency` also for a charge that is
    /// priced in a currency outside ISO 4217, which a person must look at.
    public func events(
        in delivery: VerifiedDelivery
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        let event = try JSONFields(body: delivery.delivery.body).requiredObject("event")
        let type = try event.requiredText("type")
        let key = DedupeKey(rawValue: try event.requiredText("id"))
        guard let status = StatusMapping.events[type] else {
            return [
                ProviderEvent(
                    key: key, kind: .ignored, occurredAt: event.time("created_at"), mode: .live,
                    rawType: type)
            ]
        }
        let charge = try event.requiredObject("data")
        let word = lastWord(charge)
        return [
            ProviderEvent(
                key: key, kind: try kind(status, word, charge),
                occurredAt: event.time("created_at"), mode: .live, ids: try ids(charge),
                rawType: type, rawStatus: word)
        ]
    }
}
