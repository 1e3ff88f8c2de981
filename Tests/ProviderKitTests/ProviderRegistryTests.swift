import CheckoutModel
import ProviderKit
import Testing

@Suite("Registry, readings and identities")
struct ProviderRegistryTests {
    @Test("What an adapter can do is what it conforms to")
    func capabilities() throws {
        let registry = try ProviderRegistry([SampleReceiver()])
        #expect(
            registry.capabilities("com.example.sample")
                == [.returnURL, .signedReturn, .webhook, .hint])
        #expect(registry.webhooks("com.example.sample") != nil)
        #expect(registry.statusQueries("com.example.sample") == nil)
        #expect(registry.sessionCreation("com.example.sample") == nil)
        #expect(registry.keyPublishing("com.example.sample") == nil)
        #expect(registry.capabilities("nobody").isEmpty)
    }

    @Test("Two adapters of one name are refused")
    func duplicate() {
        #expect(throws: RegistryError.duplicate("com.example.sample")) {
            try ProviderRegistry([SampleReceiver(), SampleReceiver()])
        }
    }

    @Test("Malformed names and other kit versions are refused")
    func malformed() {
        #expect(throws: RegistryError.malformedID("Upper case")) {
            try ProviderRegistry([Misnamed()])
        }
        #expect(throws: RegistryError.kitVersionMismatch("old", found: 0)) {
            try ProviderRegistry([Outdated()])
        }
    }

    private func reading(_ body: String) throws -> DeliveryReading {
        let verified = try SampleReceiver.verifier().verify(
            SampleReceiver.delivery(Array(body.utf8)), at: SampleReceiver.now)
        return SampleReceiver().reading(of: verified)
    }

    @Test("An event about another account is set aside")
    func foreignAccount() throws {
        let reading = try reading(#"{"account":"acct_theirs"}"#)
        guard case .foreignAccount(let foreign) = reading else {
            Issue.record("\(reading)")
            return
        }
        #expect(foreign.named == "acct_theirs")
        #expect(foreign.configured == "acct_ours")
    }

    static let amounts: [(body: String, code: String?)] = [
        (#"{"amount":2500,"currency":"usd"}"#, nil),
        (#"{"amount":500,"currency":"JPY"}"#, nil),
        (#"{"amount":1234,"currency":"KWD"}"#, nil),
        (#"{"amount":7840.000000000001,"currency":"USD"}"#, "amount_not_integer"),
        (#"{"amount":100.0,"currency":"USD"}"#, "amount_not_integer"),
        (#"{"amount":1e2,"currency":"USD"}"#, "amount_not_integer"),
        (#"{"amount":"100","currency":"USD"}"#, "amount_not_integer"),
        (#"{"amount":9223372036854775808,"currency":"USD"}"#, "amount_out_of_range"),
        (#"{"amount":1}"#, "missing_field"),
        (#"{"amount":1,"currency":"ZZZ"}"#, "unknown_currency"),
        (#"{"amount":1,"currency":7}"#, "unexpected_type"),
        (#"{"amount":1,"amount":2,"currency":"USD"}"#, "malformed_body"),
        ("[]", "malformed_body"),
    ]

    @Test("An amount is an exact integer or its delivery is set aside", arguments: amounts)
    func amount(_ item: (body: String, code: String?)) throws {
        switch try reading(item.body) {
        case .understood: #expect(item.code == nil)
        case .unreadable(let error): #expect(error.code == item.code)
        case .foreignAccount: Issue.record("foreign")
        }
    }

    @Test("Identities that differ in any part have different bytes")
    func identities() {
        let all = [
            DeliveryIdentity(provider: "a", account: nil, mode: .live, id: "1"),
            DeliveryIdentity(provider: "a", account: "", mode: .live, id: "1"),
            DeliveryIdentity(provider: "a", account: "1", mode: .live, id: ""),
            DeliveryIdentity(provider: "a", account: "x", mode: .live, id: "1"),
            DeliveryIdentity(provider: "a", account: "x", mode: .test, id: "1"),
            DeliveryIdentity(provider: "ax", account: "", mode: .live, id: "1"),
        ]
        #expect(Set(all.map(\.bytes)).count == all.count)
    }

    @Test("Whatever was stored is acknowledged, and nothing else")
    func acknowledgement() {
        let provider = SampleReceiver()
        let statuses = [
            WebhookOutcome.recorded, .duplicate, .ignored, .quarantined,
            .rejected(.signatureMismatch), .rejected(.bodyTooLarge), .temporarilyUnavailable,
        ].map { provider.acknowledgement(for: $0).status }
        #expect(statuses == [200, 200, 200, 200, 401, 413, 503])
    }

    @Test("Every refusal has a code of its own, a sentence and a hint")
    func refusals() {
        let all: [WebhookRejection] = [
            .missingHeader("x"), .ambiguousHeader("x"), .malformedHeader("x"),
            .timestampMalformed, .timestampTooOld, .timestampTooNew, .signatureMismatch,
            .unsupportedScheme, .unknownKey, .untrustedKeySource, .bodyTooLarge, .decryptFailed,
        ]
        #expect(Set(all.map(\.code)).count == 12)
        #expect(all.allSatisfy { !$0.message.isEmpty && !$0.hint.isEmpty })
    }
}

private struct Misnamed: PaymentProvider {
    static let descriptor = ProviderDescriptor(
        id: "Upper case", name: "", adapterVersion: "", secretRules: [])
    var checkoutURLRules: [CheckoutURLRule] { [] }
    init(configuration: NoConfiguration = NoConfiguration()) {}
}

private struct Outdated: PaymentProvider {
    static let descriptor = ProviderDescriptor(
        id: "old", name: "", adapterVersion: "", kitVersion: 0, secretRules: [])
    var checkoutURLRules: [CheckoutURLRule] { [] }
    init(configuration: NoConfiguration = NoConfiguration()) {}
}
