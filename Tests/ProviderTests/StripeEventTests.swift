import CheckoutModel
import ProviderKit
import Stripe
import Testing

@Suite("Events of Stripe")
struct StripeEventTests {
    private func reading(
        _ type: String, _ object: String, account: String = "null",
        _ configuration: StripeConfiguration = StripeConfiguration()
    ) throws -> DeliveryReading {
        try Sender.stripeReading(
            """
            {"id":"evt_1","object":"event","created":1767225000,"livemode":false,\
            "account":\(account),"type":"\(type)","data":{"object":\(object)}}
            """, configuration)
    }

    private func event(_ type: String, _ object: String) throws -> ProviderEvent {
        try #require(try reading(type, object).events.first)
    }

    private func money(_ units: Int64, _ code: String = "USD") -> Money? {
        Currency(code).map { Money(minorUnits: units, currency: $0) }
    }

    private func session(_ status: String, _ paymentStatus: String) -> String {
        """
        {"id":"cs_test_1","object":"checkout.session","payment_intent":{"id":"pi_1"},\
        "amount_total":1999,"currency":"usd","status":"\(status)",\
        "payment_status":"\(paymentStatus)","client_reference_id":"order-42",\
        "customer":"cus_1","customer_details":{"email":"zoe@shop.example","name":"Zoe"}}
        """
    }

    static let sessions: [(type: String, status: String, paid: String, expected: CheckoutStatus)] =
        [
            ("completed", "complete", "paid", .succeeded),
            ("completed", "complete", "no_payment_required", .succeeded),
            ("completed", "complete", "unpaid", .pending),
            ("completed", "complete", "invented_later", .pending),
            ("completed", "open", "unpaid", .pending),
            ("async_payment_succeeded", "complete", "paid", .succeeded),
            ("async_payment_succeeded", "complete", "unpaid", .pending),
            ("async_payment_failed", "complete", "unpaid", .failed),
        ]

