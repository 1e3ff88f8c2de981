import CheckoutModel
import DodoPayments
import ProviderKit
import TestSupport
import Testing

@Suite("Events of Dodo Payments")
struct DodoEventTests {
    private func event(
        _ type: String, _ data: String,
        _ configuration: DodoPaymentsConfiguration = DodoPaymentsConfiguration()
    ) throws -> ProviderEvent {
        let reading = try Sender.dodoReading(
            """
            {"business_id":"bus_1","type":"\(type)","timestamp":"2026-03-04T05:06:05.25Z",\
            "data":\(data)}
            """, configuration)
        return try #require(reading.events.first)
    }

    static let usd = Currency("USD")

    static let paymentBody = """
        {"payload_type":"Payment","payment_id":"pay_1","checkout_session_id":"cks_1",\
        "subscription_id":null,"total_amount":2500,"currency":"USD","status":"STATUS",\
        "error_code":"card_declined","metadata":{"order_id":"42"},\
        "customer":{"customer_id":"cus_1","email":"zoe@shop.example","name":"Zoe"}}
        """

    static let payments: [(type: String, word: String, status: CheckoutStatus)] = [
        ("payment.succeeded", "succeeded", .succeeded), ("payment.failed", "failed", .failed),
        ("payment.processing", "processing", .pending),
        ("payment.cancelled", "cancelled", .cancelled),
        // The body is the latest state: a success that it does not bear out is not believed.
        ("payment.succeeded", "processing", .pending), ("payment.succeeded", "failed", .pending),
        ("payment.succeeded", "partially_captured", .pending),
        ("payment.succeeded", "invented_later", .pending),
        // And it never makes more of an event than its type says.
        ("payment.failed", "succeeded", .failed), ("payment.processing", "succeeded", .pending),
    ]

