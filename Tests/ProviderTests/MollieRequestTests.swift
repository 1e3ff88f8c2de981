import CheckoutModel
import Mollie
import ProviderKit
import TestSupport
import Testing

@Suite("URLs and requests of Mollie")
struct MollieRequestTests {
    static let vectors = MollieTests.vectors
    private let test = MollieConfiguration(mode: .test)

    private func money(_ units: Int64, _ code: String = "EUR") -> Money? {
        Currency(code).map { Money(minorUnits: units, currency: $0) }
    }

    @Test(
        "A published checkout URL is recognised as its source says",
        .enabled(if: Vectors.hasUpstream), arguments: PublishedURL.checkouts(of: "mollie"))
    func checkoutURL(_ item: PublishedURL) throws {
        #expect(try MollieProvider().recognise(checkoutURL: item.text) == item.match)
    }

    @Test("Pages that name no payment are known as such")
    func pages() throws {
        let provider = try MollieProvider()
        for (url, match) in [
            (
                "https://www.mollie.com/checkout/select-method/tr_a1",
                .session(id: "tr_a1", mode: .unknown)
            ),
            (
                "https://www.mollie.com/checkout/test-mode?method=ideal&token=3.a1",
                .linkWithoutSession(mode: .test)
            ),
            ("https://payment-links.mollie.com/payment/4Y0e", .linkWithoutSession(mode: .unknown)),
            ("https://www.mollie.com/checkout/select-method/", .notMine),
            ("https://www.mollie.com/en/payments", .notMine),
            ("https://mollie.com/checkout/select-method/a1", .notMine),
        ] as [(String, CheckoutURLMatch)] {
            #expect(provider.recognise(checkoutURL: url) == match, "\(url)")
        }
    }

    @Test("A return is pending, or cancelled at the URL for those who gave up")
    func returns() throws {
        for query in ["", "?status=paid&id=tr_1"] {
            for (landing, status) in [
                (ReturnRequest.Landing.success, CheckoutStatus.pending), (.failure, .pending),
                (.unspecified, .pending), (.cancel, .cancelled),
            ] {
                let claim = try MollieProvider().parseReturn(
                    ReturnRequest(
                        url: try ReturnURL(parsing: "app://back\(query)"), landing: landing))
                #expect(claim.status == status)
                #expect(claim.ids == ProviderIDs())
            }
        }
    }

    private func secrets(_ key: String) throws -> SecretSet {
        try SecretSet([.apiKey: [key]], rules: MollieProvider.descriptor.secretRules)
    }

    private func plan(
        _ configuration: MollieConfiguration, key: String,
        _ target: StatusQueryTarget = .payment("tr_1")
    ) throws -> HTTPRequestPlan {
        try MollieProvider(configuration: configuration).statusRequest(
            for: target, secrets: secrets(key), now: Sender.now, nonce: Nonce(bytes: []))
    }

