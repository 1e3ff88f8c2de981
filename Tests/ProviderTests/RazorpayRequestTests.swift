import CheckoutModel
import ProviderKit
import Razorpay
import TestSupport
import Testing

@Suite("Razorpay's published vectors", .enabled(if: Vectors.hasUpstream))
struct RazorpayVectorTests {
    static let cases = PublishedCase.all(of: "razorpay", schemes: ["hmac_sha256_hex_body"])
    /// The order in which fields are joined is the adapter's, so a variant of that is no case.
    static let returns = PublishedCase.all(of: "razorpay", schemes: ["razorpay_fields"]).filter {
        !$0.id.hasSuffix("order-callback order")
    }

    private func verify(_ item: PublishedCase) -> Result<VerifiedDelivery, any Error> {
        Result {
            let provider = try RazorpayProvider()
            return try DeliveryVerifier(
                provider: provider, secrets: item.secrets(for: provider)
            ).verify(item.delivery, at: Sender.now)
        }
    }

    @Test("All of them are there")
    func count() {
        #expect(Self.cases.count == 5)
        #expect(Self.returns.count == 9)
        #expect(PublishedURL.checkouts(of: "razorpay").count == 14)
        #expect(PublishedURL.returns(of: "razorpay").count == 1)
    }

    @Test("A published delivery gets the verdict of its source", arguments: cases)
    func verdict(_ item: PublishedCase) throws {
        let result = verify(item)
        #expect(result.verdict == item.verdict)
        guard let type = item.expect["event_type"]?.text else { return }
        let event = try #require(try RazorpayProvider().events(in: result.get()).first)
        #expect(event.rawType == type)
        #expect(event.ids.payment == item.expect["payment_id"]?.text)
        let money = try Money(
            try #require(item.expect["amount_minor"]?.integer),
            try #require(item.expect["currency"]?.text))
        #expect(event.kind == .authorized(money))
    }

    @Test("A published return gets the verdict of its source", arguments: returns)
    func returnVerdict(_ item: PublishedCase) throws {
        let pairs = (item.inputs["params"]?.members ?? []).map {
            (name: $0.name, value: $0.value.text ?? "")
        }
        let query = String(decoding: URLSegment.form(pairs), as: UTF8.self)
        let result = Result { () throws -> VerifiedReturn in
            let provider = try RazorpayProvider()
            return try ReturnVerifier(
                provider: provider, secrets: item.secrets(.apiKey, for: provider)
            ).verify(
                ReturnRequest(url: try ReturnURL(parsing: "app://back?\(query)")), at: Sender.now)
        }
        #expect(result.verdict == item.verdict)
        guard let status = item.expect["status"]?.text else { return }
        let claim = try result.get().claim
        #expect(claim.status.name == status)
        #expect(claim.ids.session == item.expect["session_id"]?.text)
        #expect(claim.ids.payment == item.expect["payment_id"]?.text)
    }

    @Test(
        "A published checkout URL is recognised as its source says",
        arguments: PublishedURL.checkouts(of: "razorpay"))
    func checkoutURL(_ item: PublishedURL) throws {
        #expect(try RazorpayProvider().recognise(checkoutURL: item.text) == item.match)
    }

    @Test(
        "A published return URL is read as its source says",
        arguments: PublishedURL.returns(of: "razorpay"))
    func returnURL(_ item: PublishedURL) throws {
        item.check(try RazorpayProvider().parseReturn(item.request()))
    }
}

@Suite("Razorpay's returns")
struct RazorpayReturnTests {
    private func claim(
        _ query: String, signed: String, expecting session: String? = nil
    ) throws -> ReturnClaim {
        let provider = try RazorpayProvider()
        let secrets = try SecretSet(
            [.apiKey: [RazorpaySender.apiSecret]],
            rules: RazorpayProvider.descriptor.secretRules)
        let signature = RazorpaySender.sign(signed, RazorpaySender.apiSecret)
        let url = try ReturnURL(
            parsing: "https://shop.example/back?\(query)&razorpay_signature=\(signature)")
        let verified = try ReturnVerifier(provider: provider, secrets: secrets)
            .verify(ReturnRequest(url: url, expectedSession: session), at: Sender.now)
        #expect(verified.scheme == "razorpay/return")
        return verified.claim
    }

