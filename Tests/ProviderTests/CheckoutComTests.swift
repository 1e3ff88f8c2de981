import CheckoutCom
import CheckoutModel
import ProviderKit
import Testing

@Suite("Checkout.com")
struct CheckoutComTests {
    private func checkout(
        _ mode: ProviderMode = .test, subdomain: String? = nil
    ) throws -> CheckoutComProvider {
        try CheckoutComProvider(
            configuration: .init(
                mode: mode, apiSubdomain: subdomain, processingChannelID: "pc_1",
                billingCountry: "DE"))
    }

    private func reading(_ type: String, _ data: String) throws -> DeliveryReading {
        try Sender.reading(
            Sender.signed(
                """
                {"id":"evt_1","type":"\(type)","timestamp":"2026-01-02T03:04:05.000+00:00",\
                "data":\(data)}
                """, header: "Cko-Signature"), by: checkout())
    }

    private func event(_ type: String, _ data: String) throws -> ProviderEvent {
        try #require(try reading(type, data).events.first)
    }

    static let data = """
        {"id":"pay_1","action_id":"act_1","payment_id":"pay_1","reference":"order-42",\
        "amount":1999,"currency":"GBP","response_code":"20005",\
        "customer":{"email":"zoe@shop.example","name":"Zoe"}}
        """

    static let payments: [(type: String, status: CheckoutStatus)] = [
        ("pending", .pending), ("capture_pending", .pending), ("paid", .succeeded),
        ("declined", .failed), ("expired", .cancelled), ("canceled", .cancelled),
        ("voided", .cancelled),
    ]

    @Test("A payment stands as its event says", arguments: payments)
    func payment(_ item: (type: String, status: CheckoutStatus)) throws {
        let event = try event("payment_\(item.type)", Self.data)
        let failure = item.status == .failed ? "20005" : nil
        #expect(event.kind == .payment(item.status, try money(1999, "GBP"), failure: failure))
        #expect(event.ids == ProviderIDs(payment: "pay_1", order: "order-42"))
        #expect(event.key.rawValue == "evt_1")
        #expect(event.mode == .test)
        #expect(event.occurredAt == Instant(seconds: 1_767_323_045))
        #expect(event.privateFields.customerEmail == "zoe@shop.example")
    }

    @Test("An approved payment is reserved money, a captured one is taken money")
    func capture() throws {
        let amount = try money(1999, "GBP")
        #expect(try event("payment_approved", Self.data).kind == .authorized(amount))
        #expect(try event("payment_captured", Self.data).kind == .captured(amount))
        // Captured in parts: what counts is all of it so far.
        let part = Self.data.replacing(
            #""response_code""#, with: #""balances":{"total_captured":2500},"response_code""#)
        #expect(try event("payment_captured", part).kind == .captured(try money(2500, "GBP")))
    }

    @Test(
        "A refund is named by its action",
        arguments: [
            ("payment_refund_pending", .pending), ("payment_refunded", .succeeded),
            ("payment_refund_declined", .failed),
        ] as [(String, RefundState)])
    func refund(type: String, state: RefundState) throws {
        let event = try event(type, Self.data)
        #expect(event.kind == .refund(state, try money(1999, "GBP")))
        #expect(
            event.ids == ProviderIDs(payment: "pay_1", refund: "act_1", order: "order-42"))
        guard case .unreadable = try reading(type, #"{"id":"pay_1"}"#) else {
            Issue.record("a refund without a name is understood")
            return
        }
    }

    static let disputes: [(type: String, state: DisputeState)] = [
        ("received", .opened), ("evidence_required", .opened),
        ("evidence_submitted", .underReview), ("arbitration_sent_to_scheme", .underReview),
        ("won", .won), ("arbitration_won", .won), ("lost", .lost), ("arbitration_lost", .lost),
        ("accepted", .lost), ("expired", .closed), ("canceled", .closed), ("resolved", .closed),
    ]

