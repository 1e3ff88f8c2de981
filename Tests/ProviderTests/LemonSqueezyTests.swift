import CheckoutModel
import LemonSqueezy
import ProviderKit
import Testing

@Suite("Lemon Squeezy")
struct LemonSqueezyTests {
    private func lemon(_ mode: ProviderMode = .test) throws -> LemonSqueezyProvider {
        try LemonSqueezyProvider(configuration: .init(storeID: "1", mode: mode))
    }

    private func body(_ name: String, _ data: String) -> String {
        """
        {"meta":{"event_name":"\(name)","test_mode":true,"webhook_id":"w_1",\
        "custom_data":{"order_id":"42"}},"data":\(data)}
        """
    }

    private func reading(_ name: String, _ data: String) throws -> DeliveryReading {
        try Sender.reading(
            Sender.signed(body(name, data), header: "X-Signature"), by: lemon(.unknown))
    }

    private func event(_ name: String, _ data: String) throws -> ProviderEvent {
        try #require(try reading(name, data).events.first)
    }

    static let order = """
        {"type":"orders","id":"7","attributes":{"store_id":1,"customer_id":3,"currency":"USD",\
        "total":5899,"refunded_amount":900,"status":"STATUS","user_email":"zoe@shop.example",\
        "user_name":"Zoe","updated_at":"2026-01-02T03:04:05.000000Z"}}
        """

    static let orders: [(word: String, status: CheckoutStatus?)] = [
        ("paid", .succeeded), ("pending", .pending), ("failed", .failed),
        ("refunded", .succeeded), ("partial_refund", .succeeded), ("fraudulent", .failed),
        ("invented_later", nil),
    ]

