import CheckoutModel
import Cryptography
import DodoPayments
import ProviderKit
import Stripe
import TestSupport
import Testing

/// The published deliveries of Standard Webhooks and of two providers.
enum UpstreamWebhook {
    static let all = PublishedCase.all(of: "standard-webhooks", "dodo", "stripe")

    /// A secret with a line end is a mistake of configuration here, found at the start, where the
    /// libraries report a mismatch for each delivery.
    static func expected(_ item: PublishedCase) -> [String] {
        item.id.hasSuffix(": secret with trailing newline") ? ["malformed_secret"] : item.expected
    }

    static func verify(_ item: PublishedCase) -> Result<VerifiedDelivery, any Error> {
        Result {
            let tolerance = item.inputs["tolerance"]?.integer
            let receiver: any WebhookReceiving =
                switch item.provider {
                case "dodo":
                    try DodoPaymentsProvider(configuration: .init(toleranceSeconds: tolerance))
                case "stripe": try StripeProvider(configuration: .init(toleranceSeconds: tolerance))
                default: StandardReceiver(configuration: .init(toleranceSeconds: tolerance))
                }
            var texts: [SecretRole: [String]] = [:]
            if let secret = item.inputs["secret"]?.text { texts[.webhook] = [secret] }
            if let key = item.inputs["public_key"]?.text { texts[.webhookPublicKey] = [key] }
            let secrets = try SecretSet(
                texts, rules: type(of: receiver).descriptor.secretRules,
                lengths: .shortForTestVectors)
            return try DeliveryVerifier(provider: receiver, secrets: secrets).verify(
                item.delivery, at: item.now)
        }
    }
}

@Suite("Published webhook vectors", .enabled(if: Vectors.hasUpstream))
struct UpstreamWebhookVectorTests {
    @Test("Every published delivery of the three schemes gets its published verdict")
    func count() {
        #expect(UpstreamWebhook.all.filter(\.isAccepted).count == 22)
        #expect(UpstreamWebhook.all.filter { !$0.isAccepted }.count == 42)
    }

    @Test("A published delivery gets the verdict of its source", arguments: UpstreamWebhook.all)
    func verdict(_ item: PublishedCase) {
        let found = UpstreamWebhook.verify(item).verdict
        #expect(UpstreamWebhook.expected(item).contains(found))
    }

    @Test("The events of published deliveries carry the published facts")
    func facts() throws {
        for item in UpstreamWebhook.all {
            let expect = item.expect
            guard let type = expect["event_type"]?.text else { continue }
            let receiver: any WebhookReceiving
            switch item.provider {
            case "dodo": receiver = try DodoPaymentsProvider()
            case "stripe": receiver = try StripeProvider()
            default: continue
            }
            let event = try #require(
                receiver.reading(of: try UpstreamWebhook.verify(item).get()).events.first)
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
        let reading = receiver.reading(of: try UpstreamWebhook.verify(vector).get())
        #expect(reading == .unreadable(WebhookDecodingError(.malformedBody)))
    }
}