    private func link(_ status: String, reference: String = "42") -> String {
        "razorpay_payment_id=pay_1&razorpay_payment_link_id=plink_1"
            + "&razorpay_payment_link_reference_id=\(reference)"
            + "&razorpay_payment_link_status=\(status)"
    }

    static let words: [(word: String, status: CheckoutStatus)] = [
        ("paid", .succeeded), ("partially_paid", .pending), ("created", .pending),
        ("cancelled", .cancelled), ("expired", .expired), ("invented", .pending),
    ]

    @Test("A signed return of a link is the provider's own word", arguments: words)
    func links(_ row: (word: String, status: CheckoutStatus)) throws {
        let claim = try claim(link(row.word), signed: "plink_1|42|\(row.word)|pay_1")
        #expect(claim.status == row.status)
        #expect(claim.ids == ProviderIDs(session: "plink_1", payment: "pay_1", order: "42"))
    }

    @Test("A reference is signed as a form decodes it, and may be missing")
    func reference() throws {
        let spaced = try claim(
            link("paid", reference: "a+b%7Cc"), signed: "plink_1|a b|c|paid|pay_1")
        #expect(spaced.ids.order == "a b|c")
        let none = try claim(link("paid", reference: ""), signed: "plink_1||paid|pay_1")
        #expect(none.ids.order == nil)
    }

    @Test("Orders and subscriptions come back signed and without a status")
    func others() throws {
        let order = try claim(
            "razorpay_payment_id=pay_1&razorpay_order_id=order_1", signed: "order_1|pay_1")
        #expect(order.status == .pending)
        #expect(order.ids == ProviderIDs(session: "order_1", payment: "pay_1"))
        let subscription = try claim(
            "razorpay_payment_id=pay_1&razorpay_subscription_id=sub_1", signed: "pay_1|sub_1")
        #expect(subscription.status == .pending)
        #expect(subscription.ids == ProviderIDs(payment: "pay_1", subscription: "sub_1"))
    }

    static let refusedReturns: [(query: String, signed: String, error: ReturnRejection)] = [
        // An order's signature in the place of a subscription's.
        (
            "razorpay_payment_id=order_1&razorpay_subscription_id=pay_1", "order_1|pay_1",
            .signatureMismatch
        ),
        (
            "razorpay_payment_id=pay_1%7Cx&razorpay_order_id=order_1", "order_1|pay_1|x",
            .signatureMismatch
        ),
        // Of which kind it is, is not certain.
        (
            "razorpay_payment_id=pay_1&razorpay_order_id=order_1&razorpay_subscription_id=sub_1",
            "order_1|pay_1", .malformed
        ),
        (
            "razorpay_payment_id=pay_1&razorpay_payment_id=pay_1&razorpay_order_id=order_1",
            "order_1|pay_1", .malformed
        ),
        ("razorpay_payment_id=pay_1", "pay_1", .malformed),
        ("razorpay_order_id=order_1", "order_1|", .malformed),
        ("razorpay_payment_id=%FF&razorpay_order_id=order_1", "order_1|", .malformed),
    ]

    @Test("A return that could be read in two ways is refused", arguments: refusedReturns)
    func refused(_ row: (query: String, signed: String, error: ReturnRejection)) throws {
        #expect(throws: row.error) { try claim(row.query, signed: row.signed) }
    }

    @Test("A signed return of another session than the open one is refused")
    func otherSession() throws {
        #expect(throws: ReturnRejection.otherSession) {
            try claim(link("paid"), signed: "plink_1|42|paid|pay_1", expecting: "plink_2")
        }
        _ = try claim(link("paid"), signed: "plink_1|42|paid|pay_1", expecting: "plink_1")
    }
}

@Suite("Razorpay's requests")
struct RazorpayRequestTests {
    private func provider(
        _ checkout: RazorpayConfiguration.Checkout = .paymentLinks
    ) throws -> RazorpayProvider {
        try RazorpayProvider(
            configuration: .init(keyID: "rzp_test_1", mode: .test, checkout: checkout))
    }

    private func secrets() throws -> SecretSet {
        try SecretSet(
            [.apiKey: [RazorpaySender.apiSecret]],
            rules: RazorpayProvider.descriptor.secretRules)
    }

