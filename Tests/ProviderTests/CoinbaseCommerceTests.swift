import CheckoutModel
import CoinbaseCommerce
import ProviderKit
import Testing

@Suite("Coinbase Commerce")
struct CoinbaseCommerceTests {
    private func coinbase() throws -> CoinbaseCommerceProvider { try CoinbaseCommerceProvider() }

    static let charge = """
        {"code":"66BEOV2A","id":"c-1","pricing":{"local":{"amount":"19.99","currency":"USD"}},\
        "metadata":{"order_id":"42"},\
        "timeline":[{"status":"NEW"},{"status":"LAST"}]}
        """

    private func reading(_ type: String, _ charge: String, attempt: Int = 1) throws
        -> DeliveryReading
    {
        try Sender.reading(delivery(type, charge, attempt: attempt), by: coinbase())
    }

    private func delivery(_ type: String, _ charge: String, attempt: Int = 1) -> WebhookDelivery {
        Sender.signed(
            """
            {"id":1,"attempt_number":\(attempt),"event":{"id":"e-1","type":"\(type)",\
            "created_at":"2026-01-02T03:04:05Z","data":\(charge)}}
            """, header: "X-CC-Webhook-Signature")
    }

    private func event(_ type: String, last: String = "NEW") throws -> ProviderEvent {
        let charge = Self.charge.replacing("LAST", with: last)
        return try #require(try reading(type, charge).events.first)
    }

    static let events: [(type: String, last: String, status: CheckoutStatus?)] = [
        ("created", "NEW", .pending), ("pending", "PENDING", .pending),
        ("confirmed", "COMPLETED", .succeeded), ("failed", "FAILED", .failed),
        ("delayed", "UNRESOLVED", .pending), ("resolved", "RESOLVED", .pending),
        // The timeline adds doubt, never certainty.
        ("confirmed", "UNRESOLVED", .pending), ("confirmed", "PENDING", .pending),
        ("confirmed", "INVENTED", .pending), ("pending", "COMPLETED", .pending),
        ("failed", "INVENTED", .failed), ("failed", "CANCELED", .cancelled),
        ("failed", "EXPIRED", nil),
    ]

