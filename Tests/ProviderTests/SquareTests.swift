import CheckoutModel
import Cryptography
import ProviderKit
import Square
import TestSupport
import Testing

/// Signs deliveries as Square does.
private enum SquareSender {
    static let secret = "signature-key-of-tests"
    static let url = "https://shop.example/hooks/square"

    static func delivery(_ body: String, url: String = url) -> WebhookDelivery {
        let code = HMACKey(sha256: Array(secret.utf8)).authenticate(Array("\(url)\(body)".utf8))
        return WebhookDelivery(
            configuredURL: url,
            headers: ["X-Square-HmacSha256-Signature": Base64.encode(code)],
            body: Array(body.utf8))
    }

    static func verified(
        _ delivery: WebhookDelivery, _ configuration: SquareConfiguration = .init()
    ) throws -> (SquareProvider, VerifiedDelivery) {
        let provider = try SquareProvider(configuration: configuration)
        let verifier = try Sender.verifier(provider, secrets: [secret])
        return (provider, try verifier.verify(delivery, at: Sender.now))
    }

    static func event(
        _ type: String, _ object: String, _ configuration: SquareConfiguration = .init()
    ) throws -> ProviderEvent {
        let body = """
            {"merchant_id":"ML1","type":"\(type)","event_id":"ev-1",\
            "created_at":"2026-03-04T05:06:05.037339943Z","data":{"object":\(object)}}
            """
        let (provider, verified) = try verified(delivery(body), configuration)
        return try #require(try provider.events(in: verified).first)
    }
}

@Suite("Square's webhooks")
struct SquareWebhookTests {
    static let usd = Currency("USD").map { Money(minorUnits: 2500, currency: $0) }

    static let payments: [(word: String, kind: ProviderEvent.Kind)] = [
        ("\"COMPLETED\"", .payment(.succeeded, usd, failure: nil)),
        ("\"APPROVED\"", .authorized(usd)),
        ("\"PENDING\"", .payment(.pending, usd, failure: nil)),
        ("\"CANCELED\"", .payment(.cancelled, usd, failure: nil)),
        ("\"FAILED\"", .payment(.failed, usd, failure: nil)),
        ("\"INVENTED\"", .payment(.pending, usd, failure: nil)),
        ("null", .payment(.pending, usd, failure: nil)),
    ]

