import CheckoutModel
import Cryptography
import PayPal
import ProviderKit
import ProviderVectors
import TestSupport
import Testing

/// Signs deliveries as PayPal does, with a key of ours.
enum PayPalSender {
    static let webhookID = "4JH86294D6297924G"
    static let certificate = "https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1"
    static let configuration = PayPalConfiguration(mode: .test, webhookID: webhookID)

    /// `checksum` is that of the body, computed elsewhere; nil = by the test's own slow way.
    static func delivery(
        _ body: String, time: String = "2026-01-01T00:00:00Z", checksum: UInt32? = nil,
        certificate: String = certificate, changing headers: [String: String] = [:]
    ) throws -> WebhookDelivery {
        let checksum = checksum ?? slowChecksum(Array(body.utf8))
        let text = "id-1|\(time)|\(webhookID)|\(checksum)"
        let signature = try RSAPrivateKey(pem: KnownKeyPair.first.privatePEM)
            .signPKCS1SHA256(Array(text.utf8))
        let all = [
            "PAYPAL-TRANSMISSION-ID": "id-1", "PAYPAL-TRANSMISSION-TIME": time,
            "PAYPAL-TRANSMISSION-SIG": Base64.encode(signature), "PAYPAL-CERT-URL": certificate,
            "PAYPAL-AUTH-ALGO": "SHA256withRSA",
        ].merging(headers) { $1 }.filter { !$0.value.isEmpty }
        return WebhookDelivery(
            headers: HeaderList(all.map { (name: $0.key, value: $0.value) }),
            body: Array(body.utf8))
    }

    /// The definition of CRC-32, a bit at a time: another way than the adapter's table.
    static func slowChecksum(_ bytes: [UInt8]) -> UInt32 {
        var value = UInt32.max
        for byte in bytes {
            for bit in 0..<8 {
                let isSet = (value ^ UInt32(byte) >> UInt32(bit)) & 1 == 1
                value >>= 1
                if isSet { value ^= 0xEDB8_8320 }
            }
        }
        return ~value
    }

    static func verify(
        _ delivery: WebhookDelivery, _ configuration: PayPalConfiguration = configuration,
        pem: String = KnownKeyPair.first.publicPEM, keyAt url: String = certificate
    ) throws -> VerifiedDelivery {
        let provider = try PayPalProvider(configuration: configuration)
        var keys = ResolvedKeys()
        try keys.add(pem: pem, for: .certificate(url: url))
        return try DeliveryVerifier(
            provider: provider,
            secrets: SecretSet([:], rules: PayPalProvider.descriptor.secretRules)
        ).verify(delivery, at: Sender.now, resolved: keys)
    }

    static func reading(
        _ body: String, _ configuration: PayPalConfiguration = configuration
    ) throws -> DeliveryReading {
        try PayPalProvider(configuration: configuration)
            .reading(of: verify(delivery(body), configuration))
    }
}

@Suite("PayPal's deliveries")
struct PayPalWebhookTests {
    static let vectors = PublishedCase.all(of: "paypal")

    @Test(
        "A published delivery gets the verdict of its source", .enabled(if: Vectors.hasUpstream),
        arguments: vectors)
    func published(_ item: PublishedCase) throws {
        let genuine = "https://api.sandbox.paypal.com/v1/notifications/certs/"
        let configuration = PayPalConfiguration(
            mode: .test, webhookID: item.inputs["webhook_id"]?.text)
        let pem = try #require(item.inputs["certificate_pem"]?.text)
        let result = Result {
            try PayPalSender.verify(
                item.delivery, configuration, pem: pem,
                keyAt: genuine + "CERT-360caa42-fca2a594-a5cafa77")
        }
        #expect(item.expected.contains(result.verdict))
        guard let verified = try? result.get() else { return }
        let events = try PayPalProvider(configuration: configuration)
            .reading(of: verified).events
        let body = try JSONValue(json: verified.delivery.body)
        #expect(events.map(\.rawType) == [body["event_type"]?.text])
        #expect(events.map(\.key.rawValue) == [body["id"]?.text])
        let paid = try #require(body["resource"]?["amount"]?["total"]?.text)
        guard case .payment(.succeeded, let money?, nil)? = events.first?.kind else {
            Issue.record("no payment")
            return
        }
        #expect(money.amountText == paid)
        #expect(events.first?.ids.payment == body["resource"]?["id"]?.text)
    }

    @Test("All published deliveries are there", .enabled(if: Vectors.hasUpstream))
    func count() {
        #expect(Self.vectors.filter { $0.isAccepted }.count == 3)
        #expect(Self.vectors.filter { !$0.isAccepted }.count == 12)
    }

