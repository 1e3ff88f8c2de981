import CheckoutCom
import CheckoutModel
import ProviderConformance
import ProviderKit

/// Checkout.com's side: the body's code in `Cko-Signature`, and payments named by their actions.
struct CheckoutComFixtures: ProviderFixtures {
    func adapter(_ mode: ProviderMode) throws(ProviderConfigurationError) -> CheckoutComProvider {
        try CheckoutComProvider(configuration: .init(mode: mode, billingCountry: "DE"))
    }

    let keys = ["cko_secret_of_today", "cko_secret_of_tomorrow"].map {
        FixtureKey(secrets: [.webhook: $0], signing: Array($0.utf8))
    }

    let apiSecrets: [SecretRole: String] = [.apiKey: "cko_key_of_a_pretend_shop"]

    func ids(_ number: Int) -> ProviderIDs {
        ProviderIDs(
            session: "hpp_\(number)", payment: "pay_\(number)", refund: "act_\(number)",
            dispute: "dsp_\(number)", order: "order-\(number)")
    }

    func delivery(_ signing: DeliverySigning) -> WebhookDelivery? {
        .bodySigned(signing, header: "Cko-Signature")
    }

    func body(_ sample: EventSample) -> [UInt8]? {
        guard let type = Self.type(sample.kind) else { return nil }
        let ids = sample.ids
        let amount = sample.amount.minorInteger()
        let currency = JSONValue.string(sample.amount.currency)
        let data: JSONValue
        if case .dispute = sample.kind {
            data = .object([
                "id": text(ids.dispute), "payment_id": text(ids.payment), "amount": amount,
                "currency": currency,
            ])
        } else {
            data = .object([
                "id": text(ids.payment), "action_id": text(ids.refund), "amount": amount,
                "currency": currency, "reference": text(ids.order),
                "customer": .object(["email": .string(sample.email)]),
            ])
        }
        return JSONValue.object([
            "id": .string(sample.eventID), "type": .string(type),
            "timestamp": .string(sample.occurredAt.iso8601), "data": data,
        ]).json
    }

    private static func type(_ kind: EventSample.Kind) -> String? {
        switch kind {
        case .payment(.succeeded): "payment_paid"
        case .payment(.pending): "payment_pending"
        case .payment(.failed): "payment_declined"
        case .payment(.cancelled): "payment_voided"
        case .authorized: "payment_approved"
        case .captured: "payment_captured"
        case .refund(.pending): "payment_refund_pending"
        case .refund(.succeeded): "payment_refunded"
        case .refund(.failed): "payment_refund_declined"
        case .dispute(.opened): "dispute_received"
        case .dispute(.underReview): "dispute_evidence_submitted"
        case .dispute(.won): "dispute_won"
        case .dispute(.lost): "dispute_lost"
        case .dispute(.closed): "dispute_expired"
        case .unknownType: "card_verified_or_not"
        default: nil
        }
    }

    func reply(_ sample: StatusSample) -> HTTPReply? {
        let isPage = sample.target == .session(sample.target.id)
        return HTTPReply(
            status: 200,
            body: JSONValue.object([
                "id": .string(sample.target.id), "status": .string(sample.word),
                "payment_id": isPage ? text(sample.ids.payment) : nil,
                "amount": sample.amount.minorInteger(),
                "currency": .string(sample.amount.currency), "reference": text(sample.ids.order),
            ]).json)
    }

    func creationReply(_ ids: ProviderIDs) -> HTTPReply? {
        let session = ids.session ?? ""
        let page = "https://pay.sandbox.checkout.com/page/\(session)"
        return HTTPReply(
            status: 201,
            body: JSONValue.object([
                "id": .string(session), "reference": text(ids.order),
                "_links": .object(["redirect": .object(["href": .string(page)])]),
            ]).json)
    }
}
