import CheckoutModel
import DodoPayments
import ProviderKit
import Stripe
import Testing

@Suite("Status queries and session creation")
struct RequestPlanTests {
    static let apiKey = "sk_test_1234567890abcdef"
    static let nonce = Nonce(bytes: [])

    private func secrets(_ provider: any PaymentProvider) throws -> SecretSet {
        try SecretSet(
            [.apiKey: [Self.apiKey]], rules: type(of: provider).descriptor.secretRules)
    }

    private func dodo() throws -> DodoPaymentsProvider {
        try DodoPaymentsProvider(configuration: .init(mode: .test))
    }

    private func plan(
        _ provider: any StatusQuerying, _ target: StatusQueryTarget
    ) throws -> HTTPRequestPlan {
        try provider.statusRequest(
            for: target, secrets: secrets(provider), now: Sender.now, nonce: Self.nonce)
    }

    @Test("A status query has its secret in a header and nowhere else")
    func plans() throws {
        for (provider, target, url) in [
            (try dodo(), .session("cks_1"), "https://test.dodopayments.com/checkouts/cks_1"),
            (try dodo(), .payment("pay_1"), "https://test.dodopayments.com/payments/pay_1"),
            (
                try StripeProvider(), .session("cs_1"),
                "https://api.stripe.com/v1/checkout/sessions/cs_1"
            ),
            (
                try StripeProvider(), .payment("pi_1"),
                "https://api.stripe.com/v1/payment_intents/pi_1"
            ),
        ] as [(any StatusQuerying, StatusQueryTarget, String)] {
            let plan = try plan(provider, target)
            #expect(plan.method == "GET")
            #expect(plan.url == url)
            #expect(plan.headers.first("authorization") == "Bearer \(Self.apiKey)")
            #expect(!"\(plan)".contains(Self.apiKey))
            #expect(plan.body.isEmpty)
        }
    }

