import CheckoutModel
import Cryptography
import GoCardless
import Mollie
import PayPal
import ProviderKit
import TestSupport
import Testing
import WeChatPay

@Suite("Random input")
struct RandomInputTests {
    /// A body that the adapter understands, with a byte or two of it changed.
    private struct Mutator {
        var random: SeededGenerator

        mutating func change(_ text: String) -> [UInt8] {
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            return bytes
        }
    }

    private static let payPal = """
        {"id":"WH-1","event_type":"CHECKOUT.ORDER.COMPLETED","resource":{"id":"O1",\
        "status":"COMPLETED","purchase_units":[{"amount":{"currency_code":"USD","value":"1.00"},\
        "payments":{"captures":[{"id":"C1","status":"COMPLETED",\
        "amount":{"currency_code":"USD","value":"1.00"}}]}}]}}
        """
    private static let mollie = """
        {"resource":"event","id":"event_1","type":"payment.paid","entityId":"tr_1",\
        "_embedded":{"entity":{"id":"tr_1","status":"paid",\
        "amount":{"value":"1.00","currency":"EUR"}}}}
        """
    private static let goCardless = """
        {"events":[{"id":"EV1","resource_type":"payments","action":"failed",\
        "links":{"payment":"PM1"},"details":{"will_attempt_retry":true}}]}
        """
    private static let transaction = """
        {"mchid":"1900000109","out_trade_no":"order-42","transaction_id":"T1",\
        "trade_state":"SUCCESS","amount":{"total":1,"currency":"CNY"}}
        """

    @Test("A changed body is understood or set aside, never a trap, and never another delivery")
    func bodies() throws {
        var mutator = Mutator(random: SeededGenerator(seed: 5))
        let secret = "signing-secret-1"
        let key = HMACKey(sha256: Array(secret.utf8))
        let receivers: [(any WebhookReceiving, String, String)] = [
            (try MollieProvider(), Self.mollie, "X-Mollie-Signature"),
            (try GoCardlessProvider(), Self.goCardless, "Webhook-Signature"),
        ]
        for (provider, body, header) in receivers {
            let verifier = try Sender.verifier(provider, secrets: [secret])
            for _ in 0..<2_000 {
                let bytes = mutator.change(body)
                let delivery = WebhookDelivery(
                    headers: HeaderList([
                        (name: header, value: Hex.encode(key.authenticate(bytes)))
                    ]), body: bytes)
                let verified = try verifier.verify(delivery, at: Sender.now)
                let again = try verifier.verify(delivery, at: Sender.now)
                #expect(provider.identity(of: verified) == provider.identity(of: again))
                #expect(provider.reading(of: verified) == provider.reading(of: again))
            }
        }
    }

    @Test("A changed body signed with a key of the provider's is no trap either")
    func signedBodies() throws {
        var mutator = Mutator(random: SeededGenerator(seed: 6))
        let payPal = try PayPalProvider(configuration: PayPalSender.configuration)
        let weChat = try WeChatPayProvider(configuration: WeChatPaySender.configuration)
        for _ in 0..<200 {
            guard let text = String(validating: mutator.change(Self.payPal), as: UTF8.self) else {
                continue
            }
            let verified = try PayPalSender.verify(PayPalSender.delivery(text))
            #expect(payPal.reading(of: verified) == payPal.reading(of: verified))
        }
        for _ in 0..<200 {
            let bytes = mutator.change(Self.transaction)
            guard let text = String(validating: bytes, as: UTF8.self) else { continue }
            let body = try WeChatPaySender.body("TRANSACTION.SUCCESS", text)
            let verified = try WeChatPaySender.verify(WeChatPaySender.delivery(body))
            #expect(weChat.reading(of: verified) == weChat.reading(of: verified))
        }
    }

    @Test("A changed answer never says that a payment failed, or another amount than it holds")
    func answers() throws {
        var mutator = Mutator(random: SeededGenerator(seed: 7))
        let order = """
            {"id":"x","status":"COMPLETED","purchase_units":[{"payments":{"captures":[\
            {"id":"C1","status":"COMPLETED","amount":{"currency_code":"USD","value":"1.00"}}]}}]}
            """
        let cases: [(any StatusQuerying, StatusQueryTarget, String)] = [
            (try PayPalProvider(configuration: .init(mode: .test)), .session("x"), order),
            (try WeChatPayProvider(), .session("order-42"), Self.transaction),
            (
                try MollieProvider(), .payment("x"),
                #"{"id":"x","status":"paid","amount":{"value":"1.00","currency":"EUR"}}"#
            ),
            (
                try GoCardlessProvider(), .payment("x"),
                #"{"payments":{"id":"x","status":"confirmed","amount":1,"currency":"GBP"}}"#
            ),
        ]
        for (provider, target, body) in cases {
            for _ in 0..<2_000 {
                let bytes = mutator.change(body)
                let report = try provider.interpret(
                    HTTPReply(status: 200, body: bytes), for: target)
                guard case .known(let facts) = report else { continue }
                #expect(facts.status != .failed)
                #expect(String(decoding: bytes, as: UTF8.self).contains(target.id))
            }
        }
    }

    @Test("Any text at all is a checkout URL or is not, and never a trap")
    func urls() throws {
        var mutator = Mutator(random: SeededGenerator(seed: 8))
        let providers: [any PaymentProvider] = [
            try PayPalProvider(), try WeChatPayProvider(), try MollieProvider(),
            try GoCardlessProvider(),
        ]
        for url in [
            "https://www.paypal.com/checkoutnow?token=O1", "weixin://wxpay/bizpayurl?pr=Ab1",
            "https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx1",
            "https://www.mollie.com/checkout/select-method/7UhSN1zuXS",
            "https://pay.gocardless.com/billing/static/flow?id=BRF1",
        ] {
            for _ in 0..<1_000 {
                let text = String(decoding: mutator.change(url), as: UTF8.self)
                for provider in providers {
                    guard case .session(let id, _) = provider.recognise(checkoutURL: text) else {
                        continue
                    }
                    #expect(!id.isEmpty && !id.contains("/"))
                }
            }
        }
    }
}
