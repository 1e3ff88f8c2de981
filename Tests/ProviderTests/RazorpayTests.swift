import CheckoutModel
import Cryptography
import ProviderKit
import Razorpay
import TestSupport
import Testing

/// Signs deliveries and returns as Razorpay does.
enum RazorpaySender {
    static let secret = "webhook-secret"
    static let apiSecret = "api-key-secret-of-tests"

    static func sign(_ text: String, _ secret: String) -> String {
        Hex.encode(HMACKey(sha256: Array(secret.utf8)).authenticate(Array(text.utf8)))
    }

    static func delivery(_ body: String, id: String? = "evt_1") -> WebhookDelivery {
        var headers = [(name: "X-Razorpay-Signature", value: sign(body, secret))]
        if let id { headers.append((name: "X-Razorpay-Event-Id", value: id)) }
        return WebhookDelivery(headers: HeaderList(headers), body: Array(body.utf8))
    }

    static func verified(
        _ delivery: WebhookDelivery, _ configuration: RazorpayConfiguration = .init()
    ) throws -> (RazorpayProvider, VerifiedDelivery) {
        let provider = try RazorpayProvider(configuration: configuration)
        let verifier = try Sender.verifier(provider, secrets: [secret])
        return (provider, try verifier.verify(delivery, at: Sender.now))
    }

    static func event(
        _ type: String, _ payload: String, _ configuration: RazorpayConfiguration = .init()
    ) throws -> ProviderEvent {
        let body = """
            {"entity":"event","account_id":"acc_1","event":"\(type)","payload":{\(payload)},\
            "created_at":1772600765}
            """
        let (provider, verified) = try verified(delivery(body), configuration)
        return try #require(try provider.events(in: verified).first)
    }

    static func payment(_ status: String) -> String {
        """
        "payment":{"entity":{"id":"pay_1","order_id":"order_1","status":"\(status)",\
        "amount":250000,"currency":"INR","error_code":null,"email":"zoe@shop.example",\
        "notes":{"merchant_order_id":"42"}}}
        """
    }
}

@Suite("Razorpay's webhooks")
struct RazorpayWebhookTests {
    static let inr = Currency("INR").map { Money(minorUnits: 250_000, currency: $0) }
    static let part = Currency("INR").map { Money(minorUnits: 100_000, currency: $0) }

    static let payments: [(type: String, word: String, kind: ProviderEvent.Kind)] = [
        ("authorized", "authorized", .authorized(inr)),
        ("authorized", "captured", .authorized(inr)),
        ("captured", "captured", .payment(.succeeded, inr, failure: nil)),
        ("captured", "refunded", .payment(.succeeded, inr, failure: nil)),
        ("captured", "authorized", .payment(.pending, inr, failure: nil)),
        ("captured", "invented", .payment(.pending, inr, failure: nil)),
        ("failed", "failed", .payment(.failed, inr, failure: nil)),
        ("failed", "captured", .payment(.failed, inr, failure: nil)),
        ("pending", "pending", .payment(.pending, inr, failure: nil)),
    ]

    @Test("A payment's event decides, and its entity only adds doubt", arguments: payments)
    func payment(_ row: (type: String, word: String, kind: ProviderEvent.Kind)) throws {
        for (checkout, session) in [
            (RazorpayConfiguration.Checkout.paymentLinks, nil), (.orders, "order_1"),
        ] {
            let event = try RazorpaySender.event(
                "payment.\(row.type)", RazorpaySender.payment(row.word),
                .init(keyID: "rzp_test_1", checkout: checkout))
            #expect(event.kind == row.kind)
            #expect(event.ids == ProviderIDs(session: session, payment: "pay_1", order: "42"))
            #expect(event.mode == .test)
            #expect(event.account == "acc_1")
            #expect(event.rawStatus == row.word)
            #expect(event.occurredAt == Instant(seconds: 1_772_600_765))
            #expect(event.privateFields == PrivateFields(customerEmail: "zoe@shop.example"))
        }
    }

    private func link(_ status: String, paid: Int) -> String {
        """
        "payment_link":{"entity":{"id":"plink_1","reference_id":"42","status":"\(status)",\
        "amount":250000,"amount_paid":\(paid),"currency":"INR"}}
        """
    }

    @Test("A payment link names the session, its payment and all that was paid")
    func links() throws {
        let payment = RazorpaySender.payment("captured")
        for (type, word, paid, kind) in [
            ("paid", "paid", 250_000, .payment(.succeeded, Self.inr, failure: nil)),
            ("paid", "partially_paid", 250_000, .payment(.pending, Self.inr, failure: nil)),
            (
                "partially_paid", "partially_paid", 100_000,
                .payment(.pending, Self.part, failure: nil)
            ),
            ("expired", "expired", 0, .sessionExpired),
            ("cancelled", "cancelled", 0, .payment(.cancelled, Self.inr, failure: nil)),
        ] as [(String, String, Int, ProviderEvent.Kind)] {
            let event = try RazorpaySender.event(
                "payment_link.\(type)", "\(link(word, paid: paid)),\(payment)")
            #expect(event.kind == kind)
            #expect(event.ids == ProviderIDs(session: "plink_1", payment: "pay_1", order: "42"))
            #expect(event.rawStatus == word)
        }
        let alone = try RazorpaySender.event("payment_link.expired", link("expired", paid: 0))
        #expect(alone.ids == ProviderIDs(session: "plink_1", order: "42"))
    }