    @Test("A dispute stands as its event says, under its own name", arguments: disputes)
    func dispute(_ item: (type: String, state: DisputeState)) throws {
        let data = Self.data.replacing(#""id":"pay_1""#, with: #""id":"dsp_1""#)
        let event = try event("dispute_\(item.type)", data)
        #expect(event.kind == .dispute(item.state, try money(1999, "GBP")))
        #expect(event.ids == ProviderIDs(payment: "pay_1", dispute: "dsp_1"))
    }

    @Test("Types of no meaning keep their name, and a body without an id is named by its hash")
    func others() throws {
        for type in ["card_verified", "payment_capture_declined", "payment_void_declined", "new"] {
            for data in ["{}", "null", "[]"] {
                let event = try event(type, data)
                #expect(event.kind == .ignored)
                #expect(event.rawType == type)
            }
        }
        let nameless = try Sender.verified(
            Sender.signed("[]", header: "Cko-Signature"), by: checkout())
        #expect(try checkout().identity(of: nameless).id.hasPrefix("sha256:"))
    }

    @Test("The time of older workflows is read too")
    func olderTime() throws {
        let reading = try Sender.reading(
            Sender.signed(
                #"{"id":"e","type":"new","created_on":"2026-01-02T03:04:05Z"}"#,
                header: "Cko-Signature"), by: checkout())
        #expect(reading.events.first?.occurredAt == Instant(seconds: 1_767_323_045))
    }

    @Test("The landing tells how it went, and never a success")
    func returns() throws {
        let url = try ReturnURL(
            parsing: "app://back?status=Captured&cko-payment-id=pay_1&cko-session-id=sid_1")
        for (landing, status) in [
            (ReturnRequest.Landing.success, CheckoutStatus.pending), (.unspecified, .pending),
            (.failure, .failed), (.cancel, .cancelled),
        ] {
            let claim = try checkout().parseReturn(ReturnRequest(url: url, landing: landing))
            #expect(claim.status == status)
            #expect(claim.ids == ProviderIDs(payment: "pay_1"))
        }
    }

    @Test("A page and a payment are asked about on the account's own host")
    func plans() throws {
        #expect(
            try Request.status(checkout(), .session("hpp_1")).url
                == "https://api.sandbox.checkout.com/hosted-payments/hpp_1")
        #expect(
            try Request.status(checkout(.live, subdomain: "vkuhvk4v"), .payment("pay_1")).url
                == "https://vkuhvk4v.api.checkout.com/payments/pay_1")
        #expect(throws: RequestPlanError.unknownMode) {
            try Request.status(checkout(.unknown), .session("hpp_1"))
        }
        #expect(throws: RequestPlanError.unsupportedTarget) {
            try Request.status(checkout(), .merchantReference("order-42"))
        }
    }

    @Test("Each word of a payment and of a page is read")
    func words() throws {
        for (word, status) in [
            ("Pending", .pending), ("Authorized", .pending), ("Card Verified", .pending),
            ("Partially Captured", .pending), ("Captured", .succeeded), ("Paid", .succeeded),
            ("Partially Refunded", .succeeded), ("Refunded", .succeeded), ("Declined", .failed),
            ("Voided", .cancelled), ("Canceled", .cancelled), ("Expired", .cancelled),
        ] as [(String, CheckoutStatus)] {
            let facts = try Request.facts(
                checkout(), .payment("pay_1"),
                """
                {"id":"pay_1","status":"\(word)","amount":1999,"currency":"GBP",\
                "reference":"order-42"}
                """)
            #expect(facts?.status == status)
            #expect(facts?.amount == (try money(1999, "GBP")))
            #expect(facts?.ids == ProviderIDs(payment: "pay_1", order: "order-42"))
        }
        for (word, status) in [
            ("Payment Pending", .pending), ("Payment Received", .pending), ("Expired", .expired),
        ] as [(String, CheckoutStatus)] {
            let facts = try Request.facts(
                checkout(), .session("hpp_1"),
                #"{"id":"hpp_1","status":"\#(word)","payment_id":"pay_1"}"#)
            #expect(facts?.status == status)
            let payment = status == .expired ? nil : "pay_1"
            #expect(facts?.ids == ProviderIDs(session: "hpp_1", payment: payment))
        }
        for target in [StatusQueryTarget.session("x"), .payment("x")] {
            #expect(
                try Request.report(checkout(), target, #"{"id":"x","status":"Invented"}"#)
                    == .indeterminate(.unknownWord, retryAfterSeconds: nil))
        }
    }

    @Test("A page is created over the exact total, in minor units of its currency")
    func creation() throws {
        let plan = try Request.creation(
            checkout(), Request.draft(quantity: 2, price: money(1234, "KWD")))
        #expect(plan.url == "https://api.sandbox.checkout.com/hosted-payments")
        #expect(plan.headers.first("Cko-Idempotency-Key") == "key-1")
        #expect(!plan.isRepeatable)
        let body = try JSONValue(json: plan.body)
        #expect(body["amount"]?.integer == 2468)
        #expect(body["currency"]?.text == "KWD")
        #expect(body["reference"]?.text == "order-42")
        #expect(body["billing"]?["address"]?["country"]?.text == "DE")
        #expect(body["processing_channel_id"]?.text == "pc_1")
        #expect(body["success_url"]?.text == "app://back?x=1")
        #expect(body["failure_url"]?.text == "app://gave-up")
        #expect(body["cancel_url"]?.text == "app://gave-up")
        #expect(throws: RequestPlanError.missingField("billingCountry")) {
            try Request.creation(
                CheckoutComProvider(configuration: .init(mode: .test)),
                Request.draft(price: money(1)))
        }
        let made = try Request.created(
            checkout(),
            """
            {"id":"hpp_1","reference":"order-42",\
            "_links":{"redirect":{"href":"https://pay.sandbox.checkout.com/page/hpp_1"}}}
            """)
        #expect(made.ids == ProviderIDs(session: "hpp_1", order: "order-42"))
        #expect(made.checkoutURL == "https://pay.sandbox.checkout.com/page/hpp_1")
    }

    @Test("Settings are read by name, and mistakes are refused")
    func settings() throws {
        var settings = ProviderSettings(
            mode: .live,
            [
                .init(name: "apiSubdomain", value: .string("vkuhvk4v")),
                .init(name: "processingChannelID", value: .string("pc_1")),
                .init(name: "billingCountry", value: .string("DE")),
                .init(name: "referenceKeys", value: .array([.string("ref")])),
            ])
        let configuration = CheckoutComConfiguration(settings: &settings)
        #expect(
            configuration
                == CheckoutComConfiguration(
                    mode: .live, apiSubdomain: "vkuhvk4v", processingChannelID: "pc_1",
                    billingCountry: "DE", referenceKeys: ["ref"]))
        #expect(settings.unknownNames.isEmpty)
        for wrong in [
            CheckoutComConfiguration(apiSubdomain: "a/b"), .init(billingCountry: "de"),
            .init(billingCountry: "DEU"),
        ] {
            #expect(throws: ProviderConfigurationError.self) {
                try CheckoutComProvider(configuration: wrong)
            }
        }
    }
}
