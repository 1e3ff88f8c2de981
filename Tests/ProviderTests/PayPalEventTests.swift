import CheckoutModel
import PayPal
import ProviderKit
import TestSupport
import Testing

@Suite("Events, returns and requests of PayPal")
struct PayPalEventTests {
    private func event(
        _ type: String, _ resource: String, of kind: String = "capture",
        _ configuration: PayPalConfiguration = PayPalSender.configuration
    ) throws -> ProviderEvent {
        let reading = try PayPalSender.reading(
            """
            {"id":"WH-1","create_time":"2026-01-01T00:00:00Z","resource_type":"\(kind)",\
            "event_type":"\(type)","resource":\(resource)}
            """, configuration)
        return try #require(reading.events.first, "\(reading)")
    }

    private func money(_ units: Int64, _ code: String = "USD") -> Money? {
        Currency(code).map { Money(minorUnits: units, currency: $0) }
    }

    private func order(_ status: String, captures: String = "null") -> String {
        """
        {"id":"O1","status":"\(status)","payer":{"payer_id":"P1","email_address":"z@shop.example"},\
        "purchase_units":[{"custom_id":"order-42","payee":{"merchant_id":"M1"},\
        "amount":{"currency_code":"USD","value":"19.99"},"payments":{"captures":\(captures)}}]}
        """
    }

    private func capture(_ status: String, id: String = "C1", value: String = "19.99") -> String {
        """
        {"id":"\(id)","status":"\(status)","custom_id":"order-42",\
        "amount":{"currency_code":"USD","value":"\(value)"},"payee":{"merchant_id":"M1"},\
        "supplementary_data":{"related_ids":{"order_id":"O1"}},\
        "status_details":{"reason":"ECHECK"}}
        """
    }

    @Test("An approved order is not paid, and a completed one is as its captures stand")
    func orders() throws {
        for (type, captures, status, amount, payment) in [
            ("CHECKOUT.ORDER.APPROVED", "[\(capture("COMPLETED"))]", .pending, 1999, "C1"),
            ("CHECKOUT.ORDER.COMPLETED", "[\(capture("COMPLETED"))]", .succeeded, 1999, "C1"),
            ("CHECKOUT.ORDER.COMPLETED", "null", .pending, 1999, nil),
            (
                "CHECKOUT.ORDER.COMPLETED",
                "[\(capture("DECLINED")),\(capture("COMPLETED", id: "C2", value: "5.00"))]",
                .succeeded, 500, "C2"
            ),
            (
                "CHECKOUT.ORDER.COMPLETED",
                "[\(capture("COMPLETED")),\(capture("COMPLETED", id: "C2", value: "0.01"))]",
                .succeeded, 2000, nil
            ),
            (
                "CHECKOUT.ORDER.COMPLETED",
                "[\(capture("PENDING")),\(capture("COMPLETED", id: "C2", value: "5.00"))]",
                .pending, 500, "C2"
            ),
            ("CHECKOUT.ORDER.COMPLETED", "[\(capture("DECLINED"))]", .failed, 1999, "C1"),
            ("CHECKOUT.ORDER.COMPLETED", "[\(capture("INVENTED"))]", .pending, 1999, "C1"),
        ] as [(String, String, CheckoutStatus, Int64, String?)] {
            let event = try event(type, order("COMPLETED", captures: captures))
            #expect(event.kind == .payment(status, money(amount), failure: nil))
            #expect(
                event.ids
                    == ProviderIDs(
                        session: "O1", payment: payment, order: "order-42", customer: "P1"))
            #expect(event.privateFields.customerEmail == "z@shop.example")
        }
        let reversed = try event(
            "CHECKOUT.PAYMENT-APPROVAL.REVERSED", #"{"order_id":"O1"}"#)
        #expect(reversed.kind == .payment(.cancelled, nil, failure: nil))
        #expect(reversed.ids.session == "O1")
    }

