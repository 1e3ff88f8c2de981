import CheckoutCom
import CheckoutModel
import CoinbaseCommerce
import LemonSqueezy
import Paddle
import Polar
import ProviderKit
import TestSupport
import Testing

/// What holds for the requests, replies and bodies of each of five adapters alike.
@Suite("Requests, replies and bodies of the adapters that one header signs")
struct HostedRequestTests {
    struct Adapter: Sendable, CustomTestStringConvertible {
        let name: String
        let provider: any StatusQuerying & SessionCreating & WebhookReceiving
        let target: StatusQueryTarget
        /// A draft that the provider sells.
        let draft: SessionDraft
        /// A reply that refuses, and the code in it.
        let refusal: (body: String, code: String?)
        let sign: @Sendable (String) -> WebhookDelivery
        /// A webhook's body with every field that its adapter reads.
        let body: String

        var testDescription: String { name }
    }

    static let adapters: [Adapter] =
        (try? [polar(), paddle(), lemonSqueezy(), coinbaseCommerce(), checkoutCom()]) ?? []

    private static func polar() throws -> Adapter {
        Adapter(
            name: "polar", provider: try PolarProvider(configuration: .init(mode: .test)),
            target: .session("x"), draft: Request.draft(),
            refusal: (
                #"{"error":"RequestValidationError","detail":[]}"#, "RequestValidationError"
            ),
            sign: { Sender.standard($0) },
            body: """
                {"type":"order.paid","timestamp":"2026-01-02T03:04:05Z","data":{"id":"o",\
                "checkout_id":"c","status":"paid","total_amount":1999,"currency":"usd",\
                "metadata":{"order_id":"42"},"customer":{"email":"e","name":"n"}}}
                """)
    }

