import CheckoutModel
import Cryptography
import GoCardless
import ProviderKit
import TestSupport
import Testing

@Suite("GoCardless")
struct GoCardlessTests {
    static let secret = "signing-secret-1"
    static let vectors = PublishedCase.all(of: "gocardless")
    static let test = GoCardlessConfiguration(mode: .test)

    private func verify(
        _ delivery: WebhookDelivery, secret: String = secret
    ) throws -> VerifiedDelivery {
        try DeliveryVerifier(
            provider: GoCardlessProvider(configuration: Self.test),
            secrets: SecretSet(
                [.webhook: [secret]], rules: GoCardlessProvider.descriptor.secretRules)
        ).verify(delivery, at: Sender.now)
    }

    private func verified(_ body: String) throws -> VerifiedDelivery {
        let code = HMACKey(sha256: Array(Self.secret.utf8)).authenticate(Array(body.utf8))
        return try verify(
            WebhookDelivery(
                headers: ["Webhook-Signature": Hex.encode(code)], body: Array(body.utf8)))
    }

    private func reading(
        _ body: String, _ configuration: GoCardlessConfiguration = test
    ) throws -> DeliveryReading {
        try GoCardlessProvider(configuration: configuration).reading(of: verified(body))
    }

    private func item(
        _ type: String, _ action: String, links: String, details: String = "{}",
        id: String = "EV1"
    ) -> String {
        """
        {"id":"\(id)","created_at":"2026-01-01T00:00:00.000Z","resource_type":"\(type)",\
        "action":"\(action)","links":\(links),"details":\(details),\
        "resource_metadata":{"order_id":"order-42"}}
        """
    }

    private func event(
        _ type: String, _ action: String, links: String, details: String = "{}"
    ) throws -> ProviderEvent {
        let reading = try reading(
            "{\"events\":[\(item(type, action, links: links, details: details))]}")
        return try #require(reading.events.first, "\(reading)")
    }

    // MARK: - Deliveries

    @Test(
        "A published delivery gets the verdict of its source, and each event its own id",
        .enabled(if: Vectors.hasUpstream), arguments: vectors)
    func published(_ item: PublishedCase) throws {
        let secret = try #require(item.inputs["secret"]?.text)
        let result = Result { try verify(item.delivery, secret: secret) }
        #expect(item.expected.contains(result.verdict))
        guard let verified = try? result.get() else { return }
        let events = try GoCardlessProvider().reading(of: verified).events
        #expect(events.map(\.key.rawValue) == ["EV00BD05S5VM2T", "EV00BD05TB8K63"])
        #expect(events.map(\.kind) == [.subscription(.pending), .ignored])
        #expect(events.map(\.rawType) == ["subscriptions.created", "mandates.created"])
    }

    @Test("All published deliveries and URLs are there", .enabled(if: Vectors.hasUpstream))
    func count() {
        #expect(Self.vectors.count == 2)
        #expect(PublishedURL.checkouts(of: "gocardless").count == 14)
        #expect(PublishedURL.returns(of: "gocardless").isEmpty)
    }

    static let payments: [(action: String, kind: ProviderEvent.Kind)] = [
        ("created", .payment(.pending, nil, failure: nil)),
        ("customer_approval_granted", .payment(.pending, nil, failure: nil)),
        ("submitted", .payment(.pending, nil, failure: nil)),
        ("resubmission_requested", .payment(.pending, nil, failure: nil)),
        ("customer_approval_denied", .payment(.failed, nil, failure: "some_cause")),
        ("confirmed", .payment(.succeeded, nil, failure: nil)),
        ("paid_out", .payment(.succeeded, nil, failure: nil)),
        ("failed", .payment(.failed, nil, failure: "some_cause")),
        ("cancelled", .payment(.cancelled, nil, failure: nil)),
        ("charged_back", .dispute(.lost, nil)),
        ("chargeback_settled", .dispute(.lost, nil)),
        ("chargeback_cancelled", .dispute(.won, nil)),
        ("late_failure_settled", .dispute(.lost, nil)),
        ("surcharge_fee_debited", .ignored),
        ("invented_later", .ignored),
    ]

