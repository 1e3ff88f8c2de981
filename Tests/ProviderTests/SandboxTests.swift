import CheckoutModel
import Cryptography
import ProviderKit
import Sandbox
import Testing

@Suite("The sandbox's adapter")
struct SandboxTests {
    private static let key = [UInt8](0..<32)
    private static let secrets = try? SecretSet(
        [
            .webhook: ["whsec_" + Base64.encode(key)],
            .apiKey: ["sbx_test_0123456789abcdef"],
        ], rules: SandboxProvider.descriptor.secretRules)

    private func reading(_ body: String) throws -> DeliveryReading {
        let provider = try SandboxProvider()
        let delivery = Sender.standard(body, key: Self.key)
        let verifier = try DeliveryVerifier(
            provider: provider, secrets: try #require(Self.secrets))
        return provider.reading(of: try verifier.verify(delivery, at: Sender.now))
    }

    @Test("It cannot be taken for real money: its name, its mode and its keys say so")
    func pretence() throws {
        #expect(SandboxProvider.descriptor.name.contains("pretend"))
        var live = ProviderSettings(mode: .live)
        #expect(throws: ProviderSettingsError.self) {
            _ = try SandboxProvider.configured(by: &live)
        }
        #expect(throws: SecretError.self) {
            _ = try SecretSet(
                [.apiKey: ["sk_live_0123456789abcdef"]],
                rules: SandboxProvider.descriptor.secretRules)
        }
        let payment = #"{"id":"sbxpay_1","amount":1999,"currency":"EUR"}"#
        let body = #""type":"payment.succeeded","data":\#(payment)"#
        #expect(try reading("{\(body)}").events == [])
        #expect(try reading(#"{"pretend":false,\#(body)}"#).events == [])
        let event = try #require(try reading(#"{"pretend":true,\#(body)}"#).events.first)
        #expect(event.mode == .test)
        #expect(event.kind == .payment(.succeeded, try money(1999, "EUR"), failure: nil))
    }

    static let pages: [(url: String, isPage: Bool)] = [
        ("http://127.0.0.1:8787/sandbox/pay/sbx_1", true),
        ("http://127.0.0.1:8787/sandbox/pay/sbx_1?lang=de#top", true),
        ("http://127.0.0.1:8788/sandbox/pay/sbx_1", false),
        ("http://localhost:8787/sandbox/pay/sbx_1", false),
        ("https://127.0.0.1:8787/sandbox/pay/sbx_1", false),
        ("http://127.0.0.1:8787@evil.example/sandbox/pay/sbx_1", false),
        ("http://127.0.0.1:8787.evil.example/sandbox/pay/sbx_1", false),
        ("http://127.0.0.1:8787/sandbox/pay/", false),
        ("http://127.0.0.1:8787/sandbox/pay/../x", false),
        ("http://127.0.0.1:8787/sandbox/pay/a%2Fb", false),
        ("http://127.0.0.1:8787/sandbox/checkouts/sbx_1", false),
    ]

    @Test("A page on this machine counts at its own address alone", arguments: pages)
    func localPages(_ item: (url: String, isPage: Bool)) throws {
        let match = try SandboxProvider().recognise(checkoutURL: item.url)
        #expect(match == (item.isPage ? .session(id: "sbx_1", mode: .test) : .notMine))
    }

    @Test(
        "An origin is http on this machine or https elsewhere",
        arguments: [
            ("http://127.0.0.1:9000", true), ("http://localhost", true), ("http://[::1]:80", true),
            ("https://pay.tea.example", true), ("http://tea.example", false),
            ("https://tea.example:8443", false), ("https://tea.example/", false),
            ("https://TEA.example", false), ("https://zoe@tea.example", false), ("tea", false),
            ("https://127.0.0.1", false), ("", false),
        ])
    func origins(_ text: String, isTaken: Bool) {
        let provider = try? SandboxProvider(configuration: .init(origin: text))
        #expect((provider != nil) == isTaken)
    }

    @Test("A sandbox on this machine is asked under a name that exists nowhere")
    func requests() throws {
        let secrets = try #require(Self.secrets)
        let nonce = Nonce(bytes: [])
        let query = try SandboxProvider().statusRequest(
            for: .session("sbx_1"), secrets: secrets, now: Sender.now, nonce: nonce)
        #expect(query.url == "https://sandbox.checkout-ledger.test/sandbox/api/checkouts/sbx_1")
        let remote = try SandboxProvider(configuration: .init(origin: "https://pay.tea.example"))
        let draft = SessionDraft(
            items: [.init(name: "Tea", quantity: 2, unitAmount: try money(1250, "KWD"))],
            reference: "order-7", returnURL: "teashop://back")
        let key = try #require(IdempotencyKey(rawValue: "wish-1"))
        let plan = try remote.createRequest(
            draft, idempotencyKey: key, secrets: secrets, now: Sender.now, nonce: nonce)
        #expect(plan.url == "https://pay.tea.example/sandbox/api/checkouts")
        #expect(plan.isRepeatable && plan.headers.first("Idempotency-Key") == "wish-1")
        let body = try JSONFields(body: plan.body)
        #expect(try body.integer("amount") == 2500)
        #expect(try body.text("currency") == "KWD")
    }
}