    @Test("An id cannot reach another path")
    func ids() throws {
        let url = try plan(dodo(), .session("../payments/x?y#z é")).url
        #expect(url.hasSuffix("/checkouts/..%2Fpayments%2Fx%3Fy%23z%20%C3%A9"))
        for id in ["", ".", "..", String(repeating: "x", count: 600)] {
            #expect(throws: RequestPlanError.unusableID) { try plan(dodo(), .session(id)) }
        }
        #expect(throws: RequestPlanError.unsupportedTarget) { try plan(dodo(), .order("1")) }
        #expect(throws: RequestPlanError.unknownMode) {
            try plan(DodoPaymentsProvider(), .session("cks_1"))
        }
    }

    @Test("Without an API key no request is planned")
    func noKey() throws {
        let provider = try StripeProvider()
        let none = try SecretSet([:], rules: StripeProvider.descriptor.secretRules)
        #expect {
            try provider.statusRequest(
                for: .session("cs_1"), secrets: none, now: Sender.now, nonce: Self.nonce)
        } throws: { ($0 as? RequestPlanError)?.code == "missing_secret" }
    }

    private func report(
        _ provider: any StatusQuerying, _ body: String, status: Int = 200,
        for target: StatusQueryTarget, headers: HeaderList = [:]
    ) throws -> StatusReport {
        try provider.interpret(
            HTTPReply(status: status, headers: headers, body: Array(body.utf8)), for: target)
    }

    static let doubts: [(status: Int, body: String, reason: IndeterminateReason)] = [
        (404, "{}", .notFound), (429, "", .rateLimited), (500, "", .providerTrouble),
        (503, "<html>", .providerTrouble), (302, "", .unexpectedStatus), (200, "", .unreadable),
        (200, #"{"id":"x","pay"#, .unreadable), (200, "{}", .unreadable),
        (200, #"{"id":"other","payment_id":"other"}"#, .otherObject),
        (
            200,
            #"{"id":"x","payment_id":"x","status":"invented","payment_status":"invented"}"#,
            .unknownWord
        ),
    ]

    @Test("A doubtful reply tells nothing, and never that a payment failed", arguments: doubts)
    func indeterminate(_ item: (status: Int, body: String, reason: IndeterminateReason)) throws {
        for provider in [try dodo(), try StripeProvider()] as [any StatusQuerying] {
            for target in [StatusQueryTarget.session("x"), .payment("x")] {
                let report = try report(
                    provider, item.body, status: item.status, for: target,
                    headers: ["retry-after": "17"])
                guard case .indeterminate(let reason, let seconds) = report else {
                    Issue.record("\(report)")
                    continue
                }
                #expect(reason == item.reason)
                if item.status != 200 { #expect(seconds == 17) }
            }
        }
    }

    @Test("An answer with an amount that is no integer tells nothing")
    func brokenAmount() throws {
        let dodo = try report(
            dodo(),
            #"{"payment_id":"x","status":"succeeded","total_amount":1.5,"currency":"USD"}"#,
            for: .payment("x"))
        let stripe = try report(
            StripeProvider(), #"{"id":"x","status":"succeeded","amount":1e2,"currency":"usd"}"#,
            for: .payment("x"))
        #expect(dodo == .indeterminate(.unreadable, retryAfterSeconds: nil))
        #expect(stripe == dodo)
    }

    @Test("A refused API key is an error, not an answer")
    func unauthorized() throws {
        for status in [401, 403] {
            #expect(throws: ProviderReplyError.unauthorized) {
                try report(dodo(), "{}", status: status, for: .session("x"))
            }
        }
    }

    static let dodoWords: [(word: String, status: CheckoutStatus)] = [
        ("\"succeeded\"", .succeeded), ("\"failed\"", .failed), ("\"cancelled\"", .cancelled),
        ("\"processing\"", .pending), ("\"requires_customer_action\"", .pending),
        ("\"requires_merchant_action\"", .pending), ("\"requires_payment_method\"", .pending),
        ("\"requires_confirmation\"", .pending), ("\"requires_capture\"", .pending),
        ("\"partially_captured\"", .pending), ("\"partially_captured_and_capturable\"", .pending),
        ("null", .pending),
    ]

    @Test("Each word of Dodo's is read from a session and from a payment", arguments: dodoWords)
    func dodoWord(_ item: (word: String, status: CheckoutStatus)) throws {
        let session = try report(
            dodo(), #"{"id":"cks_1","payment_id":"pay_1","payment_status":\#(item.word)}"#,
            for: .session("cks_1"))
        guard case .known(let facts) = session else {
            Issue.record("\(session)")
            return
        }
        #expect(facts.status == item.status)
        #expect(facts.ids == ProviderIDs(session: "cks_1", payment: "pay_1"))
        #expect(facts.mode == .test)
        let payment = try report(
            dodo(),
            """
            {"payment_id":"pay_1","checkout_session_id":"cks_1","total_amount":2500,\
            "currency":"EUR","status":\(item.word)}
            """, for: .payment("pay_1"))
        guard case .known(let facts) = payment else {
            Issue.record("\(payment)")
            return
        }
        #expect(facts.status == item.status)
        #expect(facts.amount?.minorUnits == 2500)
    }

    @Test("A Stripe session is known by both of its words")
    func stripeSession() throws {
        for (status, paid, expected) in [
            ("complete", "paid", CheckoutStatus.succeeded), ("complete", "unpaid", .pending),
            ("open", "unpaid", .pending), ("expired", "unpaid", .expired),
        ] {
            let report = try report(
                StripeProvider(),
                """
                {"id":"cs_1","status":"\(status)","payment_status":"\(paid)","amount_total":5,\
                "currency":"usd","livemode":true}
                """, for: .session("cs_1"))
            guard case .known(let facts) = report else {
                Issue.record("\(report)")
                continue
            }
            #expect(facts.status == expected)
            #expect(facts.mode == .live)
        }
    }

    static let draft = SessionDraft(
        items: [
            .init(
                productID: "pdt_1", name: "Tea & more", quantity: 2,
                unitAmount: Currency("EUR").map { Money(minorUnits: 1999, currency: $0) })
        ],
        reference: "order-42", returnURL: "app://back?x=1#top", cancelURL: "app://gave-up")

    private func creation(
        _ provider: any SessionCreating, _ draft: SessionDraft = draft
    ) throws -> HTTPRequestPlan {
        let key = try #require(IdempotencyKey(rawValue: "key-1"))
        return try provider.createRequest(
            draft, idempotencyKey: key, secrets: secrets(provider), now: Sender.now,
            nonce: Self.nonce)
    }

    @Test("A Dodo session is asked for in exact minor units, with the key among its metadata")
    func dodoCreation() throws {
        let plan = try creation(dodo())
        #expect(plan.url == "https://test.dodopayments.com/checkouts")
        #expect(try plan == creation(dodo()))
        let body = try JSONValue(json: plan.body)
        let line = try #require(body["product_cart"]?.elements?.first)
        #expect(line["product_id"]?.text == "pdt_1")
        #expect(line["quantity"]?.integer == 2)
        #expect(line["amount"]?.integer == 1999)
        #expect(body["metadata"]?["order_id"]?.text == "order-42")
        #expect(body["metadata"]?["idempotency_key"]?.text == "key-1")
        #expect(body["return_url"]?.text == "app://back?x=1#top")
    }

    @Test("A Stripe session is asked for by form, with its id in the return URL")
    func stripeCreation() throws {
        let plan = try creation(StripeProvider())
        #expect(plan.headers.first("Idempotency-Key") == "key-1")
        let body = String(decoding: plan.body, as: UTF8.self)
        #expect(body.contains("line_items%5B0%5D%5Bprice_data%5D%5Bunit_amount%5D=1999"))
        #expect(body.contains("currency%5D=eur"))
        #expect(
            body.contains(
                "success_url=app%3A%2F%2Fback%3Fx%3D1%26session_id%3D"
                    + "%7BCHECKOUT_SESSION_ID%7D%23top"
            ))
        #expect(body.contains("client_reference_id=order-42"))
    }

    @Test("A draft that a provider cannot sell is refused before anything is sent")
    func badDrafts() throws {
        var draft = Self.draft
        draft.items = []
        for provider in [try dodo(), try StripeProvider()] as [any SessionCreating] {
            #expect(throws: RequestPlanError.missingField("items")) {
                try creation(provider, draft)
            }
        }
        draft.items = [.init(name: "Tea", unitAmount: nil)]
        #expect(throws: RequestPlanError.missingField("productID")) {
            try creation(dodo(), draft)
        }
        draft.items = [
            .init(
                name: "Tea",
                unitAmount: Currency("EUR").map { Money(minorUnits: -1, currency: $0) })
        ]
        #expect(throws: RequestPlanError.unusableAmount) {
            try creation(StripeProvider(), draft)
        }
    }

    @Test("A created session carries its id, its page and its mode")
    func created() throws {
        let dodo = try dodo().interpretCreation(
            HTTPReply(
                status: 200,
                body: Array(#"{"session_id":"cks_1","checkout_url":null}"#.utf8)))
        #expect(dodo.ids.session == "cks_1")
        #expect(dodo.checkoutURL == nil)
        let stripe = try StripeProvider().interpretCreation(
            HTTPReply(
                status: 200,
                body: Array(
                    """
                    {"id":"cs_test_1","url":"https://checkout.stripe.com/c/pay/cs_test_1",\
                    "expires_at":1767225600,"livemode":false}
                    """.utf8)))
        #expect(stripe.checkoutURL == "https://checkout.stripe.com/c/pay/cs_test_1")
        #expect(stripe.expiresAt == Instant(seconds: 1_767_225_600))
        #expect(stripe.mode == .test)
    }

    @Test("A refused creation tells the provider's code, a doubtful one that it is in doubt")
    func refusedCreation() throws {
        func create(_ status: Int, _ body: String) throws -> CreatedSession {
            try StripeProvider().interpretCreation(
                HTTPReply(status: status, body: Array(body.utf8)))
        }
        #expect(throws: ProviderReplyError.refused(providerCode: "parameter_missing")) {
            try create(400, #"{"error":{"code":"parameter_missing"}}"#)
        }
        #expect(throws: ProviderReplyError.unreadable) { try create(200, "{") }
        #expect(throws: ProviderReplyError.unreadable) { try create(502, "") }
        #expect(throws: ProviderReplyError.unauthorized) { try create(401, "{}") }
    }
}
