import Adyen
import CheckoutModel
import ProviderKit
import TestSupport
import Testing

@Suite("Adyen's published vectors", .enabled(if: Vectors.hasUpstream))
struct AdyenVectorTests {
    static let cases = PublishedCase.all(of: "adyen")

    private func verify(_ item: PublishedCase) -> Result<VerifiedDelivery, any Error> {
        Result {
            let provider = try AdyenProvider()
            var delivery = item.delivery
            if item.scheme == "adyen_item" {
                let body = JSONValue.object([
                    "live": .string("false"),
                    "notificationItems": .array([
                        .object(["NotificationRequestItem": item.inputs["item"]])
                    ]),
                ])
                delivery = WebhookDelivery(headers: [:], body: body.json)
            }
            return try DeliveryVerifier(
                provider: provider, secrets: item.secrets(for: provider)
            ).verify(delivery, at: Sender.now)
        }
    }

    @Test("All of them are there")
    func count() {
        #expect(Self.cases.filter { $0.isAccepted }.count == 10)
        #expect(Self.cases.filter { !$0.isAccepted }.count == 13)
    }

    @Test("A published delivery gets the verdict of its source", arguments: cases)
    func verdict(_ item: PublishedCase) throws {
        let result = verify(item)
        #expect(item.expected.contains(result.verdict))
        guard let type = item.expect["event_type"]?.text else { return }
        let event = try #require(try AdyenProvider().events(in: result.get()).first)
        #expect(event.rawType == type)
        #expect(event.ids.payment == item.expect["payment_id"]?.text)
        let money = try Money(
            try #require(item.expect["amount_minor"]?.integer),
            try #require(item.expect["currency"]?.text))
        #expect(event.kind == .payment(.succeeded, money, failure: nil))
    }

    @Test(
        "A published checkout URL is recognised as its source says",
        arguments: PublishedURL.checkouts(of: "adyen"))
    func checkoutURL(_ item: PublishedURL) throws {
        #expect(try AdyenProvider().recognise(checkoutURL: item.text) == item.match)
    }

    @Test(
        "A published return URL is read as its source says",
        arguments: PublishedURL.returns(of: "adyen"))
    func returnURL(_ item: PublishedURL) throws {
        item.check(try AdyenProvider().parseReturn(item.request()))
    }

    @Test("Published URLs are there")
    func urlCount() {
        #expect(PublishedURL.checkouts(of: "adyen").count == 14)
        #expect(PublishedURL.returns(of: "adyen").count == 2)
    }
}

@Suite("Adyen's URLs and requests")
struct AdyenRequestTests {
    @Test("Only a payment link is a checkout page")
    func pages() throws {
        let provider = try AdyenProvider()
        #expect(
            provider.recognise(checkoutURL: "https://eu.adyen.link/PL1")
                == .session(id: "PL1", mode: .live))
        for url in [
            "https://test.adyen.link/", "https://test.adyen.link/about",
            "https://adyen.link/PL1", "https://test.adyen.link/PL1/more",
        ] {
            #expect(provider.recognise(checkoutURL: url) == .notMine)
        }
    }