    @Test("An order that is paid names the session where checkouts are orders")
    func orders() throws {
        let order = """
            "order":{"entity":{"id":"order_1","receipt":"42","status":"paid","amount":250000,\
            "amount_paid":250000,"currency":"INR"}}
            """
        for (checkout, session) in [
            (RazorpayConfiguration.Checkout.paymentLinks, nil), (.orders, "order_1"),
        ] {
            let event = try RazorpaySender.event(
                "order.paid", "\(order),\(RazorpaySender.payment("captured"))",
                .init(checkout: checkout))
            #expect(event.kind == .payment(.succeeded, Self.inr, failure: nil))
            #expect(event.ids == ProviderIDs(session: session, payment: "pay_1", order: "42"))
        }
    }

    static let refunds: [(type: String, word: String, state: RefundState)] = [
        ("created", "pending", .pending), ("created", "processed", .pending),
        ("processed", "processed", .succeeded), ("processed", "pending", .pending),
        ("failed", "failed", .failed),
    ]

    @Test("A refund returns money only where both say so", arguments: refunds)
    func refund(_ row: (type: String, word: String, state: RefundState)) throws {
        let event = try RazorpaySender.event(
            "refund.\(row.type)",
            """
            "refund":{"entity":{"id":"rfnd_1","payment_id":"pay_1","amount":100000,\
            "currency":"INR","status":"\(row.word)"}}
            """)
        #expect(event.kind == .refund(row.state, Self.part))
        #expect(event.ids == ProviderIDs(payment: "pay_1", refund: "rfnd_1"))
    }

    static let disputes: [(type: String, state: DisputeState)] = [
        ("created", .opened), ("action_required", .opened), ("under_review", .underReview),
        ("won", .won), ("lost", .lost), ("closed", .closed),
    ]

    @Test("A dispute stands as its event says", arguments: disputes)
    func dispute(_ row: (type: String, state: DisputeState)) throws {
        let event = try RazorpaySender.event(
            "payment.dispute.\(row.type)",
            """
            "dispute":{"entity":{"id":"disp_1","payment_id":"pay_1","amount":100000,\
            "currency":"INR","status":"open"}},\(RazorpaySender.payment("captured"))
            """)
        #expect(event.kind == .dispute(row.state, Self.part))
        #expect(event.ids == ProviderIDs(payment: "pay_1", dispute: "disp_1", order: "42"))
        #expect(event.rawStatus == "open")
    }

    static let subscriptions: [(type: String, word: String, state: SubscriptionState?)] = [
        ("authenticated", "authenticated", .pending), ("activated", "active", .active),
        ("charged", "active", .renewed), ("pending", "pending", .pastDue),
        ("halted", "halted", .pastDue), ("paused", "paused", .paused),
        ("resumed", "active", .active), ("cancelled", "cancelled", .cancelled),
        ("completed", "completed", .expired), ("updated", "created", .pending),
        ("updated", "authenticated", .pending), ("updated", "active", .active),
        ("updated", "pending", .pastDue), ("updated", "halted", .pastDue),
        ("updated", "paused", .paused), ("updated", "cancelled", .cancelled),
        ("updated", "completed", .expired), ("updated", "expired", .expired),
        ("updated", "invented", nil),
    ]

    @Test("A subscription stands as its event says", arguments: subscriptions)
    func subscription(_ row: (type: String, word: String, state: SubscriptionState?)) throws {
        let event = try RazorpaySender.event(
            "subscription.\(row.type)",
            #""subscription":{"entity":{"id":"sub_1","status":"\#(row.word)"}}"#)
        #expect(event.kind == row.state.map { .subscription($0) } ?? .ignored)
        #expect(event.ids == ProviderIDs(subscription: "sub_1"))
    }

    @Test("Names of no meaning for a checkout are kept, whatever their payload looks like")
    func ignored() throws {
        for type in ["invoice.paid", "settlement.processed", "refund.speed_changed", "new"] {
            let event = try RazorpaySender.event(type, #""refund":[]"#)
            #expect(event.kind == .ignored)
            #expect(event.rawType == type)
        }
    }

    @Test("A payload that lacks its entity is set aside with its reason")
    func unreadable() throws {
        for (type, payload) in [
            ("payment.captured", ""), ("payment.captured", #""payment":{"entity":{}}"#),
            ("payment_link.paid", #""payment_link":{"entity":{"status":"paid"}}"#),
            ("refund.failed", #""refund":{"entity":{"amount":1}}"#),
            ("payment.dispute.won", RazorpaySender.payment("captured")),
            ("subscription.charged", ""),
        ] {
            #expect {
                try RazorpaySender.event(type, payload)
            } throws: { ($0 as? WebhookDecodingError)?.code == "missing_field" }
        }
    }

    @Test("A delivery is named by its event's header, else by its hash")
    func identity() throws {
        let (provider, named) = try RazorpaySender.verified(RazorpaySender.delivery("{}"))
        #expect(provider.identity(of: named).id == "evt_1")
        let (_, unnamed) = try RazorpaySender.verified(RazorpaySender.delivery("{}", id: nil))
        #expect(provider.identity(of: unnamed).id == "sha256:\(unnamed.bodyHex)")
    }

    @Test("A receiver does not start with the secret of the API key alone, nor returns without it")
    func roles() throws {
        let provider = try RazorpayProvider()
        let rules = RazorpayProvider.descriptor.secretRules
        let api = try SecretSet([.apiKey: [RazorpaySender.apiSecret]], rules: rules)
        let webhook = try SecretSet([.webhook: [RazorpaySender.secret]], rules: rules)
        _ = try ReturnVerifier(provider: provider, secrets: api)
        _ = try DeliveryVerifier(provider: provider, secrets: webhook)
        #expect { try DeliveryVerifier(provider: provider, secrets: api) } throws: {
            ($0 as? SecretError)?.role == .webhook
        }
        #expect { try ReturnVerifier(provider: provider, secrets: webhook) } throws: {
            ($0 as? SecretError)?.role == .apiKey
        }
    }
}
