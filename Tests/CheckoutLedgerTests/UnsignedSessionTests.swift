import Adyen
import CheckoutLedger
import CheckoutModel
import Cryptography
import EventLog
import ProviderKit
import Testing

@Suite("Sessions that a signature does not cover")
struct UnsignedSessionTests {
    private static let key = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056"
    private static let scope = AccountScope("adyen")

    /// A payment of 25 EUR as Adyen signs it: the link's id stands outside the signature.
    private func delivery(
        _ payment: String, order: String, session: String
    ) throws -> WebhookDelivery {
        let signed = "\(payment)::Shop:\(order):2500:EUR:AUTHORISATION:true"
        let key = HMACKey(sha256: try #require(Hex.decode(Self.key, accepting: .any)))
        let signature = Base64.encode(key.authenticate(Array(signed.utf8)))
        let body = """
            {"live":"false","notificationItems":[{"NotificationRequestItem":{\
            "pspReference":"\(payment)","merchantAccountCode":"Shop",\
            "merchantReference":"\(order)","amount":{"value":2500,"currency":"EUR"},\
            "eventCode":"AUTHORISATION","success":"true","additionalData":{\
            "paymentLinkId":"\(session)","hmacSignature":"\(signature)"}}}]}
            """
        return WebhookDelivery(headers: [:], body: Array(body.utf8))
    }

    private func ledger() throws -> Ledger<InMemoryStore> {
        var options = LedgerOptions(providers: try ProviderRegistry([AdyenProvider()]))
        options.clock = ManualClock(Fixture.now)
        return try .inMemory(options: options)
    }

    private func create(
        _ session: String, order: String?, in ledger: Ledger<InMemoryStore>
    ) async throws {
        let eur = try Money(parsing: "25.00", currencyCode: "EUR")
        try await ledger.record(
            CheckoutEvent(
                .sessionCreated, source: .host, evidence: .hint, occurredAt: Fixture.now,
                provider: "adyen", ids: ProviderIDs(session: session, order: order), amount: eur))
    }

    @discardableResult
    private func receive(
        _ delivery: WebhookDelivery, in ledger: Ledger<InMemoryStore>
    ) async throws -> DeliveryReceipt {
        let verifier = try DeliveryVerifier(
            provider: AdyenProvider(),
            secrets: SecretSet(
                [.webhook: [Self.key]], rules: AdyenProvider.descriptor.secretRules))
        return try await ledger.record(
            delivery, verifiedBy: verifier, scope: Self.scope, at: Fixture.now)
    }

    @Test("A payment goes to the session of its own order, and of no declared order")
    func fitting() async throws {
        for order in ["order-1", nil] {
            let ledger = try ledger()
            try await create("PL1", order: order, in: ledger)
            try await receive(delivery("P1", order: "order-1", session: "PL1"), in: ledger)
            let session = try ledger.session(named: "PL1")
            #expect(session.outcome?.status == .succeeded)
            #expect(session.state.evidence.discrepancies.isEmpty)
        }
    }

    @Test("A payment of another order does not reach the session, and is a discrepancy")
    func otherOrder() async throws {
        let ledger = try ledger()
        try await create("PL1", order: "order-1", in: ledger)
        let receipt = try await receive(
            delivery("P2", order: "order-2", session: "PL1"), in: ledger)
        #expect(receipt.verdict == .recorded)
        #expect(receipt.events.map(\.ids.session) == [nil])
        #expect(try ledger.session(named: "PL1").outcome == nil)
        let stray = try ledger.session(named: "P2")
        #expect(stray.outcome?.status == .succeeded)
        #expect(stray.state.evidence.discrepancies.map(\.code) == [.sessionContradicted])
        #expect(stray.ids.orders == ["order-2"])
    }

    @Test("A payment that is known under a session cannot be moved to another one")
    func otherSession() async throws {
        let ledger = try ledger()
        try await create("PL1", order: "order-1", in: ledger)
        try await create("PL2", order: nil, in: ledger)
        try await receive(delivery("P1", order: "order-1", session: "PL1"), in: ledger)
        let again = try delivery("P1", order: "order-1", session: "PL2")
        let receipt = try await receive(again, in: ledger)
        #expect(receipt.verdict == .conflicting)
        #expect(try ledger.session(named: "PL2").outcome == nil)
        #expect(try ledger.session(named: "PL1").streams.count == 1)
    }
}
