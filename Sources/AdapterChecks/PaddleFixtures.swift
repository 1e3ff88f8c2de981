import CheckoutModel
import Cryptography
import Paddle
import ProviderConformance
import ProviderKit

/// Paddle's side: deliveries signed with `ts=…;h1=…`, and transactions with totals as text.
struct PaddleFixtures: ProviderFixtures {
    func adapter(_ mode: ProviderMode) throws(ProviderConfigurationError) -> PaddleProvider {
        try PaddleProvider(configuration: .init(checkoutHosts: ["pay.tea.example"], mode: mode))
    }

    let keys = ["pdl_ntfset_of_the_tea_shop_today", "pdl_ntfset_of_the_tea_shop_tomorrow"].map {
        FixtureKey(secrets: [.webhook: $0], signing: Array($0.utf8))
    }

    let apiSecrets: [SecretRole: String] = [.apiKey: "paddle_key_of_a_pretend_shop"]

    /// A transaction is session and payment; a dispute is named by it.
    func ids(_ number: Int) -> ProviderIDs {
        ProviderIDs(
            session: "txn_tea\(number)", payment: "txn_tea\(number)", refund: "adj_\(number)",
            dispute: "txn_tea\(number)", subscription: "sub_\(number)", order: "order-\(number)",
            customer: "ctm_\(number)")
    }

    func delivery(_ signing: DeliverySigning) -> WebhookDelivery? {
        let time = "\(signing.time.seconds)"
        let code = HMACKey(sha256: signing.key.signing)
            .authenticate(Array("\(time):".utf8), signing.body)
        let items = signing.signatures(of: code).map { "h1=\(Hex.encode($0))" }
        return WebhookDelivery(
            headers: ["Paddle-Signature": (["ts=\(time)"] + items).joined(separator: ";")],
            body: signing.body)
    }

    func body(_ sample: EventSample) -> [UInt8]? {
        guard let (type, data) = told(sample) else { return nil }
        return JSONValue.object([
            "event_id": .string(sample.eventID), "event_type": .string(type),
            "occurred_at": .string(sample.occurredAt.iso8601), "data": data,
        ]).json
    }

    private func told(_ sample: EventSample) -> (type: String, data: JSONValue)? {
        switch sample.kind {
        case .payment(.succeeded): ("transaction.completed", transaction(sample, "completed"))
        case .payment(.pending): ("transaction.ready", transaction(sample, "ready"))
        case .payment(.cancelled): ("transaction.canceled", transaction(sample, "canceled"))
        case .refund(.pending): ("adjustment.created", adjustment(sample, "pending_approval"))
        case .refund(.succeeded): ("adjustment.updated", adjustment(sample, "approved"))
        case .refund(.failed): ("adjustment.updated", adjustment(sample, "rejected"))
        case .refund(.reversed): ("adjustment.updated", adjustment(sample, "reversed"))
        case .dispute(.opened): ("adjustment.created", dispute(sample, "chargeback_warning"))
        case .dispute(.lost): ("adjustment.created", dispute(sample, "chargeback"))
        case .dispute(.won): ("adjustment.created", dispute(sample, "chargeback_reverse"))
        case .dispute(.closed):
            ("adjustment.created", dispute(sample, "chargeback_warning_reverse"))
        case .subscription(.active): ("subscription.activated", subscription(sample, "active"))
        case .subscription(.pastDue): ("subscription.past_due", subscription(sample, "past_due"))
        case .subscription(.paused): ("subscription.paused", subscription(sample, "paused"))
        case .subscription(.cancelled):
            ("subscription.canceled", subscription(sample, "canceled"))
        case .unknownType: ("payout.paid", .object(["id": .string("pay_1")]))
        default: nil
        }
    }

    private func transaction(_ sample: EventSample, _ status: String) -> JSONValue {
        transaction(sample.ids, sample.amount, status)
    }

    private func transaction(
        _ ids: ProviderIDs, _ amount: SampleAmount?, _ status: String
    ) -> JSONValue {
        let page = ids.session.map { "https://pay.tea.example/?_ptxn=\($0)" }
        return .object([
            "id": text(ids.payment), "status": .string(status), "customer_id": text(ids.customer),
            "subscription_id": text(ids.subscription),
            "custom_data": .object(["order_id": text(ids.order)]),
            "checkout": .object(["url": text(page)]),
            "details": amount.map {
                .object([
                    "totals": .object([
                        "grand_total": $0.minorText(), "currency_code": .string($0.currency),
                    ])
                ])
            },
        ])
    }

    private func adjustment(_ sample: EventSample, _ status: String) -> JSONValue {
        adjustment(sample, id: sample.ids.refund, "refund", status)
    }

    private func dispute(_ sample: EventSample, _ action: String) -> JSONValue {
        adjustment(sample, id: "adj_of_\(action)", action, "approved")
    }

    private func adjustment(
        _ sample: EventSample, id: String?, _ action: String, _ status: String
    ) -> JSONValue {
        .object([
            "id": text(id), "action": .string(action), "status": .string(status),
            "transaction_id": text(sample.ids.payment), "customer_id": text(sample.ids.customer),
            "totals": .object([
                "total": sample.amount.minorText(),
                "currency_code": .string(sample.amount.currency),
            ]),
        ])
    }

    private func subscription(_ sample: EventSample, _ status: String) -> JSONValue {
        .object([
            "id": text(sample.ids.subscription), "status": .string(status),
            "transaction_id": text(sample.ids.session), "customer_id": text(sample.ids.customer),
        ])
    }

    func reply(_ sample: StatusSample) -> HTTPReply? {
        HTTPReply(
            status: 200,
            body: JSONValue.object([
                "data": transaction(sample.ids, sample.amount, sample.word)
            ]).json)
    }

    func creationReply(_ ids: ProviderIDs) -> HTTPReply? {
        HTTPReply(
            status: 201, body: JSONValue.object(["data": transaction(ids, nil, "ready")]).json)
    }
}
