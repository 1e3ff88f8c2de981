import CheckoutModel
public import ProviderKit

/// Stripe signs `<t>.<body>` with HMAC-SHA256 under the whole text of the secret; `v0` is for its
/// own tests and never believed.
/// Source: stripe-python, stripe/_webhook.py; stripe-dotnet, EventUtilityTest.cs.
extension StripeProvider: WebhookReceiving {
    static let signatureHeader = "Stripe-Signature"

    /// The configured account.
    public var account: String? { configuration.accountID }

    /// One plan over the header's `v1` items; `unsupported_scheme` when it has none.
    public func plans(
        for delivery: WebhookDelivery
    ) throws(WebhookRejection) -> [VerificationPlan] {
        let text = try delivery.headers.one(Self.signatureHeader)
        guard let header = TimedSignatureHeader(text) else {
            throw .malformedHeader(Self.signatureHeader)
        }
        guard header.hasVersion else { throw .unsupportedScheme }
        return [
            VerificationPlan(
                SignatureCandidate(
                    scheme: "stripe/v1", algorithm: .hmacSHA256, keys: .secret(.webhook),
                    signed: [Array("\(header.timestamp).".utf8), delivery.body],
                    signatures: header.signatures),
                time: TimeWindow(
                    unixSeconds: header.timestamp, header: Self.signatureHeader,
                    toleranceSeconds: configuration.toleranceSeconds))
        ]
    }

    /// Named by the event's id in the body; a body without one is named by its hash.
    public func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        let body = try? JSONFields(body: delivery.delivery.body)
        let id = body?.note("id") ?? "sha256:\(delivery.bodyHex)"
        return DeliveryIdentity(
            provider: Self.id, account: account, mode: mode(of: body), id: id)
    }

    /// The events of a delivery: one, except for `charge.refunded`, which may list several refunds.
    ///
    /// Throws `unsupported_form` for thin events (`v2.core.event`), which name an object and do not
    /// contain it, and what ``ProviderKit/JSONFields`` throws.
    public func events(
        in delivery: VerifiedDelivery
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        let body = try JSONFields(body: delivery.delivery.body)
        guard body.note("object")?.hasPrefix("v2.") != true else {
            throw WebhookDecodingError(.unsupportedForm, field: "object")
        }
        let envelope = EventEnvelope(
            id: try body.requiredText("id"), type: try body.requiredText("type"),
            createdAt: try body.integer("created").map { Instant(seconds: $0) },
            mode: mode(of: body), account: body.note("account"))
        guard let meaning = StatusMapping.events[envelope.type] else {
            let object = (try? body.object("data")?.object("object")) ?? nil
            return [envelope.event(.ignored, rawStatus: object?.note("status"))]
        }
        let object = try body.requiredObject("data").requiredObject("object")
        return try events(meaning, object, envelope)
    }

    func mode(of body: JSONFields?) -> ProviderMode {
        switch body?["livemode"] {
        case .bool(true): .live
        case .bool(false): .test
        default: .unknown
        }
    }
}
