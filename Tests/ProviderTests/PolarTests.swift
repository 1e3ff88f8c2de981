import CheckoutModel
import Cryptography
import Polar
import ProviderKit
import Testing

@Suite("Polar")
struct PolarTests {
    static let checkoutID = "8f7c1b0e-0000-4000-8000-000000000002"

    private func polar(_ mode: ProviderMode = .test) throws -> PolarProvider {
        try PolarProvider(configuration: .init(organizationID: "org_1", mode: mode))
    }

    private func events(_ type: String, _ data: String) throws -> [ProviderEvent] {
        let body = #"{"type":"\#(type)","timestamp":"2026-01-02T03:04:05Z","data":\#(data)}"#
        return try Sender.reading(Sender.standard(body), by: polar()).events
    }

    private func event(_ type: String, _ data: String) throws -> ProviderEvent {
        try #require(try events(type, data).first)
    }

    @Test("A secret is tried as its text and as the base64 behind its prefix")
    func keys() throws {
        let decoded = Base64.decode(Sender.secret.dropFirst("whsec_".count)) ?? []
        for key in [Array(Sender.secret.utf8), decoded] {
            _ = try Sender.verified(Sender.standard("{}", key: key), by: polar())
        }
        #expect(throws: WebhookRejection.signatureMismatch) {
            try Sender.verified(Sender.standard("{}", key: Array("other".utf8)), by: polar())
        }
    }

    static let checkouts: [(type: String, word: String, kind: ProviderEvent.Kind)] = [
        ("created", "open", .payment(.pending, nil, failure: nil)),
        ("updated", "confirmed", .payment(.pending, nil, failure: nil)),
        ("updated", "succeeded", .payment(.succeeded, nil, failure: nil)),
        ("updated", "failed", .payment(.failed, nil, failure: nil)),
        ("updated", "expired", .sessionExpired), ("expired", "open", .sessionExpired),
        ("updated", "invented_later", .ignored),
    ]

    @Test(
        "A checkout stands as its status says, and never by its client secret", arguments: checkouts
    )
    func checkout(_ item: (type: String, word: String, kind: ProviderEvent.Kind)) throws {
        let event = try event(
            "checkout.\(item.type)",
            """
            {"id":"\(Self.checkoutID)","status":"\(item.word)","client_secret":"polar_c_abc",\
            "url":"https://polar.sh/checkout/polar_c_abc","organization_id":"org_1",\
            "customer_email":"zoe@shop.example","metadata":{"order_id":"42"}}
            """)
        #expect(event.kind == item.kind)
        #expect(event.ids == ProviderIDs(session: Self.checkoutID, order: "42"))
        #expect(event.mode == .test)
        #expect(event.occurredAt == Instant(seconds: 1_767_323_045))
        #expect(event.privateFields.customerEmail == "zoe@shop.example")
        #expect(!"\(event) \(event.ids)".contains("polar_c_abc"))
    }

    @Test("A checkout's total counts unless a trial or nothing is to be paid")
    func checkoutAmounts() throws {
        let data = #"{"id":"c","status":"succeeded","total_amount":1999,"currency":"usd"MORE}"#
        for (more, amount) in [
            ("", try money(1999)), (#","is_payment_required":true"#, try money(1999)),
            (#","is_payment_required":false"#, nil), (#","active_trial_interval":"month""#, nil),
        ] {
            let event = try event("checkout.updated", data.replacing("MORE", with: more))
            #expect(event.kind == .payment(.succeeded, amount, failure: nil))
        }
    }

    static let orders: [(type: String, word: String, status: CheckoutStatus?)] = [
        ("created", "pending", .pending), ("created", "paid", .succeeded),
        ("created", "draft", .pending), ("updated", "void", .cancelled),
        ("updated", "refunded", .succeeded), ("updated", "partially_refunded", .succeeded),
        ("updated", "invented_later", nil), ("paid", "paid", .succeeded),
        ("paid", "refunded", .succeeded), ("paid", "void", .pending),
        ("paid", "invented_later", .pending), ("refunded", "refunded", nil),
    ]

    @Test("An order is the payment, and its own event tells that it was paid", arguments: orders)
    func order(_ item: (type: String, word: String, status: CheckoutStatus?)) throws {
        let event = try event(
            "order.\(item.type)",
            """
            {"id":"o_1","checkout_id":"c_1","subscription_id":"s_1","customer_id":"k_1",\
            "status":"\(item.word)","total_amount":1999,"currency":"eur","refunded_amount":500,\
            "customer":{"email":"zoe@shop.example","name":"Zoe"},"metadata":{}}
            """)
        let amount = try money(1999, "EUR")
        #expect(event.kind == item.status.map { .payment($0, amount, failure: nil) } ?? .ignored)
        #expect(
            event.ids
                == ProviderIDs(
                    session: "c_1", payment: "o_1", subscription: "s_1", customer: "k_1"))
        #expect(event.privateFields.customerName == "Zoe")
    }

    @Test("An order that is paid and states nothing is paid")
    func orderWithoutStatus() throws {
        let event = try event("order.paid", #"{"id":"o_1"}"#)
        #expect(event.kind == .payment(.succeeded, nil, failure: nil))
    }

    static let refunds: [(word: String, state: RefundState)] = [
        ("pending", .pending), ("succeeded", .succeeded), ("failed", .failed),
        ("canceled", .failed), ("invented_later", .pending),
    ]

    @Test("A refund returns its amount and its tax", arguments: refunds)
    func refund(_ item: (word: String, state: RefundState)) throws {
        for type in ["created", "updated"] {
            let event = try event(
                "refund.\(type)",
                """
                {"id":"r_1","order_id":"o_1","amount":500,"tax_amount":95,"currency":"usd",\
                "status":"\(item.word)","organization_id":"org_1"}
                """)
            #expect(event.kind == .refund(item.state, try money(595)))
            #expect(event.ids == ProviderIDs(payment: "o_1", refund: "r_1"))
        }
    }

    @Test(
        "A refund that answers a dispute tells of both",
        arguments: [
            ("early_warning", .opened), ("needs_response", .opened),
            ("under_review", .underReview), ("won", .won), ("lost", .lost),
            ("prevented", .closed), ("invented_later", nil),
        ] as [(String, DisputeState?)])
    func dispute(word: String, state: DisputeState?) throws {
        let events = try events(
            "refund.created",
            """
            {"id":"r_1","order_id":"o_1","amount":500,"currency":"usd","status":"succeeded",\
            "dispute":{"id":"d_1","status":"\(word)","amount":500,"tax_amount":0,\
            "currency":"usd"}}
            """)
        #expect(events.first?.kind == .refund(.succeeded, try money(500)))
        #expect(events.dropFirst().first?.kind == (try state.map { .dispute($0, try money(500)) }))
        #expect(Set(events.map(\.key)).count == events.count)
    }

    static let subscriptions: [(type: String, word: String, state: SubscriptionState?)] = [
        ("created", "incomplete", .pending), ("updated", "trialing", .active),
        ("updated", "past_due", .pastDue), ("updated", "unpaid", .pastDue),
        ("updated", "incomplete_expired", .expired), ("updated", "invented_later", nil),
        ("active", "active", .active), ("canceled", "active", .active),
        ("canceled", "canceled", .cancelled), ("uncanceled", "active", .active),
        ("revoked", "canceled", .cancelled), ("past_due", "past_due", .pastDue),
        ("paused", "paused", .paused), ("resumed", "active", .active),
        ("cycled", "active", .active), ("migrated", "paused", .paused),
    ]

    @Test("A subscription stands as its event says", arguments: subscriptions)
    func subscription(_ item: (type: String, word: String, state: SubscriptionState?)) throws {
        let event = try event(
            "subscription.\(item.type)",
            #"{"id":"s_1","checkout_id":"c_1","status":"\#(item.word)","customer_id":"k_1"}"#)
        #expect(event.kind == item.state.map { .subscription($0) } ?? .ignored)
        #expect(
            event.ids == ProviderIDs(session: "c_1", subscription: "s_1", customer: "k_1"))
    }

    @Test("Types of no meaning keep their name, and another organization is set aside")
    func others() throws {
        for data in ["{}", "[]", "null", #"{"status":7}"#] {
            let event = try event("benefit.created", data)
            #expect(event.kind == .ignored)
            #expect(event.rawType == "benefit.created")
        }
        let reading = try Sender.reading(
            Sender.standard(
                #"{"type":"checkout.created","data":{"id":"c","organization_id":"org_2"}}"#),
            by: polar())
        guard case .foreignAccount = reading else {
            Issue.record("\(reading)")
            return
        }
    }

    @Test("A delivery is named by its header")
    func identity() throws {
        let verified = try Sender.verified(Sender.standard("{", id: "msg_7"), by: polar())
        #expect(try polar().identity(of: verified).id == "msg_7")
        #expect(
            try polar().reading(of: verified) == .unreadable(WebhookDecodingError(.malformedBody)))
    }

    @Test("Only a UUID in the return URL is an id, and only the landing tells a cancellation")
    func returns() throws {
        for (text, id) in [
            (Self.checkoutID, Self.checkoutID), ("{CHECKOUT_ID}", nil), ("polar_c_abc", nil),
        ] as [(String, String?)] {
            let url = try ReturnURL(parsing: "app://back?status=succeeded&checkout_id=\(text)")
            let claim = try polar().parseReturn(ReturnRequest(url: url, landing: .success))
            #expect(claim.status == .pending)
            #expect(claim.ids.session == id)
            #expect(
                try polar().parseReturn(ReturnRequest(url: url, landing: .cancel)).status
                    == .cancelled)
        }
    }

    @Test("A checkout and an order are asked about on the mode's own host")
    func query() throws {
        let id = Self.checkoutID
        let plan = try Request.status(polar(), .session(id))
        #expect(plan.url == "https://sandbox-api.polar.sh/v1/checkouts/\(id)")
        #expect(plan.headers.first("Authorization") == "Bearer \(Request.apiKey)")
        #expect(
            try Request.status(polar(.live), .payment("o_1")).url
                == "https://api.polar.sh/v1/orders/o_1")
        #expect(throws: RequestPlanError.unknownMode) {
            try Request.status(polar(.unknown), .session(id))
        }
        #expect(throws: RequestPlanError.unsupportedTarget) {
            try Request.status(polar(), .order("1"))
        }
        for (word, status) in [
            ("open", .pending), ("confirmed", .pending), ("succeeded", .succeeded),
            ("failed", .failed), ("expired", .expired),
        ] as [(String, CheckoutStatus)] {
            let facts = try Request.facts(
                polar(), .session(id),
                #"{"id":"\#(id)","status":"\#(word)","total_amount":5,"currency":"usd"}"#)
            #expect(facts?.status == status)
            #expect(facts?.amount == (try money(5)))
            #expect(facts?.ids == ProviderIDs(session: id))
        }
        let order = try Request.facts(
            polar(), .payment("o_1"), #"{"id":"o_1","checkout_id":"c_1","status":"paid"}"#)
        #expect(order?.status == .succeeded)
        #expect(order?.ids == ProviderIDs(session: "c_1", payment: "o_1"))
        #expect(
            try Request.report(polar(), .session("c"), #"{"id":"c","status":"invented"}"#)
                == .indeterminate(.unknownWord, retryAfterSeconds: nil))
    }

    @Test("A checkout is created for one product, with its id in the return URL")
    func creation() throws {
        let plan = try Request.creation(polar(), Request.draft(price: money(1999, "EUR")))
        #expect(plan.url == "https://sandbox-api.polar.sh/v1/checkouts/")
        #expect(!plan.isRepeatable)
        let body = try JSONValue(json: plan.body)
        #expect(body["products"]?.elements?.compactMap(\.text) == ["p_1"])
        #expect(body["amount"]?.integer == 1999)
        #expect(body["currency"]?.text == "eur")
        #expect(body["success_url"]?.text == "app://back?x=1&checkout_id={CHECKOUT_ID}")
        #expect(body["return_url"]?.text == "app://gave-up")
        #expect(body["metadata"]?["order_id"]?.text == "order-42")
        #expect(throws: RequestPlanError.tooManyItems) {
            try Request.creation(polar(), Request.draft(quantity: 2))
        }
        #expect(throws: RequestPlanError.missingField("productID")) {
            try Request.creation(polar(), Request.draft(product: nil))
        }
        let made = try Request.created(
            polar(),
            """
            {"id":"\(Self.checkoutID)","client_secret":"polar_c_abc","status":"open",\
            "url":"https://sandbox.polar.sh/checkout/polar_c_abc",\
            "expires_at":"2026-01-02T03:04:05Z"}
            """)
        #expect(made.ids == ProviderIDs(session: Self.checkoutID))
        #expect(made.expiresAt == Instant(seconds: 1_767_323_045))
    }

    @Test("Settings are read by name, and mistakes are refused")
    func settings() throws {
        var settings = ProviderSettings(
            mode: .live,
            [
                .init(name: "organizationID", value: .string("org_1")),
                .init(name: "toleranceSeconds", value: .integer(60)),
                .init(name: "sessionParameter", value: .string("cid")),
                .init(name: "referenceKeys", value: .array([.string("ref")])),
            ])
        let configuration = PolarConfiguration(settings: &settings)
        #expect(
            configuration
                == PolarConfiguration(
                    organizationID: "org_1", mode: .live, toleranceSeconds: 60,
                    sessionParameter: "cid", referenceKeys: ["ref"]))
        #expect(settings.unknownNames.isEmpty)
        #expect(throws: ProviderConfigurationError.self) {
            try PolarProvider(configuration: .init(toleranceSeconds: -1))
        }
        #expect(throws: ProviderConfigurationError.self) {
            try PolarProvider(configuration: .init(organizationID: ""))
        }
    }
}
