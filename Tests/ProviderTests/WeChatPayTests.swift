import CheckoutModel
import Cryptography
import HTTPTransport
import ProviderKit
import ProviderVectors
import TestSupport
import Testing
import WeChatPay

/// Signs and seals as WeChat Pay does, with keys of ours.
enum WeChatPaySender {
    static let apiV3Key = "0123456789abcdef0123456789ABCDEF"
    static let serial = "7132D72A03E93CDDF8C03BBD1F37EEDF00000001"
    static let configuration = WeChatPayConfiguration(
        merchantID: "1900000109", appID: "wx0000000000000001", certificateSerial: "408B07E7",
        notifyURL: "https://shop.example/notify")

    static func sealed(_ text: String, as data: String, key: String = apiV3Key) throws -> String {
        let nonce = "0123456789ab"
        let bytes = try #require(AES256GCM(key: Array(key.utf8))).seal(
            Array(text.utf8), nonce: Array(nonce.utf8), authenticating: Array(data.utf8))
        return """
            {"algorithm":"AEAD_AES_256_GCM","nonce":"\(nonce)","associated_data":"\(data)",\
            "original_type":"\(data)","ciphertext":"\(Base64.encode(bytes))"}
            """
    }

    static func body(_ type: String, _ resource: String) throws -> String {
        """
        {"id":"EV-1","create_time":"2026-01-01T08:00:00+08:00","event_type":"\(type)",\
        "resource":\(try sealed(resource, as: "transaction"))}
        """
    }

    static func delivery(
        _ body: String, at time: Int64 = Sender.now.seconds, serial: String = serial,
        pem: String = KnownKeyPair.first.privatePEM, changing headers: [String: String] = [:]
    ) throws -> WebhookDelivery {
        let signature = try RSAPrivateKey(pem: pem)
            .signPKCS1SHA256(Array("\(time)\nnonce-1\n\(body)\n".utf8))
        let all = [
            "Wechatpay-Timestamp": "\(time)", "Wechatpay-Nonce": "nonce-1",
            "Wechatpay-Serial": serial, "Wechatpay-Signature": Base64.encode(signature),
            "Wechatpay-Signature-Type": "WECHATPAY2-SHA256-RSA2048",
        ].merging(headers) { $1 }.filter { !$0.value.isEmpty }
        return WebhookDelivery(
            headers: HeaderList(all.map { (name: $0.key, value: $0.value) }),
            body: Array(body.utf8))
    }

    static func secrets(_ texts: [SecretRole: [String]]? = nil) throws -> SecretSet {
        try SecretSet(
            texts ?? [.decryptionKey: [apiV3Key]], rules: WeChatPayProvider.descriptor.secretRules,
            lengths: .shortForTestVectors)
    }

    static func verify(
        _ delivery: WebhookDelivery, by provider: (any WebhookReceiving)? = nil,
        pem: String = KnownKeyPair.first.publicPEM, serial: String = serial,
        secrets: SecretSet? = nil, at now: Instant = Sender.now
    ) throws -> VerifiedDelivery {
        var keys = ResolvedKeys()
        try keys.add(pem: pem, for: .platformKey(serial: serial))
        let provider = try provider ?? WeChatPayProvider(configuration: configuration)
        return try DeliveryVerifier(
            provider: provider, secrets: secrets ?? Self.secrets()
        ).verify(delivery, at: now, resolved: keys)
    }

    static func reading(_ type: String, _ resource: String) throws -> DeliveryReading {
        try WeChatPayProvider(configuration: configuration)
            .reading(of: verify(delivery(body(type, resource))))
    }
}

/// The adapter without the seal: the published delivery is sealed under a key of 16 characters,
/// which no merchant has and nothing here opens, but its signature is genuine.
private struct Unsealed: WebhookReceiving {
    static let descriptor = WeChatPayProvider.descriptor
    let adapter: WeChatPayProvider

