import CheckoutModel
import Cryptography
import ProviderKit
import Testing

/// A receiver whose secret is a text that is also tried as base64.
private struct TwofoldReceiver: WebhookReceiving {
    static let descriptor = ProviderDescriptor(
        id: "com.example.twofold", name: "Twofold", adapterVersion: "1",
        secretRules: [
            SecretRule(role: .webhook, encoding: .utf8, prefix: "whsec_", isAlsoBase64: true)
        ])

    var account: String? { nil }
    var checkoutURLRules: [CheckoutURLRule] { [] }

    init(configuration: NoConfiguration = NoConfiguration()) {}

    func plans(for delivery: WebhookDelivery) throws(WebhookRejection) -> [VerificationPlan] {
        [
            try VerificationPlan.body(
                of: delivery, header: "Signature", encoding: .hex, scheme: "twofold")
        ]
    }

    func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        DeliveryIdentity(provider: Self.id, account: nil, mode: .unknown, id: delivery.bodyHex)
    }

    func events(in delivery: VerifiedDelivery) -> [ProviderEvent] { [] }
}

@Suite("What several adapters share")
struct AdapterPartsTests {
    private func isAccepted(_ key: [UInt8], secret: String) throws -> Bool {
        let body = Array("{}".utf8)
        let code = Hex.encode(HMACKey(sha256: key).authenticate(body))
        let secrets = try SecretSet(
            [.webhook: [secret]], rules: TwofoldReceiver.descriptor.secretRules)
        #expect(secrets.count(.webhook) == 1)
        let verifier = try DeliveryVerifier(provider: TwofoldReceiver(), secrets: secrets)
        let delivery = WebhookDelivery(headers: ["Signature": code], body: body)
        return (try? verifier.verify(delivery, at: Instant(seconds: 0))) != nil
    }

    @Test("A secret of two readings verifies under either of them, and under no third")
    func twoReadings() throws {
        let key = Array("sixteen bytes ok".utf8)
        let text = "whsec_" + Base64.encode(key)
        #expect(try isAccepted(Array(text.utf8), secret: text))
        #expect(try isAccepted(key, secret: text))
        #expect(try !isAccepted(Array(Base64.encode(key).utf8), secret: text))
        #expect(try !isAccepted([], secret: text))
        // No base64: the one reading is left, and an empty key never is one.
        #expect(try isAccepted(Array("a_text!".utf8), secret: "a_text!"))
        #expect(try !isAccepted([], secret: "a_text!"))
    }

    @Test(
        "An amount of minor units as text is exact or an error",
        arguments: [
            (#""1999""#, 1999, nil), (#""0""#, 0, nil), (#""-5""#, -5, nil), ("null", nil, nil),
            (#""""#, nil, nil), (#""19.99""#, nil, "amount_not_integer"),
            (#""1e2""#, nil, "amount_not_integer"), (#"" 1""#, nil, "amount_not_integer"),
            ("1999", nil, "amount_not_integer"), ("{}", nil, "amount_not_integer"),
            (#""99999999999999999999""#, nil, "amount_out_of_range"),
        ] as [(String, Int64?, String?)])
    func integerText(json: String, units: Int64?, code: String?) throws {
        let body = #"{"a":{"amount":\#(json),"currency":"usd"}}"#
        let fields = try JSONFields(body: Array(body.utf8)).requiredObject("a")
        do throws(WebhookDecodingError) {
            let money = try fields.integerTextMoney(
                "amount", currency: "currency", profile: .iso4217)
            #expect(code == nil)
            #expect(money?.minorUnits == units)
        } catch {
            #expect(error.code == code)
            #expect(error.field == "a.amount")
        }
    }

    @Test("A template is put into a return URL's query once, and before its fragment")
    func template() {
        for (url, expected) in [
            ("app://back", "app://back?id={ID}"), ("app://back?x=1", "app://back?x=1&id={ID}"),
            ("app://back#top?", "app://back?id={ID}#top?"),
            ("app://back?mine={ID}#top", "app://back?mine={ID}#top"),
        ] {
            #expect(ReturnTemplate.adding("{ID}", as: "id", to: url) == expected)
        }
    }

    @Test("A timed signature header may separate its items by another byte")
    func separator() throws {
        let header = try #require(
            TimedSignatureHeader(
                "ts=12;h1=00ff;h2=,;h1=zz;h1=0a", time: "ts", version: "h1",
                separator: UInt8(ascii: ";")))
        #expect(header.timestamp == "12")
        #expect(header.signatures == [[0x00, 0xFF], [0x0A]])
        #expect(TimedSignatureHeader("ts=1,h1=00", time: "ts", separator: 0x3B)?.signatures == [])
    }

    @Test("A host in a configuration is lower-case labels and dots")
    func hosts() {
        for host in ["pay.shop.example", "a.b", "xn--1.example", "1.2"] {
            #expect(HostText.isPlain(host))
        }
        for host in ["", "shop", "Pay.example", "a..b", ".a.b", "a.b.", "a.b/c", "a b.c", "*.a.b"] {
            #expect(!HostText.isPlain(host))
        }
    }

    @Test("A request carries its key in a header, and only a key of the account's own mode")
    func bearer() throws {
        let rules = [SecretRule(role: .apiKey, encoding: .utf8, minimumBytes: 4)]
        let prefixes = [(live: "k_live_", test: "k_test_")]
        let secrets = try SecretSet([.apiKey: ["k_test_1"]], rules: rules)
        let headers = HeaderList(
            try secrets.bearerHeaders(accepting: "a/b", of: .test, prefixes: prefixes))
        #expect(headers.first("Authorization") == "Bearer k_test_1")
        #expect(headers.first("Accept") == "a/b")
        _ = try secrets.bearerHeaders(prefixes: prefixes)
        #expect { try secrets.bearerHeaders(of: .live, prefixes: prefixes) } throws: {
            ($0 as? RequestPlanError)?.code == "malformed_secret"
        }
        let none = try SecretSet([:], rules: rules)
        #expect { try none.bearerHeaders() } throws: {
            ($0 as? RequestPlanError)?.code == "missing_secret"
        }
    }
}