    @Test("A return is pending whatever it claims, and about no other session")
    func returns() throws {
        let provider = try AdyenProvider()
        let url = try ReturnURL(
            parsing: "app://back?sessionId=CS1&status=succeeded&resultCode=Authorised")
        for landing in [ReturnRequest.Landing.success, .cancel, .failure, .unspecified] {
            let claim = try provider.parseReturn(ReturnRequest(url: url, landing: landing))
            #expect(claim.status == .pending)
            #expect(claim.ids == ProviderIDs(session: "CS1"))
        }
        #expect(throws: ReturnRejection.otherSession) {
            try provider.parseReturn(ReturnRequest(url: url, expectedSession: "CS2"))
        }
    }

    private func secrets() throws -> SecretSet {
        try SecretSet(
            [.apiKey: ["AQEyhmfxK4Lyadyen"]], rules: AdyenProvider.descriptor.secretRules)
    }

    private func query(
        _ target: StatusQueryTarget, _ configuration: AdyenConfiguration
    ) throws -> HTTPRequestPlan {
        try AdyenProvider(configuration: configuration).statusRequest(
            for: target, secrets: secrets(), now: Sender.now, nonce: Nonce(bytes: []))
    }

    @Test("A payment link is asked about on the host of its mode")
    func query() throws {
        let test = try query(.session("PL1"), .init(mode: .test))
        #expect(test.url == "https://checkout-test.adyen.com/v71/paymentLinks/PL1")
        #expect(test.headers.first("X-API-Key") == "AQEyhmfxK4Lyadyen")
        #expect(!"\(test)".contains("AQEy"))
        let live = try query(.session("PL1"), .init(mode: .live, liveURLPrefix: "1797-Shop"))
        #expect(
            live.url
                == "https://1797-Shop-checkout-live.adyenpayments.com/checkout/v71/paymentLinks/PL1"
        )
        for (target, configuration, error) in [
            (.session("CS1"), .init(mode: .test), .unsupportedTarget),
            (.payment("PSP1"), .init(mode: .test), .unsupportedTarget),
            (.order("42"), .init(mode: .test), .unsupportedTarget),
            (.merchantReference("42"), .init(mode: .test), .unsupportedTarget),
            (.session("PL1"), .init(), .unknownMode),
            (.session("PL1"), .init(mode: .live), .missingField("liveURLPrefix")),
            (.session(".."), .init(mode: .test), .unusableID),
        ] as [(StatusQueryTarget, AdyenConfiguration, RequestPlanError)] {
            #expect(throws: error) { try query(target, configuration) }
        }
    }

    static let words: [(word: String, status: CheckoutStatus)] = [
        ("active", .pending), ("paymentPending", .pending), ("completed", .succeeded),
        ("paid", .succeeded), ("expired", .expired),
    ]

    @Test("A link stands as its word says", arguments: words)
    func answer(_ row: (word: String, status: CheckoutStatus)) throws {
        let provider = try AdyenProvider(configuration: .init(mode: .test))
        let facts = try provider.interpret(
            HTTPReply(
                """
                {"id":"PL1","status":"\(row.word)","reference":"42",\
                "amount":{"value":2500,"currency":"EUR"}}
                """), for: .session("PL1")
        ).known()
        #expect(facts.status == row.status)
        #expect(facts.amount == AdyenWebhookTests.eur)
        #expect(facts.ids == ProviderIDs(session: "PL1", order: "42"))
        #expect(facts.mode == .test)
        #expect(facts.rawStatus == row.word)
    }

    @Test("A doubtful answer tells nothing")
    func doubts() throws {
        let provider = try AdyenProvider(configuration: .init(mode: .test))
        for (status, body, reason) in [
            (404, "{}", .notFound), (429, "", .rateLimited), (500, "", .providerTrouble),
            (200, "{", .unreadable), (200, #"{"id":"PL1"}"#, .unreadable),
            (200, #"{"id":"PL2","status":"paid"}"#, .otherObject),
            (200, #"{"id":"PL1","status":"invented"}"#, .unknownWord),
            (
                200, #"{"id":"PL1","status":"paid","amount":{"value":1.5,"currency":"EUR"}}"#,
                .unreadable
            ),
        ] as [(Int, String, IndeterminateReason)] {
            let report = try provider.interpret(
                HTTPReply(body, status: status), for: .session("PL1"))
            #expect(report == .indeterminate(reason, retryAfterSeconds: nil))
        }
        #expect(throws: ProviderReplyError.unauthorized) {
            try provider.interpret(HTTPReply("{}", status: 401), for: .session("PL1"))
        }
    }

    @Test("A payment link is asked for once, over the exact total")
    func creation() throws {
        let provider = try AdyenProvider(
            configuration: .init(merchantAccount: "Shop", mode: .test))
        let key = try #require(IdempotencyKey(rawValue: "key-1"))
        let draft = SessionDraft(
            items: [.init(name: "Tea", quantity: 2, unitAmount: try Money(1999, "ISK"))],
            reference: "42", returnURL: "https://shop.example/back", customerEmail: "zoe@x.example")
        let plan = try provider.createRequest(
            draft, idempotencyKey: key, secrets: secrets(), now: Sender.now,
            nonce: Nonce(bytes: []))
        #expect(plan.method == "POST")
        #expect(plan.url == "https://checkout-test.adyen.com/v71/paymentLinks")
        #expect(plan.headers.first("Idempotency-Key") == "key-1")
        #expect(plan.isRepeatable)
        let body = try JSONValue(json: plan.body)
        // Adyen counts hundredths of a króna.
        #expect(body["amount"]?["value"]?.integer == 399_800)
        #expect(body["amount"]?["currency"]?.text == "ISK")
        #expect(body["merchantAccount"]?.text == "Shop")
        #expect(body["reference"]?.text == "42")
        #expect(body["returnUrl"]?.text == "https://shop.example/back")
        #expect(body["shopperEmail"]?.text == "zoe@x.example")
        let made = try provider.interpretCreation(
            HTTPReply(
                """
                {"id":"PL1","url":"https://test.adyen.link/PL1","reference":"42",\
                "expiresAt":"2026-12-18T10:15:30+01:00"}
                """, status: 201))
        #expect(made.ids == ProviderIDs(session: "PL1", order: "42"))
        #expect(made.checkoutURL == "https://test.adyen.link/PL1")
        #expect(made.expiresAt == (try? Instant(iso8601: "2026-12-18T09:15:30Z")))
        #expect(made.mode == .test)
        #expect(throws: RequestPlanError.missingField("merchantAccount")) {
            try AdyenProvider().createRequest(
                draft, idempotencyKey: key, secrets: secrets(), now: Sender.now,
                nonce: Nonce(bytes: []))
        }
    }

    @Test("Settings are read by name, and wrong ones are refused")
    func settings() throws {
        var settings = ProviderSettings(
            mode: .live,
            [
                JSONMember(name: "merchantAccount", value: .string("Shop")),
                JSONMember(name: "liveURLPrefix", value: .string("1797-Shop")),
                JSONMember(name: "capturesManually", value: .bool(true)),
            ])
        let provider = try AdyenProvider.configured(by: &settings)
        #expect(provider.account == "Shop")
        #expect(settings.unknownNames.isEmpty)
        #expect(settings.knownNames == ["capturesManually", "liveURLPrefix", "merchantAccount"])
        for configuration in [
            AdyenConfiguration(merchantAccount: ""), .init(liveURLPrefix: "evil.example/"),
            .init(liveURLPrefix: ""),
        ] {
            #expect(throws: ProviderConfigurationError.self) {
                try AdyenProvider(configuration: configuration)
            }
        }
    }
}