    @Test("A body of any length is covered by its checksum")
    func checksum() throws {
        // The check value of the CRC catalogue for the nine digits.
        #expect(PayPalSender.slowChecksum(Array("123456789".utf8)) == 0xCBF4_3926)
        for body in ["", "1", "123456789", String(repeating: "ë", count: 5_000)] {
            #expect(throws: Never.self) {
                try PayPalSender.verify(PayPalSender.delivery(body))
            }
            #expect(throws: WebhookRejection.signatureMismatch) {
                let checksum = PayPalSender.slowChecksum(Array(body.utf8)) ^ 1
                return try PayPalSender.verify(PayPalSender.delivery(body, checksum: checksum))
            }
        }
    }

    static let refusals: [(name: String, value: String, reason: WebhookRejection)] = [
        ("PAYPAL-AUTH-ALGO", "SHA1withRSA", .unsupportedScheme),
        ("PAYPAL-AUTH-ALGO", "", .missingHeader("PAYPAL-AUTH-ALGO")),
        ("PAYPAL-TRANSMISSION-SIG", "not base64!", .signatureMismatch),
        ("PAYPAL-TRANSMISSION-SIG", "AAAA", .signatureMismatch),
        ("PAYPAL-TRANSMISSION-ID", "id-2", .signatureMismatch),
        ("PAYPAL-TRANSMISSION-ID", "", .missingHeader("PAYPAL-TRANSMISSION-ID")),
        ("PAYPAL-TRANSMISSION-TIME", "yesterday", .malformedHeader("PAYPAL-TRANSMISSION-TIME")),
        ("PAYPAL-CERT-URL", "", .missingHeader("PAYPAL-CERT-URL")),
        (
            "PAYPAL-CERT-URL", "https://api.sandbox.paypal.com/v1/notifications/certs/CERT-2",
            .unknownKey
        ),
        (
            "PAYPAL-CERT-URL", "https://api.paypal.com/v1/notifications/certs/CERT-1",
            .untrustedKeySource
        ),
        (
            "PAYPAL-CERT-URL", "https://api.sandbox.paypal.com/v1/certs/CERT-1",
            .untrustedKeySource
        ),
        ("PAYPAL-CERT-URL", "\(PayPalSender.certificate)?a=1", .untrustedKeySource),
        ("PAYPAL-CERT-URL", "\(PayPalSender.certificate)/../x", .untrustedKeySource),
        (
            "PAYPAL-CERT-URL", "https://api.sandbox.paypal.com:8443/v1/notifications/certs/CERT-1",
            .untrustedKeySource
        ),
        (
            "PAYPAL-CERT-URL", "http://api.sandbox.paypal.com/v1/notifications/certs/C",
            .untrustedKeySource
        ),
        ("PAYPAL-CERT-URL", "https://paypal.com/v1/notifications/certs/C", .untrustedKeySource),
    ]

    @Test("One changed header is enough to be refused, with its reason", arguments: refusals)
    func refusal(_ item: (name: String, value: String, reason: WebhookRejection)) throws {
        let delivery = try PayPalSender.delivery("{}", changing: [item.name: item.value])
        #expect(throws: item.reason) { try PayPalSender.verify(delivery) }
    }

    @Test("Certificates of the sandbox say nothing for a live account, and the mode else")
    func modes() throws {
        let delivery = try PayPalSender.delivery(#"{"id":"WH-1"}"#)
        let live = PayPalConfiguration(mode: .live, webhookID: PayPalSender.webhookID)
        #expect(throws: WebhookRejection.untrustedKeySource) {
            try PayPalSender.verify(delivery, live)
        }
        let unknown = PayPalConfiguration(webhookID: PayPalSender.webhookID)
        let provider = try PayPalProvider(configuration: unknown)
        let identity = provider.identity(of: try PayPalSender.verify(delivery, unknown))
        #expect(identity.mode == .test)
        #expect(try PayPalSender.verify(delivery).scheme == "paypal/sha256-rsa")
        #expect(identity.id == "WH-1")
    }

    @Test("Without a webhook id no receiver starts; a configured window is kept both ways")
    func configuration() throws {
        let delivery = try PayPalSender.delivery("{}", time: "2025-12-31T23:50:00Z")
        #expect {
            try PayPalSender.verify(delivery, PayPalConfiguration(mode: .test))
        } throws: { ($0 as? SecretError)?.code == "missing_secret" }
        var configuration = PayPalSender.configuration
        #expect(throws: Never.self) { try PayPalSender.verify(delivery, configuration) }
        configuration.toleranceSeconds = 600
        #expect(throws: Never.self) { try PayPalSender.verify(delivery, configuration) }
        configuration.toleranceSeconds = 599
        #expect(throws: WebhookRejection.timestampTooOld) {
            try PayPalSender.verify(delivery, configuration)
        }
        let early = try PayPalSender.delivery("{}", time: "2026-01-01T00:10:00Z")
        #expect(throws: WebhookRejection.timestampTooNew) {
            try PayPalSender.verify(early, configuration)
        }
        #expect(throws: ProviderConfigurationError.self) {
            try PayPalProvider(configuration: .init(webhookID: "a|b"))
        }
        #expect(throws: ProviderConfigurationError.self) {
            try PayPalProvider(configuration: .init(toleranceSeconds: -1))
        }
    }

    @Test("The keys to fetch are the named certificate and nothing else")
    func keyRequests() throws {
        let verifier = try DeliveryVerifier(
            provider: PayPalProvider(configuration: PayPalSender.configuration),
            secrets: SecretSet([:], rules: PayPalProvider.descriptor.secretRules))
        let requests = try verifier.keyRequests(of: PayPalSender.delivery("{}"))
        #expect(requests == [.certificate(url: PayPalSender.certificate)])
    }

    @Test("Settings are read by name")
    func settings() throws {
        var settings = ProviderSettings(
            mode: .live,
            [
                JSONMember(name: "webhookID", value: .string("WH")),
                JSONMember(name: "clientID", value: .string("client")),
                JSONMember(name: "merchantID", value: .string("M1")),
                JSONMember(name: "toleranceSeconds", value: .integer(60)),
            ])
        #expect(
            PayPalConfiguration(settings: &settings)
                == PayPalConfiguration(
                    mode: .live, webhookID: "WH", clientID: "client", merchantID: "M1",
                    toleranceSeconds: 60))
        #expect(settings.problems.isEmpty && settings.unknownNames.isEmpty)
    }
}