    private func query(
        _ target: StatusQueryTarget, _ provider: RazorpayProvider
    ) throws -> HTTPRequestPlan {
        try provider.statusRequest(
            for: target, secrets: secrets(), now: Sender.now, nonce: Nonce(bytes: []))
    }

    @Test("Links, orders and payments are asked about with the API key's name and secret")
    func queries() throws {
        let base = "https://api.razorpay.com/v1"
        for (target, checkout, path) in [
            (.session("plink_1"), .orders, "payment_links/plink_1"),
            (.session("order_1"), .paymentLinks, "orders/order_1"),
            (.session("x"), .paymentLinks, "payment_links/x"), (.session("x"), .orders, "orders/x"),
            (.order("order_1"), .paymentLinks, "orders/order_1"),
            (.payment("pay_1"), .orders, "payments/pay_1"),
        ] as [(StatusQueryTarget, RazorpayConfiguration.Checkout, String)] {
            let plan = try query(target, provider(checkout))
            #expect(plan.url == "\(base)/\(path)")
            #expect(
                plan.headers.first("Authorization")
                    == "Basic cnpwX3Rlc3RfMTphcGkta2V5LXNlY3JldC1vZi10ZXN0cw==")
        }
        #expect(throws: RequestPlanError.unsupportedTarget) {
            try query(.merchantReference("42"), provider())
        }
        #expect(throws: RequestPlanError.missingField("keyID")) {
            try query(.session("plink_1"), RazorpayProvider())
        }
    }

    static let links: [(word: String, status: CheckoutStatus, units: Int64)] = [
        ("created", .pending, 250_000), ("partially_paid", .pending, 250_000),
        ("paid", .succeeded, 240_000), ("cancelled", .cancelled, 250_000),
        ("expired", .expired, 250_000),
    ]

    @Test("A link stands as its word says", arguments: links)
    func link(_ row: (word: String, status: CheckoutStatus, units: Int64)) throws {
        let facts = try provider().interpret(
            HTTPReply(
                """
                {"id":"plink_1","status":"\(row.word)","reference_id":"42","amount":250000,\
                "amount_paid":240000,"currency":"INR","payments":[\
                {"payment_id":"pay_0","status":"failed"},\
                {"payment_id":"pay_1","status":"captured"}]}
                """), for: .session("plink_1")
        ).known()
        #expect(facts.status == row.status)
        #expect(facts.amount?.minorUnits == row.units)
        #expect(facts.ids == ProviderIDs(session: "plink_1", payment: "pay_1", order: "42"))
        #expect(facts.mode == .test)
    }

    @Test("An order stands as its word says")
    func order() throws {
        for (word, status) in [
            ("created", CheckoutStatus.pending), ("attempted", .pending), ("paid", .succeeded),
        ] {
            let facts = try provider(.orders).interpret(
                HTTPReply(
                    """
                    {"id":"order_1","status":"\(word)","receipt":"42","amount":250000,\
                    "amount_paid":250000,"currency":"INR"}
                    """), for: .session("order_1")
            ).known()
            #expect(facts.status == status)
            #expect(facts.ids == ProviderIDs(session: "order_1", order: "42"))
        }
    }

    static let payments: [(word: String, status: CheckoutStatus)] = [
        ("created", .pending), ("authorized", .pending), ("pending", .pending),
        ("captured", .succeeded), ("refunded", .succeeded), ("failed", .failed),
    ]

    @Test("A payment stands as its word says", arguments: payments)
    func payment(_ row: (word: String, status: CheckoutStatus)) throws {
        let facts = try provider(.orders).interpret(
            HTTPReply(
                """
                {"id":"pay_1","order_id":"order_1","status":"\(row.word)","amount":250000,\
                "currency":"INR","notes":[]}
                """), for: .payment("pay_1")
        ).known()
        #expect(facts.status == row.status)
        #expect(facts.amount == RazorpayWebhookTests.inr)
        #expect(facts.ids == ProviderIDs(session: "order_1", payment: "pay_1"))
    }

    @Test("A doubtful answer tells nothing")
    func doubts() throws {
        for (status, body, reason) in [
            (404, "{}", .notFound), (429, "", .rateLimited), (500, "", .providerTrouble),
            (400, "{}", .unexpectedStatus), (200, "{", .unreadable),
            (200, #"{"id":"x"}"#, .unreadable),
            (200, #"{"id":"y","status":"paid"}"#, .otherObject),
            (200, #"{"id":"x","status":"invented"}"#, .unknownWord),
        ] as [(Int, String, IndeterminateReason)] {
            for target in [StatusQueryTarget.session("x"), .order("x"), .payment("x")] {
                let report = try provider().interpret(
                    HTTPReply(body, status: status), for: target)
                #expect(report == .indeterminate(reason, retryAfterSeconds: nil))
            }
        }
    }

    @Test("A link or an order is asked for over the exact total")
    func creation() throws {
        let key = try #require(IdempotencyKey(rawValue: "key-1"))
        let draft = SessionDraft(
            items: [.init(name: "Tea", quantity: 2, unitAmount: try Money(1999, "INR"))],
            reference: "42", returnURL: "https://shop.example/back", customerEmail: "z@x.example")
        func plan(_ checkout: RazorpayConfiguration.Checkout) throws -> HTTPRequestPlan {
            try provider(checkout).createRequest(
                draft, idempotencyKey: key, secrets: secrets(), now: Sender.now,
                nonce: Nonce(bytes: []))
        }
        let link = try plan(.paymentLinks)
        #expect(link.url == "https://api.razorpay.com/v1/payment_links")
        // No idempotency at Razorpay: sending it twice makes two.
        #expect(!link.isRepeatable)
        let body = try JSONValue(json: link.body)
        #expect(body["amount"]?.integer == 3998)
        #expect(body["currency"]?.text == "INR")
        #expect(body["reference_id"]?.text == "42")
        #expect(body["callback_url"]?.text == "https://shop.example/back")
        #expect(body["callback_method"]?.text == "get")
        #expect(body["customer"]?["email"]?.text == "z@x.example")
        #expect(body["notes"]?["idempotency_key"]?.text == "key-1")
        let order = try JSONValue(json: plan(.orders).body)
        #expect(order["receipt"]?.text == "42")
        #expect(order["callback_url"] == nil)
    }

    @Test("What was made carries its id, its page and its end")
    func created() throws {
        let link = try provider().interpretCreation(
            HTTPReply(
                """
                {"id":"plink_1","short_url":"https://rzp.io/i/A","reference_id":"42",\
                "expire_by":1691097057}
                """))
        #expect(link.ids == ProviderIDs(session: "plink_1", order: "42"))
        #expect(link.checkoutURL == "https://rzp.io/i/A")
        #expect(link.expiresAt == Instant(seconds: 1_691_097_057))
        let order = try provider(.orders).interpretCreation(
            HTTPReply(#"{"id":"order_1","receipt":"42"}"#))
        #expect(order.ids == ProviderIDs(session: "order_1", order: "42"))
        #expect(order.checkoutURL == nil)
        #expect(throws: ProviderReplyError.refused(providerCode: "BAD_REQUEST_ERROR")) {
            try provider().interpretCreation(
                HTTPReply(#"{"error":{"code":"BAD_REQUEST_ERROR"}}"#, status: 400))
        }
    }

    @Test("Settings are read by name, and a key of the other mode is refused")
    func settings() throws {
        var settings = ProviderSettings(
            mode: .test,
            [
                JSONMember(name: "keyID", value: .string("rzp_test_1")),
                JSONMember(name: "accountID", value: .string("acc_1")),
                JSONMember(name: "checkout", value: .string("orders")),
                JSONMember(name: "referenceKeys", value: .array([.string("ref")])),
            ])
        #expect(try RazorpayProvider.configured(by: &settings).account == "acc_1")
        #expect(settings.unknownNames.isEmpty)
        var wrong = ProviderSettings([JSONMember(name: "checkout", value: .string("carts"))])
        #expect(throws: ProviderSettingsError.self) {
            try RazorpayProvider.configured(by: &wrong)
        }
        for configuration in [
            RazorpayConfiguration(keyID: "rzp_live_1", mode: .test), .init(keyID: ""),
            .init(keyID: "a:b"), .init(accountID: ""),
        ] {
            #expect(throws: ProviderConfigurationError.self) {
                try RazorpayProvider(configuration: configuration)
            }
        }
        let page = "https://rzp.io/rzp/A"
        #expect(
            try provider().recognise(checkoutURL: page) == .linkWithoutSession(mode: .test))
    }
}
