import Adyen
import CheckoutModel
import Cryptography
import ProviderKit
import TestSupport
import Testing

/// Signs items as Adyen does.
private enum AdyenSender {
    static let secret = String(repeating: "5A", count: 32)

    /// One item; `more` are further members, each behind a comma.
    static func item(
        _ code: String, success: String = "true", psp: String = "PSP1", original: String = "",
        account: String = "Shop", reference: String = "42", value: String = "2500",
        currency: String = "EUR", additional: String = "", more: String = ""
    ) -> String {
        let signed = [psp, original, account, reference, value, currency, code, success]
            .joined(separator: ":")
        let key = HMACKey(sha256: Hex.decode(secret, accepting: .any) ?? [])
        let signature = Base64.encode(key.authenticate(Array(signed.utf8)))
        return """
            {"pspReference":"\(psp)","originalReference":"\(original)",\
            "merchantAccountCode":"\(account)","merchantReference":"\(reference)",\
            "amount":{"value":\(value),"currency":"\(currency)"},"eventCode":"\(code)",\
            "success":"\(success)","eventDate":"2026-03-04T05:06:07+01:00"\(more),\
            "additionalData":{"hmacSignature":"\(signature)"\(additional)}}
            """
    }

    static func delivery(_ items: [String]) -> WebhookDelivery {
        let wrapped = items.map { "{\"NotificationRequestItem\":\($0)}" }.joined(separator: ",")
        return WebhookDelivery(
            headers: [:], body: Array(#"{"live":"true","notificationItems":[\#(wrapped)]}"#.utf8))
    }

    static func verify(
        _ delivery: WebhookDelivery, _ configuration: AdyenConfiguration = .init()
    ) throws -> (AdyenProvider, VerifiedDelivery) {
        let provider = try AdyenProvider(configuration: configuration)
        let verifier = try Sender.verifier(provider, secrets: [secret])
        return (provider, try verifier.verify(delivery, at: Sender.now))
    }

    static func event(
        _ item: String, _ configuration: AdyenConfiguration = .init()
    ) throws -> ProviderEvent {
        let (provider, verified) = try verify(delivery([item]), configuration)
        return try #require(try provider.events(in: verified).first)
    }
}

@Suite("Adyen's webhooks")
struct AdyenWebhookTests {
    typealias Row = (code: String, isSuccess: Bool, kind: ProviderEvent.Kind)

    static let eur = Currency("EUR").map { Money(minorUnits: 2500, currency: $0) }

    static let payments: [Row] = [
        ("AUTHORISATION", true, .payment(.succeeded, eur, failure: nil)),
        ("AUTHORISATION", false, .payment(.failed, eur, failure: "CVC Declined")),
        ("PENDING", true, .payment(.pending, eur, failure: nil)), ("PENDING", false, .ignored),
        ("CAPTURE", true, .captured(eur)),
        ("CAPTURE", false, .payment(.pending, eur, failure: "CVC Declined")),
        ("CAPTURE_FAILED", true, .payment(.failed, eur, failure: "CVC Declined")),
        ("CAPTURE_FAILED", false, .ignored),
        ("CANCELLATION", true, .payment(.cancelled, eur, failure: nil)),
        ("CANCELLATION", false, .ignored),
        ("TECHNICAL_CANCEL", true, .payment(.cancelled, eur, failure: nil)),
        ("EXPIRE", true, .payment(.expired, eur, failure: nil)), ("EXPIRE", false, .ignored),
        ("OFFER_CLOSED", true, .payment(.expired, eur, failure: nil)),
        ("REPORT_AVAILABLE", true, .ignored), ("RECURRING_CONTRACT", true, .ignored),
        ("NOTIFICATION_OF_FRAUD", true, .ignored), ("INVENTED_LATER", true, .ignored),
    ]

    @Test("A payment stands as code and success say", arguments: payments)
    func payment(_ row: Row) throws {
        let event = try AdyenSender.event(
            AdyenSender.item(
                row.code, success: "\(row.isSuccess)", additional: #","paymentLinkId":"PL1""#,
                more: #","reason":"CVC Declined""#),
            .init(merchantAccount: "Shop", mode: .test))
        #expect(event.kind == row.kind)
        #expect(event.rawType == row.code)
        #expect(event.ids == ProviderIDs(session: "PL1", payment: "PSP1", order: "42"))
        #expect(event.key.rawValue == "\(row.code):PSP1:\(row.isSuccess)")
        #expect(event.mode == .test)
        #expect(event.occurredAt == (try? Instant(iso8601: "2026-03-04T04:06:07Z")))
    }

    static let refunds: [Row] = [
        ("REFUND", true, .refund(.succeeded, eur)), ("REFUND", false, .refund(.failed, eur)),
        ("REFUND_WITH_DATA", true, .refund(.succeeded, eur)),
        ("POSTPONED_REFUND", true, .refund(.pending, eur)),
        ("POSTPONED_REFUND", false, .refund(.failed, eur)),
        ("REFUND_FAILED", true, .refund(.failed, eur)),
        ("REFUNDED_REVERSED", true, .refund(.reversed, eur)),
        ("CANCEL_OR_REFUND", true, .refund(.pending, eur)),
    ]

    @Test("A refund has its own reference and the payment's as the original", arguments: refunds)
    func refund(_ row: Row) throws {
        let event = try AdyenSender.event(
            AdyenSender.item(row.code, success: "\(row.isSuccess)", psp: "R1", original: "PSP1"))
        #expect(event.kind == row.kind)
        #expect(event.ids == ProviderIDs(payment: "PSP1", refund: "R1", order: "42"))
    }

    @Test("A failed failure, and a call-off that was refused, change nothing")
    func negations() throws {
        for code in ["REFUND_FAILED", "REFUNDED_REVERSED", "CANCEL_OR_REFUND"] {
            let event = try AdyenSender.event(AdyenSender.item(code, success: "false"))
            #expect(event.kind == .ignored)
        }
    }

    @Test("What called off or gave back did is told by its action")
    func cancelOrRefund() throws {
        for (action, kind) in [
            ("cancel", .payment(.cancelled, Self.eur, failure: nil)),
            ("refund", .refund(.succeeded, Self.eur)), ("other", .refund(.pending, Self.eur)),
        ] as [(String, ProviderEvent.Kind)] {
            let event = try AdyenSender.event(
                AdyenSender.item(
                    "CANCEL_OR_REFUND", psp: "M1", original: "PSP1",
                    additional: #","modification.action":"\#(action)""#))
            #expect(event.kind == kind)
            #expect(event.ids.payment == "PSP1")
        }
    }

    static let disputes: [(code: String, state: DisputeState, denied: DisputeState?)] = [
        ("REQUEST_FOR_INFORMATION", .opened, .opened),
        ("NOTIFICATION_OF_CHARGEBACK", .opened, .opened),
        ("DISPUTE_OPENED_WITH_CHARGEBACK", .opened, .opened),
        ("INFORMATION_SUPPLIED", .underReview, .opened), ("CHARGEBACK", .lost, .opened),
        ("CHARGEBACK_REVERSED", .won, nil), ("SECOND_CHARGEBACK", .lost, .opened),
        ("PREARBITRATION_WON", .won, nil), ("PREARBITRATION_LOST", .lost, .opened),
        ("ISSUER_RESPONSE_TIMEFRAME_EXPIRED", .won, nil),
        ("DISPUTE_DEFENSE_PERIOD_ENDED", .lost, .opened),
    ]

    @Test("A dispute stands as its code says", arguments: disputes)
    func dispute(_ row: (code: String, state: DisputeState, denied: DisputeState?)) throws {
        for success in [true, false] {
            let event = try AdyenSender.event(
                AdyenSender.item(
                    row.code, success: "\(success)", psp: "D1", original: "PSP1"))
            let state = success ? row.state : row.denied
            #expect(event.kind == state.map { .dispute($0, Self.eur) } ?? .ignored)
            if state != nil {
                #expect(event.ids == ProviderIDs(payment: "PSP1", dispute: "D1", order: "42"))
            }
        }
    }

    @Test("An authorisation of an account that captures by hand is no payment yet")
    func manualCapture() throws {
        let event = try AdyenSender.event(
            AdyenSender.item("AUTHORISATION"), .init(capturesManually: true))
        #expect(event.kind == .authorized(Self.eur))
        let capture = try AdyenSender.event(
            AdyenSender.item("CAPTURE", psp: "C1", original: "PSP1"), .init(capturesManually: true))
        #expect(capture.kind == .captured(Self.eur))
        #expect(capture.ids.payment == "PSP1")
    }

    @Test("A reason with digits is not kept: it may hold the end of a card number")
    func reason() throws {
        let event = try AdyenSender.event(
            AdyenSender.item(
                "AUTHORISATION", success: "false", more: #","reason":"076181:1111:03/2030""#))
        #expect(event.kind == .payment(.failed, Self.eur, failure: nil))
        #expect(!"\(event)".contains("1111"))
    }

    static let amounts: [(value: String, currency: String, units: Int64)] = [
        ("1000", "CLP", 10), ("10", "CVE", 1000), ("10", "IDR", 1000), ("500", "ISK", 5),
        ("500", "JPY", 500), ("1234", "KWD", 1234),
    ]

    @Test("Amounts follow Adyen's own decimals", arguments: amounts)
    func amount(_ row: (value: String, currency: String, units: Int64)) throws {
        let event = try AdyenSender.event(
            AdyenSender.item("AUTHORISATION", value: row.value, currency: row.currency))
        let money = try Money(row.units, row.currency)
        #expect(event.kind == .payment(.succeeded, money, failure: nil))
    }

    @Test("Every item must be signed, and one that is not spoils the delivery")
    func severalItems() throws {
        let good = AdyenSender.item("AUTHORISATION")
        let other = AdyenSender.item("REFUND", psp: "R1", original: "PSP1")
        let (provider, verified) = try AdyenSender.verify(AdyenSender.delivery([good, other]))
        #expect(try provider.events(in: verified).map(\.rawType) == ["AUTHORISATION", "REFUND"])
        #expect(provider.identity(of: verified).id == "AUTHORISATION:PSP1:true+REFUND:R1:true")
        let forged = other.replacing("2500", with: "2501")
        #expect(throws: WebhookRejection.signatureMismatch) {
            try AdyenSender.verify(AdyenSender.delivery([good, forged]))
        }
        #expect(throws: WebhookRejection.signatureMismatch) {
            try AdyenSender.verify(AdyenSender.delivery([]))
        }
    }

    @Test("Fields that are joined without escaping can be taken apart in one way only")
    func colons() throws {
        _ = try AdyenSender.verify(
            AdyenSender.delivery([AdyenSender.item("AUTHORISATION", reference: "a:b")]))
        for item in [
            AdyenSender.item("AUTHORISATION", psp: "P:"),
            AdyenSender.item("AUTHORISATION", original: "a:b"),
            AdyenSender.item("AUTHORISATION", account: "Shop:x"),
            AdyenSender.item("EUR:AUTHORISATION"),
            AdyenSender.item("AUTHORISATION", success: "maybe"),
        ] {
            #expect(throws: WebhookRejection.signatureMismatch) {
                try AdyenSender.verify(AdyenSender.delivery([item]))
            }
        }
    }

    @Test("A body that is no JSON has no signature to look at")
    func form() throws {
        let delivery = WebhookDelivery(headers: [:], body: Array("eventCode=AUTHORISATION".utf8))
        #expect(throws: WebhookRejection.missingHeader("HmacSignature")) {
            try AdyenSender.verify(delivery)
        }
    }

    @Test("A platform webhook is signed as a whole and means nothing for a checkout")
    func platform() throws {
        let body = Array(#"{"type":"balancePlatform.accountHolder.created","data":{}}"#.utf8)
        let key = HMACKey(sha256: Hex.decode(AdyenSender.secret, accepting: .any) ?? [])
        let delivery = WebhookDelivery(
            headers: ["hmacsignature": Base64.encode(key.authenticate(body))], body: body)
        let (provider, verified) = try AdyenSender.verify(delivery)
        let event = try #require(try provider.events(in: verified).first)
        #expect(event.kind == .ignored)
        #expect(event.rawType == "balancePlatform.accountHolder.created")
        #expect(provider.identity(of: verified).id == "sha256:\(verified.bodyHex)")
        #expect(verified.scheme == "adyen/body")
    }

    @Test("An item about another merchant account is set aside")
    func foreignAccount() throws {
        let (provider, verified) = try AdyenSender.verify(
            AdyenSender.delivery([AdyenSender.item("AUTHORISATION", account: "Other")]),
            .init(merchantAccount: "Shop"))
        guard case .foreignAccount(let foreign) = provider.reading(of: verified) else {
            Issue.record("not set aside")
            return
        }
        #expect(foreign.named == "Other")
    }

    @Test("What was stored is acknowledged in the words that old webhooks wait for")
    func acknowledgement() throws {
        let provider = try AdyenProvider()
        for outcome in [WebhookOutcome.recorded, .duplicate, .ignored, .quarantined] {
            let reply = provider.acknowledgement(for: outcome)
            #expect(reply.status == 200)
            #expect(reply.body == Array("[accepted]".utf8))
        }
        #expect(provider.acknowledgement(for: .rejected(.signatureMismatch)).status == 401)
        #expect(provider.acknowledgement(for: .rejected(.bodyTooLarge)).status == 413)
        #expect(provider.acknowledgement(for: .temporarilyUnavailable).status == 503)
    }

    @Test("Random bodies are refused or understood, never a trap")
    func fuzz() throws {
        var random = SeededGenerator(seed: 11)
        let seed = AdyenSender.delivery([AdyenSender.item("AUTHORISATION")]).body
        for _ in 0..<2_000 {
            var body = seed
            body[Int.random(in: body.indices, using: &random)] = UInt8.random(
                in: 0...255, using: &random)
            guard
                let (provider, verified) = try? AdyenSender.verify(
                    WebhookDelivery(headers: [:], body: body))
            else { continue }
            _ = provider.reading(of: verified)
        }
    }
}
