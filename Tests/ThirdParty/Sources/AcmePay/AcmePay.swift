public import CheckoutModel
public import ProviderKit

/// Acme Pay: pages at `pay.acme.example`, webhooks signed as `t=…,v1=…`.
public struct AcmePay: WebhookReceiving {
    /// Who this is; third parties take a name in reverse DNS.
    public static let descriptor = ProviderDescriptor(
        id: "com.acme.pay", name: "Acme Pay", adapterVersion: "1.0.0",
        secretRules: [SecretRule(role: .webhook, encoding: .utf8, minimumBytes: 16)])

    /// Nothing differs between installations.
    public init(configuration: NoConfiguration = NoConfiguration()) {}

    /// Which URLs open a checkout, as data.
    public var checkoutURLRules: [CheckoutURLRule] {
        [CheckoutURLRule(hosts: ["pay.acme.example": .unknown], pathPrefix: "/c/")]
    }

    /// One account.
    public var account: String? { nil }

    /// What must hold, as data: the kit computes, compares, and looks at the clock.
    public func plans(
        for delivery: WebhookDelivery
    ) throws(WebhookRejection) -> [VerificationPlan] {
        guard let header = TimedSignatureHeader(try delivery.headers.one("Acme-Signature")) else {
            throw .malformedHeader("Acme-Signature")
        }
        return [
            VerificationPlan(
                SignatureCandidate(
                    scheme: "acme/v1", algorithm: .hmacSHA256, keys: .secret(.webhook),
                    signed: [Array("\(header.timestamp).".utf8), delivery.body],
                    signatures: header.signatures),
                time: TimeWindow(
                    unixSeconds: header.timestamp, header: "Acme-Signature",
                    toleranceSeconds: 300))
        ]
    }

    /// The name of a delivery, the same over all retries.
    public func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        let body = try? JSONFields(body: delivery.delivery.body)
        return DeliveryIdentity(
            provider: Self.id, account: nil, mode: mode(body),
            id: body?.note("id") ?? delivery.bodyHex)
    }

    /// What a verified body says; unknown types are ignored, not errors.
    public func events(
        in delivery: VerifiedDelivery
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        let body = try JSONFields(body: delivery.delivery.body)
        let type = try body.requiredText("type")
        let money = try body.money("amount", currency: "currency", profile: .iso4217)
        return [
            ProviderEvent(
                key: DedupeKey(rawValue: try body.requiredText("id")),
                kind: StatusMapping.kind(type, money),
                occurredAt: try body.integer("at").map { Instant(seconds: $0) }, mode: mode(body),
                ids: ProviderIDs(
                    session: try body.identifier("checkout"),
                    payment: try body.identifier("payment"),
                    refund: try body.identifier("refund")),
                rawType: type)
        ]
    }

    private func mode(_ body: JSONFields?) -> ProviderMode {
        switch body?["live"] {
        case .bool(true): .live
        case .bool(false): .test
        default: .unknown
        }
    }
}

/// Every word of Acme's that decides anything.
enum StatusMapping {
    static func kind(_ type: String, _ money: Money?) -> ProviderEvent.Kind {
        switch type {
        case "payment.paid": .payment(.succeeded, money, failure: nil)
        case "payment.declined": .payment(.failed, money, failure: nil)
        case "refund.done": .refund(.succeeded, money)
        default: .ignored
        }
    }
}