    @Test("A session is paid only when it is complete and paid", arguments: sessions)
    func session(
        _ item: (type: String, status: String, paid: String, expected: CheckoutStatus)
    ) throws {
        let event = try event(
            "checkout.session.\(item.type)", session(item.status, item.paid))
        #expect(event.kind == .payment(item.expected, money(1999), failure: nil))
        #expect(event.rawStatus == "\(item.status)/\(item.paid)")
        #expect(event.mode == .test)
        #expect(event.key.rawValue == "evt_1")
        #expect(event.occurredAt == Instant(seconds: 1_767_225_000))
        #expect(
            event.ids
                == ProviderIDs(
                    session: "cs_test_1", payment: "pi_1", order: "order-42", customer: "cus_1"))
        #expect(event.privateFields.customerEmail == "zoe@shop.example")
    }

    @Test("A session that ran out is said to have expired")
    func expired() throws {
        let event = try event("checkout.session.expired", session("expired", "unpaid"))
        #expect(event.kind == .sessionExpired)
    }

    @Test("A payment intent tells how it stands, and what was received")
    func paymentIntents() throws {
        let object = """
            {"id":"pi_1","amount":2000,"amount_received":1999,"amount_capturable":500,\
            "currency":"usd","status":"STATUS","last_payment_error":{"code":"card_declined"}}
            """
        for (type, word, kind) in [
            ("succeeded", "succeeded", .payment(.succeeded, money(1999), failure: "card_declined")),
            ("succeeded", "processing", .payment(.pending, money(1999), failure: "card_declined")),
            (
                "payment_failed", "requires_payment_method",
                .payment(.failed, money(2000), failure: "card_declined")
            ),
            ("canceled", "canceled", .payment(.cancelled, money(2000), failure: "card_declined")),
            ("processing", "processing", .payment(.pending, money(2000), failure: "card_declined")),
            ("amount_capturable_updated", "requires_capture", .authorized(money(500))),
        ] as [(String, String, ProviderEvent.Kind)] {
            let event = try event(
                "payment_intent.\(type)", object.replacing("STATUS", with: word))
            #expect(event.kind == kind)
            #expect(event.ids.payment == "pi_1")
        }
    }

    @Test("A refunded charge counts each refund under its own id, and its sum never")
    func refunds() throws {
        let charge = """
            {"id":"ch_1","payment_intent":"pi_1","amount_refunded":1500,"currency":"usd",\
            "status":"succeeded","refunds":REFUNDS}
            """
        let listed = charge.replacing(
            "REFUNDS",
            with: """
                {"data":[{"id":"re_1","amount":500,"currency":"usd","status":"succeeded"},\
                {"id":"re_2","amount":1000,"currency":"usd","status":"pending"}]}
                """)
        let events = try reading("charge.refunded", listed).events
        #expect(
            events.map(\.kind) == [.refund(.succeeded, money(500)), .refund(.pending, money(1000))])
        #expect(events.map(\.ids.refund) == ["re_1", "re_2"])
        #expect(events.allSatisfy { $0.ids.payment == "pi_1" })
        #expect(Set(events.map(\.key)).count == 2)
        let bare = try event("charge.refunded", charge.replacing("REFUNDS", with: "null"))
        #expect(bare.kind == .ignored)
        #expect(bare.ids.payment == "pi_1")
        for (word, state) in [
            ("succeeded", RefundState.succeeded), ("failed", .failed), ("canceled", .failed),
            ("pending", .pending), ("requires_action", .pending), ("invented_later", .pending),
        ] {
            let refund = try event(
                "refund.updated",
                """
                {"id":"re_1","amount":5,"currency":"usd","status":"\(word)",\
                "payment_intent":"pi_1"}
                """)
            #expect(refund.kind == .refund(state, money(5)))
        }
    }

    @Test("A dispute stands as its object says")
    func disputes() throws {
        for (type, word, state) in [
            ("created", "needs_response", DisputeState.opened),
            ("updated", "under_review", .underReview),
            ("closed", "won", .won), ("closed", "lost", .lost),
            ("closed", "warning_closed", .closed),
            ("funds_withdrawn", "needs_response", .opened), ("closed", "invented_later", nil),
        ] as [(String, String, DisputeState?)] {
            let event = try event(
                "charge.dispute.\(type)",
                """
                {"id":"dp_1","payment_intent":"pi_1","amount":5,"currency":"usd",\
                "status":"\(word)"}
                """)
            #expect(event.kind == state.map { .dispute($0, money(5)) } ?? .ignored)
            #expect(event.ids == ProviderIDs(payment: "pi_1", dispute: "dp_1"))
        }
    }

    @Test("Subscriptions stand as their events or invoices say")
    func subscriptions() throws {
        for (type, object, state) in [
            ("customer.subscription.created", #"{"id":"sub_1","status":"trialing"}"#, .active),
            ("customer.subscription.updated", #"{"id":"sub_1","status":"past_due"}"#, .pastDue),
            ("customer.subscription.deleted", #"{"id":"sub_1","status":"canceled"}"#, .cancelled),
            ("customer.subscription.paused", #"{"id":"sub_1","status":"active"}"#, .paused),
            ("customer.subscription.updated", #"{"id":"sub_1","status":"invented_later"}"#, nil),
            (
                "invoice.paid",
                #"{"id":"in_1","subscription":"sub_1","billing_reason":"subscription_cycle"}"#,
                .renewed
            ),
            (
                "invoice.paid",
                #"{"id":"in_1","parent":{"subscription_details":{"subscription":"sub_1"}}}"#,
                .active
            ),
            ("invoice.payment_failed", #"{"id":"in_1","subscription":"sub_1"}"#, .pastDue),
        ] as [(String, String, SubscriptionState?)] {
            let event = try event(type, object)
            #expect(event.kind == state.map { .subscription($0) } ?? .ignored)
            #expect(event.ids.subscription == "sub_1")
        }
        #expect(try event("invoice.paid", #"{"id":"in_1"}"#).kind == .ignored)
    }

    @Test("Currencies that Stripe sends in decimals of its own become ISO minor units")
    func decimals() throws {
        func amount(_ units: String, _ code: String) throws -> DeliveryReading {
            try reading(
                "payment_intent.succeeded",
                #"{"id":"pi_1","amount_received":\#(units),"currency":"\#(code)"}"#)
        }
        for (units, code, minor) in [
            ("1999", "usd", 1999), ("500", "jpy", 500), ("1230", "kwd", 1230),
            ("10000", "isk", 100), ("500", "ugx", 5), ("7", "mga", 700),
        ] as [(String, String, Int64)] {
            #expect(
                try amount(units, code).events.first?.kind
                    == .payment(.succeeded, money(minor, code), failure: nil))
        }
        #expect(
            try amount("10050", "isk")
                == .unreadable(
                    WebhookDecodingError(.amountOutOfRange, field: "data.object.amount_received")))
    }

    @Test("Thin events are set aside, not read as empty ones")
    func thin() throws {
        let reading = try Sender.stripeReading(
            #"{"id":"evt_1","object":"v2.core.event","type":"v1.billing.meter.error"}"#)
        #expect(
            reading == .unreadable(WebhookDecodingError(.unsupportedForm, field: "object")))
    }

    @Test("An event of another connected account is set aside")
    func foreignAccount() throws {
        let ours = StripeConfiguration(accountID: "acct_1")
        let object = session("complete", "paid")
        let type = "checkout.session.completed"
        #expect(try reading(type, object, account: "\"acct_1\"", ours).events.count == 1)
        #expect(try reading(type, object, ours).events.count == 1)
        guard case .foreignAccount = try reading(type, object, account: "\"acct_2\"", ours) else {
            Issue.record("not set aside")
            return
        }
    }

    @Test("A delivery is named by its event, or by its hash where it names none")
    func identity() throws {
        let provider = try StripeProvider()
        let verifier = try Sender.verifier(provider)
        func identity(_ body: String) throws -> DeliveryIdentity {
            provider.identity(of: try verifier.verify(Sender.stripe(body), at: Sender.now))
        }
        let named = try identity(#"{"id":"evt_1","livemode":true}"#)
        #expect(named.id == "evt_1")
        #expect(named.mode == .live)
        #expect(try identity("no JSON").id.hasPrefix("sha256:"))
        #expect(try identity("no JSON") != identity("no json"))
    }

    @Test("Types of no meaning for a checkout keep their name")
    func ignored() throws {
        for object in ["{}", "null", "[]", #"{"status":7}"#] {
            let event = try event("customer.created", object)
            #expect(event.kind == .ignored)
            #expect(event.rawType == "customer.created")
        }
    }
}
