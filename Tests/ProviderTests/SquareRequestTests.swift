import CheckoutModel
import ProviderKit
import Square
import TestSupport
import Testing

@Suite("Square's published vectors", .enabled(if: Vectors.hasUpstream))
struct SquareVectorTests {
    static let cases = PublishedCase.all(of: "square")

    private func verify(_ item: PublishedCase) -> Result<VerifiedDelivery, any Error> {
        Result {
            let provider = try SquareProvider(
                configuration: .init(notificationURL: item.inputs["notification_url"]?.text))
            return try DeliveryVerifier(
                provider: provider, secrets: item.secrets(for: provider)
            ).verify(item.delivery, at: Sender.now)
        }
    }

    @Test("All of them are there")
    func count() {
        #expect(Self.cases.filter { $0.isAccepted }.count == 2)
        #expect(Self.cases.filter { !$0.isAccepted }.count == 10)
    }

    /// What is wrong with the configuration is found before any delivery comes.
    private func wanted(_ item: PublishedCase) -> String {
        guard item.verdict == "misconfigured" else { return item.verdict }
        return item.inputs["secret"]?.text == "" ? "malformed_secret" : "invalid_configuration"
    }

    @Test("A published delivery gets the verdict of its source", arguments: cases)
    func verdict(_ item: PublishedCase) throws {
        let result = verify(item)
        #expect(result.verdict == wanted(item))
        guard let type = item.expect["event_type"]?.text else { return }
        let event = try #require(try SquareProvider().events(in: result.get()).first)
        #expect(event.rawType == type)
        #expect(event.kind == .ignored)
        #expect(event.key.rawValue == item.expect["event_id"]?.text)
    }

    @Test(
        "A published checkout URL is recognised as its source says",
        arguments: PublishedURL.checkouts(of: "square"))
    func checkoutURL(_ item: PublishedURL) throws {
        #expect(try SquareProvider().recognise(checkoutURL: item.text) == item.match)
    }

    @Test(
        "A published return URL is read as its source says",
        arguments: PublishedURL.returns(of: "square"))
    func returnURL(_ item: PublishedURL) throws {
        item.check(try SquareProvider().parseReturn(item.request()))
    }

    @Test("Published URLs are there")
    func urlCount() {
        #expect(PublishedURL.checkouts(of: "square").count == 16)
        #expect(PublishedURL.returns(of: "square").count == 1)
    }
}