    @Test("A payment stands as its own word says", arguments: payments)
    func payment(_ row: (word: String, kind: ProviderEvent.Kind)) throws {
        for type in ["payment.created", "payment.updated"] {
            let event = try SquareSender.event(
                type,
                """
                {"payment":{"id":"pay1","order_id":"order1","status":\(row.word),\
                "amount_money":{"amount":2500,"currency":"USD"},\
                "total_money":{"amount":2800,"currency":"USD"},"reference_id":"42",\
                "customer_id":"c1","buyer_email_address":"zoe@shop.example"}}
                """, .init(mode: .test))
            #expect(event.kind == row.kind)
            #expect(
                event.ids
                    == ProviderIDs(session: "order1", payment: "pay1", order: "42", customer: "c1"))
            #expect(event.key.rawValue == "ev-1")
            #expect(event.account == "ML1")
            #expect(event.mode == .test)
            #expect(event.occurredAt == (try? Instant(iso8601: "2026-03-04T05:06:05.037339Z")))
            #expect(event.privateFields == PrivateFields(customerEmail: "zoe@shop.example"))
        }
    }

    @Test("A failed card names its code")
    func failure() throws {
        let event = try SquareSender.event(
            "payment.updated",
            """
            {"payment":{"id":"p","status":"FAILED",\
            "card_details":{"errors":[{"code":"CARD_DECLINED","detail":"no"}]}}}
            """)
        #expect(event.kind == .payment(.failed, nil, failure: "CARD_DECLINED"))
    }

    static let refunds: [(word: String, state: RefundState)] = [
        ("PENDING", .pending), ("COMPLETED", .succeeded), ("REJECTED", .failed),
        ("FAILED", .failed), ("INVENTED", .pending),
    ]

    @Test("A refund stands as its own word says", arguments: refunds)
    func refund(_ row: (word: String, state: RefundState)) throws {
        for type in ["refund.created", "refund.updated"] {
            let event = try SquareSender.event(
                type,
                """
                {"refund":{"id":"r1","payment_id":"pay1","order_id":"order2",\
                "status":"\(row.word)","amount_money":{"amount":2500,"currency":"USD"}}}
                """)
            #expect(event.kind == .refund(row.state, Self.usd))
            #expect(event.ids == ProviderIDs(payment: "pay1", refund: "r1"))
        }
    }

    static let disputes: [(word: String, state: DisputeState?)] = [
        ("INQUIRY_EVIDENCE_REQUIRED", .opened), ("EVIDENCE_REQUIRED", .opened),
        ("INQUIRY_PROCESSING", .underReview), ("PROCESSING", .underReview),
        ("INQUIRY_CLOSED", .closed), ("WON", .won), ("LOST", .lost), ("ACCEPTED", .lost),
        ("INVENTED", nil),
    ]

    @Test("A dispute stands as its own word says, and a new one is open", arguments: disputes)
    func dispute(_ row: (word: String, state: DisputeState?)) throws {
        for type in ["dispute.created", "dispute.state.updated", "dispute.state.changed"] {
            let event = try SquareSender.event(
                type,
                """
                {"dispute":{"id":"d1","state":"\(row.word)",\
                "disputed_payment":{"payment_id":"pay1"},\
                "amount_money":{"amount":2500,"currency":"USD"}}}
                """)
            let state = row.state ?? (type == "dispute.created" ? .opened : nil)
            #expect(event.kind == state.map { .dispute($0, Self.usd) } ?? .ignored)
            #expect(event.ids == ProviderIDs(payment: "pay1", dispute: "d1"))
        }
    }

    static let subscriptions: [(word: String, state: SubscriptionState?)] = [
        ("PENDING", .pending), ("ACTIVE", .active), ("PAUSED", .paused),
        ("CANCELED", .cancelled), ("DEACTIVATED", .cancelled), ("INVENTED", nil),
    ]

    @Test("A subscription stands as its own word says", arguments: subscriptions)
    func subscription(_ row: (word: String, state: SubscriptionState?)) throws {
        for type in ["subscription.created", "subscription.updated"] {
            let event = try SquareSender.event(
                type, #"{"subscription":{"id":"s1","customer_id":"c1","status":"\#(row.word)"}}"#)
            #expect(event.kind == row.state.map { .subscription($0) } ?? .ignored)
            #expect(event.ids == ProviderIDs(subscription: "s1", customer: "c1"))
        }
    }

    @Test("Types of no meaning for a checkout keep their name, whatever their body looks like")
    func ignored() throws {
        for type in ["order.updated", "invoice.published", "webhooks.test_notification", "new"] {
            let event = try SquareSender.event(type, "{}")
            #expect(event.kind == .ignored)
            #expect(event.rawType == type)
        }
    }

    static let unreadableBodies: [(type: String, object: String, code: String)] = [
        ("payment.updated", "{}", "missing_field"),
        ("payment.updated", #"{"payment":[]}"#, "unexpected_type"),
        ("payment.updated", #"{"payment":{"status":"COMPLETED"}}"#, "missing_field"),
        (
            "payment.updated", #"{"payment":{"id":"p","amount_money":{"amount":1}}}"#,
            "missing_field"
        ),
        (
            "payment.updated",
            #"{"payment":{"id":"p","amount_money":{"amount":1.5,"currency":"USD"}}}"#,
            "amount_not_integer"
        ),
        (
            "payment.updated",
            #"{"payment":{"id":"p","amount_money":{"amount":1,"currency":"XQQ"}}}"#,
            "unknown_currency"
        ),
        ("refund.updated", #"{"refund":{"payment_id":"p"}}"#, "missing_field"),
        ("dispute.created", #"{"dispute":{}}"#, "missing_field"),
    ]

    @Test(
        "A body that cannot be understood is set aside with its reason", arguments: unreadableBodies
    )
    func unreadable(_ row: (type: String, object: String, code: String)) throws {
        #expect {
            try SquareSender.event(row.type, row.object)
        } throws: { ($0 as? WebhookDecodingError)?.code == row.code }
    }

    @Test("The configured URL is signed with the body, and the settings' URL goes first")
    func notificationURL() throws {
        let delivery = SquareSender.delivery("{}")
        _ = try SquareSender.verified(delivery)
        _ = try SquareSender.verified(delivery, .init(notificationURL: SquareSender.url))
        #expect(throws: WebhookRejection.signatureMismatch) {
            try SquareSender.verified(
                delivery, .init(notificationURL: SquareSender.url + "/"))
        }
        // No URL at all: the body alone is never enough.
        #expect(throws: WebhookRejection.signatureMismatch) {
            try SquareSender.verified(SquareSender.delivery("{}", url: ""))
        }
        let named = try SquareSender.verified(
            WebhookDelivery(
                configuredURL: "https://other.example/", headers: delivery.headers,
                body: delivery.body), .init(notificationURL: SquareSender.url))
        #expect(named.1.scheme == "square/hmacsha256")
    }

    @Test("A delivery is named by its event, else by its hash")
    func identity() throws {
        let (provider, verified) = try SquareSender.verified(
            SquareSender.delivery(#"{"event_id":"ev-9"}"#), .init(merchantID: "ML1", mode: .live))
        let identity = provider.identity(of: verified)
        #expect(identity.id == "ev-9")
        #expect(identity.account == "ML1")
        #expect(identity.mode == .live)
        let (other, unnamed) = try SquareSender.verified(SquareSender.delivery("no json"))
        #expect(other.identity(of: unnamed).id == "sha256:\(unnamed.bodyHex)")
    }

    @Test("An event about another merchant is set aside")
    func foreignMerchant() throws {
        let (provider, verified) = try SquareSender.verified(
            SquareSender.delivery(#"{"type":"order.updated","merchant_id":"ML2"}"#),
            .init(merchantID: "ML1"))
        guard case .foreignAccount(let foreign) = provider.reading(of: verified) else {
            Issue.record("not set aside")
            return
        }
        #expect(foreign.named == "ML2")
    }

    @Test("Random bodies are understood or set aside, never a trap")
    func fuzz() throws {
        var random = SeededGenerator(seed: 12)
        let seed = Array(
            """
            {"type":"payment.updated","event_id":"e","data":{"object":{"payment":{"id":"p",\
            "status":"COMPLETED","amount_money":{"amount":1,"currency":"USD"}}}}}
            """.utf8)
        for _ in 0..<2_000 {
            var body = seed
            body[Int.random(in: body.indices, using: &random)] = UInt8.random(
                in: 0x20...0x7E, using: &random)
            let delivery = SquareSender.delivery(String(decoding: body, as: UTF8.self))
            let (provider, verified) = try SquareSender.verified(delivery)
            _ = provider.reading(of: verified)
            _ = provider.identity(of: verified)
        }
    }
}
