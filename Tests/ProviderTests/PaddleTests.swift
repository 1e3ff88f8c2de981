import CheckoutModel
import Paddle
import ProviderKit
import Testing

@Suite("Paddle")
struct PaddleTests {
    private func paddle(_ mode: ProviderMode = .test) throws -> PaddleProvider {
        try PaddleProvider(
            configuration: .init(checkoutHosts: ["pay.shop.example", "book.example"], mode: mode))
    }

    private func reading(_ type: String, _ data: String) throws -> DeliveryReading {
        let body = """
            {"event_id":"evt_1","notification_id":"ntf_1","event_type":"\(type)",\
            "occurred_at":"2026-01-02T03:04:05.25Z","data":\(data)}
            """
        return try Sender.reading(Sender.paddle(body), by: paddle())
    }

    private func event(_ type: String, _ data: String) throws -> ProviderEvent {
        try #require(try reading(type, data).events.first)
    }

    static let transaction = """
        {"id":"txn_1","status":"STATUS","customer_id":"ctm_1","subscription_id":"sub_1",\
        "custom_data":{"order_id":"42"},"currency_code":"USD",\
        "details":{"totals":{"grand_total":"1999","currency_code":"USD"}},\
        "payments":[{"status":"error","error_code":"declined"},{"error_code":"expired_card"}]}
        """

    static let transactions: [(type: String, word: String, status: CheckoutStatus?)] = [
        ("created", "draft", .pending), ("ready", "ready", .pending),
        ("billed", "billed", .pending), ("past_due", "past_due", .pending),
        ("updated", "completed", .succeeded), ("revised", "paid", .succeeded),
        ("updated", "canceled", .cancelled), ("updated", "invented_later", nil),
        ("paid", "paid", .succeeded), ("completed", "completed", .succeeded),
        ("paid", "completed", .succeeded), ("paid", "ready", .pending),
        ("completed", "invented_later", .pending), ("canceled", "canceled", .cancelled),
    ]