@Suite("Square's URLs and requests")
struct SquareRequestTests {
    @Test("A page of Square's is a link without a session")
    func pages() throws {
        let provider = try SquareProvider()
        #expect(
            provider.recognise(
                checkoutURL: "https://checkout.square.site/merchant/ML1/checkout/ABC?x=1")
                == .linkWithoutSession(mode: .live))
        for url in [
            "https://square.link/", "https://square.link/u/", "https://square.link/u/a/b",
            "https://checkout.square.site/merchant/ML1/checkout/",
            "https://checkout.square.site/merchant/ML1/other/ABC",
            "https://checkout.square.site/a/../b", "https://square.site/ABC",
            "http://square.link/u/ABC",
        ] {
            #expect(provider.recognise(checkoutURL: url) == .notMine)
        }
    }

    @Test("A return is pending whatever it claims, and about no other session")
    func returns() throws {
        let provider = try SquareProvider()
        let url = try ReturnURL(
            parsing: "app://back?orderId=o1&referenceId=42&transactionId=t1&status=COMPLETED")
        for landing in [ReturnRequest.Landing.success, .cancel, .failure, .unspecified] {
            let claim = try provider.parseReturn(ReturnRequest(url: url, landing: landing))
            #expect(claim.status == .pending)
            #expect(claim.ids == ProviderIDs(session: "o1", payment: "t1", order: "42"))
        }
        #expect(throws: ReturnRejection.otherSession) {
            try provider.parseReturn(ReturnRequest(url: url, expectedSession: "o2"))
        }
    }

    private func provider(_ mode: ProviderMode = .test) throws -> SquareProvider {
        try SquareProvider(configuration: .init(locationID: "L1", mode: mode))
    }

    private func secrets() throws -> SecretSet {
        try SecretSet(
            [.apiKey: ["EAAA-access-token"]], rules: SquareProvider.descriptor.secretRules)
    }

    private func query(
        _ target: StatusQueryTarget, _ mode: ProviderMode = .test
    ) throws -> HTTPRequestPlan {
        try provider(mode).statusRequest(
            for: target, secrets: secrets(), now: Sender.now, nonce: Nonce(bytes: []))
    }

    @Test("Orders and payments are asked about on the host of their mode")
    func queries() throws {
        for (target, mode, url) in [
            (.session("o1"), .test, "https://connect.squareupsandbox.com/v2/orders/o1"),
            (.order("o1"), .live, "https://connect.squareup.com/v2/orders/o1"),
            (.payment("p1"), .live, "https://connect.squareup.com/v2/payments/p1"),
        ] as [(StatusQueryTarget, ProviderMode, String)] {
            let plan = try query(target, mode)
            #expect(plan.url == url)
            #expect(plan.headers.first("Authorization") == "Bearer EAAA-access-token")
            #expect(plan.isRepeatable)
        }
        #expect(throws: RequestPlanError.unsupportedTarget) { try query(.merchantReference("42")) }
        #expect(throws: RequestPlanError.unknownMode) { try query(.session("o1"), .unknown) }
        #expect(throws: RequestPlanError.unusableID) { try query(.session("")) }
    }

    static let orders: [(state: String, due: Int, card: String, status: CheckoutStatus)] = [
        ("DRAFT", 2500, "", .pending), ("OPEN", 2500, "CAPTURED", .pending),
        ("OPEN", 0, "CAPTURED", .succeeded), ("OPEN", 0, "AUTHORIZED", .pending),
        ("OPEN", 0, "", .pending), ("COMPLETED", 0, "CAPTURED", .succeeded),
        ("CANCELED", 0, "", .cancelled),
    ]

    @Test("An order is paid when nothing is due and its cards were charged", arguments: orders)
    func order(_ row: (state: String, due: Int, card: String, status: CheckoutStatus)) throws {
        let facts = try provider().interpret(
            HTTPReply(
                """
                {"order":{"id":"o1","state":"\(row.state)","reference_id":"42",\
                "customer_id":"c1","total_money":{"amount":2800,"currency":"USD"},\
                "total_tip_money":{"amount":300,"currency":"USD"},\
                "net_amount_due_money":{"amount":\(row.due),"currency":"USD"},\
                "tenders":[{"payment_id":"p1","type":"CARD",\
                "card_details":{"status":"\(row.card)"}}]}}
                """), for: .session("o1")
        ).known()
        #expect(facts.status == row.status)
        #expect(facts.amount == SquareWebhookTests.usd)
        #expect(
            facts.ids
                == ProviderIDs(session: "o1", payment: "p1", order: "42", customer: "c1"))
        #expect(facts.mode == .test)
        #expect(facts.rawStatus == row.state)
    }

    @Test("An open order without anything paid on it is pending")
    func unpaidOrder() throws {
        for more in ["", #","tenders":[]"#, #","tenders":[{"type":"WALLET"}]"#] {
            let facts = try provider().interpret(
                HTTPReply(
                    """
                    {"order":{"id":"o1","state":"OPEN",\
                    "total_money":{"amount":1,"currency":"USD"},\
                    "net_amount_due_money":{"amount":0,"currency":"USD"}\(more)}}
                    """), for: .order("o1")
            ).known()
            #expect(facts.status == .pending)
        }
    }

    static let payments: [(word: String, status: CheckoutStatus)] = [
        ("COMPLETED", .succeeded), ("APPROVED", .pending), ("PENDING", .pending),
        ("CANCELED", .cancelled), ("FAILED", .failed),
    ]

    @Test("A payment stands as its word says", arguments: payments)
    func payment(_ row: (word: String, status: CheckoutStatus)) throws {
        let facts = try provider().interpret(
            HTTPReply(
                """
                {"payment":{"id":"p1","order_id":"o1","status":"\(row.word)",\
                "amount_money":{"amount":2500,"currency":"USD"}}}
                """), for: .payment("p1")
        ).known()
        #expect(facts.status == row.status)
        #expect(facts.amount == SquareWebhookTests.usd)
        #expect(facts.ids == ProviderIDs(session: "o1", payment: "p1"))
    }

    @Test("A doubtful answer tells nothing")
    func doubts() throws {
        for (status, body, reason) in [
            (404, "{}", .notFound), (429, "", .rateLimited), (500, "", .providerTrouble),
            (200, "{", .unreadable), (200, "{}", .unreadable),
            (200, #"{"order":{"id":"x"},"payment":{"id":"x"}}"#, .unreadable),
            (200, #"{"order":{"id":"y"},"payment":{"id":"y"}}"#, .otherObject),
            (
                200, #"{"order":{"id":"x","state":"NEW"},"payment":{"id":"x","status":"NEW"}}"#,
                .unknownWord
            ),
        ] as [(Int, String, IndeterminateReason)] {
            for target in [StatusQueryTarget.session("x"), .payment("x")] {
                let report = try provider().interpret(
                    HTTPReply(body, status: status), for: target)
                #expect(report == .indeterminate(reason, retryAfterSeconds: nil))
            }
        }
    }

    private func creation(_ draft: SessionDraft) throws -> HTTPRequestPlan {
        let key = try #require(IdempotencyKey(rawValue: String(repeating: "k", count: 193)))
        return try provider().createRequest(
            draft, idempotencyKey: key, secrets: secrets(), now: Sender.now,
            nonce: Nonce(bytes: []))
    }

    @Test("A payment link is asked for with an order of exact lines, once")
    func creation() throws {
        let plan = try creation(
            SessionDraft(
                items: [
                    .init(name: "Tea", quantity: 2, unitAmount: try Money(500, "JPY")),
                    .init(productID: "VAR1"),
                ], reference: "42", returnURL: "https://shop.example/back",
                customerEmail: "zoe@x.example"))
        #expect(plan.url == "https://connect.squareupsandbox.com/v2/online-checkout/payment-links")
        #expect(plan.isRepeatable)
        let body = try JSONValue(json: plan.body)
        // 193 characters are one too many: the key is sent as its hash.
        #expect(body["idempotency_key"]?.text?.utf8.count == 64)
        let order = try #require(body["order"])
        #expect(order["location_id"]?.text == "L1")
        #expect(order["reference_id"]?.text == "42")
        let lines = try #require(order["line_items"]?.elements)
        #expect(lines[0]["name"]?.text == "Tea")
        #expect(lines[0]["quantity"]?.text == "2")
        #expect(lines[0]["base_price_money"]?["amount"]?.integer == 500)
        #expect(lines[0]["base_price_money"]?["currency"]?.text == "JPY")
        #expect(lines[1]["catalog_object_id"]?.text == "VAR1")
        #expect(body["checkout_options"]?["redirect_url"]?.text == "https://shop.example/back")
        #expect(body["pre_populated_data"]?["buyer_email"]?.text == "zoe@x.example")
    }

    @Test("A draft that cannot be sold is refused before anything is sent")
    func badDrafts() throws {
        for (items, error) in [
            ([], .missingField("items")), ([.init(name: "Tea")], .missingField("unitAmount")),
            ([.init(unitAmount: try Money(1, "USD"))], .missingField("name")),
            ([.init(name: "Tea", quantity: 0)], .missingField("quantity")),
            ([.init(name: "Tea", unitAmount: try Money(-1, "USD"))], .unusableAmount),
        ] as [([SessionDraft.Item], RequestPlanError)] {
            #expect(throws: error) {
                try creation(SessionDraft(items: items, reference: "42", returnURL: ""))
            }
        }
        let key = try #require(IdempotencyKey(rawValue: "k"))
        #expect(throws: RequestPlanError.missingField("locationID")) {
            try SquareProvider(configuration: .init(mode: .test)).createRequest(
                SessionDraft(items: [], reference: "42", returnURL: ""), idempotencyKey: key,
                secrets: secrets(), now: Sender.now, nonce: Nonce(bytes: []))
        }
    }

    @Test("A created link is named by its order; a refusal tells Square's first code")
    func created() throws {
        let made = try provider().interpretCreation(
            HTTPReply(
                """
                {"payment_link":{"id":"PL1","order_id":"o1","url":"https://square.link/u/A"},\
                "related_resources":{"orders":[{"id":"o1","reference_id":"42"}]}}
                """))
        #expect(made.ids == ProviderIDs(session: "o1", order: "42"))
        #expect(made.checkoutURL == "https://square.link/u/A")
        #expect(throws: ProviderReplyError.refused(providerCode: "BAD_REQUEST")) {
            try provider().interpretCreation(
                HTTPReply(#"{"errors":[{"code":"BAD_REQUEST"}]}"#, status: 400))
        }
        #expect(throws: ProviderReplyError.unreadable) {
            try provider().interpretCreation(HTTPReply(#"{"payment_link":{}}"#))
        }
    }

    @Test("Settings are read by name, and empty ones are refused")
    func settings() throws {
        var settings = ProviderSettings(
            mode: .live,
            [
                JSONMember(name: "merchantID", value: .string("ML1")),
                JSONMember(name: "locationID", value: .string("L1")),
                JSONMember(name: "notificationURL", value: .string("https://x.example/")),
            ])
        #expect(try SquareProvider.configured(by: &settings).account == "ML1")
        #expect(settings.unknownNames.isEmpty)
        for configuration in [
            SquareConfiguration(merchantID: ""), .init(locationID: ""),
            .init(notificationURL: ""),
        ] {
            #expect(throws: ProviderConfigurationError.self) {
                try SquareProvider(configuration: configuration)
            }
        }
    }
}