    @Test("A query is sent with a key of its own mode only")
    func queries() throws {
        let testKey = "test_0123456789abcdef"
        for target in [StatusQueryTarget.session("tr_1"), .payment("tr_1")] {
            let plan = try plan(test, key: testKey, target)
            #expect(plan.url == "https://api.mollie.com/v2/payments/tr_1")
            #expect(plan.headers.first("Authorization") == "Bearer \(testKey)")
        }
        let live = MollieConfiguration(mode: .live)
        #expect { try plan(live, key: testKey) } throws: {
            ($0 as? RequestPlanError)?.code == "malformed_secret"
        }
        #expect { try plan(test, key: "live_0123456789abcdef") } throws: {
            ($0 as? RequestPlanError)?.code == "malformed_secret"
        }
        let token = "access_0123456789abcdef"
        #expect(try plan(test, key: token).url.hasSuffix("/tr_1?testmode=true"))
        #expect(try plan(live, key: token).url.hasSuffix("/tr_1"))
        #expect(throws: RequestPlanError.unsupportedTarget) {
            try plan(test, key: testKey, .merchantReference("order-42"))
        }
    }

    private func report(_ body: String, status: Int = 200) throws -> StatusReport {
        try MollieProvider(configuration: test).interpret(
            HTTPReply(status: status, body: Array(body.utf8)), for: .payment("tr_1"))
    }

    private func payment(_ status: String, mode: String = "test") -> String {
        """
        {"id":"tr_1","mode":"\(mode)","status":"\(status)","metadata":{"order_id":"order-42"},\
        "amount":{"value":"19.99","currency":"EUR"},\
        "amountRefunded":{"value":"19.99","currency":"EUR"}}
        """
    }

    @Test("Each word of a payment is read from an answer; a refund leaves it paid")
    func words() throws {
        for (word, status) in [
            ("open", CheckoutStatus.pending), ("pending", .pending), ("authorized", .pending),
            ("paid", .succeeded), ("failed", .failed), ("canceled", .cancelled),
            ("expired", .expired),
        ] {
            guard case .known(let facts) = try report(payment(word)) else {
                Issue.record("\(word)")
                continue
            }
            #expect(facts.status == status)
            #expect(facts.amount == money(1999))
            #expect(
                facts.ids == ProviderIDs(session: "tr_1", payment: "tr_1", order: "order-42"))
            #expect(facts.mode == .test)
        }
    }

    @Test("A doubtful answer tells nothing, and never that a payment failed")
    func doubts() throws {
        for (body, status, reason) in [
            ("{}", 404, .notFound), ("", 429, .rateLimited), ("", 503, .providerTrouble),
            ("{", 200, .unreadable), ("{}", 200, .unreadable),
            (payment("paid").replacing("tr_1", with: "tr_2"), 200, .otherObject),
            (payment("paid", mode: "live"), 200, .otherObject),
            (payment("invented"), 200, .unknownWord),
            (payment("paid").replacing("\"19.99\"", with: "19.99"), 200, .unreadable),
        ] as [(String, Int, IndeterminateReason)] {
            #expect(
                try report(body, status: status)
                    == .indeterminate(reason, retryAfterSeconds: nil))
        }
    }

    private func creation(
        _ draft: SessionDraft, _ configuration: MollieConfiguration,
        key: String = "test_0123456789abcdef"
    ) throws -> HTTPRequestPlan {
        try MollieProvider(configuration: configuration).createRequest(
            draft, idempotencyKey: try #require(IdempotencyKey(rawValue: "key-1")),
            secrets: secrets(key), now: Sender.now, nonce: Nonce(bytes: []))
    }

    @Test("A payment is asked for in decimals, with an idempotency key")
    func creation() throws {
        var configuration = test
        configuration.webhookURL = "https://shop.example/mollie"
        let plan = try creation(RequestPlanTests.draft, configuration)
        #expect(plan.url == "https://api.mollie.com/v2/payments")
        #expect(plan.isRepeatable)
        #expect(plan.headers.first("Idempotency-Key") == "key-1")
        let body = try JSONValue(json: plan.body)
        #expect(body["amount"]?["value"]?.text == "39.98")
        #expect(body["metadata"]?["order_id"]?.text == "order-42")
        #expect(body["redirectUrl"]?.text == "app://back?x=1#top")
        #expect(body["cancelUrl"]?.text == "app://gave-up")
        #expect(body["webhookUrl"]?.text == "https://shop.example/mollie")
        #expect(body["testmode"] == nil && body["profileId"] == nil)
        let token = "access_0123456789abcdef"
        #expect(throws: RequestPlanError.missingField("profileID")) {
            try creation(RequestPlanTests.draft, test, key: token)
        }
        configuration.profileID = "pfl_1"
        let other = try JSONValue(
            json: try creation(RequestPlanTests.draft, configuration, key: token).body)
        #expect(other["testmode"] == .bool(true))
        #expect(other["profileId"]?.text == "pfl_1")
        var draft = RequestPlanTests.draft
        draft.items[0].unitAmount = money(500, "JPY")
        let yen = try JSONValue(json: try creation(draft, test).body)
        #expect(yen["amount"]?["value"]?.text == "1000")
        draft.items = []
        #expect(throws: RequestPlanError.missingField("items")) { try creation(draft, test) }
    }

    @Test("A created payment carries its id, its page and its end; a refusal its title")
    func created() throws {
        let provider = try MollieProvider(configuration: test)
        let session = try provider.interpretCreation(
            HTTPReply(
                status: 201,
                body: Array(
                    """
                    {"id":"tr_7UhSN1zuXS","mode":"test","expiresAt":"2026-01-01T00:00:00+00:00",\
                    "_links":{"checkout":{"href":\
                    "https://www.mollie.com/checkout/select-method/7UhSN1zuXS"}}}
                    """.utf8)))
        #expect(session.ids.session == "tr_7UhSN1zuXS")
        #expect(session.expiresAt == Instant(seconds: 1_767_225_600))
        #expect(session.mode == .test)
        #expect(
            provider.recognise(checkoutURL: try #require(session.checkoutURL))
                == .session(id: "tr_7UhSN1zuXS", mode: .unknown))
        #expect(throws: ProviderReplyError.refused(providerCode: "Unprocessable Entity")) {
            try provider.interpretCreation(
                HTTPReply(
                    status: 422, body: Array(#"{"title":"Unprocessable Entity"}"#.utf8)))
        }
    }

    @Test("Settings are read by name")
    func settings() throws {
        var settings = ProviderSettings(
            mode: .live,
            [
                JSONMember(name: "profileID", value: .string("pfl_1")),
                JSONMember(name: "webhookURL", value: .string("https://shop.example/")),
                JSONMember(name: "countsPaymentLinks", value: .bool(true)),
                JSONMember(name: "referenceKeys", value: .array([.string("cart")])),
            ])
        #expect(
            MollieConfiguration(settings: &settings)
                == MollieConfiguration(
                    mode: .live, profileID: "pfl_1", webhookURL: "https://shop.example/",
                    countsPaymentLinks: true, referenceKeys: ["cart"]))
        #expect(settings.problems.isEmpty && settings.unknownNames.isEmpty)
    }
}
