import CheckoutModel
import Cryptography
import Mollie
import ProviderConformance
import ProviderKit

/// Mollie's side: events with their entity inside, a signature to a header, and notes unsigned.
struct MollieFixtures: ProviderFixtures {
    func adapter(_ mode: ProviderMode) throws(ProviderConfigurationError) -> MollieProvider {
        try MollieProvider(configuration: .init(mode: mode))
    }

    let keys = ["mollie_secret_of_today", "mollie_secret_of_tomorrow"].map {
        FixtureKey(secrets: [.webhook: $0], signing: Array($0.utf8))
    }

    let apiSecrets: [SecretRole: String] = [.apiKey: "test_key_of_a_pretend_shop"]

    /// The payment is the checkout, too.
    func ids(_ number: Int) -> ProviderIDs {
        ProviderIDs(
            session: "tr_\(number)", payment: "tr_\(number)", refund: "re_\(number)",
            dispute: "chb_\(number)", order: "order-\(number)", customer: "cst_\(number)")
    }

    // MARK: - Webhooks

    func delivery(_ signing: DeliverySigning) -> WebhookDelivery? {
        let code = HMACKey(sha256: signing.key.signing).authenticate(signing.body)
        let fields = signing.signatures(of: code).map {
            HeaderList.Field(name: "X-Mollie-Signature", value: "sha256=\(Hex.encode($0))")
        }
        return WebhookDelivery(headers: HeaderList(fields), body: signing.body)
    }

    func body(_ sample: EventSample) -> [UInt8]? {
        guard let (type, entity) = told(sample) else { return nil }
        return JSONValue.object([
            "resource": .string("event"), "id": .string(sample.eventID), "type": .string(type),
            "entityId": entity["id"] ?? .null, "createdAt": .string(sample.occurredAt.iso8601),
            "_embedded": .object(["entity": entity]),
        ]).json
    }

    private func told(_ sample: EventSample) -> (type: String, entity: JSONValue)? {
        switch sample.kind {
        case .payment(.succeeded): ("payment.paid", payment(sample, "paid"))
        case .payment(.pending): ("payment.pending", payment(sample, "pending"))
        case .payment(.failed): ("payment.failed", payment(sample, "failed"))
        case .payment(.cancelled): ("payment.canceled", payment(sample, "canceled"))
        case .payment(.expired): ("payment.expired", payment(sample, "expired"))
        case .authorized: ("payment.authorized", payment(sample, "authorized"))
        case .captured: ("capture.succeeded", part(sample, id: "cpt_1", "succeeded"))
        case .refund(.pending): ("refund.pending", part(sample, id: sample.ids.refund, "pending"))
        case .refund(.succeeded):
            ("refund.refunded", part(sample, id: sample.ids.refund, "refunded"))
        case .refund(.failed): ("refund.failed", part(sample, id: sample.ids.refund, "failed"))
        case .dispute(.opened): ("dispute.created", part(sample, id: sample.ids.dispute, nil))
        case .dispute(.closed): ("dispute.resolved", part(sample, id: sample.ids.dispute, nil))
        case .dispute(.lost): ("chargeback.received", part(sample, id: sample.ids.dispute, nil))
        case .dispute(.won): ("chargeback.reversed", part(sample, id: sample.ids.dispute, nil))
        case .unknownType:
            ("profile.created", .object(["id": .string("pfl_1"), "mode": mode(sample.mode)]))
        default: nil
        }
    }

    private func payment(_ sample: EventSample, _ status: String) -> JSONValue {
        payment(sample.ids, amount(sample.amount), status, sample.mode, email: sample.email)
    }

    private func payment(
        _ ids: ProviderIDs, _ amount: JSONValue, _ status: String, _ mode: ProviderMode,
        email: String? = nil
    ) -> JSONValue {
        let page = ids.session.map {
            "https://www.mollie.com/checkout/select-method/\($0.dropFirst("tr_".count))"
        }
        return .object([
            "resource": .string("payment"), "id": text(ids.payment), "mode": self.mode(mode),
            "status": .string(status), "amount": amount, "customerId": text(ids.customer),
            "metadata": .object(["order_id": text(ids.order)]),
            "billingAddress": .object(["email": text(email)]),
            "_links": .object(["checkout": .object(["href": text(page)])]),
        ])
    }

    /// A capture, refund, chargeback or dispute: what belongs to a payment.
    private func part(_ sample: EventSample, id: String?, _ status: String?) -> JSONValue {
        .object([
            "id": text(id), "paymentId": text(sample.ids.payment), "mode": mode(sample.mode),
            "amount": amount(sample.amount), "status": text(status),
        ])
    }

    private func amount(_ amount: SampleAmount) -> JSONValue {
        .object(["value": amount.decimalText(), "currency": .string(amount.currency)])
    }

    private func mode(_ mode: ProviderMode) -> JSONValue { .string(mode.name) }

    func hint(_ ids: ProviderIDs) -> (delivery: WebhookDelivery, target: StatusQueryTarget)? {
        guard let payment = ids.payment else { return nil }
        return (
            delivery: WebhookDelivery(
                headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Array("id=\(payment)".utf8)), target: .payment(payment)
        )
    }

    // MARK: - The API

    func reply(_ sample: StatusSample) -> HTTPReply? {
        HTTPReply(
            status: 200,
            body: payment(sample.ids, amount(sample.amount), sample.word, sample.mode).json)
    }

    func creationReply(_ ids: ProviderIDs) -> HTTPReply? {
        guard let price = draft.items.first?.unitAmount else { return nil }
        let amount = JSONValue.object([
            "value": .string(price.amountText), "currency": .string(price.currency.code),
        ])
        return HTTPReply(status: 201, body: payment(ids, amount, "open", .test).json)
    }
}