    @Test("An order is the payment, and its status tells how it stands", arguments: orders)
    func order(_ item: (word: String, status: CheckoutStatus?)) throws {
        let event = try event(
            "order_created", Self.order.replacing("STATUS", with: item.word))
        let amount = try money(5899)
        #expect(event.kind == item.status.map { .payment($0, amount, failure: nil) } ?? .ignored)
        #expect(event.ids == ProviderIDs(payment: "7", order: "42", customer: "3"))
        #expect(event.mode == .test)
        #expect(event.account == "1")
        #expect(event.occurredAt == Instant(seconds: 1_767_323_045))
        #expect(
            event.privateFields
                == PrivateFields(customerEmail: "zoe@shop.example", customerName: "Zoe"))
    }

    @Test("A refund is the order's, with the sum of all that went back")
    func refund() throws {
        let event = try event(
            "order_refunded", Self.order.replacing("STATUS", with: "partial_refund"))
        #expect(event.kind == .refund(.succeeded, try money(900)))
        #expect(event.ids.payment == "7")
        #expect(event.ids.refund == nil)
    }

    @Test("A change of the object makes another delivery, a retry does not")
    func identity() throws {
        func name(_ body: String) throws -> String {
            let verified = try Sender.verified(
                Sender.signed(body, header: "X-Signature"), by: lemon())
            return try lemon().identity(of: verified).id
        }
        let paid = Self.order.replacing("STATUS", with: "paid")
        let first = try name(body("order_created", paid))
        #expect(first == "order_created:orders:7:2026-01-02T03:04:05.000000Z")
        #expect(try name(body("order_created", paid) + "\n") == first)
        #expect(try name(body("order_refunded", paid)) != first)
        let later = paid.replacing("03:04:05", with: "03:04:06")
        #expect(try name(body("order_created", later)) != first)
        #expect(try name(body("order_created", "{}")).hasPrefix("sha256:"))
        #expect(try name("no JSON") != name("no json"))
    }

    static let subscriptions: [(name: String, word: String, state: SubscriptionState?)] = [
        ("created", "on_trial", .active), ("updated", "active", .active),
        ("updated", "past_due", .pastDue), ("updated", "unpaid", .pastDue),
        ("updated", "paused", .paused), ("updated", "cancelled", .cancelled),
        ("updated", "expired", .expired), ("updated", "invented_later", nil),
        ("cancelled", "cancelled", .cancelled), ("resumed", "active", .active),
        ("expired", "expired", .expired), ("paused", "paused", .paused),
        ("unpaused", "active", .active),
    ]

    @Test(
        "A subscription stands as its event says, and names its first order",
        arguments: subscriptions)
    func subscription(_ item: (name: String, word: String, state: SubscriptionState?)) throws {
        let event = try event(
            "subscription_\(item.name)",
            """
            {"type":"subscriptions","id":"9","attributes":{"store_id":1,"order_id":7,\
            "status":"\(item.word)"}}
            """)
        #expect(event.kind == item.state.map { .subscription($0) } ?? .ignored)
        #expect(event.ids == ProviderIDs(payment: "7", subscription: "9", order: "42"))
    }

    static let invoices: [(name: String, reason: String, state: SubscriptionState?)] = [
        ("success", "initial", .active), ("success", "renewal", .renewed),
        ("success", "updated", .active), ("recovered", "renewal", .renewed),
        ("failed", "renewal", .pastDue), ("refunded", "renewal", nil),
    ]

    @Test("An invoice tells of its subscription only", arguments: invoices)
    func invoice(_ item: (name: String, reason: String, state: SubscriptionState?)) throws {
        let event = try event(
            "subscription_payment_\(item.name)",
            """
            {"type":"subscription-invoices","id":"7","attributes":{"store_id":1,\
            "subscription_id":9,"billing_reason":"\(item.reason)","total":5,"currency":"USD"}}
            """)
        #expect(event.kind == item.state.map { .subscription($0) } ?? .ignored)
        #expect(event.ids.payment == nil)
        if item.state != nil { #expect(event.ids.subscription == "9") }
        guard item.state != nil else { return }
        guard
            case .unreadable(let error) = try reading(
                "subscription_payment_\(item.name)", #"{"id":"7","attributes":{}}"#)
        else {
            Issue.record("understood")
            return
        }
        #expect(error.code == "missing_field")
    }

    @Test("A licence key is private and nothing else happened")
    func licence() throws {
        for name in ["license_key_created", "license_key_updated"] {
            let event = try event(
                name, #"{"id":"4","attributes":{"store_id":1,"order_id":7,"key":"LIC-1"}}"#)
            #expect(event.kind == .ignored)
            #expect(event.privateFields.licenseKeys == ["LIC-1"])
            #expect(event.ids.payment == "7")
        }
    }

    @Test("Names of no meaning are kept, and another store is set aside")
    func others() throws {
        for data in ["{}", "[]", "null"] {
            let event = try event("affiliate_activated", data)
            #expect(event.kind == .ignored)
            #expect(event.rawType == "affiliate_activated")
        }
        let foreign = Self.order.replacing(#""store_id":1"#, with: #""store_id":2"#)
        guard case .foreignAccount(let account) = try reading("order_created", foreign) else {
            Issue.record("not set aside")
            return
        }
        #expect(account.named == "2")
    }

    @Test("A store's own host is known where it is configured")
    func pages() throws {
        let own = try LemonSqueezyProvider(
            configuration: .init(storeHost: "pay.shop.example", mode: .live))
        for host in ["pay.shop.example", "shop.lemonsqueezy.com"] {
            #expect(
                own.recognise(checkoutURL: "https://\(host)/checkout/custom/u1?signature=s")
                    == .session(id: "u1", mode: .live))
            #expect(
                own.recognise(checkoutURL: "https://\(host)/checkout/buy/u1")
                    == .linkWithoutSession(mode: .live))
        }
        #expect(
            try lemon().recognise(checkoutURL: "https://pay.shop.example/checkout/custom/u1")
                == .notMine)
    }

    @Test("Nothing in a return is a status")
    func returns() throws {
        let url = try ReturnURL(parsing: "app://back?status=paid&order_id=7")
        for (landing, status) in [
            (ReturnRequest.Landing.success, CheckoutStatus.pending), (.unspecified, .pending),
            (.failure, .pending), (.cancel, .cancelled),
        ] {
            let claim = try lemon().parseReturn(ReturnRequest(url: url, landing: landing))
            #expect(claim.status == status)
            #expect(claim.ids == ProviderIDs())
        }
    }

    @Test("An order can be asked about, a checkout cannot")
    func query() throws {
        let plan = try Request.status(lemon(), .payment("7"))
        #expect(plan.url == "https://api.lemonsqueezy.com/v1/orders/7")
        #expect(plan.headers.first("Accept") == "application/vnd.api+json")
        #expect(throws: RequestPlanError.unsupportedTarget) {
            try Request.status(lemon(), .session("u1"))
        }
        for item in Self.orders {
            let body = #"{"data":\#(Self.order.replacing("STATUS", with: item.word))}"#
            let facts = try Request.facts(lemon(), .payment("7"), body)
            #expect(facts?.status == item.status)
        }
        #expect(
            try Request.report(lemon(), .payment("8"), #"{"data":{"id":"7","attributes":{}}}"#)
                == .indeterminate(.otherObject, retryAfterSeconds: nil))
    }

    @Test("A checkout is created for one variant of the store")
    func creation() throws {
        let plan = try Request.creation(lemon(), Request.draft(product: "12", price: money(1999)))
        #expect(plan.headers.first("Content-Type") == "application/vnd.api+json")
        let data = try JSONValue(json: plan.body)["data"]
        let attributes = data?["attributes"]
        #expect(attributes?["custom_price"]?.integer == 1999)
        #expect(attributes?["test_mode"] == .bool(true))
        #expect(attributes?["product_options"]?["redirect_url"]?.text == "app://back?x=1")
        #expect(attributes?["checkout_data"]?["custom"]?["order_id"]?.text == "order-42")
        #expect(data?["relationships"]?["store"]?["data"]?["id"]?.text == "1")
        #expect(data?["relationships"]?["variant"]?["data"]?["id"]?.text == "12")
        let several = try Request.creation(lemon(), Request.draft(product: "12", quantity: 3))
        let quantities = try JSONValue(json: several.body)["data"]?["attributes"]?[
            "checkout_data"]?[
                "variant_quantities"]?.elements
        #expect(quantities?.first?["quantity"]?.integer == 3)
        #expect(throws: RequestPlanError.tooManyItems) {
            try Request.creation(
                lemon(), Request.draft(product: "12", quantity: 2, price: money(1)))
        }
        #expect(throws: RequestPlanError.missingField("storeID")) {
            try Request.creation(LemonSqueezyProvider(), Request.draft(product: "12"))
        }
        let made = try Request.created(
            lemon(),
            """
            {"data":{"type":"checkouts","id":"u1","attributes":{"test_mode":true,\
            "expires_at":null,"url":"https://shop.lemonsqueezy.com/checkout/custom/u1"}}}
            """)
        #expect(made.ids == ProviderIDs(session: "u1"))
        #expect(made.mode == .test)
    }

    @Test("Settings are read by name, and mistakes are refused")
    func settings() throws {
        var settings = ProviderSettings(
            mode: .live,
            [
                .init(name: "storeID", value: .string("1")),
                .init(name: "storeHost", value: .string("pay.shop.example")),
                .init(name: "referenceKeys", value: .array([.string("ref")])),
            ])
        let configuration = LemonSqueezyConfiguration(settings: &settings)
        #expect(
            configuration
                == LemonSqueezyConfiguration(
                    storeID: "1", storeHost: "pay.shop.example", mode: .live,
                    referenceKeys: ["ref"]))
        #expect(settings.unknownNames.isEmpty)
        #expect(throws: ProviderConfigurationError.self) {
            try LemonSqueezyProvider(configuration: .init(storeHost: "Shop"))
        }
    }
}
