import CheckoutModel
import Cryptography
import Foundation
import ProviderKit
import TestSupport
import Testing

/// A receiver whose sender signs with a platform key and seals a part of the body, as WeChat Pay
/// does; enough of it to check the kit.
private struct PlatformReceiver: WebhookReceiving {
    static let descriptor = ProviderDescriptor(
        id: "com.example.platform", name: "Platform", adapterVersion: "1",
        secretRules: [SecretRole.webhook, "seal"].map {
            SecretRule(role: $0, encoding: .utf8, minimumBytes: 1)
        })

    var account: String? { nil }
    var checkoutURLRules: [CheckoutURLRule] { [] }
    var sealed: SealedResource?
    var algorithm = SignatureAlgorithm.rsaPKCS1SHA256

    init(configuration: NoConfiguration = NoConfiguration()) {}

    func plans(for delivery: WebhookDelivery) throws(WebhookRejection) -> [VerificationPlan] {
        let time = try delivery.headers.one("Wechatpay-Timestamp")
        let nonce = try delivery.headers.one("Wechatpay-Nonce")
        let serial = try delivery.headers.one("Wechatpay-Serial")
        let text = try delivery.headers.one("Wechatpay-Signature")
        let keys: KeySelector =
            algorithm == .rsaPKCS1SHA256
            ? .resolved(.platformKey(serial: serial)) : .secret(.webhook)
        return [
            VerificationPlan(
                SignatureCandidate(
                    scheme: "platform", algorithm: algorithm, keys: keys,
                    signed: [Array("\(time)\n\(nonce)\n".utf8), delivery.body, [0x0A]],
                    signatures: [Base64.decode(text) ?? []]),
                time: TimeWindow(
                    unixSeconds: time, header: "Wechatpay-Timestamp", toleranceSeconds: 300),
                sealed: sealed)
        ]
    }

    func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        DeliveryIdentity(provider: Self.id, account: nil, mode: .unknown, id: delivery.bodyHex)
    }

    func events(in delivery: VerifiedDelivery) -> [ProviderEvent] { [] }
}

@Suite("Keys of other kinds")
struct KeySelectionTests {
    private func secrets() throws -> SecretSet {
        try SecretSet(
            [.webhook: ["shared-text"], "seal": [String(repeating: "k", count: 32)]],
            rules: PlatformReceiver.descriptor.secretRules)
    }

    @Test(
        "A published RSA signature holds under the key that the host fetched, and no other",
        .enabled(if: Vectors.hasUpstream))
    func rsa() throws {
        let file = [UInt8](try #require(try Vectors.upstream("provider-vectors.json")))
        let vectors = try JSONValue(json: file)["vectors"]?.elements ?? []
        let inputs = try #require(
            vectors.first { $0["id"]?.text == "wechat-notify-go" }?["inputs"])
        guard case .object(let fields) = inputs["headers"] else {
            Issue.record("no headers")
            return
        }
        let headers = HeaderList(fields.map { (name: $0.name, value: $0.value.text ?? "") })
        let body = Array((inputs["body"]?.text ?? "").utf8)
        let delivery = WebhookDelivery(headers: headers, body: body)
        let now = Instant(seconds: inputs["now"]?.integer ?? 0)
        let verifier = try DeliveryVerifier(
            provider: PlatformReceiver(), secrets: try secrets())
        let requests = try verifier.keyRequests(of: delivery)
        #expect(requests == [.platformKey(serial: "D7CE59D1F522D701")])
        var keys = ResolvedKeys()
        #expect(throws: WebhookRejection.unknownKey) {
            try verifier.verify(delivery, at: now, resolved: keys)
        }
        try keys.add(
            pem: inputs["platform_certificate_pem"]?.text ?? "", for: try #require(requests.first))
        let verified = try verifier.verify(delivery, at: now, resolved: keys)
        #expect(verified.secretIndex == nil)
        #expect(verified.keyFingerprint.utf8.count == 8)
        #expect(throws: WebhookRejection.signatureMismatch) {
            try verifier.verify(delivery.with(body: body + [0x20]), at: now, resolved: keys)
        }
    }

    @Test("Text that holds no public key is refused")
    func malformedKey() {
        var keys = ResolvedKeys()
        for text in ["", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"] {
            #expect(throws: SecretError.self) {
                try keys.add(pem: text, for: .certificate(url: "https://key.example"))
            }
        }
    }

    @Test("A sealed part is opened only behind a signature that holds, and only whole")
    func sealed() throws {
        let key = [UInt8](repeating: UInt8(ascii: "k"), count: 32)
        let nonce = [UInt8](repeating: 1, count: 12)
        let text = Array("inside".utf8)
        let ciphertext = try #require(AES256GCM(key: key)).seal(
            text, nonce: nonce, authenticating: [7])
        func verify(_ ciphertext: [UInt8], signature: [UInt8]? = nil) throws -> VerifiedDelivery {
            var receiver = PlatformReceiver()
            receiver.algorithm = .hmacSHA1
            receiver.sealed = SealedResource(
                keys: "seal", nonce: nonce, associatedData: [7], ciphertextAndTag: ciphertext)
            let code = HMACKey(sha1: Array("shared-text".utf8)).authenticate(
                Array("\(SampleReceiver.now.seconds)\nn\nbody\n".utf8))
            let delivery = WebhookDelivery(
                headers: [
                    "Wechatpay-Timestamp": "\(SampleReceiver.now.seconds)",
                    "Wechatpay-Nonce": "n", "Wechatpay-Serial": "s",
                    "Wechatpay-Signature": Base64.encode(signature ?? code),
                ], body: Array("body".utf8))
            return try DeliveryVerifier(provider: receiver, secrets: secrets()).verify(
                delivery, at: SampleReceiver.now)
        }
        #expect(try verify(ciphertext).opened == [text])
        var damaged = ciphertext
        damaged[0] ^= 1
        #expect(throws: WebhookRejection.decryptFailed) { try verify(damaged) }
        #expect(throws: WebhookRejection.decryptFailed) { try verify([]) }
        #expect(throws: WebhookRejection.signatureMismatch) {
            try verify(damaged, signature: [1, 2, 3])
        }
    }
}
