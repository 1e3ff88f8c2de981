import CheckoutModel
import Cryptography
import ProviderKit

/// A receiver of the Standard Webhooks scheme, and what signs for it.
struct SampleReceiver: WebhookReceiving, SignedReturn, HintReceiving {
    static let descriptor = ProviderDescriptor(
        id: "com.example.sample", name: "Sample", adapterVersion: "1",
        secretRules: [
            StandardWebhooks.sharedSecretRule, StandardWebhooks.publicKeyRule,
            SecretRule(role: .apiKey, encoding: .utf8, minimumBytes: 4),
        ])

    var account: String? { "acct_ours" }
    var checkoutURLRules: [CheckoutURLRule] { [] }
    var returnVocabulary: ReturnVocabulary {
        ReturnVocabulary(
            parameters: ["status": .status], statusWords: ["succeeded": .succeeded])
    }

    init(configuration: NoConfiguration = NoConfiguration()) {}

    func plans(for delivery: WebhookDelivery) throws(WebhookRejection) -> [VerificationPlan] {
        [try StandardWebhooks.plan(for: delivery)]
    }

    func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        DeliveryIdentity(provider: Self.id, account: account, mode: .test, id: "1")
    }

    func events(in delivery: VerifiedDelivery) throws(WebhookDecodingError) -> [ProviderEvent] {
        let body = try JSONFields(body: delivery.delivery.body)
        let money = try body.money("amount", currency: "currency", profile: .iso4217)
        return [
            ProviderEvent(
                key: DedupeKey(rawValue: "1"), kind: .captured(money),
                account: try body.text("account"), rawType: "sample")
        ]
    }

    func hint(in delivery: WebhookDelivery) -> StatusQueryTarget? { nil }

    func parseReturn(_ request: ReturnRequest) throws(ReturnRejection) -> ReturnClaim {
        let reading = returnVocabulary.read(request.url)
        return ReturnClaim(
            status: reading.status, ids: reading.ids, privateFields: PrivateFields(),
            reading: reading)
    }

    func plan(for request: ReturnRequest) throws(ReturnRejection) -> VerificationPlan {
        guard let text = request.url.parameters.uniqueValue(named: "sign").text else {
            throw .missingSignature
        }
        let status = request.url.parameters.values(named: "status").joined()
        return VerificationPlan(
            SignatureCandidate(
                scheme: "sample/return", algorithm: .hmacSHA256, keys: .secret(.webhook),
                signed: [Array(status.utf8)], signatures: [Hex.decode(text) ?? []]),
            time: nil)
    }

    static let key = [UInt8](0..<32)
    static let secret = "whsec_" + Base64.encode(key)
    static let otherSecret = "whsec_" + Base64.encode([UInt8](32..<64))
    static let now = Instant(seconds: 1_767_225_600)
    static let body = #"{"amount":2500,"currency":"USD","note":"Zoë/1"}"#

    static func verifier(_ secrets: [String] = [secret]) throws -> DeliveryVerifier {
        try DeliveryVerifier(
            provider: SampleReceiver(),
            secrets: SecretSet([.webhook: secrets], rules: descriptor.secretRules))
    }

    static func code(
        _ body: [UInt8], id: String = "msg_1", time: String = "\(now.seconds)",
        key: [UInt8] = key
    ) -> [UInt8] {
        HMACKey(sha256: key).authenticate(Array("\(id).\(time).".utf8), body)
    }

    /// A delivery; what is not given is right.
    static func delivery(
        _ body: [UInt8] = Array(body.utf8), id: String = "msg_1", time: String = "\(now.seconds)",
        signature: String? = nil
    ) -> WebhookDelivery {
        WebhookDelivery(
            headers: [
                "webhook-id": id, "webhook-timestamp": time,
                "webhook-signature": signature
                    ?? "v1,\(Base64.encode(code(body, id: id, time: time)))",
            ], body: body)
    }
}

extension WebhookDelivery {
    func with(headers: [HeaderList.Field]) -> WebhookDelivery {
        WebhookDelivery(headers: HeaderList(headers), body: body)
    }

    func with(body: [UInt8]) -> WebhookDelivery {
        WebhookDelivery(headers: headers, body: body)
    }
}

extension DeliveryVerifier {
    /// `accepted`, or the code of the refusal.
    func verdict(_ delivery: WebhookDelivery, at now: Instant = SampleReceiver.now) -> String {
        do throws(WebhookRejection) {
            _ = try verify(delivery, at: now)
            return "accepted"
        } catch {
            return error.code
        }
    }
}
