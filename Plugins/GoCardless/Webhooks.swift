import CheckoutModel
public import ProviderKit

/// GoCardless signs the raw body with HMAC-SHA256, in hexadecimal; one body carries up to 250
/// events.
/// Source: gocardless-pro-python, gocardless_pro/webhooks.py.
extension GoCardlessProvider: WebhookReceiving {
    /// The status that GoCardless wants for a signature that does not hold: "token expired".
    private static let invalidToken = 498

    /// The configured organisation.
    public var account: String? { configuration.organisationID }

    /// One plan over the one header.
    public func plans(
        for delivery: WebhookDelivery
    ) throws(WebhookRejection) -> [VerificationPlan] {
        [
            try .body(
                of: delivery, header: "Webhook-Signature", encoding: .hex,
                scheme: "gocardless/sha256")
        ]
    }

    /// Named by `meta.webhook_id`, else by the hash of the body, which a retry repeats.
    public func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        let body = try? JSONFields(body: delivery.delivery.body)
        let meta = (try? body?.object("meta")) ?? nil
        return DeliveryIdentity(
            provider: Self.id, account: account, mode: configuration.mode,
            id: meta?.note("webhook_id") ?? "sha256:\(delivery.bodyHex)")
    }

    /// One event for each in the list, under its own id.
    ///
    /// Throws what ``ProviderKit/JSONFields`` throws for the fields that an event's type needs; one
    /// event that cannot be read sets the whole delivery aside, to be read again.
    public func events(
        in delivery: VerifiedDelivery
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        let body = try JSONFields(body: delivery.delivery.body)
        let listed = body.objects("events")
        guard let count = body["events"]?.elements?.count else {
            throw WebhookDecodingError(.missingField, field: "events")
        }
        guard count == listed.count else {
            throw WebhookDecodingError(.unexpectedType, field: "events")
        }
        var events: [ProviderEvent] = []
        for item in listed {
            events.append(try event(item))
        }
        return events
    }

    /// 498 for a signature that does not hold.
    ///
    /// Source: developer.gocardless.com, Webhooks.
    public func acknowledgement(for outcome: WebhookOutcome) -> HTTPReply {
        switch outcome {
        case .recorded, .duplicate, .ignored, .quarantined: HTTPReply(status: 204)
        case .rejected(.bodyTooLarge): HTTPReply(status: 413)
        case .rejected: HTTPReply(status: Self.invalidToken)
        case .temporarilyUnavailable: HTTPReply(status: 503)
        }
    }
}