    @Test("A capture is paid when its event and its own word say so")
    func captures() throws {
        for (type, word, status) in [
            ("COMPLETED", "COMPLETED", CheckoutStatus.succeeded),
            ("COMPLETED", "REFUNDED", .succeeded), ("COMPLETED", "PARTIALLY_REFUNDED", .succeeded),
            ("COMPLETED", "PENDING", .pending), ("COMPLETED", "DECLINED", .pending),
            ("COMPLETED", "INVENTED", .pending), ("PENDING", "PENDING", .pending),
            ("PENDING", "COMPLETED", .pending), ("DENIED", "DECLINED", .failed),
            ("DECLINED", "FAILED", .failed),
        ] {
            let event = try event("PAYMENT.CAPTURE.\(type)", capture(word))
            #expect(event.kind == .payment(status, money(1999), failure: "ECHECK"))
            #expect(event.ids == ProviderIDs(session: "O1", payment: "C1", order: "order-42"))
            #expect(event.rawStatus == word)
            #expect(event.occurredAt == Instant(seconds: 1_767_225_600))
            #expect(event.mode == .test)
        }
    }

    @Test("Amounts are read with the decimals of their currency, or not at all")
    func amounts() throws {
        for (value, code, units) in [
            ("19.99", "USD", 1999), ("500", "JPY", 500), ("1.234", "KWD", 1234),
            ("500", "HUF", 50_000), ("500.00", "HUF", 50_000), ("9.999", "USD", nil),
            ("1e3", "USD", nil), ("10.0", "JPY", nil), ("99999999999999999999", "USD", nil),
            ("10.00", "XXQ", nil),
        ] as [(String, String, Int64?)] {
            let body = """
                {"id":"WH-1","event_type":"PAYMENT.CAPTURE.COMPLETED","resource":{"id":"C1",\
                "status":"COMPLETED","amount":{"currency_code":"\(code)","value":"\(value)"}}}
                """
            let reading = try PayPalSender.reading(body)
            let expected = units.map {
                ProviderEvent.Kind.payment(.succeeded, money($0, code), failure: nil)
            }
            #expect(reading.events.first?.kind == expected)
        }
    }

    @Test("A refund is known by its own id and names its capture in a link")
    func refunds() throws {
        func refund(_ word: String, up: String = "payments/captures/C1") -> String {
            """
            {"id":"R1","status":"\(word)","amount":{"currency_code":"USD","value":"5.00"},\
            "links":[{"rel":"self","href":"https://api.paypal.com/v2/payments/captures/X"},\
            {"rel":"up","href":"https://api.paypal.com/v2/\(up)"}]}
            """
        }
        for (type, word, state) in [
            ("CAPTURE.REFUNDED", "COMPLETED", RefundState.succeeded),
            ("CAPTURE.REFUNDED", "PENDING", .pending), ("CAPTURE.REFUNDED", "FAILED", .failed),
            ("CAPTURE.REFUNDED", "CANCELLED", .failed), ("CAPTURE.REFUNDED", "INVENTED", .pending),
            ("CAPTURE.REVERSED", "COMPLETED", .succeeded), ("REFUND.PENDING", "PENDING", .pending),
            ("REFUND.FAILED", "FAILED", .failed),
        ] {
            let event = try event("PAYMENT.\(type)", refund(word), of: "refund")
            #expect(event.kind == .refund(state, money(500)))
            #expect(event.ids == ProviderIDs(payment: "C1", refund: "R1"))
        }
        for up in ["payments/captures/", "payments/captures/a%2Fb", "payments/sales/C1"] {
            let event = try event(
                "PAYMENT.CAPTURE.REFUNDED", refund("COMPLETED", up: up), of: "refund")
            #expect(event.ids.payment == nil)
        }
        let whole = try event("PAYMENT.CAPTURE.REVERSED", capture("REFUNDED"))
        #expect(whole.kind == .refund(.succeeded, money(1999)))
        #expect(whole.ids.payment == "C1" && whole.ids.refund == "C1")
        #expect(try event("PAYMENT.CAPTURE.REFUNDED", capture("REFUNDED")).kind == .ignored)
    }

