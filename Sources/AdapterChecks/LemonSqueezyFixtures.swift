import CheckoutModel
import LemonSqueezy
import ProviderConformance
import ProviderKit

/// Lemon Squeezy's side: the body's code in `X-Signature`, and objects of JSON:API.
struct LemonSqueezyFixtures: ProviderFixtures {
    func adapter(
        _ mode: ProviderMode
    ) throws(ProviderConfigurationError) -> LemonSqueezyProvider {
        try LemonSqueezyProvider(configuration: .init(storeID: "1", mode: mode))
    }

    let keys = ["lemon_secret_of_today", "lemon_secret_of_tomorrow"].map {
        FixtureKey(secrets: [.webhook: $0], signing: Array($0.utf8))
    }

    let apiSecrets: [SecretRole: String] = [.apiKey: "lemon_key_of_a_pretend_shop"]

    /// Ids of orders, subscriptions and customers are numbers; refunds and disputes have none.
    func ids(_ number: Int) -> ProviderIDs {
        ProviderIDs(
            session: "8f7c1b0e-0000-4000-8000-00000000000\(number)", payment: "70\(number)",
            subscription: "90\(number)", order: "order-\(number)", customer: "30\(number)")
    }

    func delivery(_ signing: DeliverySigning) -> WebhookDelivery? {
        .bodySigned(signing, header: "X-Signature")
    }

    func body(_ sample: EventSample) -> [UInt8]? {
        let name: String
        let data: JSONValue
        switch sample.kind {
        case .payment(.succeeded): (name, data) = ("order_created", order(sample, "paid"))
        case .payment(.pending): (name, data) = ("order_created", order(sample, "pending"))
        case .payment(.failed): (name, data) = ("order_created", order(sample, "failed"))
        case .refund(.succeeded): (name, data) = ("order_refunded", order(sample, "refunded"))
        case .subscription(let state):
            guard let told = subscription(sample, state) else { return nil }
            (name, data) = told
        case .unknownType: (name, data) = ("affiliate_activated", .object(["id": .string("1")]))
        default: return nil
        }
        return JSONValue.object([
            "meta": .object([
                "event_name": .string(name), "test_mode": .bool(sample.mode == .test),
                "custom_data": .object(["order_id": text(sample.ids.order)]),
            ]), "data": data,
        ]).json
    }

    /// No two changes of an object fall into one microsecond, so the event's number is put there.
    private func changed(_ sample: EventSample) -> JSONValue {
        let number = Int64(sample.eventID.drop { !$0.isNumber }) ?? 0
        let time = Instant(microseconds: sample.occurredAt.microseconds + number)
        return .string(time.iso8601)
    }

    private func order(_ sample: EventSample, _ status: String) -> JSONValue {
        order(
            sample.ids, sample.amount, status, mode: sample.mode, email: sample.email,
            changed: changed(sample))
    }

    private func order(
        _ ids: ProviderIDs, _ amount: SampleAmount, _ status: String, mode: ProviderMode,
        email: String? = nil, changed: JSONValue? = nil
    ) -> JSONValue {
        .object([
            "type": .string("orders"), "id": text(ids.payment),
            "attributes": .object([
                "store_id": .integer(1), "customer_id": number(ids.customer),
                "status": .string(status), "currency": .string(amount.currency),
                "total": amount.minorInteger(), "refunded_amount": amount.minorInteger(),
                "test_mode": .bool(mode == .test), "user_email": text(email),
                "updated_at": changed,
            ]),
        ])
    }

    private func subscription(
        _ sample: EventSample, _ state: SubscriptionState
    ) -> (String, JSONValue)? {
        let word: String
        switch state {
        case .active: word = "active"
        case .pastDue: word = "past_due"
        case .paused: word = "paused"
        case .cancelled: word = "cancelled"
        case .expired: word = "expired"
        case .renewed:
            return (
                "subscription_payment_success",
                .object([
                    "type": .string("subscription-invoices"), "id": .string("501"),
                    "attributes": .object([
                        "store_id": .integer(1), "billing_reason": .string("renewal"),
                        "subscription_id": number(sample.ids.subscription),
                        "updated_at": changed(sample),
                    ]),
                ])
            )
        case .pending, .failed: return nil
        }
        return (
            "subscription_updated",
            .object([
                "type": .string("subscriptions"), "id": text(sample.ids.subscription),
                "attributes": .object([
                    "store_id": .integer(1), "order_id": number(sample.ids.payment),
                    "status": .string(word), "updated_at": changed(sample),
                ]),
            ])
        )
    }

    private func number(_ text: String?) -> JSONValue? {
        text.flatMap { Int64($0) }.map { .integer($0) }
    }

    func reply(_ sample: StatusSample) -> HTTPReply? {
        HTTPReply(
            status: 200,
            body: JSONValue.object([
                "data": order(sample.ids, sample.amount, sample.word, mode: sample.mode)
            ]).json)
    }

    func creationReply(_ ids: ProviderIDs) -> HTTPReply? {
        let session = ids.session ?? ""
        return HTTPReply(
            status: 201,
            body: JSONValue.object([
                "data": .object([
                    "type": .string("checkouts"), "id": .string(session),
                    "attributes": .object([
                        "url": .string("https://tea.lemonsqueezy.com/checkout/custom/\(session)"),
                        "test_mode": .bool(true),
                    ]),
                ])
            ]).json)
    }
}