    @Test("A payment's type decides, and its body's status only adds doubt", arguments: payments)
    func payment(_ item: (type: String, word: String, status: CheckoutStatus)) throws {
        let data = Self.paymentBody.replacing("STATUS", with: item.word)
        let event = try event(item.type, data, .init(businessID: "bus_1", mode: .test))
        let money = Self.usd.map { Money(minorUnits: 2500, currency: $0) }
        #expect(event.kind == .payment(item.status, money, failure: "card_declined"))
        #expect(event.rawStatus == item.word)
        #expect(event.mode == .test)
        #expect(event.account == "bus_1")
        #expect(event.occurredAt == Instant(microseconds: 1_772_600_765_250_000))
        #expect(
            event.ids
                == ProviderIDs(
                    session: "cks_1", payment: "pay_1", order: "42", customer: "cus_1"))
        #expect(
            event.privateFields
                == PrivateFields(customerEmail: "zoe@shop.example", customerName: "Zoe"))
    }

    @Test("A success whose body has no status is a success")
    func statusAbsent() throws {
        for word in ["null", "\"\""] {
            let data = Self.paymentBody.replacing("\"STATUS\"", with: word)
            guard case .payment(.succeeded, _, _) = try event("payment.succeeded", data).kind
            else {
                Issue.record("not succeeded")
                continue
            }
        }
    }

    static let refunds: [(type: String, word: String, state: RefundState)] = [
        ("refund.succeeded", "succeeded", .succeeded), ("refund.succeeded", "review", .pending),
        ("refund.succeeded", "failed", .pending), ("refund.failed", "failed", .failed),
    ]

    @Test(
        "A refund is named by its own id and returns money only where both say so",
        arguments: refunds)
    func refund(_ item: (type: String, word: String, state: RefundState)) throws {
        let event = try event(
            item.type,
            """
            {"payload_type":"Refund","refund_id":"ref_1","payment_id":"pay_1","amount":500,\
            "currency":"USD","is_partial":true,"status":"\(item.word)"}
            """)
        let money = Self.usd.map { Money(minorUnits: 500, currency: $0) }
        #expect(event.kind == .refund(item.state, money))
        #expect(event.ids == ProviderIDs(payment: "pay_1", refund: "ref_1"))
    }

    @Test("A refund may leave its amount out")
    func refundWithoutAmount() throws {
        let event = try event(
            "refund.succeeded", #"{"refund_id":"ref_1","payment_id":"pay_1","amount":null}"#)
        #expect(event.kind == .refund(.succeeded, nil))
    }

    static let disputes: [(type: String, state: DisputeState)] = [
        ("opened", .opened), ("challenged", .underReview), ("won", .won), ("lost", .lost),
        ("accepted", .lost), ("cancelled", .closed), ("expired", .closed),
    ]

    @Test(
        "A dispute's amount is read from text when it is a plain integer, else left open",
        arguments: disputes)
    func dispute(_ item: (type: String, state: DisputeState)) throws {
        for (text, units) in [("\"2500\"", 2500), ("\"25.00\"", nil), ("\"\"", nil)]
            as [(String, Int64?)]
        {
            let event = try event(
                "dispute.\(item.type)",
                """
                {"dispute_id":"dp_1","payment_id":"pay_1","amount":\(text),"currency":"USD",\
                "dispute_status":"dispute_x","dispute_stage":"pre_dispute"}
                """)
            let money = units.flatMap { units in
                Self.usd.map { Money(minorUnits: units, currency: $0) }
            }
            #expect(event.kind == .dispute(item.state, money))
            #expect(event.ids == ProviderIDs(payment: "pay_1", dispute: "dp_1"))
        }
    }

    static let subscriptions: [(type: String, word: String, state: SubscriptionState?)] = [
        ("active", "active", .active), ("renewed", "active", .renewed),
        ("on_hold", "on_hold", .pastDue), ("paused", "paused", .paused),
        ("unpaused", "active", .active), ("cancelled", "cancelled", .cancelled),
        ("failed", "failed", .failed), ("expired", "expired", .expired),
        ("plan_changed", "active", .active), ("updated", "on_hold", .pastDue),
        ("update_payment_method", "pending", .pending), ("updated", "invented_later", nil),
    ]

    @Test("A subscription stands as its event says", arguments: subscriptions)
    func subscription(_ item: (type: String, word: String, state: SubscriptionState?)) throws {
        let event = try event(
            "subscription.\(item.type)",
            #"{"subscription_id":"sub_1","status":"\#(item.word)","customer_id":"cus_1"}"#)
        #expect(event.kind == item.state.map { .subscription($0) } ?? .ignored)
        #expect(event.ids == ProviderIDs(subscription: "sub_1", customer: "cus_1"))
    }

    @Test("A licence key is private and nothing else happened")
    func licenceKey() throws {
        let event = try event(
            "license_key.created", #"{"payload_type":"LicenseKey","key":"LIC-1","payment_id":"p"}"#)
        #expect(event.kind == .ignored)
        #expect(event.privateFields.licenseKeys == ["LIC-1"])
        #expect(!"\(event)".contains("LIC-1"))
    }

    @Test("Types of no meaning for a checkout keep their name, whatever their body looks like")
    func ignored() throws {
        for type in [
            "payout.success", "credit.added", "abandoned_checkout.detected", "dunning.started",
            "entitlement_grant.created", "never.seen",
        ] {
            for data in ["{}", "[]", "null", #"{"payment_id":7,"status":{}}"#] {
                let event = try event(type, data)
                #expect(event.kind == .ignored)
                #expect(event.rawType == type)
            }
        }
    }

    @Test("An event about another business is set aside")
    func foreignBusiness() throws {
        let reading = try Sender.dodoReading(
            #"{"business_id":"bus_2","type":"payment.succeeded","data":{"payment_id":"pay_1"}}"#,
            .init(businessID: "bus_1"))
        guard case .foreignAccount(let foreign) = reading else {
            Issue.record("\(reading)")
            return
        }
        #expect(foreign.named == "bus_2")
    }

    static let unreadableBodies: [(body: String, code: String)] = [
        ("", "malformed_body"), ("{", "malformed_body"), ("[]", "malformed_body"),
        ("{}", "missing_field"), (#"{"type":7}"#, "unexpected_type"),
        (#"{"type":"payment.succeeded"}"#, "missing_field"),
        (#"{"type":"payment.succeeded","data":[]}"#, "unexpected_type"),
        (#"{"type":"payment.succeeded","data":{}}"#, "missing_field"),
        (#"{"type":"refund.succeeded","data":{"payment_id":"p"}}"#, "missing_field"),
        (#"{"type":"payment.succeeded","data":{"payment_id":{}}}"#, "unexpected_type"),
        (
            """
            {"type":"payment.succeeded",\
            "data":{"payment_id":"p","total_amount":7840.000000000001,"currency":"USD"}}
            """,
            "amount_not_integer"
        ),
        (
            #"{"type":"payment.succeeded","data":{"payment_id":"p","total_amount":1}}"#,
            "missing_field"
        ),
        (
            #"{"type":"payment.succeeded","type":"payment.failed","data":{"payment_id":"p"}}"#,
            "malformed_body"
        ),
    ]

    @Test(
        "A body that cannot be understood is set aside with its reason", arguments: unreadableBodies
    )
    func unreadable(_ item: (body: String, code: String)) throws {
        guard case .unreadable(let error) = try Sender.dodoReading(item.body) else {
            Issue.record("understood")
            return
        }
        #expect(error.code == item.code)
    }

    @Test("Random bodies are understood or set aside, never a trap")
    func fuzz() throws {
        let provider = try DodoPaymentsProvider()
        let verifier = try Sender.verifier(provider)
        var random = SeededGenerator(seed: 3)
        let seed = Array(
            """
            {"type":"payment.succeeded",\
            "data":{"payment_id":"p","total_amount":1,"currency":"USD"}}
            """.utf8)
        for _ in 0..<2_000 {
            var body = seed
            body[Int.random(in: body.indices, using: &random)] = UInt8.random(
                in: 0...255, using: &random)
            let verified = try verifier.verify(Sender.dodo(bytes: body), at: Sender.now)
            _ = provider.reading(of: verified)
            #expect(provider.identity(of: verified).id == "msg_1")
        }
    }
}
