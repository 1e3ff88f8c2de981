import CheckoutModel
public import ProviderKit

/// Lemon Squeezy signs the raw body with HMAC-SHA256 under the text of the signing secret. It
/// signs no time, so an old delivery can be sent again: only its identity keeps it from counting.
/// Source: lmsqueezy/laravel, src/Http/Middleware/VerifyWebhookSignature.php.
extension LemonSqueezyProvider: WebhookReceiving {
    /// The configured store.
    public var account: String? { configuration.storeID }

    /// One plan over `X-Signature`, hexadecimal.
    public func plans(
        for delivery: WebhookDelivery
    ) throws(WebhookRejection) -> [VerificationPlan] {
        [
            try VerificationPlan.body(
                of: delivery, header: "X-Signature", encoding: .hex,
                scheme: "lemonsqueezy/hmac-sha256")
        ]
    }

    /// Named by the event, the object and the time of the object's last change; there is no id of
    /// a delivery that is known to be one.
    ///
    /// A body without these is named by its hash.
    public func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        let body = try? JSONFields(body: delivery.delivery.body)
        let meta = body.flatMap { try? $0.object("meta") }
        return DeliveryIdentity(
            provider: Self.id, account: account, mode: mode(meta), id: name(of: delivery, body))
    }

    private func name(of delivery: VerifiedDelivery, _ body: JSONFields?) -> String {
        guard let body, let event = (try? body.object("meta"))?.note("event_name"),
            let data = try? body.object("data"), let type = data.note("type"),
            let id = data.note("id"),
            let changed = (try? data.object("attributes"))?.note("updated_at")
        else { return "sha256:\(delivery.bodyHex)" }
        return "\(event):\(type):\(id):\(changed)"
    }

    /// One event for a delivery.
    ///
    /// Throws what ``ProviderKit/JSONFields`` throws for the fields that the event's name needs.
    public func events(
        in delivery: VerifiedDelivery
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        let body = try JSONFields(body: delivery.delivery.body)
        let meta = try body.requiredObject("meta")
        let type = try meta.requiredText("event_name")
        let key = DedupeKey(rawValue: name(of: delivery, body))
        guard let meaning = StatusMapping.events[type] else {
            let data = (try? body.object("data")) ?? nil
            let attributes = (try? data?.object("attributes")) ?? nil
            return [
                ProviderEvent(
                    key: key, kind: .ignored, occurredAt: attributes?.time("updated_at"),
                    mode: mode(meta), rawType: type, rawStatus: attributes?.note("status"))
            ]
        }
        let data = try body.requiredObject("data")
        let attributes = try data.requiredObject("attributes")
        return [
            ProviderEvent(
                key: key, kind: try kind(meaning, attributes),
                occurredAt: attributes.time("updated_at"), mode: mode(meta),
                ids: try ids(meaning, data, attributes, meta),
                account: try attributes.integer("store_id").map { String($0) }, rawType: type,
                rawStatus: attributes.note("status"),
                privateFields: privateFields(meaning, attributes))
        ]
    }

    /// What the message says of itself, else the configuration.
    func mode(_ fields: JSONFields?) -> ProviderMode {
        switch fields?["test_mode"] {
        case .bool(true): .test
        case .bool(false): .live
        default: configuration.mode
        }
    }
}