    @Test("A payment stands as its event says, without an amount", arguments: payments)
    func payment(_ item: (action: String, kind: ProviderEvent.Kind)) throws {
        let event = try event(
            "payments", item.action, links: #"{"payment":"PM1","subscription":"SB1"}"#,
            details: #"{"cause":"some_cause","will_attempt_retry":false}"#)
        #expect(event.kind == item.kind)
        #expect(event.ids.payment == "PM1")
        #expect(event.ids.subscription == "SB1")
        #expect(event.ids.order == "order-42")
        if case .dispute = item.kind { #expect(event.ids.dispute == "PM1") }
        #expect(event.rawType == "payments.\(item.action)")
        #expect(event.mode == .test)
        #expect(event.occurredAt == Instant(seconds: 1_767_225_600))
    }

    @Test("A failed payment that is tried again has not failed")
    func retried() throws {
        let event = try event(
            "payments", "failed", links: #"{"payment":"PM1"}"#,
            details: #"{"cause":"insufficient_funds","will_attempt_retry":true}"#)
        #expect(event.kind == .payment(.pending, nil, failure: "insufficient_funds"))
    }

    @Test("Refunds, billing requests and subscriptions stand as their events say")
    func others() throws {
        for (type, action, kind) in [
            ("refunds", "created", .refund(.pending, nil)),
            ("refunds", "paid", .refund(.succeeded, nil)),
            ("refunds", "refund_settled", .refund(.succeeded, nil)),
            ("refunds", "failed", .refund(.failed, nil)),
            ("refunds", "funds_returned", .refund(.reversed, nil)),
            ("billing_requests", "fulfilled", .payment(.pending, nil, failure: nil)),
            ("billing_requests", "cancelled", .payment(.cancelled, nil, failure: nil)),
            ("billing_requests", "failed", .payment(.failed, nil, failure: "some_cause")),
            ("billing_requests", "flow_exited", .ignored),
            ("subscriptions", "created", .subscription(.pending)),
            ("subscriptions", "customer_approval_granted", .subscription(.active)),
            ("subscriptions", "customer_approval_denied", .subscription(.failed)),
            ("subscriptions", "paused", .subscription(.paused)),
            ("subscriptions", "resumed", .subscription(.active)),
            ("subscriptions", "cancelled", .subscription(.cancelled)),
            ("subscriptions", "finished", .subscription(.expired)),
            ("subscriptions", "payment_created", .ignored),
            ("mandates", "cancelled", .ignored), ("payouts", "paid", .ignored),
        ] as [(String, String, ProviderEvent.Kind)] {
            let event = try event(
                type, action,
                links: """
                    {"refund":"RF1","payment_request_payment":"PM1","billing_request":"BRQ1",\
                    "subscription":"SB1","customer":"CU1"}
                    """, details: #"{"cause":"some_cause"}"#)
            #expect(event.kind == kind, "\(type).\(action)")
            #expect(
                event.ids
                    == ProviderIDs(
                        session: "BRQ1", payment: "PM1", refund: "RF1", subscription: "SB1",
                        order: "order-42", customer: "CU1"))
        }
    }

    @Test("A list is read whole or set aside whole")
    func lists() throws {
        let good = item("payments", "confirmed", links: #"{"payment":"PM1"}"#)
        let other = item("payments", "confirmed", links: #"{"payment":"PM2"}"#, id: "EV2")
        #expect(
            try reading("{\"events\":[\(good),\(other)]}").events.map(\.ids.payment) == [
                "PM1", "PM2",
            ])
        #expect(try reading(#"{"events":[]}"#) == .understood([]))
        for (body, error) in [
            ("{}", WebhookDecodingError(.missingField, field: "events")),
            (#"{"events":{}}"#, WebhookDecodingError(.missingField, field: "events")),
            ("{\"events\":[\(good),7]}", WebhookDecodingError(.unexpectedType, field: "events")),
            (
                "{\"events\":[\(good),{}]}",
                WebhookDecodingError(.missingField, field: "events.id")
            ),
            (
                "{\"events\":[\(item("payments", "confirmed", links: "{}"))]}",
                WebhookDecodingError(.missingField, field: "events.links")
            ),
            ("[]", WebhookDecodingError(.malformedBody)),
        ] {
            #expect(try reading(body) == .unreadable(error), "\(body)")
        }
    }

    @Test("Another organisation's events are set aside")
    func foreignAccount() throws {
        let body = """
            {"events":[\(item(
                "payments", "confirmed", links: #"{"payment":"PM1","organisation":"OR1"}"#))]}
            """
        let ours = GoCardlessConfiguration(organisationID: "OR1")
        #expect(try reading(body, ours).events.count == 1)
        guard
            case .foreignAccount = try reading(body, GoCardlessConfiguration(organisationID: "OR2"))
        else {
            Issue.record("not set aside")
            return
        }
    }

    @Test("A delivery is named by its own id, or by its hash; a bad signature is answered 498")
    func identity() throws {
        let provider = try GoCardlessProvider(configuration: Self.test)
        let named = provider.identity(
            of: try verified(#"{"events":[],"meta":{"webhook_id":"WB1"}}"#))
        #expect(named.id == "WB1" && named.mode == .test)
        #expect(try verified("{}").scheme == "gocardless/sha256")
        #expect(provider.identity(of: try verified("{}")).id.hasPrefix("sha256:"))
        for (outcome, status) in [
            (.recorded, 204), (.duplicate, 204), (.ignored, 204), (.quarantined, 204),
            (.rejected(.signatureMismatch), 498), (.rejected(.missingHeader("x")), 498),
            (.rejected(.bodyTooLarge), 413), (.temporarilyUnavailable, 503),
        ] as [(WebhookOutcome, Int)] {
            #expect(provider.acknowledgement(for: outcome).status == status)
        }
    }

    // MARK: - URLs

    @Test(
        "A published checkout URL is recognised as its source says",
        .enabled(if: Vectors.hasUpstream), arguments: PublishedURL.checkouts(of: "gocardless"))
    func checkoutURL(_ item: PublishedURL) throws {
        #expect(try GoCardlessProvider().recognise(checkoutURL: item.text) == item.match)
    }

    @Test("A page names its flow, which is no checkout; the host says live or test")
    func pages() throws {
        let provider = try GoCardlessProvider()
        for (url, match) in [
            (
                "https://pay-sandbox.gocardless.com/billing/static/flow?id=BRF1",
                .linkWithoutSession(mode: .test)
            ),
            ("https://pay.gocardless.com/obauth/BAU1", .linkWithoutSession(mode: .live)),
            ("https://pay.gocardless.com/billing/static/flow", .notMine),
            ("https://pay.gocardless.com/AL0001", .notMine),
            ("https://gocardless.com/flow/RE123", .notMine),
        ] as [(String, CheckoutURLMatch)] {
            #expect(provider.recognise(checkoutURL: url) == match, "\(url)")
        }
    }

    @Test("A return is pending, or cancelled at the URL for those who gave up")
    func returns() throws {
        let url = try ReturnURL(parsing: "app://back?outcome=success&billing_request_id=BRQ1")
        for (landing, status) in [
            (ReturnRequest.Landing.success, CheckoutStatus.pending), (.failure, .pending),
            (.unspecified, .pending), (.cancel, .cancelled),
        ] {
            let claim = try GoCardlessProvider().parseReturn(
                ReturnRequest(url: url, landing: landing))
            #expect(claim.status == status)
            #expect(claim.ids == ProviderIDs())
        }
    }

    // MARK: - Queries

    private func plan(
        _ target: StatusQueryTarget, _ mode: ProviderMode, key: String = "0123456789abcdef"
    ) throws -> HTTPRequestPlan {
        try GoCardlessProvider(configuration: .init(mode: mode)).statusRequest(
            for: target,
            secrets: SecretSet(
                [.apiKey: [key]], rules: GoCardlessProvider.descriptor.secretRules),
            now: Sender.now, nonce: Nonce(bytes: []))
    }

    @Test("A query goes to the host of its mode, with a key of its mode")
    func queries() throws {
        let live = try plan(.payment("PM1"), .live)
        #expect(live.url == "https://api.gocardless.com/payments/PM1")
        #expect(live.headers.first("GoCardless-Version") == "2015-07-06")
        #expect(live.headers.first("Authorization") == "Bearer 0123456789abcdef")
        #expect(
            try plan(.session("BRQ1"), .test).url
                == "https://api-sandbox.gocardless.com/billing_requests/BRQ1")
        #expect(throws: RequestPlanError.unknownMode) { try plan(.payment("PM1"), .unknown) }
        #expect(throws: RequestPlanError.unsupportedTarget) { try plan(.order("x"), .live) }
        for (mode, key) in [
            (ProviderMode.live, "sandbox_0123456789abcdef"), (.test, "live_0123456789abcdef"),
        ] {
            #expect { try plan(.payment("PM1"), mode, key: key) } throws: {
                ($0 as? RequestPlanError)?.code == "malformed_secret"
            }
        }
    }

    private func report(
        _ target: StatusQueryTarget, _ body: String, status: Int = 200
    ) throws -> StatusReport {
        try GoCardlessProvider(configuration: Self.test).interpret(
            HTTPReply(status: status, body: Array(body.utf8)), for: target)
    }

    private func payment(_ word: String, amount: String = "1999") -> String {
        """
        {"payments":{"id":"PM1","status":"\(word)","amount":\(amount),"currency":"GBP",\
        "links":{"subscription":"SB1"},"metadata":{"order_id":"order-42"}}}
        """
    }

    @Test("Each word of a payment and of a billing request is read from an answer")
    func words() throws {
        let pounds = Currency("GBP").map { Money(minorUnits: 1999, currency: $0) }
        for (word, status) in [
            ("pending_customer_approval", CheckoutStatus.pending), ("pending_submission", .pending),
            ("submitted", .pending), ("confirmed", .succeeded), ("paid_out", .succeeded),
            ("charged_back", .succeeded), ("cancelled", .cancelled),
            ("customer_approval_denied", .failed), ("failed", .failed),
        ] {
            guard case .known(let facts) = try report(.payment("PM1"), payment(word)) else {
                Issue.record("\(word)")
                continue
            }
            #expect(facts.status == status)
            #expect(facts.amount == pounds)
            #expect(
                facts.ids == ProviderIDs(payment: "PM1", subscription: "SB1", order: "order-42"))
            #expect(facts.mode == .test)
        }
        for (word, status) in [
            ("pending", CheckoutStatus.pending), ("ready_to_fulfil", .pending),
            ("fulfilling", .pending), ("fulfilled", .pending), ("cancelled", .cancelled),
        ] {
            guard
                case .known(let facts) = try report(
                    .session("BRQ1"),
                    """
                    {"billing_requests":{"id":"BRQ1","status":"\(word)",\
                    "payment_request":{"amount":1999,"currency":"GBP"},\
                    "links":{"payment_request_payment":"PM1","customer":"CU1"}}}
                    """)
            else {
                Issue.record("\(word)")
                continue
            }
            #expect(facts.status == status)
            #expect(facts.amount == pounds)
            #expect(facts.ids == ProviderIDs(session: "BRQ1", payment: "PM1", customer: "CU1"))
        }
    }

    @Test("A doubtful answer tells nothing, and never that a payment failed")
    func doubts() throws {
        for (body, status, reason) in [
            ("{}", 404, .notFound), ("", 429, .rateLimited), ("", 500, .providerTrouble),
            ("{", 200, .unreadable), ("{}", 200, .unreadable),
            (#"{"payments":[]}"#, 200, .unreadable),
            (payment("confirmed").replacing("PM1", with: "PM2"), 200, .otherObject),
            (payment("invented_later"), 200, .unknownWord),
            (payment("confirmed", amount: "19.99"), 200, .unreadable),
            (payment("confirmed", amount: "\"1999\""), 200, .unreadable),
        ] as [(String, Int, IndeterminateReason)] {
            #expect(
                try report(.payment("PM1"), body, status: status)
                    == .indeterminate(reason, retryAfterSeconds: nil), "\(body)")
        }
    }

    @Test("Settings are read by name")
    func settings() throws {
        var settings = ProviderSettings(
            mode: .live,
            [
                JSONMember(name: "organisationID", value: .string("OR1")),
                JSONMember(name: "referenceKeys", value: .array([.string("cart")])),
            ])
        #expect(
            GoCardlessConfiguration(settings: &settings)
                == GoCardlessConfiguration(
                    mode: .live, organisationID: "OR1", referenceKeys: ["cart"]))
        #expect(settings.problems.isEmpty && settings.unknownNames.isEmpty)
        #expect(throws: ProviderConfigurationError.self) {
            try GoCardlessProvider(configuration: .init(organisationID: ""))
        }
    }
}
