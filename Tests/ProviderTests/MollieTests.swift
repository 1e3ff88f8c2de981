import CheckoutModel
import Cryptography
import Mollie
import ProviderKit
import TestSupport
import Testing

@Suite("Mollie")
struct MollieTests {
    static let secret = "signing-secret-1"
    static let vectors = PublishedCase.all(of: "mollie")

    static func signature(_ body: String, _ secret: String = secret) -> String {
        Hex.encode(HMACKey(sha256: Array(secret.utf8)).authenticate(Array(body.utf8)))
    }

    private func delivery(_ body: String, _ signatures: [String]) -> WebhookDelivery {
        WebhookDelivery(
            headers: HeaderList(signatures.map { (name: "X-Mollie-Signature", value: $0) }),
            body: Array(body.utf8))
    }

    private func verify(
        _ delivery: WebhookDelivery, secrets: [String] = [secret],
        _ configuration: MollieConfiguration = MollieConfiguration(mode: .test)
    ) throws -> VerifiedDelivery {
        let provider = try MollieProvider(configuration: configuration)
        return try DeliveryVerifier(
            provider: provider,
            secrets: SecretSet(
                [.webhook: secrets], rules: MollieProvider.descriptor.secretRules,
                lengths: .shortForTestVectors)
        ).verify(delivery, at: Sender.now)
    }

    private func reading(
        _ body: String, _ configuration: MollieConfiguration = MollieConfiguration(mode: .test)
    ) throws -> DeliveryReading {
        let verified = try verify(
            delivery(body, ["sha256=\(Self.signature(body))"]), configuration)
        return try MollieProvider(configuration: configuration).reading(of: verified)
    }

    private func verify(
        _ delivery: WebhookDelivery, _ configuration: MollieConfiguration
    ) throws -> VerifiedDelivery {
        try verify(delivery, secrets: [Self.secret], configuration)
    }

    private func money(_ units: Int64, _ code: String = "EUR") -> Money? {
        Currency(code).map { Money(minorUnits: units, currency: $0) }
    }

    // MARK: - Deliveries

    @Test(
        "A published delivery gets the verdict of its source", .enabled(if: Vectors.hasUpstream),
        arguments: vectors)
    func published(_ item: PublishedCase) throws {
        let secret = try #require(item.inputs["secret"]?.text)
        let result = Result { try verify(item.delivery, secrets: [secret]) }
        #expect(item.expected.contains(result.verdict))
    }

    @Test("All published deliveries are there", .enabled(if: Vectors.hasUpstream))
    func count() {
        #expect(Self.vectors.count == 5)
        #expect(PublishedURL.checkouts(of: "mollie").count == 14)
        #expect(PublishedURL.returns(of: "mollie").count == 1)
    }

