import CheckoutModel
import ProviderKit
import Testing

@Suite("Secrets")
struct SecretTests {
    struct Bad: Sendable, CustomTestStringConvertible {
        let id: String
        let text: String
        let problem: SecretError.Problem
        var testDescription: String { id }
    }

    static let bad: [Bad] = [
        .init(id: "empty", text: "", problem: .empty),
        .init(id: "prefix only", text: "whsec_", problem: .empty),
        .init(
            id: "signature prefix", text: "v1,\(SampleReceiver.secret)", problem: .signaturePrefix),
        .init(id: "line end", text: SampleReceiver.secret + "\n", problem: .whitespace),
        .init(id: "blank in front", text: " " + SampleReceiver.secret, problem: .whitespace),
        .init(id: "no-break space", text: SampleReceiver.secret + "\u{A0}", problem: .whitespace),
        .init(
            id: "zero-width space", text: SampleReceiver.secret + "\u{200B}",
            problem: .unprintable),
        .init(id: "not base64", text: "whsec_!!!!", problem: .undecodable(.base64)),
        .init(id: "short", text: "whsec_c2VjcmV0Cg==", problem: .tooShort(7, minimum: 24)),
        .init(id: "API key", text: "sk_live_abcdefghijklmnop", problem: .wrongKind(.apiKey)),
        .init(
            id: "publishable key", text: "pk_test_abcdefghijklmnop",
            problem: .wrongKind(.publishableKey)),
        .init(
            id: "public key", text: "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=",
            problem: .wrongKind(.webhookPublicKey)),
        .init(
            id: "private key", text: "whsk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=",
            problem: .wrongKind(.webhookPrivateKey)),
    ]

    @Test("A malformed secret is named when the receiver starts, and not shown", arguments: bad)
    func malformed(_ item: Bad) {
        #expect {
            try SecretSet([.webhook: [item.text]], rules: SampleReceiver.descriptor.secretRules)
        } throws: { error in
            guard let error = error as? SecretError else { return false }
            #expect(error.problem == item.problem)
            #expect(error.code == "malformed_secret")
            let shown = "\(error) \(error.message) \(error.hint)"
            return item.text.utf8.count < 8 || !shown.contains(item.text.suffix(8))
        }
    }

    @Test("A webhook secret in the place of the API key is named")
    func swapped() {
        #expect {
            try SecretSet(
                [.apiKey: [SampleReceiver.secret]], rules: SampleReceiver.descriptor.secretRules)
        } throws: { ($0 as? SecretError)?.problem == .wrongKind(.webhookSecret) }
    }

    @Test("The error says which of several secrets is malformed")
    func index() {
        #expect {
            try SecretSet(
                [.webhook: [SampleReceiver.secret, ""]],
                rules: SampleReceiver.descriptor.secretRules)
        } throws: { ($0 as? SecretError)?.index == 1 }
    }

    @Test("Short keys are taken only where published vectors are read")
    func shortKeys() throws {
        let secrets = try SecretSet(
            [.webhook: ["whsec_c2VjcmV0Cg=="]], rules: SampleReceiver.descriptor.secretRules,
            lengths: .shortForTestVectors)
        #expect(secrets.count(.webhook) == 1)
    }

    @Test("Nothing that holds a secret or a person shows it")
    func descriptions() throws {
        let secrets = try SecretSet(
            [.webhook: [SampleReceiver.secret], .apiKey: ["sk_live_very-secret"]],
            rules: SampleReceiver.descriptor.secretRules)
        let delivery = SampleReceiver.delivery()
        let verifier = try DeliveryVerifier(provider: SampleReceiver(), secrets: secrets)
        let verified = try verifier.verify(delivery, at: SampleReceiver.now)
        let fields = PrivateFields(
            customerEmail: "zoe@shop.example", customerName: "Zoe", licenseKeys: ["LIC-1"])
        let plan = HTTPRequestPlan(
            method: "GET", url: "https://api.example/1",
            headers: ["Authorization": "Bearer \(try secrets.apiKey())"])
        let shown = [
            "\(secrets)", dumped(secrets), "\(verified)", "\(delivery)", "\(fields)",
            dumped(fields), "\(plan)", dumped(plan), dumped(verifier),
        ].joined(separator: "\n")
        let signature = delivery.headers.first("webhook-signature") ?? "?"
        for hidden in [
            SampleReceiver.secret, "AAECAwQF", "very-secret", "zoe@", "Zoe", "LIC-1", signature,
        ] {
            #expect(!shown.contains(hidden))
        }
    }

    @Test("A fingerprint names a key and is not its plain hash")
    func fingerprints() throws {
        let rules = SampleReceiver.descriptor.secretRules
        let two = [SampleReceiver.secret, SampleReceiver.otherSecret]
        let first = try SecretSet([.webhook: two], rules: rules).fingerprints(.webhook)
        let again = try SecretSet([.webhook: two], rules: rules).fingerprints(.webhook)
        #expect(first == again)
        #expect(first[0] != first[1])
        // SHA-256 of the bytes 0...31 begins with 630dcd29.
        #expect(first[0] != "630dcd29")
    }

    private func dumped(_ value: some Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text + String(reflecting: value)
    }
}
