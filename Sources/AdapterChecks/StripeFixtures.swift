import CheckoutModel
import Cryptography
import ProviderConformance
import ProviderKit
import Stripe

/// Stripe's side: deliveries signed with `t=…,v1=…`, and replies of its API.
struct StripeFixtures: ProviderFixtures {
    func adapter(_ mode: ProviderMode) throws(ProviderConfigurationError) -> StripeProvider {
        try StripeProvider()
    }

    let keys = ["whsec_of_a_test_shop_today", "whsec_of_a_test_shop_tomorrow"].map {
        FixtureKey(secrets: [.webhook: $0], signing: Array($0.utf8))
    }

    let apiSecrets: [SecretRole: String] = [.apiKey: "sk_test_of_a_pretend_shop"]

    func ids(_ number: Int) -> ProviderIDs {
        ProviderIDs(
            session: "cs_test_\(number)", payment: "pi_\(number)", refund: "re_\(number)",
            dispute: "dp_\(number)", subscription: "sub_\(number)", order: "order-\(number)",
            customer: "cus_\(number)")
    }

    // MARK: - Webhooks

    func delivery(_ signing: DeliverySigning) -> WebhookDelivery? {
        let time = "\(signing.time.seconds)"
        let code = HMACKey(sha256: signing.key.signing)
            .authenticate(Array("\(time).".utf8), signing.body)
        let items = signing.signatures(of: code).map { "v1=\(Hex.encode($0))" }
        return WebhookDelivery(
            headers: ["Stripe-Signature": (["t=\(time)"] + items).joined(separator: ",")],
            body: signing.body)
    }

    func body(_ sample: EventSample) -> [UInt8]? {
        guard let (type, object) = Self.told(sample) else { return nil }
        return JSONValue.object([
            "id": .string(sample.eventID), "object": .string("event"), "type": .string(type),
            "created": .integer(sample.occurredAt.seconds),
            "livemode": .bool(sample.mode == .live), "data": .object(["object": object]),
        ]).json
    }

    /// The event's type and its object.
    private static func told(_ sample: EventSample) -> (type: String, object: JSONValue)? {
        switch sample.kind {
        case .payment(.succeeded):
            ("checkout.session.completed", session(sample, "complete", "paid"))
        case .payment(.failed):
            ("checkout.session.async_payment_failed", session(sample, "complete", "unpaid"))
        case .sessionExpired: ("checkout.session.expired", session(sample, "expired", "unpaid"))
        case .payment(.pending): ("payment_intent.processing", intent(sample, "processing"))
        case .payment(.cancelled): ("payment_intent.canceled", intent(sample, "canceled"))
        case .authorized:
            ("payment_intent.amount_capturable_updated", intent(sample, "requires_capture"))
        case .refund(.pending): ("refund.created", refund(sample, "pending"))
        case .refund(.succeeded): ("refund.updated", refund(sample, "succeeded"))
        case .refund(.failed): ("refund.failed", refund(sample, "failed"))
        case .dispute(.opened): ("charge.dispute.created", dispute(sample, "needs_response"))
        case .dispute(.underReview): ("charge.dispute.updated", dispute(sample, "under_review"))
        case .dispute(.won): ("charge.dispute.closed", dispute(sample, "won"))
        case .dispute(.lost): ("charge.dispute.closed", dispute(sample, "lost"))
        case .dispute(.closed): ("charge.dispute.closed", dispute(sample, "warning_closed"))
        case .subscription(let state): subscription(sample, state)
        case .unknownType: ("zz.never_seen", .object(["id": .string("zz_1")]))
        default: nil
        }
    }

    private static func session(
        _ sample: EventSample, _ status: String, _ paymentStatus: String
    ) -> JSONValue {
        session(sample.ids, sample.amount, sample.email, "\(status)/\(paymentStatus)", sample.mode)
    }

    private static func session(
        _ ids: ProviderIDs, _ amount: SampleAmount?, _ email: String?, _ words: String,
        _ mode: ProviderMode
    ) -> JSONValue {
        let parts = words.split(separator: "/").map { String($0) }
        return .object([
            "id": text(ids.session), "object": .string("checkout.session"),
            "amount_total": amount?.minorInteger(), "currency": amount.map { .string($0.currency) },
            "status": .string(parts[0]), "payment_status": .string(parts.last ?? ""),
            "payment_intent": text(ids.payment), "customer": text(ids.customer),
            "client_reference_id": text(ids.order), "livemode": .bool(mode == .live),
            "customer_details": email.map { .object(["email": .string($0)]) },
            "url": text(ids.session.map { "https://checkout.stripe.com/c/pay/\($0)#fid=1" }),
        ])
    }

    private static func intent(_ sample: EventSample, _ status: String) -> JSONValue {
        .object([
            "id": text(sample.ids.payment), "amount": sample.amount.minorInteger(),
            "amount_capturable": sample.amount.minorInteger(),
            "currency": .string(sample.amount.currency), "status": .string(status),
            "customer": text(sample.ids.customer),
            "metadata": .object(["order_id": text(sample.ids.order)]),
        ])
    }

    private static func refund(_ sample: EventSample, _ status: String) -> JSONValue {
        .object([
            "id": text(sample.ids.refund), "amount": sample.amount.minorInteger(),
            "currency": .string(sample.amount.currency), "status": .string(status),
            "payment_intent": text(sample.ids.payment),
        ])
    }

    private static func dispute(_ sample: EventSample, _ status: String) -> JSONValue {
        .object([
            "id": text(sample.ids.dispute), "amount": sample.amount.minorInteger(),
            "currency": .string(sample.amount.currency), "status": .string(status),
            "payment_intent": text(sample.ids.payment),
        ])
    }

    private static func subscription(
        _ sample: EventSample, _ state: SubscriptionState
    ) -> (type: String, object: JSONValue)? {
        let updated = "customer.subscription.updated"
        func object(_ status: String) -> JSONValue {
            .object([
                "id": text(sample.ids.subscription), "status": .string(status),
                "customer": text(sample.ids.customer),
            ])
        }
        return switch state {
        case .pending: ("customer.subscription.created", object("incomplete"))
        case .active: (updated, object("active"))
        case .pastDue: (updated, object("past_due"))
        case .paused: ("customer.subscription.paused", object("paused"))
        case .cancelled: ("customer.subscription.deleted", object("canceled"))
        case .expired: (updated, object("incomplete_expired"))
        case .renewed:
            (
                "invoice.paid",
                .object([
                    "id": .string("in_1"), "status": .string("paid"),
                    "billing_reason": .string("subscription_cycle"),
                    "subscription": text(sample.ids.subscription),
                ])
            )
        case .failed: nil
        }
    }

    // MARK: - The API

    func reply(_ sample: StatusSample) -> HTTPReply? {
        switch sample.target {
        case .session:
            return HTTPReply(
                status: 200,
                body: Self.session(sample.ids, sample.amount, nil, sample.word, sample.mode).json)
        case .payment(let id):
            return HTTPReply(
                status: 200,
                body: JSONValue.object([
                    "id": .string(id), "status": .string(sample.word),
                    "amount": sample.amount.minorInteger(),
                    "currency": .string(sample.amount.currency),
                    "livemode": .bool(sample.mode == .live),
                ]).json)
        case .order, .merchantReference: return nil
        }
    }

    func creationReply(_ ids: ProviderIDs) -> HTTPReply? {
        HTTPReply(status: 200, body: Self.session(ids, nil, nil, "open/unpaid", .test).json)
    }
}
