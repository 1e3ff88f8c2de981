import CheckoutModel
import Cryptography
import ProviderKit
import Testing

/// Signs deliveries as the providers do that put a code of the body, or of time and body, into one
/// header.
extension Sender {
    /// The body's code under the text of the secret, hexadecimal.
    static func signed(_ body: String, header: String, secret: String = secret) -> WebhookDelivery {
        let code = HMACKey(sha256: Array(secret.utf8)).authenticate(Array(body.utf8))
        return WebhookDelivery(headers: [header: Hex.encode(code)], body: Array(body.utf8))
    }

    static func paddle(
        _ body: String, at time: Instant = now, secret: String = secret
    ) -> WebhookDelivery {
        let code = HMACKey(sha256: Array(secret.utf8))
            .authenticate(Array("\(time.seconds):\(body)".utf8))
        return WebhookDelivery(
            headers: ["Paddle-Signature": "ts=\(time.seconds);h1=\(Hex.encode(code))"],
            body: Array(body.utf8))
    }

    /// Standard Webhooks under the bytes that `key` gives of the secret.
    static func standard(
        _ body: String, id: String = "msg_1", key: [UInt8] = Array(secret.utf8)
    ) -> WebhookDelivery {
        let code = HMACKey(sha256: key)
            .authenticate(Array("\(id).\(now.seconds).".utf8), Array(body.utf8))
        return WebhookDelivery(
            headers: [
                "webhook-id": id, "webhook-timestamp": "\(now.seconds)",
                "webhook-signature": "v1,\(Base64.encode(code))",
            ], body: Array(body.utf8))
    }

    static func verified(
        _ delivery: WebhookDelivery, by provider: any WebhookReceiving
    ) throws -> VerifiedDelivery {
        try verifier(provider).verify(delivery, at: now)
    }

    static func reading(
        _ delivery: WebhookDelivery, by provider: any WebhookReceiving
    ) throws -> DeliveryReading {
        provider.reading(of: try verified(delivery, by: provider))
    }
}

/// Money of a test, by code.
func money(_ units: Int64, _ code: String = "USD") throws -> Money {
    Money(minorUnits: units, currency: try #require(Currency(code)))
}

/// What requests of tests are made with.
enum Request {
    static let apiKey = "key_1234567890abcdef"

    static func secrets(
        _ provider: any PaymentProvider, apiKey: String = apiKey
    ) throws -> SecretSet {
        try SecretSet([.apiKey: [apiKey]], rules: type(of: provider).descriptor.secretRules)
    }

    static func status(
        _ provider: any StatusQuerying, _ target: StatusQueryTarget, apiKey: String = apiKey
    ) throws -> HTTPRequestPlan {
        try provider.statusRequest(
            for: target, secrets: secrets(provider, apiKey: apiKey), now: Sender.now,
            nonce: Nonce(bytes: []))
    }

    static func report(
        _ provider: any StatusQuerying, _ target: StatusQueryTarget, _ body: String,
        status: Int = 200
    ) throws -> StatusReport {
        try provider.interpret(HTTPReply(status: status, body: Array(body.utf8)), for: target)
    }

    static func facts(
        _ provider: any StatusQuerying, _ target: StatusQueryTarget, _ body: String
    ) throws -> PaymentFacts? {
        guard case .known(let facts) = try report(provider, target, body) else { return nil }
        return facts
    }

    static func creation(
        _ provider: any SessionCreating, _ draft: SessionDraft
    ) throws -> HTTPRequestPlan {
        try provider.createRequest(
            draft, idempotencyKey: try #require(IdempotencyKey(rawValue: "key-1")),
            secrets: secrets(provider), now: Sender.now, nonce: Nonce(bytes: []))
    }

    static func created(_ provider: any SessionCreating, _ body: String) throws -> CreatedSession {
        try provider.interpretCreation(HTTPReply(status: 201, body: Array(body.utf8)))
    }

    static func draft(
        product: String? = "p_1", name: String = "Tea", quantity: Int = 1, price: Money? = nil
    ) -> SessionDraft {
        SessionDraft(
            items: [
                .init(productID: product, name: name, quantity: quantity, unitAmount: price)
            ], reference: "order-42", returnURL: "app://back?x=1", cancelURL: "app://gave-up",
            customerEmail: "zoe@shop.example")
    }
}
