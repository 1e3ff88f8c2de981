import CheckoutModel
import Cryptography
import DodoPayments
import ProviderKit
import Stripe
import TestSupport
import Testing

/// One delivery of a public suite, with the verdict that its source gives.
struct UpstreamWebhook: Sendable, CustomTestStringConvertible {
    let id: String
    let provider: String
    let inputs: JSONValue
    let expected: String

    var testDescription: String { id }

    static let all: [UpstreamWebhook] = {
        var found: [UpstreamWebhook] = []
        for vector in VectorFile.providers["vectors"]?.elements ?? [] {
            let provider = vector["provider"]?.text ?? ""
            guard ["standard-webhooks", "dodo", "stripe"].contains(provider) else { continue }
            let id = vector["id"]?.text ?? ""
            let inputs = vector["inputs"] ?? .null
            found.append(
                UpstreamWebhook(
                    id: id, provider: provider, inputs: inputs, expected: "accepted"))
            for variant in vector["also_accepted"]?.elements ?? [] {
                found.append(
                    UpstreamWebhook(
                        id: "\(id): \(variant["name"]?.text ?? "")", provider: provider,
                        inputs: inputs.merging(variant["override"]), expected: "accepted"))
            }
            for variant in vector["rejected"]?.elements ?? [] {
                let name = variant["name"]?.text ?? ""
                found.append(
                    UpstreamWebhook(
                        id: "\(id): \(name)", provider: provider,
                        inputs: inputs.merging(variant["override"]),
                        expected: reason(variant["reason"]?.text ?? "", name: name)))
            }
        }
        return found
    }()

    /// The sources' words in ours.
    ///
    /// A secret with a line end is a mistake of configuration here, found at the start, where the
    /// libraries report a mismatch for each delivery.
    private static func reason(_ word: String, name: String) -> String {
        switch word {
        case "empty_secret": "malformed_secret"
        case "no_supported_scheme": "unsupported_scheme"
        default: name == "secret with trailing newline" ? "malformed_secret" : word
        }
    }

    func verify() -> Result<VerifiedDelivery, any Error> {
        Result {
            let tolerance = inputs["tolerance"]?.integer
            let receiver: any WebhookReceiving =
                switch provider {
                case "dodo":
                    try DodoPaymentsProvider(configuration: .init(toleranceSeconds: tolerance))
                case "stripe": try StripeProvider(configuration: .init(toleranceSeconds: tolerance))
                default: StandardReceiver(configuration: .init(toleranceSeconds: tolerance))
                }
            var texts: [SecretRole: [String]] = [:]
            if let secret = inputs["secret"]?.text { texts[.webhook] = [secret] }
            if let key = inputs["public_key"]?.text { texts[.webhookPublicKey] = [key] }
            let secrets = try SecretSet(
                texts, rules: type(of: receiver).descriptor.secretRules,
                lengths: .shortForTestVectors)
            return try DeliveryVerifier(provider: receiver, secrets: secrets).verify(
                WebhookDelivery(vector: inputs),
                at: Instant(seconds: inputs["now"]?.integer ?? 0))
        }
    }
}

@Suite("Published webhook vectors", .enabled(if: Vectors.hasUpstream))
struct UpstreamWebhookVectorTests {
    @Test("Every published delivery of the three schemes gets its published verdict")
    func count() {
        #expect(UpstreamWebhook.all.filter { $0.expected == "accepted" }.count == 22)
        #expect(UpstreamWebhook.all.filter { $0.expected != "accepted" }.count == 42)
    }

    @Test("A published delivery gets the verdict of its source", arguments: UpstreamWebhook.all)
    func verdict(_ vector: UpstreamWebhook) {
        #expect(vector.verify().verdict == vector.expected)
    }

    @Test("The events of published deliveries carry the published facts")
    func facts() throws {
        for vector in VectorFile.providers["vectors"]?.elements ?? [] {
            let expect = try #require(vector["expect"])
            guard let type = expect["event_type"]?.text else { continue }
            let provider = vector["provider"]?.text ?? ""
            let delivery = UpstreamWebhook(
                id: "", provider: provider, inputs: vector["inputs"] ?? .null, expected: "")
            let receiver: any WebhookReceiving
            switch provider {
            case "dodo": receiver = try DodoPaymentsProvider()
            case "stripe": receiver = try StripeProvider()
            default: continue
            }
            let event = try #require(
                receiver.reading(of: try delivery.verify().get()).events.first)
            #expect(event.rawType == type)
            #expect(event.key.rawValue == expect["event_id"]?.text)
            #expect(event.ids.session == expect["session_id"]?.text)
            guard let status = expect["status"]?.text else { continue }
            #expect(event.ids.payment == expect["payment_id"]?.text)
            let currency = try #require(Currency(expect["currency"]?.text ?? ""))
            let money = Money(
                minorUnits: try #require(expect["amount_minor"]?.integer), currency: currency)
            let wanted = CheckoutStatus(name: status) ?? .pending
            #expect(event.kind == .payment(wanted, money, failure: nil))
        }
    }

    @Test("An empty body whose signature holds is set aside, not a crash")
    func emptyBody() throws {
        let vector = try #require(
            UpstreamWebhook.all.first { $0.id == "stdwh-v1-empty-body" })
        let receiver = StandardReceiver(configuration: .init(toleranceSeconds: 300))
        let reading = receiver.reading(of: try vector.verify().get())
        #expect(reading == .unreadable(WebhookDecodingError(.malformedBody)))
    }
}
