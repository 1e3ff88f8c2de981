import CheckoutModel
import DodoPayments
import ProviderKit
import TestSupport
import Testing

/// The webhook cases of `cases-public.json`, received by the Dodo adapter.
struct PublicWebhookCase: Sendable, CustomTestStringConvertible {
    let id: String
    let deliveries: [JSONValue]
    let expected: String

    var testDescription: String { id }

    static let all: [PublicWebhookCase] = (VectorFile.publicCases.elements ?? [])
        .filter { $0["area"]?.text == "webhook" }
        .map { value in
            let input = value["input"] ?? .null
            return PublicWebhookCase(
                id: value["id"]?.text ?? "", deliveries: input["deliveries"]?.elements ?? [input],
                expected: value["expected"]?.text ?? "")
        }

    static func named(_ id: String) throws -> PublicWebhookCase {
        try #require(all.first { $0.id == id })
    }

    func verify(_ index: Int = 0) -> Result<VerifiedDelivery, any Error> {
        Result {
            let input = deliveries[index]
            let provider = try DodoPaymentsProvider(
                configuration: .init(toleranceSeconds: input["tolerance_s"]?.integer))
            let secrets = try SecretSet(
                [.webhook: (input["secrets"]?.elements ?? []).compactMap(\.text)],
                rules: DodoPaymentsProvider.descriptor.secretRules)
            return try DeliveryVerifier(provider: provider, secrets: secrets).verify(
                WebhookDelivery(vector: input), at: Instant(seconds: input["now"]?.integer ?? 0))
        }
    }

    /// The first word of the case's expectation, as a verdict of ours.
    var expectedVerdict: String {
        if expected.hasPrefix("config_error") { return "malformed_secret" }
        guard let reason = expected.firstRange(of: "reason=") else { return "accepted" }
        return String(expected[reason.upperBound...].prefix { $0.isLetter || $0 == "_" })
    }

    func event() throws -> ProviderEvent {
        let reading = try DodoPaymentsProvider().reading(of: try verify().get())
        return try #require(reading.events.first)
    }
}

@Suite("Public webhook cases")
struct PublicWebhookCaseTests {
    @Test("All eighteen cases are there")
    func count() { #expect(PublicWebhookCase.all.count == 18) }

    @Test("A delivery gets the verdict of its case", arguments: PublicWebhookCase.all)
    func verdict(_ item: PublicWebhookCase) {
        for index in item.deliveries.indices {
            #expect(item.verify(index).verdict == item.expectedVerdict)
        }
    }

    @Test("A body keeps the line end that was signed with it")
    func lineEnd() throws {
        let body = try PublicWebhookCase.named("pub-hook-03").verify().get().delivery.body
        #expect(body.suffix(2) == [0x0D, 0x0A])
    }

    @Test("An audit tells which secret matched, by its place")
    func secretIndex() throws {
        let verified = try PublicWebhookCase.named("pub-hook-05").verify().get()
        #expect(verified.secretIndex == 1)
        #expect(verified.keyFingerprint.utf8.count == 8)
    }

    @Test("The message for a stray v1, prefix names it")
    func strayPrefix() throws {
        let item = try PublicWebhookCase.named("pub-hook-11")
        #expect { try item.verify().get() } throws: { error in
            (error as? SecretError)?.message.contains("\"v1,\"") == true
        }
    }

    @Test("A retry with a new time and signature is the same delivery")
    func retry() throws {
        let item = try PublicWebhookCase.named("pub-hook-12")
        let provider = try DodoPaymentsProvider()
        let identities = try [0, 1].map { provider.identity(of: try item.verify($0).get()) }
        #expect(identities[0] == identities[1])
        #expect(identities[0].id == "msg_p12")
    }

    @Test("An event of an unknown type is understood as nothing")
    func unknownType() throws {
        let event = try PublicWebhookCase.named("pub-hook-13").event()
        #expect(event.kind == .ignored)
        #expect(event.rawType == "widget.rotated")
    }

    @Test("Emoji in the body survive scalar by scalar")
    func emoji() throws {
        let body = try PublicWebhookCase.named("pub-hook-14").verify().get().delivery.body
        let gift = try JSONValue(json: body)["data"]?["metadata"]?["gift"]?.text
        let wanted = "\u{1F381} for Zo\u{EB}"
        #expect(gift.map { Array($0.unicodeScalars) } == Array(wanted.unicodeScalars))
    }

    @Test("A missing header is named")
    func missingHeader() throws {
        let item = try PublicWebhookCase.named("pub-hook-16")
        #expect(throws: WebhookRejection.missingHeader("webhook-id")) { try item.verify().get() }
    }

    @Test("A payment in progress is pending and leaves its trace")
    func processing() throws {
        let event = try PublicWebhookCase.named("pub-hook-17").event()
        #expect(event.ids.payment == "pay_41aa")
        guard case .payment(.pending, let money, _) = event.kind else {
            Issue.record("\(event)")
            return
        }
        #expect(money?.minorUnits == 2500)
    }
}