    @Test("Reserved money is not paid money")
    func authorization() throws {
        let event = try event("PAYMENT.AUTHORIZATION.CREATED", capture("CREATED"))
        #expect(event.kind == .authorized(money(1999)))
        #expect(event.ids == ProviderIDs(session: "O1", order: "order-42"))
    }

    @Test("Sales of subscriptions and their refunds are read in the older form")
    func sales() throws {
        func sale(_ word: String, total: String = "9.99") -> String {
            """
            {"id":"S1","state":"\(word)","sale_id":"S0","billing_agreement_id":"I-1",\
            "custom":"order-42","amount":{"total":"\(total)","currency":"USD"}}
            """
        }
        for (type, word, status) in [
            ("COMPLETED", "completed", CheckoutStatus.succeeded), ("COMPLETED", "denied", .pending),
            ("PENDING", "pending", .pending), ("DENIED", "denied", .failed),
        ] {
            let event = try event("PAYMENT.SALE.\(type)", sale(word), of: "sale")
            #expect(event.kind == .payment(status, money(999), failure: nil))
            #expect(
                event.ids
                    == ProviderIDs(payment: "S1", subscription: "I-1", order: "order-42"))
        }
        for type in ["REFUNDED", "REVERSED"] {
            let event = try event(
                "PAYMENT.SALE.\(type)", sale("completed", total: "-9.99"), of: "refund")
            #expect(event.kind == .refund(.succeeded, money(999)))
            #expect(event.ids == ProviderIDs(payment: "S0", refund: "S1"))
        }
    }

    @Test("A dispute stands as its status and outcome say")
    func disputes() throws {
        for (type, word, outcome, state) in [
            ("CREATED", "OPEN", nil, .opened), ("CREATED", "RESOLVED", nil, .opened),
            ("UPDATED", "WAITING_FOR_SELLER_RESPONSE", nil, .opened),
            ("UPDATED", "WAITING_FOR_BUYER_RESPONSE", nil, .underReview),
            ("UPDATED", "UNDER_REVIEW", nil, .underReview), ("UPDATED", "OTHER", nil, nil),
            ("RESOLVED", "RESOLVED", "RESOLVED_BUYER_FAVOUR", .lost),
            ("RESOLVED", "RESOLVED", "RESOLVED_SELLER_FAVOUR", .won),
            ("RESOLVED", "RESOLVED", "RESOLVED_WITH_PAYOUT", .closed),
            ("RESOLVED", "RESOLVED", "CANCELED_BY_BUYER", .closed),
            ("RESOLVED", "RESOLVED", "ACCEPTED", .closed),
            ("RESOLVED", "RESOLVED", "DENIED", .closed), ("RESOLVED", "RESOLVED", "NONE", .closed),
            ("RESOLVED", "RESOLVED", nil, .closed), ("RESOLVED", "RESOLVED", "INVENTED", nil),
        ] as [(String, String, String?, DisputeState?)] {
            let outcome = outcome.map { #"{"outcome_code":"\#($0)"}"# } ?? "null"
            let event = try event(
                "CUSTOMER.DISPUTE.\(type)",
                """
                {"dispute_id":"PP-D-1","status":"\(word)","dispute_outcome":\(outcome),\
                "dispute_amount":{"currency_code":"USD","value":"5.00"},\
                "disputed_transactions":[{"seller_transaction_id":"C1"}]}
                """, of: "dispute")
            #expect(event.kind == state.map { .dispute($0, money(500)) } ?? .ignored)
            #expect(event.ids == ProviderIDs(payment: "C1", dispute: "PP-D-1"))
        }
    }

    @Test("A subscription stands as its event says, or as its own word where the event leaves it")
    func subscriptions() throws {
        for (type, word, state) in [
            ("CREATED", "APPROVAL_PENDING", .pending), ("ACTIVATED", "ACTIVE", .active),
            ("RE-ACTIVATED", "ACTIVE", .active), ("SUSPENDED", "SUSPENDED", .paused),
            ("CANCELLED", "CANCELLED", .cancelled), ("EXPIRED", "EXPIRED", .expired),
            ("PAYMENT.FAILED", "ACTIVE", .pastDue), ("UPDATED", "APPROVED", .pending),
            ("UPDATED", "APPROVAL_PENDING", .pending), ("UPDATED", "ACTIVE", .active),
            ("UPDATED", "SUSPENDED", .paused), ("UPDATED", "CANCELLED", .cancelled),
            ("UPDATED", "EXPIRED", .expired), ("UPDATED", "INVENTED", nil),
        ] as [(String, String, SubscriptionState?)] {
            let event = try event(
                "BILLING.SUBSCRIPTION.\(type)", #"{"id":"I-1","status":"\#(word)"}"#)
            #expect(event.kind == state.map { .subscription($0) } ?? .ignored)
            #expect(event.ids.subscription == "I-1")
        }
    }

    @Test("Unknown types are ignored with their name, and another payee's events set aside")
    func others() throws {
        for resource in ["{}", "null", "[]", #"{"status":7}"#] {
            let event = try event("INVOICING.INVOICE.PAID", resource)
            #expect(event.kind == .ignored)
            #expect(event.rawType == "INVOICING.INVOICE.PAID")
        }
        let ours = PayPalConfiguration(
            mode: .test, webhookID: PayPalSender.webhookID, merchantID: "M2")
        let body = """
            {"id":"WH-1","event_type":"PAYMENT.CAPTURE.COMPLETED",\
            "resource":\(capture("COMPLETED"))}
            """
        guard case .foreignAccount = try PayPalSender.reading(body, ours) else {
            Issue.record("not set aside")
            return
        }
    }

    // MARK: - URLs

    @Test(
        "A published checkout URL is recognised as its source says",
        .enabled(if: Vectors.hasUpstream), arguments: PublishedURL.checkouts(of: "paypal"))
    func checkoutURL(_ item: PublishedURL) throws {
        #expect(try PayPalProvider().recognise(checkoutURL: item.text) == item.match)
    }

    @Test(
        "A published return is read as its source says, by where it landed",
        .enabled(if: Vectors.hasUpstream), arguments: PublishedURL.returns(of: "paypal"))
    func published(_ item: PublishedURL) throws {
        let claim = try PayPalProvider().parseReturn(
            ReturnRequest(
                url: try ReturnURL(parsing: "app://back/?\(item.text)"),
                landing: item.note.contains("cancel_url") ? .cancel : .success))
        #expect(claim.status.name == item.expect["status"]?.text)
        #expect(claim.ids.session == item.expect["session_id"]?.text)
        #expect(claim.ids.customer == item.expect["payer_id"]?.text)
    }

    @Test("All published URLs are there", .enabled(if: Vectors.hasUpstream))
    func count() {
        #expect(PublishedURL.checkouts(of: "paypal").count == 15)
        #expect(PublishedURL.returns(of: "paypal").count == 2)
    }

    @Test("No return is ever a success, and doubt is pending")
    func returns() throws {
        for (query, landing, status) in [
            ("token=O1&PayerID=P1", .success, .pending), ("token=O1", .success, .pending),
            ("token=O1", .unspecified, .pending), ("token=O1", .cancel, .cancelled),
            ("token=O1&PayerID=P1", .cancel, .pending),
            ("token=O1&token=O2", .cancel, .pending), ("", .cancel, .cancelled),
            ("status=COMPLETED&token=O1", .success, .pending), ("token=O1", .failure, .pending),
        ] as [(String, ReturnRequest.Landing, CheckoutStatus)] {
            let claim = try PayPalProvider().parseReturn(
                ReturnRequest(
                    url: try ReturnURL(parsing: "app://back?\(query)"), landing: landing))
            #expect(claim.status == status, "\(query)")
        }
        #expect(throws: ReturnRejection.otherSession) {
            try PayPalProvider().parseReturn(
                ReturnRequest(
                    url: try ReturnURL(parsing: "app://back?token=O1"), expectedSession: "O2"))
        }
    }

    // MARK: - Requests

    static let apiKey = "client-secret-1234"
    private let configuration = PayPalConfiguration(mode: .test, clientID: "client-1")

    private func secrets() throws -> SecretSet {
        try SecretSet([.apiKey: [Self.apiKey]], rules: PayPalProvider.descriptor.secretRules)
    }

    private func plan(
        _ target: StatusQueryTarget, _ configuration: PayPalConfiguration
    ) throws -> HTTPRequestPlan {
        try PayPalProvider(configuration: configuration).statusRequest(
            for: target, secrets: secrets(), now: Sender.now, nonce: Nonce(bytes: []))
    }

    @Test("A query carries no secret itself and says where its token comes from")
    func queries() throws {
        let plan = try plan(.session("O1"), configuration)
        #expect(plan.url == "https://api-m.sandbox.paypal.com/v2/checkout/orders/O1")
        #expect(plan.headers.first("Authorization") == nil)
        #expect(plan.token?.url == "https://api-m.sandbox.paypal.com/v1/oauth2/token")
        #expect(
            plan.token?.headers.first("Authorization")
                == "Basic Y2xpZW50LTE6Y2xpZW50LXNlY3JldC0xMjM0")
        #expect(
            plan.token.map { String(decoding: $0.body, as: UTF8.self) }
                == "grant_type=client_credentials")
        let live = PayPalConfiguration(mode: .live, clientID: "client-1")
        #expect(
            try self.plan(.payment("C1"), live).url
                == "https://api-m.paypal.com/v2/payments/captures/C1")
        #expect(throws: RequestPlanError.unknownMode) {
            try self.plan(.session("O1"), PayPalConfiguration(clientID: "client-1"))
        }
        #expect(throws: RequestPlanError.missingField("clientID")) {
            try self.plan(.session("O1"), PayPalConfiguration(mode: .test))
        }
        #expect(throws: RequestPlanError.unsupportedTarget) {
            try self.plan(.order("x"), configuration)
        }
    }

    private func report(
        _ target: StatusQueryTarget, _ body: String, status: Int = 200
    ) throws -> StatusReport {
        try PayPalProvider(configuration: configuration).interpret(
            HTTPReply(status: status, body: Array(body.utf8)), for: target)
    }

    @Test("Each word of an order and of a capture is read from an answer")
    func words() throws {
        for (word, status) in [
            ("CREATED", CheckoutStatus.pending), ("SAVED", .pending), ("APPROVED", .pending),
            ("PAYER_ACTION_REQUIRED", .pending), ("VOIDED", .cancelled), ("COMPLETED", .succeeded),
        ] {
            let captures = "[\(capture("COMPLETED"))]"
            guard
                case .known(let facts) = try report(
                    .session("O1"), order(word, captures: captures))
            else {
                Issue.record("\(word)")
                continue
            }
            #expect(facts.status == status)
            #expect(facts.amount == money(1999))
            #expect(facts.rawStatus == word)
            #expect(facts.mode == .test)
        }
        for (word, status) in [
            ("COMPLETED", CheckoutStatus.succeeded), ("PARTIALLY_REFUNDED", .succeeded),
            ("REFUNDED", .succeeded), ("PENDING", .pending), ("DECLINED", .failed),
            ("FAILED", .failed),
        ] {
            guard case .known(let facts) = try report(.payment("C1"), capture(word)) else {
                Issue.record("\(word)")
                continue
            }
            #expect(facts.status == status)
            #expect(facts.ids == ProviderIDs(session: "O1", payment: "C1", order: "order-42"))
        }
    }

    @Test("A doubtful answer tells nothing, and never that a payment failed")
    func doubts() throws {
        for (body, status, reason) in [
            ("{}", 404, .notFound), ("", 429, .rateLimited), ("", 500, .providerTrouble),
            ("{", 200, .unreadable), ("{}", 200, .unreadable),
            (#"{"id":"other","status":"COMPLETED"}"#, 200, .otherObject),
            (#"{"id":"x","status":"INVENTED"}"#, 200, .unknownWord),
        ] as [(String, Int, IndeterminateReason)] {
            for target in [StatusQueryTarget.session("x"), .payment("x")] {
                #expect(
                    try report(target, body, status: status)
                        == .indeterminate(reason, retryAfterSeconds: nil))
            }
        }
        let unknown = order("COMPLETED", captures: "[\(capture("INVENTED"))]")
        #expect(
            try report(.session("O1"), unknown)
                == .indeterminate(.unknownWord, retryAfterSeconds: nil))
    }

    private func creation(_ draft: SessionDraft) throws -> HTTPRequestPlan {
        try PayPalProvider(configuration: configuration).createRequest(
            draft, idempotencyKey: try #require(IdempotencyKey(rawValue: "key-1")),
            secrets: secrets(), now: Sender.now, nonce: Nonce(bytes: []))
    }

    @Test("An order is asked for in decimals, with an idempotency key")
    func creation() throws {
        let plan = try creation(RequestPlanTests.draft)
        #expect(plan.url == "https://api-m.sandbox.paypal.com/v2/checkout/orders")
        #expect(plan.isRepeatable)
        #expect(plan.headers.first("PayPal-Request-Id") == "key-1")
        let body = try JSONValue(json: plan.body)
        let unit = try #require(body["purchase_units"]?.elements?.first)
        #expect(unit["amount"]?["value"]?.text == "39.98")
        #expect(unit["amount"]?["currency_code"]?.text == "EUR")
        #expect(unit["custom_id"]?.text == "order-42")
        let context = body["payment_source"]?["paypal"]?["experience_context"]
        #expect(context?["return_url"]?.text == "app://back?x=1#top")
        #expect(context?["cancel_url"]?.text == "app://gave-up")
        var draft = RequestPlanTests.draft
        draft.items[0].unitAmount = money(50_050, "HUF")
        draft.items[0].quantity = 1
        #expect(throws: RequestPlanError.unusableAmount) { try creation(draft) }
        draft.items[0].unitAmount = money(50_000, "HUF")
        let hungarian = try JSONValue(json: try creation(draft).body)
        let value = hungarian["purchase_units"]?.elements?.first?["amount"]?["value"]
        #expect(value?.text == "500")
        draft.reference = String(repeating: "x", count: 128)
        #expect(throws: RequestPlanError.missingField("reference")) { try creation(draft) }
    }

    @Test("A created order carries its id and the page to open; a refusal its name")
    func created() throws {
        let provider = try PayPalProvider(configuration: configuration)
        for relation in ["payer-action", "approve"] {
            let session = try provider.interpretCreation(
                HTTPReply(
                    status: 201,
                    body: Array(
                        """
                        {"id":"O1","links":[{"rel":"self","href":"https://api"},\
                        {"rel":"\(relation)","href":"https://www.sandbox.paypal.com/checkoutnow\
                        ?token=O1"}]}
                        """.utf8)))
            #expect(session.ids.session == "O1")
            #expect(
                provider.recognise(checkoutURL: try #require(session.checkoutURL))
                    == .session(id: "O1", mode: .test))
        }
        #expect(throws: ProviderReplyError.refused(providerCode: "UNPROCESSABLE_ENTITY")) {
            try provider.interpretCreation(
                HTTPReply(status: 422, body: Array(#"{"name":"UNPROCESSABLE_ENTITY"}"#.utf8)))
        }
        #expect(throws: ProviderReplyError.unreadable) {
            try provider.interpretCreation(HTTPReply(status: 201, body: Array("{}".utf8)))
        }
    }
}