    @Test("Several signatures and several secrets are tried while a secret is replaced")
    func rotation() throws {
        let body = "{}"
        let good = Self.signature(body)
        for signatures in [
            [good], ["sha256=\(good)"], ["sha256=00", "sha256=\(good)"], ["junk, sha256=\(good)"],
            ["sha256=\(good.uppercased())"],
        ] {
            #expect(
                try verify(delivery(body, signatures), secrets: ["older-secret", Self.secret])
                    .secretIndex == 1)
        }
        for signatures in [
            ["sha256=00"], ["sha1=\(good)"], ["sha256=sha256=\(good)"], ["junk"],
            ["\(good.dropLast())"], ["\(good)00"],
        ] {
            #expect(throws: WebhookRejection.signatureMismatch) {
                try verify(delivery(body, signatures))
            }
        }
        for signatures in [[], [""], [","]] {
            #expect(throws: WebhookRejection.missingHeader("X-Mollie-Signature")) {
                try verify(delivery(body, signatures))
            }
        }
    }

    @Test("Only the id of a payment in a form is a hint")
    func hints() throws {
        let provider = try MollieProvider()
        for (body, target) in [
            ("id=tr_d0b0E3EA3v", .payment("tr_d0b0E3EA3v")), ("id=tr%5Fabc", .payment("tr_abc")),
            ("a=1&id=tr_abc", .payment("tr_abc")), ("id=tr_abc&id=tr_abd", nil), ("id=tr_", nil),
            ("id=ord_abc", nil), ("id=", nil), ("", nil), ("testByMollie=1", nil),
            ("id=tr_%2F..", nil), ("id=tr_\(String(repeating: "x", count: 62))", nil),
            (#"{"id":"tr_abc"}"#, nil),
        ] as [(String, StatusQueryTarget?)] {
            let hint = provider.hint(
                in: WebhookDelivery(headers: [:], body: Array(body.utf8)))
            #expect(hint == target, "\(body)")
        }
    }

    private func event(
        _ type: String, _ entity: String?, id: String = "tr_1",
        _ configuration: MollieConfiguration = MollieConfiguration(mode: .test)
    ) throws -> ProviderEvent {
        let embedded = entity.map { #","_embedded":{"entity":\#($0)}"# } ?? ""
        let reading = try reading(
            """
            {"resource":"event","id":"event_1","type":"\(type)","entityId":"\(id)",\
            "createdAt":"2026-01-01T00:00:00.0Z"\(embedded)}
            """, configuration)
        return try #require(reading.events.first, "\(reading)")
    }

    private func payment(_ status: String, mode: String = "test") -> String {
        """
        {"resource":"payment","id":"tr_1","mode":"\(mode)","status":"\(status)",\
        "amount":{"value":"19.99","currency":"EUR"},"metadata":{"order_id":"order-42"},\
        "profileId":"pfl_1","customerId":"cst_1","subscriptionId":"sub_1",\
        "details":{"failureReason":"invalid_card"}}
        """
    }

    @Test("A payment stands as its event says, and a success only if its entity bears it out")
    func payments() throws {
        for (type, word, status) in [
            ("paid", "paid", CheckoutStatus.succeeded), ("paid", "open", .pending),
            ("paid", "invented", .pending), ("failed", "failed", .failed),
            ("canceled", "canceled", .cancelled), ("expired", "expired", .expired),
            ("pending", "pending", .pending), ("pending", "paid", .pending),
        ] {
            let event = try event("payment.\(type)", payment(word))
            #expect(event.kind == .payment(status, money(1999), failure: "invalid_card"))
            #expect(
                event.ids
                    == ProviderIDs(
                        session: "tr_1", payment: "tr_1", subscription: "sub_1", order: "order-42",
                        customer: "cst_1"))
            #expect(event.key.rawValue == "event_1")
            #expect(event.mode == .test)
            #expect(event.occurredAt == Instant(seconds: 1_767_225_600))
        }
        #expect(
            try event("payment.authorized", payment("authorized")).kind
                == .authorized(money(1999)))
        let thin = try event("payment.paid", nil)
        #expect(thin.kind == .payment(.succeeded, nil, failure: nil))
        #expect(thin.ids == ProviderIDs(session: "tr_1", payment: "tr_1"))
        #expect(try event("payment.paid", payment("paid", mode: "live")).mode == .live)
    }

    @Test("A bare snapshot is read by its own words and named by its hash")
    func snapshots() throws {
        for (word, status) in [
            ("open", CheckoutStatus.pending), ("pending", .pending), ("authorized", .pending),
            ("paid", .succeeded), ("failed", .failed), ("canceled", .cancelled),
            ("expired", .expired), ("invented", .pending),
        ] {
            let event = try #require(try reading(payment(word)).events.first)
            #expect(event.kind == .payment(status, money(1999), failure: "invalid_card"))
            #expect(event.key.rawValue.hasPrefix("sha256:"))
        }
        for (word, state) in [
            ("queued", RefundState.pending), ("pending", .pending), ("processing", .pending),
            ("refunded", .succeeded), ("failed", .failed), ("canceled", .failed),
            ("invented", .pending),
        ] {
            let event = try #require(
                try reading(
                    """
                    {"resource":"refund","id":"re_1","paymentId":"tr_1","status":"\(word)",\
                    "amount":{"value":"5.00","currency":"EUR"}}
                    """
                ).events.first)
            #expect(event.kind == .refund(state, money(500)))
            #expect(
                event.ids == ProviderIDs(session: "tr_1", payment: "tr_1", refund: "re_1"))
        }
        for (reversedAt, state) in [("null", DisputeState.lost), ("\"2026-01-02T\"", .won)] {
            let event = try #require(
                try reading(
                    """
                    {"resource":"chargeback","id":"chb_1","paymentId":"tr_1",\
                    "amount":{"value":"5.00","currency":"EUR"},"reversedAt":\(reversedAt)}
                    """
                ).events.first)
            #expect(event.kind == .dispute(state, money(500)))
            #expect(event.ids.dispute == "chb_1")
        }
    }

    @Test("Refunds, chargebacks, disputes and captures stand as their events say")
    func others() throws {
        let entity = """
            {"id":"x_1","paymentId":"tr_1","amount":{"value":"5.00","currency":"EUR"}}
            """
        for (type, kind) in [
            ("refund.queued", .refund(.pending, money(500))),
            ("refund.pending", .refund(.pending, money(500))),
            ("refund.processing", .refund(.pending, money(500))),
            ("refund.refunded", .refund(.succeeded, money(500))),
            ("refund.failed", .refund(.failed, money(500))),
            ("refund.canceled", .refund(.failed, money(500))),
            ("chargeback.received", .dispute(.lost, money(500))),
            ("chargeback.reversed", .dispute(.won, money(500))),
            ("dispute.created", .dispute(.opened, money(500))),
            ("dispute.resolved", .dispute(.closed, money(500))),
            ("capture.succeeded", .captured(money(500))),
            ("dispute.updated", .ignored), ("profile.blocked", .ignored),
        ] as [(String, ProviderEvent.Kind)] {
            let event = try event(type, entity)
            #expect(event.kind == kind)
            #expect(event.rawType == type)
            guard kind != .ignored else { continue }
            #expect(event.ids.payment == "tr_1")
            #expect((event.ids.refund == "x_1") == type.hasPrefix("refund"))
            #expect(
                (event.ids.dispute == "x_1")
                    == (type.hasPrefix("chargeback") || type.hasPrefix("dispute")))
        }
        let thin = try event("refund.refunded", nil, id: "re_1")
        #expect(thin.kind == .refund(.succeeded, nil))
        #expect(thin.ids == ProviderIDs(refund: "re_1"))
    }

    @Test("A paid link counts only where the configuration says so, and never a reusable one")
    func links() throws {
        for (reusable, counts, isPaid) in [
            ("false", true, true), ("null", true, true), ("true", true, false),
            ("false", false, false),
        ] {
            let event = try event(
                "payment-link.paid",
                """
                {"id":"pl_1","reusable":\(reusable),"amount":{"value":"10.00","currency":"EUR"}}
                """, id: "pl_1", MollieConfiguration(countsPaymentLinks: counts))
            #expect(
                event.kind
                    == (isPaid ? .payment(.succeeded, money(1000), failure: nil) : .ignored))
            #expect(event.ids.session == "pl_1")
        }
    }

    @Test("Amounts are read exactly or the delivery is set aside; so is another profile's")
    func setAside() throws {
        for (value, code, reason) in [
            ("19.999", "EUR", WebhookDecodingError.Reason.amountNotDecimal),
            ("1e2", "EUR", .amountNotDecimal), ("10.0", "JPY", .amountNotDecimal),
            ("10.00", "XXQ", .unknownCurrency),
        ] {
            let body = payment("paid").replacing("19.99", with: value)
                .replacing("EUR", with: code)
            guard case .unreadable(let error) = try reading(body) else {
                Issue.record("\(value)")
                continue
            }
            #expect(error.reason == reason)
        }
        let yen = payment("paid").replacing("19.99", with: "500").replacing("EUR", with: "JPY")
        #expect(
            try reading(yen).events.first?.kind
                == .payment(.succeeded, money(500, "JPY"), failure: "invalid_card"))
        guard
            case .foreignAccount = try reading(
                payment("paid"), MollieConfiguration(profileID: "pfl_2"))
        else {
            Issue.record("not set aside")
            return
        }
        #expect(
            try reading(#"{"resource":"event","id":"event_1","type":"payment.paid"}"#)
                == .unreadable(WebhookDecodingError(.missingField, field: "entityId")))
    }

    @Test("A delivery is named by its event, never by its payment")
    func identity() throws {
        let provider = try MollieProvider(configuration: .init(mode: .test))
        func identity(_ body: String) throws -> String {
            provider.identity(of: try verify(delivery(body, [Self.signature(body)]))).id
        }
        let verified = try verify(delivery("{}", [Self.signature("{}")]))
        #expect(verified.scheme == "mollie/sha256")
        #expect(try identity(#"{"resource":"event","id":"event_1"}"#) == "event_1")
        #expect(try identity(#"{"resource":"payment","id":"tr_1"}"#).hasPrefix("sha256:"))
        #expect(try identity("no JSON").hasPrefix("sha256:"))
    }
}
