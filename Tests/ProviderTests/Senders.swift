import CheckoutModel
import Cryptography
import DodoPayments
import ProviderKit
import Stripe

/// Signs deliveries as the providers do.
enum Sender {
    static let secret = "whsec_" + Base64.encode((0..<32).map { UInt8($0) })
    static let now = Instant(seconds: 1_767_225_600)

    static func dodo(
        _ body: String, id: String = "msg_1", at time: Instant = now, secret: String = secret
    ) -> WebhookDelivery {
        dodo(bytes: Array(body.utf8), id: id, time: "\(time.seconds)", secret: secret)
    }

    static func dodo(
        bytes: [UInt8], id: String = "msg_1", time: String = "\(now.seconds)",
        secret: String = secret
    ) -> WebhookDelivery {
        let key = Base64.decode(secret.dropFirst("whsec_".count), padding: .optional) ?? []
        let code = HMACKey(sha256: key).authenticate(Array("\(id).\(time).".utf8), bytes)
        return WebhookDelivery(
            headers: [
                "webhook-id": id, "webhook-timestamp": time,
                "webhook-signature": "v1,\(Base64.encode(code))",
            ], body: bytes)
    }

    static func stripe(
        _ body: String, at time: Instant = now, secret: String = secret
    ) -> WebhookDelivery {
        let code = HMACKey(sha256: Array(secret.utf8))
            .authenticate(Array("\(time.seconds).\(body)".utf8))
        return WebhookDelivery(
            headers: ["Stripe-Signature": "t=\(time.seconds),v1=\(Hex.encode(code))"],
            body: Array(body.utf8))
    }

    static func verifier(
        _ provider: any WebhookReceiving, secrets: [String] = [secret]
    ) throws -> DeliveryVerifier {
        try DeliveryVerifier(
            provider: provider,
            secrets: SecretSet(
                [.webhook: secrets], rules: type(of: provider).descriptor.secretRules))
    }

    static func dodoReading(
        _ body: String, _ configuration: DodoPaymentsConfiguration = DodoPaymentsConfiguration()
    ) throws -> DeliveryReading {
        let provider = try DodoPaymentsProvider(configuration: configuration)
        return provider.reading(of: try verifier(provider).verify(dodo(body), at: now))
    }

    static func stripeReading(
        _ body: String, _ configuration: StripeConfiguration = StripeConfiguration()
    ) throws -> DeliveryReading {
        let provider = try StripeProvider(configuration: configuration)
        return provider.reading(of: try verifier(provider).verify(stripe(body), at: now))
    }
}

extension DeliveryReading {
    /// The events; none for what was set aside.
    var events: [ProviderEvent] {
        if case .understood(let events) = self { events } else { [] }
    }
}

/// A receiver of the plain scheme, as the reference libraries are.
struct StandardReceiver: WebhookReceiving {
    static let descriptor = ProviderDescriptor(
        id: "standard-webhooks", name: "Standard Webhooks", adapterVersion: "1",
        secretRules: [StandardWebhooks.sharedSecretRule, StandardWebhooks.publicKeyRule])

    struct Configuration: ProviderConfiguration {
        var toleranceSeconds: Int64?

        init(toleranceSeconds: Int64?) { self.toleranceSeconds = toleranceSeconds }

        init(settings: inout ProviderSettings) {
            toleranceSeconds = settings.seconds("toleranceSeconds")
        }
    }

    let toleranceSeconds: Int64?
    var account: String? { nil }
    var checkoutURLRules: [CheckoutURLRule] { [] }

    init(configuration: Configuration) { toleranceSeconds = configuration.toleranceSeconds }

    func plans(for delivery: WebhookDelivery) throws(WebhookRejection) -> [VerificationPlan] {
        [try StandardWebhooks.plan(for: delivery, toleranceSeconds: toleranceSeconds)]
    }

    func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        DeliveryIdentity(
            provider: Self.id, account: nil, mode: .unknown,
            id: delivery.delivery.headers.first(StandardWebhooks.idHeader) ?? "")
    }

    func events(in delivery: VerifiedDelivery) throws(WebhookDecodingError) -> [ProviderEvent] {
        _ = try JSONFields(body: delivery.delivery.body)
        return []
    }
}
