import CheckoutModel
import Cryptography
import Polar
import ProviderConformance
import ProviderKit

/// Polar's side: Standard Webhooks under the text of the secret, and replies of its API.
struct PolarFixtures: ProviderFixtures {
    func adapter(_ mode: ProviderMode) throws(ProviderConfigurationError) -> PolarProvider {
        try PolarProvider(configuration: .init(mode: mode))
    }

    let keys = ["polar_secret_of_today", "polar_secret_of_tomorrow"].map {
        FixtureKey(secrets: [.webhook: $0], signing: Array($0.utf8))
    }

    let apiSecrets: [SecretRole: String] = [.apiKey: "polar_oat_of_a_pretend_shop"]

    func ids(_ number: Int) -> ProviderIDs {
        ProviderIDs(
            session: "8f7c1b0e-0000-4000-8000-00000000000\(number)", payment: "ord_\(number)",
            refund: "ref_\(number)", dispute: "dis_\(number)", subscription: "sub_\(number)",
            order: "order-\(number)", customer: "cus_\(number)")
    }

    func delivery(_ signing: DeliverySigning) -> WebhookDelivery? { .standard(signing) }

    func body(_ sample: EventSample) -> [UInt8]? {
        guard let (type, data) = told(sample) else { return nil }
        return JSONValue.object([
            "type": .string(type), "timestamp": .string(sample.occurredAt.iso8601),
            "data": data,
        ]).json
    }

    private func told(_ sample: EventSample) -> (type: String, data: JSONValue)? {
        switch sample.kind {
        case .payment(.succeeded): ("order.paid", order(sample, "paid"))
        case .payment(.pending): ("order.created", order(sample, "pending"))
        case .payment(.cancelled): ("order.updated", order(sample, "void"))
        case .payment(.failed): ("checkout.updated", checkout(sample, "failed"))
        case .sessionExpired: ("checkout.expired", checkout(sample, "expired"))
        case .refund(.pending): ("refund.created", refund(sample, "pending"))
        case .refund(.succeeded): ("refund.updated", refund(sample, "succeeded"))
        case .refund(.failed): ("refund.updated", refund(sample, "failed"))
        case .dispute(let state):
            Self.words(state).map { ("refund.created", refund(sample, "succeeded", $0)) }
        case .subscription(let state):
            Self.words(state).map {
                (
                    "subscription.updated",
                    .object([
                        "id": text(sample.ids.subscription), "status": .string($0),
                        "checkout_id": text(sample.ids.session),
                        "customer_id": text(sample.ids.customer),
                    ])
                )
            }
        case .unknownType: ("benefit.created", .object(["id": .string("ben_1")]))
        default: nil
        }
    }

    private static func words(_ state: DisputeState) -> String? {
        switch state {
        case .opened: "needs_response"
        case .underReview: "under_review"
        case .won: "won"
        case .lost: "lost"
        case .closed: "prevented"
        }
    }

    private static func words(_ state: SubscriptionState) -> String? {
        switch state {
        case .pending: "incomplete"
        case .active: "active"
        case .pastDue: "past_due"
        case .paused: "paused"
        case .cancelled: "canceled"
        case .expired: "incomplete_expired"
        case .renewed, .failed: nil
        }
    }

    private func order(_ sample: EventSample, _ status: String) -> JSONValue {
        order(sample.ids, sample.amount, status, sample.email)
    }

    private func order(
        _ ids: ProviderIDs, _ amount: SampleAmount, _ status: String, _ email: String?
    ) -> JSONValue {
        .object([
            "id": text(ids.payment), "checkout_id": text(ids.session), "status": .string(status),
            "total_amount": amount.minorInteger(), "currency": .string(amount.currency),
            "customer_id": text(ids.customer),
            "customer": email.map { .object(["email": .string($0)]) },
            "metadata": .object(["order_id": text(ids.order)]),
        ])
    }

    private func checkout(_ sample: EventSample, _ status: String) -> JSONValue {
        checkout(sample.ids, sample.amount, status)
    }

    private func checkout(
        _ ids: ProviderIDs, _ amount: SampleAmount?, _ status: String
    ) -> JSONValue {
        .object([
            "id": text(ids.session), "status": .string(status),
            "total_amount": amount?.minorInteger(),
            "currency": amount.map { .string($0.currency) }, "customer_id": text(ids.customer),
            "url": .string("https://sandbox.polar.sh/checkout/polar_c_abc"),
            "metadata": .object(["order_id": text(ids.order)]),
        ])
    }

    private func refund(
        _ sample: EventSample, _ status: String, _ dispute: String? = nil
    ) -> JSONValue {
        let amount = sample.amount.minorInteger()
        let currency = JSONValue.string(sample.amount.currency)
        return .object([
            "id": text(sample.ids.refund), "order_id": text(sample.ids.payment),
            "status": .string(status), "amount": amount, "currency": currency,
            "dispute": dispute.map {
                .object([
                    "id": text(sample.ids.dispute), "status": .string($0), "amount": amount,
                    "currency": currency,
                ])
            },
        ])
    }

    func reply(_ sample: StatusSample) -> HTTPReply? {
        switch sample.target {
        case .session:
            HTTPReply(status: 200, body: checkout(sample.ids, sample.amount, sample.word).json)
        case .payment:
            HTTPReply(status: 200, body: order(sample.ids, sample.amount, sample.word, nil).json)
        case .order, .merchantReference: nil
        }
    }

    func creationReply(_ ids: ProviderIDs) -> HTTPReply? {
        HTTPReply(status: 201, body: checkout(ids, nil, "open").json)
    }
}

extension WebhookDelivery {
    /// A delivery by the Standard Webhooks scheme.
    static func standard(_ signing: DeliverySigning) -> WebhookDelivery {
        let time = "\(signing.time.seconds)"
        let code = HMACKey(sha256: signing.key.signing)
            .authenticate(Array("\(signing.deliveryID).\(time).".utf8), signing.body)
        let items = signing.signatures(of: code).map { "v1,\(Base64.encode($0))" }
        return WebhookDelivery(
            headers: [
                StandardWebhooks.idHeader: signing.deliveryID,
                StandardWebhooks.timestampHeader: time,
                StandardWebhooks.signatureHeader: items.joined(separator: " "),
            ], body: signing.body)
    }

    /// A delivery whose header holds the hexadecimal HMAC-SHA256 of the body.
    static func bodySigned(_ signing: DeliverySigning, header: String) -> WebhookDelivery {
        let code = HMACKey(sha256: signing.key.signing).authenticate(signing.body)
        let text = signing.signatures(of: code).map { Hex.encode($0) }.joined()
        return WebhookDelivery(headers: [header: text], body: signing.body)
    }
}