    private static func paddle() throws -> Adapter {
        Adapter(
            name: "paddle", provider: try PaddleProvider(configuration: .init(mode: .test)),
            target: .session("x"), draft: Request.draft(product: "pri_1"),
            refusal: (#"{"error":{"type":"request_error","code":"forbidden"}}"#, "forbidden"),
            sign: { Sender.paddle($0) },
            body: """
                {"event_id":"e","event_type":"transaction.paid",\
                "occurred_at":"2026-01-02T03:04:05Z","data":{"id":"txn_1","status":"paid",\
                "details":{"totals":{"grand_total":"1999","currency_code":"USD"}}}}
                """)
    }

    private static func lemonSqueezy() throws -> Adapter {
        Adapter(
            name: "lemonsqueezy",
            provider: try LemonSqueezyProvider(
                configuration: .init(storeID: "1", mode: .test)),
            target: .payment("x"), draft: Request.draft(product: "12"),
            refusal: (#"{"errors":[{"status":"422","title":"Unprocessable"}]}"#, nil),
            sign: { Sender.signed($0, header: "X-Signature") },
            body: """
                {"meta":{"event_name":"order_created","test_mode":true},"data":{"id":"7",\
                "type":"orders","attributes":{"store_id":1,"total":1999,"currency":"USD",\
                "status":"paid","updated_at":"2026-01-02T03:04:05Z"}}}
                """)
    }

    private static func coinbaseCommerce() throws -> Adapter {
        Adapter(
            name: "coinbase-commerce", provider: try CoinbaseCommerceProvider(),
            target: .session("x"), draft: try Request.draft(price: money(1999)),
            refusal: (#"{"error":{"type":"invalid_request"}}"#, "invalid_request"),
            sign: { Sender.signed($0, header: "X-CC-Webhook-Signature") },
            body: """
                {"event":{"id":"e","type":"charge:confirmed","data":{"code":"C","id":"c",\
                "pricing":{"local":{"amount":"19.99","currency":"USD"}},\
                "timeline":[{"status":"COMPLETED"}]}}}
                """)
    }

    private static func checkoutCom() throws -> Adapter {
        Adapter(
            name: "checkout.com",
            provider: try CheckoutComProvider(
                configuration: .init(mode: .test, billingCountry: "DE")),
            target: .session("x"), draft: try Request.draft(price: money(1999)),
            refusal: (#"{"error_type":"request_invalid"}"#, "request_invalid"),
            sign: { Sender.signed($0, header: "Cko-Signature") },
            body: """
                {"id":"e","type":"payment_captured","timestamp":"2026-01-02T03:04:05Z",\
                "data":{"id":"pay_1","amount":1999,"currency":"USD","reference":"42",\
                "balances":{"total_captured":1999}}}
                """)
    }

    @Test("All five are there")
    func count() { #expect(Self.adapters.count == 5) }

    @Test(
        "A verification states the scheme that the list of providers shows",
        arguments: zip(
            adapters,
            [
                "standard-webhooks/v1", "paddle/h1", "lemonsqueezy/hmac-sha256",
                "coinbase-commerce/hmac-sha256", "checkout.com/hmac-sha256",
            ]))
    func scheme(_ adapter: Adapter, _ scheme: String) throws {
        let verified = try Sender.verified(adapter.sign("{}"), by: adapter.provider)
        #expect(verified.scheme == scheme)
    }

    static let doubts: [(status: Int, body: String, reason: IndeterminateReason)] = [
        (404, "{}", .notFound), (429, "", .rateLimited), (500, "", .providerTrouble),
        (503, "<html>", .providerTrouble), (302, "", .unexpectedStatus), (200, "", .unreadable),
        (200, #"{"data":{"id"#, .unreadable), (200, #"{"data":[]}"#, .unreadable),
        (
            200,
            """
            {"id":"y","status":"paid","data":{"id":"y","code":"y","status":"paid",\
            "attributes":{"status":"paid"},"timeline":[{"status":"COMPLETED"}]}}
            """, .otherObject
        ),
        (
            200,
            """
            {"id":"x","status":"invented","data":{"id":"x","code":"x","status":"invented",\
            "attributes":{"status":"invented"},"timeline":[{"status":"invented"}]}}
            """, .unknownWord
        ),
    ]

    @Test("A doubtful reply tells nothing, and never that a payment failed", arguments: adapters)
    func doubtful(_ adapter: Adapter) throws {
        for doubt in Self.doubts {
            let reply = HTTPReply(
                status: doubt.status, headers: ["Retry-After": "17"], body: Array(doubt.body.utf8))
            let report = try adapter.provider.interpret(reply, for: adapter.target)
            guard case .indeterminate(let reason, let seconds) = report else {
                Issue.record("\(adapter.name): \(report)")
                continue
            }
            #expect(reason == doubt.reason)
            if doubt.status != 200 { #expect(seconds == 17) }
        }
        for status in [401, 403] {
            #expect(throws: ProviderReplyError.unauthorized) {
                try adapter.provider.interpret(HTTPReply(status: status), for: adapter.target)
            }
        }
    }

    @Test("A query has no secret in its URL and cannot reach another path", arguments: adapters)
    func query(_ adapter: Adapter) throws {
        let plan = try Request.status(adapter.provider, adapter.target)
        #expect(plan.method == "GET")
        #expect(plan.isRepeatable)
        #expect(plan.body.isEmpty)
        #expect(plan.url.hasPrefix("https://"))
        #expect(!"\(plan)".contains(Request.apiKey))
        func target(_ id: String) -> StatusQueryTarget {
            if case .session = adapter.target { .session(id) } else { .payment(id) }
        }
        let odd = try Request.status(adapter.provider, target("../a?b#c")).url
        #expect(odd.hasSuffix("/..%2Fa%3Fb%23c"))
        for id in ["", ".", "..", String(repeating: "x", count: 600)] {
            #expect(throws: RequestPlanError.unusableID) {
                try Request.status(adapter.provider, target(id))
            }
        }
        for other in [StatusQueryTarget.order("1"), .merchantReference("1")] {
            #expect(throws: RequestPlanError.unsupportedTarget) {
                try Request.status(adapter.provider, other)
            }
        }
    }

    @Test("A creation repeats itself exactly and carries its idempotency key", arguments: adapters)
    func creation(_ adapter: Adapter) throws {
        let plan = try Request.creation(adapter.provider, adapter.draft)
        #expect(try plan == Request.creation(adapter.provider, adapter.draft))
        #expect(plan.method == "POST")
        #expect(!"\(plan)".contains(Request.apiKey))
        let body = String(decoding: plan.body, as: UTF8.self)
        #expect(body.contains("order-42"))
        #expect(body.contains("key-1"))
        var draft = adapter.draft
        draft.items[0].quantity = 0
        #expect(throws: RequestPlanError.missingField("quantity")) {
            try Request.creation(adapter.provider, draft)
        }
        draft.items = []
        #expect(throws: RequestPlanError.missingField("items")) {
            try Request.creation(adapter.provider, draft)
        }
        draft = adapter.draft
        draft.items[0].productID = "12"
        draft.items[0].unitAmount = try money(-1)
        #expect(throws: RequestPlanError.unusableAmount) {
            try Request.creation(adapter.provider, draft)
        }
    }

    @Test(
        "A refused creation tells the provider's code, a doubtful one that it is in doubt",
        arguments: adapters)
    func refused(_ adapter: Adapter) throws {
        func create(_ status: Int, _ body: String) throws -> CreatedSession {
            try adapter.provider.interpretCreation(
                HTTPReply(status: status, body: Array(body.utf8)))
        }
        #expect(throws: ProviderReplyError.unreadable) { try create(201, "{}") }
        #expect(throws: ProviderReplyError.unreadable) { try create(201, "{") }
        #expect(throws: ProviderReplyError.unreadable) { try create(502, "") }
        #expect(throws: ProviderReplyError.unauthorized) { try create(401, "{}") }
        #expect(throws: ProviderReplyError.refused(providerCode: nil)) { try create(422, "{}") }
        #expect(throws: ProviderReplyError.refused(providerCode: adapter.refusal.code)) {
            try create(422, adapter.refusal.body)
        }
    }

    @Test("A changed body fails, and a broken one is understood or set aside", arguments: adapters)
    func bodies(_ adapter: Adapter) throws {
        let verifier = try Sender.verifier(adapter.provider)
        let good = adapter.sign(adapter.body)
        let reading = adapter.provider.reading(of: try verifier.verify(good, at: Sender.now))
        let kinds = reading.events.map(\.kind)
        let amount = try money(1999)
        #expect(
            kinds == [.payment(.succeeded, amount, failure: nil)] || kinds == [.captured(amount)])
        #expect(throws: WebhookRejection.signatureMismatch) {
            try verifier.verify(
                WebhookDelivery(headers: good.headers, body: good.body + [0x20]), at: Sender.now)
        }
        var random = SeededGenerator(seed: 11)
        let characters = Array(adapter.body)
        for _ in 0..<200 {
            var changed = characters
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: changed.indices, using: &random)
                changed[place] = "{}[]\",:0x-".randomElement(using: &random) ?? "x"
            }
            let verified = try verifier.verify(adapter.sign(String(changed)), at: Sender.now)
            let identity = adapter.provider.identity(of: verified)
            #expect(!identity.id.isEmpty)
            #expect(identity == adapter.provider.identity(of: verified))
            #expect(
                adapter.provider.reading(of: verified) == adapter.provider.reading(of: verified))
        }
    }
}
