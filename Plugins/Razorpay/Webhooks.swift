import CheckoutModel
public import ProviderKit

/// Razorpay signs the raw body by HMAC-SHA256 under the text of the webhook secret.
/// Source: razorpay-python, razorpay/utility/utility.py; razorpay.com/docs, webhooks.
extension RazorpayProvider: WebhookReceiving {
    static let signatureHeader = "X-Razorpay-Signature"
    /// The same over all retries; not signed.
    static let eventIDHeader = "x-razorpay-event-id"

    /// The configured account.
    public var account: String? { configuration.accountID }

    /// One plan over the body.
    public func plans(
        for delivery: WebhookDelivery
    ) throws(WebhookRejection) -> [VerificationPlan] {
        [
            try VerificationPlan.body(
                of: delivery, header: Self.signatureHeader, encoding: .hex,
                scheme: "razorpay/webhook")
        ]
    }

    /// Named by `x-razorpay-event-id`; a delivery without one is named by its hash.
    public func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        DeliveryIdentity(
            provider: Self.id, account: account, mode: configuration.effectiveMode,
            id: Self.eventID(of: delivery))
    }

    private static func eventID(of delivery: VerifiedDelivery) -> String {
        // Two ids that differ name nothing.
        (try? delivery.delivery.headers.one(eventIDHeader)) ?? "sha256:\(delivery.bodyHex)"
    }

    /// One event for a delivery.
    ///
    /// Throws what ``ProviderKit/JSONFields`` throws for the fields that the event's type needs.
    public func events(
        in delivery: VerifiedDelivery
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        let body = try JSONFields(body: delivery.delivery.body)
        let type = try body.requiredText("event")
        let payload = Payload((try? body.object("payload")) ?? nil)
        var kind = ProviderEvent.Kind.ignored
        var ids = ProviderIDs()
        if let meaning = StatusMapping.events[type] {
            kind = try self.kind(meaning, payload)
            ids = try self.ids(meaning, payload)
        }
        return [
            ProviderEvent(
                key: DedupeKey(rawValue: Self.eventID(of: delivery)), kind: kind,
                occurredAt: (try? body.integer("created_at"))?.map { Instant(seconds: $0) },
                mode: configuration.effectiveMode, ids: ids, account: body.note("account_id"),
                rawType: type, rawStatus: payload.subject(of: type)?.note("status"),
                privateFields: PrivateFields(customerEmail: payload.payment?.note("email")))
        ]
    }
}