    @Test(
        "A charge's event decides, and its timeline only adds doubt or a reason", arguments: events)
    func charge(_ item: (type: String, last: String, status: CheckoutStatus?)) throws {
        let event = try event("charge:\(item.type)", last: item.last)
        let amount = try money(1999)
        #expect(
            event.kind == item.status.map { .payment($0, amount, failure: nil) } ?? .sessionExpired)
        let isUnpaid = ["NEW", "SIGNED", "EXPIRED", "CANCELED"].contains(item.last)
        #expect(
            event.ids
                == ProviderIDs(
                    session: "66BEOV2A", payment: isUnpaid ? nil : "c-1", order: "42"))
        #expect(event.key.rawValue == "e-1")
        #expect(event.mode == .live)
        #expect(event.rawStatus == item.last)
    }

    @Test("The event names the delivery, whatever the attempt")
    func identity() throws {
        let charge = Self.charge.replacing("LAST", with: "NEW")
        for attempt in 1...3 {
            let verified = try Sender.verified(
                delivery("charge:created", charge, attempt: attempt), by: coinbase())
            #expect(try coinbase().identity(of: verified).id == "e-1")
        }
        let nameless = try Sender.verified(
            Sender.signed("[]", header: "X-CC-Webhook-Signature"), by: coinbase())
        #expect(try coinbase().identity(of: nameless).id.hasPrefix("sha256:"))
    }

    static let amounts: [(pricing: String, code: String?, units: Int64?)] = [
        (#""pricing":{"local":{"amount":"1","currency":"USD"}}"#, nil, 100),
        (#""pricing":{"local":{"amount":"500","currency":"JPY"}}"#, nil, 500),
        (#""pricing":{"local":{"amount":"1.234","currency":"KWD"}}"#, nil, 1234),
        (#""pricing":{"local":{"amount":"1.999","currency":"USD"}}"#, "amount_not_decimal", nil),
        (#""pricing":{"local":{"amount":1.5,"currency":"USD"}}"#, "amount_not_decimal", nil),
        (#""pricing":{"local":{"amount":"1","currency":"USDC"}}"#, "unknown_currency", nil),
        (
            #""payments":[{"value":{"local":{"amount":"2.50","currency":"EUR"}}}]"#, nil, 250
        ),
        (#""payments":[{},{}]"#, nil, nil), (#""payments":[]"#, nil, nil),
    ]

    @Test("An amount is exact decimals, or the delivery is set aside", arguments: amounts)
    func amount(_ item: (pricing: String, code: String?, units: Int64?)) throws {
        let reading = try reading("charge:confirmed", #"{"code":"C",\#(item.pricing)}"#)
        switch reading {
        case .unreadable(let error): #expect(error.code == item.code)
        case .understood(let events):
            #expect(item.code == nil)
            guard case .payment(.succeeded, let money, nil) = events.first?.kind else {
                Issue.record("\(events)")
                return
            }
            #expect(money?.minorUnits == item.units)
        case .foreignAccount: Issue.record("foreign")
        }
    }

    @Test("Types of no meaning keep their name")
    func others() throws {
        for data in ["{}", "null", "[]"] {
            let event = try #require(try reading("invoice:paid", data).events.first)
            #expect(event.kind == .ignored)
            #expect(event.rawType == "invoice:paid")
        }
    }

    @Test("A page that does not name the code is known without its session")
    func pages() throws {
        #expect(
            try coinbase().recognise(checkoutURL: "https://commerce.coinbase.com/pay/c-1")
                == .linkWithoutSession(mode: .live))
        #expect(
            try coinbase().recognise(checkoutURL: "https://commerce.coinbase.com/other/c-1")
                == .notMine)
    }

    @Test("Only the landing tells a cancellation, and never a success")
    func returns() throws {
        let url = try ReturnURL(parsing: "app://back?status=COMPLETED")
        for (landing, status) in [
            (ReturnRequest.Landing.success, CheckoutStatus.pending), (.cancel, .cancelled),
        ] {
            #expect(
                try coinbase().parseReturn(ReturnRequest(url: url, landing: landing)).status
                    == status)
        }
    }

    @Test("A charge is asked about by code or UUID, and the last of its timeline answers")
    func query() throws {
        let plan = try Request.status(coinbase(), .session("66BEOV2A"))
        #expect(plan.url == "https://api.commerce.coinbase.com/charges/66BEOV2A")
        #expect(plan.headers.first("X-CC-Api-Key") == Request.apiKey)
        #expect(plan.headers.first("X-CC-Version") == "2018-03-22")
        #expect(!"\(plan)".contains(Request.apiKey))
        for (word, status) in [
            ("NEW", .pending), ("SIGNED", .pending), ("PENDING", .pending),
            ("UNRESOLVED", .pending), ("RESOLVED", .pending), ("COMPLETED", .succeeded),
            ("FAILED", .failed), ("EXPIRED", .expired), ("CANCELED", .cancelled),
        ] as [(String, CheckoutStatus)] {
            let body = #"{"data":\#(Self.charge.replacing("LAST", with: word))}"#
            for target in [StatusQueryTarget.session("66BEOV2A"), .payment("c-1")] {
                let facts = try Request.facts(coinbase(), target, body)
                #expect(facts?.status == status)
                #expect(facts?.amount == (try money(1999)))
                let isUnpaid = ["NEW", "SIGNED", "EXPIRED", "CANCELED"].contains(word)
                #expect(facts?.ids.payment == (isUnpaid ? nil : "c-1"))
            }
        }
        let other = #"{"data":\#(Self.charge.replacing("LAST", with: "COMPLETED"))}"#
        #expect(
            try Request.report(coinbase(), .session("OTHER"), other)
                == .indeterminate(.otherObject, retryAfterSeconds: nil))
        let invented = #"{"data":\#(Self.charge.replacing("LAST", with: "INVENTED"))}"#
        #expect(
            try Request.report(coinbase(), .session("66BEOV2A"), invented)
                == .indeterminate(.unknownWord, retryAfterSeconds: nil))
    }

    @Test("A charge is created over the exact total, as decimals")
    func creation() throws {
        let plan = try Request.creation(
            coinbase(), Request.draft(quantity: 2, price: money(1999, "EUR")))
        #expect(plan.url == "https://api.commerce.coinbase.com/charges")
        let body = try JSONValue(json: plan.body)
        #expect(body["local_price"]?["amount"]?.text == "39.98")
        #expect(body["local_price"]?["currency"]?.text == "EUR")
        #expect(body["pricing_type"]?.text == "fixed_price")
        #expect(body["redirect_url"]?.text == "app://back?x=1")
        #expect(body["metadata"]?["order_id"]?.text == "order-42")
        #expect(throws: RequestPlanError.missingField("unitAmount")) {
            try Request.creation(coinbase(), Request.draft())
        }
        let made = try Request.created(
            coinbase(),
            """
            {"data":{"code":"66BEOV2A","id":"c-1","expires_at":"2026-01-02T03:04:05Z",\
            "hosted_url":"https://commerce.coinbase.com/charges/66BEOV2A"}}
            """)
        #expect(made.ids == ProviderIDs(session: "66BEOV2A", payment: "c-1"))
        #expect(made.expiresAt == Instant(seconds: 1_767_323_045))
    }

    @Test("An account in test mode is a mistake, because there is no sandbox")
    func settings() throws {
        var live = ProviderSettings(
            mode: .live, [.init(name: "referenceKeys", value: .array([.string("ref")]))])
        #expect(CoinbaseCommerceConfiguration(settings: &live).referenceKeys == ["ref"])
        #expect(live.problems.isEmpty)
        var test = ProviderSettings(mode: .test)
        #expect(throws: ProviderSettingsError.self) {
            try CoinbaseCommerceProvider.configured(by: &test)
        }
    }
}