    @Test("A transaction is session and payment at once", arguments: transactions)
    func transaction(_ item: (type: String, word: String, status: CheckoutStatus?)) throws {
        let event = try event(
            "transaction.\(item.type)", Self.transaction.replacing("STATUS", with: item.word))
        let amount = try money(1999)
        #expect(event.kind == item.status.map { .payment($0, amount, failure: nil) } ?? .ignored)
        #expect(
            event.ids
                == ProviderIDs(
                    session: "txn_1", payment: "txn_1", subscription: "sub_1", order: "42",
                    customer: "ctm_1"))
        #expect(event.key.rawValue == "evt_1")
        #expect(event.mode == .test)
        #expect(event.occurredAt == Instant(microseconds: 1_767_323_045_250_000))
    }

    @Test("A failed attempt leaves the transaction open, with its reason")
    func attempt() throws {
        let event = try event(
            "transaction.payment_failed", Self.transaction.replacing("STATUS", with: "ready"))
        #expect(event.kind == .payment(.pending, try money(1999), failure: "declined"))
    }

    @Test("An amount that is no text of whole minor units is set aside")
    func amounts() throws {
        for (text, code) in [
            ("1999", "amount_not_integer"), (#""19.99""#, "amount_not_integer"),
            (#""x""#, "amount_not_integer"),
        ] {
            let data = Self.transaction.replacing("STATUS", with: "paid")
                .replacing(#""1999""#, with: text)
            guard case .unreadable(let error) = try reading("transaction.paid", data) else {
                Issue.record("understood")
                continue
            }
            #expect(error.code == code)
            #expect(error.field == "data.details.totals.grand_total")
        }
    }

    static let adjustments: [(action: String, status: String, kind: ProviderEvent.Kind)] = [
        ("refund", "pending_approval", .refund(.pending, nil)),
        ("refund", "approved", .refund(.succeeded, nil)),
        ("refund", "rejected", .refund(.failed, nil)),
        ("refund", "reversed", .refund(.reversed, nil)),
        ("refund", "invented_later", .refund(.pending, nil)),
        ("chargeback", "approved", .dispute(.lost, nil)),
        ("chargeback", "reversed", .dispute(.won, nil)),
        ("chargeback_reverse", "approved", .dispute(.won, nil)),
        ("chargeback_warning", "approved", .dispute(.opened, nil)),
        ("chargeback_warning_reverse", "approved", .dispute(.closed, nil)),
        ("credit", "approved", .ignored), ("credit_reverse", "approved", .ignored),
        ("invented_later", "approved", .ignored),
    ]

    @Test(
        "An adjustment is a refund by its own id or a dispute by its transaction",
        arguments: adjustments)
    func adjustment(_ item: (action: String, status: String, kind: ProviderEvent.Kind)) throws {
        for type in ["created", "updated"] {
            let event = try event(
                "adjustment.\(type)",
                """
                {"id":"adj_1","transaction_id":"txn_1","customer_id":"ctm_1",\
                "action":"\(item.action)","status":"\(item.status)",\
                "totals":{"total":"500","currency_code":"EUR"}}
                """)
            let amount = try money(500, "EUR")
            var ids = ProviderIDs(payment: "txn_1", customer: "ctm_1")
            switch item.kind {
            case .refund(let state, _):
                #expect(event.kind == .refund(state, amount))
                ids.refund = "adj_1"
            case .dispute(let state, _):
                #expect(event.kind == .dispute(state, amount))
                ids.dispute = "txn_1"
            default: #expect(event.kind == .ignored)
            }
            #expect(event.ids == ids)
            #expect(event.rawStatus == "\(item.action)/\(item.status)")
        }
    }

    static let subscriptions: [(type: String, word: String, state: SubscriptionState?)] = [
        ("created", "trialing", .active), ("updated", "past_due", .pastDue),
        ("updated", "paused", .paused), ("updated", "canceled", .cancelled),
        ("updated", "inactive", nil), ("updated", "invented_later", nil),
        ("imported", "active", .active), ("activated", "active", .active),
        ("trialing", "trialing", .active), ("resumed", "active", .active),
        ("past_due", "past_due", .pastDue), ("paused", "paused", .paused),
        ("canceled", "canceled", .cancelled),
    ]

    @Test(
        "A subscription stands as its event says, and names its first transaction",
        arguments: subscriptions)
    func subscription(_ item: (type: String, word: String, state: SubscriptionState?)) throws {
        let event = try event(
            "subscription.\(item.type)",
            #"{"id":"sub_1","transaction_id":"txn_1","status":"\#(item.word)"}"#)
        #expect(event.kind == item.state.map { .subscription($0) } ?? .ignored)
        #expect(event.ids == ProviderIDs(session: "txn_1", subscription: "sub_1"))
    }

    @Test("Types of no meaning keep their name, and a body without an id is named by its hash")
    func others() throws {
        for data in ["{}", "[]", "null"] {
            let event = try event("customer.created", data)
            #expect(event.kind == .ignored)
            #expect(event.rawType == "customer.created")
        }
        let named = try Sender.verified(Sender.paddle(#"{"event_id":"evt_9"}"#), by: paddle())
        #expect(try paddle().identity(of: named).id == "evt_9")
        let nameless = try Sender.verified(Sender.paddle("[]"), by: paddle())
        #expect(try paddle().identity(of: nameless).id.hasPrefix("sha256:"))
    }

    @Test("The tolerance is Paddle's five seconds unless it is set, both ways")
    func tolerance() throws {
        let strict = try Sender.verifier(paddle())
        let loose = try Sender.verifier(
            PaddleProvider(configuration: .init(toleranceSeconds: 300)))
        for (offset, isStrict, isLoose) in [
            (Int64(5), true, true), (-5, true, true), (6, false, true), (-6, false, true),
            (300, false, true), (301, false, false),
        ] {
            let delivery = Sender.paddle("{}", at: Instant(seconds: Sender.now.seconds - offset))
            #expect(((try? strict.verify(delivery, at: Sender.now)) != nil) == isStrict)
            #expect(((try? loose.verify(delivery, at: Sender.now)) != nil) == isLoose)
        }
    }

    @Test(
        "A page is ours by its configured host and the transaction in its query",
        arguments: [
            ("https://pay.shop.example/x?_ptxn=txn_1", "txn_1"),
            ("https://PAY.shop.example?a=b&_ptxn=txn_1#top", "txn_1"),
            ("https://pay.shop.example/x?_ptxn=txn_1&_ptxn=txn_1", "txn_1"),
            ("https://pay.shop.example/x?_ptxn=txn_1&_ptxn=txn_2", nil),
            ("https://pay.shop.example/x", nil), ("https://pay.shop.example/x?_ptxn=", nil),
            ("https://pay.shop.example/x?_ptxn=txn_", nil),
            ("https://pay.shop.example/x?_ptxn=cus_1", nil),
            ("https://pay.shop.example/x?_ptxn=txn_1%2F..", nil),
            ("http://pay.shop.example/x?_ptxn=txn_1", nil),
            ("https://pay.shop.example:8443/x?_ptxn=txn_1", nil),
            ("https://me@pay.shop.example/x?_ptxn=txn_1", nil),
            ("https://shop.example/x?_ptxn=txn_1", nil),
            ("https://boo\u{212A}.example/x?_ptxn=txn_1", nil),
            ("https://book.example/x?_ptxn=txn_1", "txn_1"),
            ("https://pay.shop.example./x?_ptxn=txn_1", nil),
            ("https://pay.shop.example\\@evil.example/x?_ptxn=txn_1", nil),
            ("https://pay.shop.example/x#?_ptxn=txn_1", nil),
            ("https://pay.shop.example.evil.example/x?_ptxn=txn_1", nil), ("", nil),
        ] as [(String, String?)])
    func pages(url: String, id: String?) throws {
        let wanted = id.map { CheckoutURLMatch.session(id: $0, mode: .test) } ?? .notMine
        #expect(try paddle().recognise(checkoutURL: url) == wanted)
    }

    @Test("A return is pending whatever it says, and names a transaction where it has one")
    func returns() throws {
        let url = try ReturnURL(parsing: "app://back?status=completed&_ptxn=txn_1")
        let claim = try paddle().parseReturn(ReturnRequest(url: url, landing: .success))
        #expect(claim.status == .pending)
        #expect(claim.ids == ProviderIDs(session: "txn_1"))
        #expect(throws: ReturnRejection.otherSession) {
            try paddle().parseReturn(ReturnRequest(url: url, expectedSession: "txn_2"))
        }
    }

    @Test("A transaction is asked about on the mode's own host, with the mode's own key")
    func query() throws {
        let plan = try Request.status(paddle(), .session("txn_1"))
        #expect(plan.url == "https://sandbox-api.paddle.com/transactions/txn_1")
        #expect(plan.headers.first("Paddle-Version") == "1")
        #expect(
            try Request.status(paddle(.live), .payment("txn_1")).url
                == "https://api.paddle.com/transactions/txn_1")
        #expect(throws: RequestPlanError.unknownMode) {
            try Request.status(paddle(.unknown), .session("txn_1"))
        }
        for (mode, key) in [
            (ProviderMode.live, "pdl_sdbx_apikey_1234567"), (.test, "pdl_live_apikey_1234567"),
        ] {
            #expect {
                try Request.status(paddle(mode), .session("txn_1"), apiKey: key)
            } throws: { ($0 as? RequestPlanError)?.code == "malformed_secret" }
        }
        for (word, status) in [
            ("draft", .pending), ("ready", .pending), ("billed", .pending),
            ("past_due", .pending), ("paid", .succeeded), ("completed", .succeeded),
            ("canceled", .cancelled),
        ] as [(String, CheckoutStatus)] {
            let body = #"{"data":\#(Self.transaction.replacing("STATUS", with: word))}"#
            let facts = try Request.facts(paddle(), .session("txn_1"), body)
            #expect(facts?.status == status)
            #expect(facts?.amount == (try money(1999)))
            #expect(facts?.ids.payment == "txn_1")
        }
    }

    @Test("A transaction is created from Paddle's prices or from amounts of its own")
    func creation() throws {
        let priced = try Request.creation(
            paddle(), Request.draft(product: nil, quantity: 2, price: money(500, "JPY")))
        #expect(priced.url == "https://sandbox-api.paddle.com/transactions")
        let body = try JSONValue(json: priced.body)
        let line = try #require(body["items"]?.elements?.first)
        #expect(line["quantity"]?.integer == 2)
        #expect(line["price"]?["unit_price"]?["amount"]?.text == "500")
        #expect(line["price"]?["unit_price"]?["currency_code"]?.text == "JPY")
        #expect(line["price"]?["product"]?["name"]?.text == "Tea")
        #expect(body["custom_data"]?["order_id"]?.text == "order-42")
        #expect(!String(decoding: priced.body, as: UTF8.self).contains("zoe@"))
        let listed = try Request.creation(paddle(), Request.draft(product: "pri_1"))
        let first = try JSONValue(json: listed.body)["items"]?.elements?.first
        #expect(first?["price_id"]?.text == "pri_1")
        #expect(throws: RequestPlanError.unusableAmount) {
            try Request.creation(paddle(), Request.draft(product: "pri_1", price: money(1)))
        }
        #expect(throws: RequestPlanError.missingField("unitAmount")) {
            try Request.creation(paddle(), Request.draft(product: nil))
        }
        let made = try Request.created(
            paddle(),
            """
            {"data":{"id":"txn_1","status":"ready",\
            "checkout":{"url":"https://pay.shop.example?_ptxn=txn_1"}}}
            """)
        #expect(made.ids == ProviderIDs(session: "txn_1", payment: "txn_1"))
        #expect(made.checkoutURL == "https://pay.shop.example?_ptxn=txn_1")
    }

    @Test("Settings are read by name, and mistakes are refused")
    func settings() throws {
        var settings = ProviderSettings(
            mode: .live,
            [
                .init(name: "checkoutHosts", value: .array([.string("a.example")])),
                .init(name: "checkoutPage", value: .string("https://a.example/pay")),
                .init(name: "toleranceSeconds", value: .integer(60)),
                .init(name: "sessionParameter", value: .string("txn")),
                .init(name: "referenceKeys", value: .array([.string("ref")])),
            ])
        let configuration = PaddleConfiguration(settings: &settings)
        #expect(
            configuration
                == PaddleConfiguration(
                    checkoutHosts: ["a.example"], checkoutPage: "https://a.example/pay",
                    mode: .live, toleranceSeconds: 60, sessionParameter: "txn",
                    referenceKeys: ["ref"]))
        #expect(settings.unknownNames.isEmpty)
        #expect(PaddleConfiguration().toleranceSeconds == 5)
        #expect(throws: ProviderConfigurationError.self) {
            try PaddleProvider(configuration: .init(checkoutHosts: ["https://a.example"]))
        }
    }
}