    init(configuration: WeChatPayConfiguration) throws(ProviderConfigurationError) {
        adapter = try WeChatPayProvider(configuration: configuration)
    }

    var checkoutURLRules: [CheckoutURLRule] { [] }
    var account: String? { nil }

    func plans(for delivery: WebhookDelivery) throws(WebhookRejection) -> [VerificationPlan] {
        try adapter.plans(for: delivery).compactMap {
            VerificationPlan(anyOf: $0.anyOf, time: $0.time)
        }
    }

    func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        adapter.identity(of: delivery)
    }

    func events(in delivery: VerifiedDelivery) throws(WebhookDecodingError) -> [ProviderEvent] {
        try adapter.events(in: delivery)
    }
}

@Suite("WeChat Pay's deliveries and keys")
struct WeChatPayWebhookTests {
    static let notifications = PublishedCase.all(of: "wechatpay", schemes: ["wechatpay_v3"])
    static let resources = PublishedCase.all(of: "wechatpay", schemes: ["wechatpay_resource"])

    @Test(
        "A published delivery gets the verdict of its source", .enabled(if: Vectors.hasUpstream),
        arguments: notifications)
    func published(_ item: PublishedCase) throws {
        let isAboutSeal = item.expected == ["decrypt_failed"]
        let adapter: any WebhookReceiving =
            isAboutSeal
            ? try WeChatPayProvider() : try Unsealed(configuration: WeChatPayConfiguration())
        let secrets = try WeChatPaySender.secrets(
            [.decryptionKey: [try #require(item.inputs["apiv3_key"]?.text)]])
        let pem = try #require(item.inputs["platform_certificate_pem"]?.text)
        let result = Result {
            try WeChatPaySender.verify(
                item.delivery, by: adapter, pem: pem, serial: "D7CE59D1F522D701",
                secrets: secrets, at: item.now)
        }
        #expect(item.expected.contains(result.verdict))
        guard let verified = try? result.get() else { return }
        #expect(adapter.identity(of: verified).id == "3119dfba-e649-5eec-ab1e-3412bc4d2e17")
        let event = try #require(adapter.reading(of: verified).events.first)
        #expect(event.kind == .ignored)
        #expect(event.rawType == "PAYSCORE.USER_OPEN_SERVICE")
    }

    @Test(
        "A published sealed text opens with its own key of 32 characters and nothing else",
        .enabled(if: Vectors.hasUpstream), arguments: resources)
    func resource(_ item: PublishedCase) throws {
        let key = try #require(item.inputs["apiv3_key"]?.text)
        // A blank in a key is refused before anything is opened.
        guard !key.contains(" ") else {
            #expect(item.expected == ["decrypt_failed"])
            #expect(throws: SecretError.self) {
                try WeChatPaySender.secrets([.decryptionKey: [key]])
            }
            return
        }
        let opened = try WeChatPaySender.secrets([.decryptionKey: [key]]).open(
            SealedResource(
                keys: .decryptionKey, nonce: Array((item.inputs["nonce"]?.text ?? "").utf8),
                associatedData: Array((item.inputs["associated_data"]?.text ?? "").utf8),
                ciphertextAndTag: SignatureCandidate.decode(
                    item.inputs["ciphertext"]?.text ?? "", .base64) ?? []))
        let isOpened = item.isAccepted && key.utf8.count == 32
        #expect(
            opened.map { String(decoding: $0, as: UTF8.self) }
                == (isOpened ? item.inputs["plaintext"]?.text : nil))
    }

    @Test("All published deliveries and sealed texts are there", .enabled(if: Vectors.hasUpstream))
    func count() {
        #expect(Self.notifications.filter { $0.isAccepted }.count == 3)
        #expect(Self.notifications.filter { !$0.isAccepted }.count == 10)
        #expect(Self.resources.count == 9)
    }

    static let refusals: [(name: String, value: String, reason: WebhookRejection)] = [
        ("Wechatpay-Timestamp", "", .missingHeader("Wechatpay-Timestamp")),
        ("Wechatpay-Timestamp", "1767225600x", .malformedHeader("Wechatpay-Timestamp")),
        ("Wechatpay-Nonce", "", .missingHeader("Wechatpay-Nonce")),
        ("Wechatpay-Nonce", "nonce-2", .signatureMismatch),
        ("Wechatpay-Serial", "", .missingHeader("Wechatpay-Serial")),
        ("Wechatpay-Serial", "ABCDEF", .unknownKey),
        ("Wechatpay-Serial", "no serial", .malformedHeader("Wechatpay-Serial")),
        ("Wechatpay-Serial", "PUB_KEY_ID_2", .unknownKey),
        ("Wechatpay-Signature", "", .missingHeader("Wechatpay-Signature")),
        ("Wechatpay-Signature", "WECHATPAY/SIGNTEST/AAAA", .signatureMismatch),
        ("Wechatpay-Signature-Type", "WECHATPAY2-SM2-WITH-SM3", .unsupportedScheme),
    ]

    @Test("One changed header is enough to be refused, with its reason", arguments: refusals)
    func refusal(_ item: (name: String, value: String, reason: WebhookRejection)) throws {
        let delivery = try WeChatPaySender.delivery("{}", changing: [item.name: item.value])
        #expect(throws: item.reason) { try WeChatPaySender.verify(delivery) }
    }

    @Test("A delivery is taken up to 299 seconds away, both ways")
    func window() throws {
        let body = try WeChatPaySender.body("TRANSACTION.SUCCESS", "{}")
        for (offset, reason) in [
            (299, nil), (-299, nil), (-300, .timestampTooOld), (300, .timestampTooNew),
        ] as [(Int64, WebhookRejection?)] {
            let delivery = try WeChatPaySender.delivery(body, at: Sender.now.seconds + offset)
            if let reason {
                #expect(throws: reason) { try WeChatPaySender.verify(delivery) }
            } else {
                #expect(throws: Never.self) { try WeChatPaySender.verify(delivery) }
            }
        }
    }

    @Test("Letters of a serial number count in either case; signature types may be left out")
    func leniency() throws {
        let delivery = try WeChatPaySender.delivery(
            "{}", serial: WeChatPaySender.serial.lowercased(),
            changing: ["Wechatpay-Signature-Type": ""])
        let verified = try WeChatPaySender.verify(delivery)
        #expect(verified.scheme == "wechatpay/sha256-rsa2048")
    }

    @Test("A configured public key verifies what names it, and no certificate does")
    func publicKey() throws {
        var configuration = WeChatPaySender.configuration
        configuration.publicKeyID = "PUB_KEY_ID_1"
        let provider = try WeChatPayProvider(configuration: configuration)
        let secrets = try WeChatPaySender.secrets(
            [
                .decryptionKey: [WeChatPaySender.apiV3Key],
                .webhookPublicKey: [KnownKeyPair.second.publicPEM],
            ])
        func verify(serial: String, pem: String) throws -> VerifiedDelivery {
            try WeChatPaySender.verify(
                WeChatPaySender.delivery("{}", serial: serial, pem: pem), by: provider,
                secrets: secrets)
        }
        #expect(
            try verify(serial: "PUB_KEY_ID_1", pem: KnownKeyPair.second.privatePEM).secretIndex == 0
        )
        #expect(throws: WebhookRejection.signatureMismatch) {
            try verify(serial: "PUB_KEY_ID_1", pem: KnownKeyPair.first.privatePEM)
        }
        #expect(throws: WebhookRejection.signatureMismatch) {
            try verify(serial: WeChatPaySender.serial, pem: KnownKeyPair.second.privatePEM)
        }
        #expect(throws: Never.self) {
            try verify(serial: WeChatPaySender.serial, pem: KnownKeyPair.first.privatePEM)
        }
    }

    @Test("A receiver that could not open or check what it is sent does not start")
    func missingKeys() throws {
        let keyed = WeChatPayConfiguration(publicKeyID: "PUB_KEY_ID_1")
        for (configuration, texts, role) in [
            (WeChatPayConfiguration(), [:], .decryptionKey),
            (keyed, [.decryptionKey: [WeChatPaySender.apiV3Key]], .webhookPublicKey),
        ] as [(WeChatPayConfiguration, [SecretRole: [String]], SecretRole)] {
            #expect {
                try DeliveryVerifier(
                    provider: WeChatPayProvider(configuration: configuration),
                    secrets: WeChatPaySender.secrets(texts))
            } throws: { error in
                let error = error as? SecretError
                return error?.role == role && error?.code == "missing_secret"
            }
        }
    }

    @Test("A seal that does not open is refused although the signature holds")
    func seal() throws {
        let good = try WeChatPaySender.body("TRANSACTION.SUCCESS", "{}")
        for body in [
            good.replacing(#""nonce":"0"#, with: #""nonce":"1"#),
            good.replacing(
                #""associated_data":"transaction""#, with: #""associated_data":"refund""#),
            good.replacing(#""ciphertext":""#, with: #""ciphertext":"?"#),
            good.replacing(#""ciphertext""#, with: #""cipher""#),
        ] {
            #expect(body != good)
            #expect(throws: WebhookRejection.decryptFailed) {
                try WeChatPaySender.verify(WeChatPaySender.delivery(body))
            }
        }
        let provider = try WeChatPayProvider(configuration: WeChatPaySender.configuration)
        for (body, reason) in [
            ("no JSON", WebhookDecodingError(.malformedBody)),
            (
                #"{"id":"1","event_type":"TRANSACTION.SUCCESS"}"#,
                WebhookDecodingError(.missingField, field: "resource")
            ),
        ] {
            let verified = try WeChatPaySender.verify(WeChatPaySender.delivery(body))
            #expect(provider.reading(of: verified) == .unreadable(reason))
        }
    }

    @Test("Acknowledgements say in words what their status says")
    func acknowledgements() throws {
        let provider = try WeChatPayProvider()
        for (outcome, status, code) in [
            (.recorded, 200, "SUCCESS"), (.duplicate, 200, "SUCCESS"), (.ignored, 200, "SUCCESS"),
            (.quarantined, 200, "SUCCESS"), (.rejected(.signatureMismatch), 401, "FAIL"),
            (.rejected(.bodyTooLarge), 413, "FAIL"), (.temporarilyUnavailable, 503, "FAIL"),
        ] as [(WebhookOutcome, Int, String)] {
            let reply = provider.acknowledgement(for: outcome)
            #expect(reply.status == status)
            #expect(try JSONValue(json: reply.body)["code"]?.text == code)
        }
    }

    // MARK: - Published keys

    private func list(_ pem: String, serial: String, key: String = WeChatPaySender.apiV3Key)
        throws -> HTTPReply
    {
        let sealed = try WeChatPaySender.sealed(pem, as: "certificate", key: key)
        return HTTPReply(
            status: 200,
            body: Array(
                """
                {"data":[{"serial_no":"\(serial)","effective_time":"2025-06-01T00:00:00+08:00",\
                "expire_time":"2030-06-01T00:00:00+08:00","encrypt_certificate":\(sealed)}]}
                """.utf8))
    }

    @Test("The published list fills the keys by which a delivery verifies")
    func keyPublishing() throws {
        let provider = try WeChatPayProvider(configuration: WeChatPaySender.configuration)
        let secrets = try WeChatPaySender.secrets(
            [
                .decryptionKey: [WeChatPaySender.apiV3Key],
                .signingKey: [KnownKeyPair.second.privatePEM],
            ])
        let plan = try provider.keysRequest(
            secrets: secrets, now: Sender.now,
            nonce: Nonce(bytes: Array(repeating: 7, count: 16)))
        #expect(plan.url == "https://api.mch.weixin.qq.com/v3/certificates")
        let reply = try list(
            KnownKeyPair.first.publicPEM, serial: WeChatPaySender.serial.lowercased())
        let published = try provider.interpretKeys(reply, secrets: secrets)
        #expect(published.map(\.request) == [.platformKey(serial: WeChatPaySender.serial)])
        #expect(published.first?.validFrom == Instant(seconds: 1_748_707_200))
        var keys = ResolvedKeys()
        try keys.add(published, at: Sender.now)
        let verifier = try DeliveryVerifier(provider: provider, secrets: secrets)
        let delivery = try WeChatPaySender.delivery("{}")
        #expect(throws: WebhookRejection.unknownKey) {
            try verifier.verify(delivery, at: Sender.now)
        }
        #expect(throws: Never.self) {
            try verifier.verify(delivery, at: Sender.now, resolved: keys)
        }
        #expect(try verifier.keyRequests(of: delivery) == published.map(\.request))
    }

    @Test("The resolver asks each account for its own list, with what that account has")
    func resolving() async throws {
        let reply = try list(KnownKeyPair.first.publicPEM, serial: WeChatPaySender.serial)
        let delivery = try WeChatPaySender.delivery("{}")
        func verifier(merchant: String, signs: Bool) throws -> DeliveryVerifier {
            var configuration = WeChatPaySender.configuration
            configuration.merchantID = merchant
            var texts = [SecretRole.decryptionKey: [WeChatPaySender.apiV3Key]]
            if signs { texts[.signingKey] = [KnownKeyPair.second.privatePEM] }
            return try DeliveryVerifier(
                provider: WeChatPayProvider(configuration: configuration),
                secrets: WeChatPaySender.secrets(texts))
        }
        let transport = RecordedTransport { _, _ in .success(reply) }
        let resolver = KeyResolver(transport: transport, clock: StandingClock())
        for merchant in ["1900000001", "1900000002", "1900000001"] {
            let verifier = try verifier(merchant: merchant, signs: true)
            let keys = try await resolver.keys(for: delivery, of: verifier)
            #expect(throws: Never.self) {
                try verifier.verify(delivery, at: Sender.now, resolved: keys)
            }
        }
        let asked = transport.requests.compactMap { $0.headers.first("Authorization") }
        #expect(asked.count == 2)
        #expect(asked[0].contains("1900000001") && asked[1].contains("1900000002"))
        let unable = try verifier(merchant: "1900000003", signs: false)
        do throws(KeyResolutionError) {
            _ = try await resolver.keys(for: delivery, of: unable)
            Issue.record("nobody could be asked")
        } catch {
            #expect(error.reason == .noCredentials)
            #expect(error.rejection == nil)
        }
    }

    @Test("A list with a certificate that does not open is not believed at all")
    func brokenList() throws {
        let provider = try WeChatPayProvider(configuration: WeChatPaySender.configuration)
        let secrets = try WeChatPaySender.secrets()
        let other = String(WeChatPaySender.apiV3Key.reversed())
        for reply in [
            try list(KnownKeyPair.first.publicPEM, serial: "A1", key: other),
            try list(KnownKeyPair.first.publicPEM, serial: "not hex"),
            HTTPReply(status: 200, body: Array(#"{"data":[]}"#.utf8)),
            HTTPReply(status: 200, body: Array(#"{"data":[{"serial_no":"A1"}]}"#.utf8)),
            HTTPReply(status: 200, body: Array("{".utf8)), HTTPReply(status: 500),
        ] {
            #expect(throws: ProviderReplyError.unreadable) {
                try provider.interpretKeys(reply, secrets: secrets)
            }
        }
        #expect(throws: ProviderReplyError.unauthorized) {
            try provider.interpretKeys(HTTPReply(status: 401), secrets: secrets)
        }
    }
}

/// A clock that stands still.
private struct StandingClock: TransportClock {
    var now: Instant { Sender.now }
    var uptime: Duration { .zero }
    func sleep(for duration: Duration) async throws(CancellationError) {}
}
