import CheckoutLedger
import CheckoutModel
import HTTPServer
import Testing

@testable import Dashboard

@Suite("Private data on pages")
struct PrivacyTests {
    @Test("No page or JSON shows what a webhook says of a person, accepted or refused")
    func masked() async throws {
        let shop = try Shop()
        let kept = try await shop.receive(Shop.privateBody, id: "msg_1", at: 10)
        let refused = try await shop.receive(
            Shop.privateBody, id: "msg_2", at: 20,
            secret: "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9=")
        #expect(kept.verdict == .recorded)
        guard case .refused = refused.verdict else {
            Issue.record("not refused")
            return
        }
        let addresses = [
            "/", "/sessions", "/sessions/dodo/cks_1", "/webhooks",
            "/webhooks/\(kept.position)", "/webhooks/\(refused.position)",
            "/events/\(kept.position)", "/events/\(refused.position)",
        ]
        for address in addresses {
            for twin in [address, address == "/" ? "/index.json" : address + ".json"] {
                let text = await shop.get(twin, token: "token").text
                #expect(!text.isEmpty)
                for secret in Shop.privateTexts {
                    #expect(!text.contains(secret), "\(secret) in \(twin)")
                }
            }
        }
        let page = await shop.get("/webhooks/\(kept.position)").text
        #expect(page.contains("payment_id&quot;: &quot;pay_1"))
        #expect(page.contains("email&quot;: &quot;••• 15 bytes"))
        #expect(page.contains("webhook-signature"))
    }

    @Test("What became of private fields is told in the page of an event and in each twin")
    func states() async throws {
        let shop = try Shop()
        let kept = try await shop.receive(Shop.privateBody, id: "msg_1", at: 10)
        let position = kept.position
        for word in ["kept", "erased"] {
            if word == "erased" {
                try shop.ledger.erase(ErasureOrder(.session("cks_1")), at: Shop.start)
            }
            for twin in ["/events/\(position)", "/webhooks/\(position)", "/sessions/dodo/cks_1"] {
                let text = await shop.get(twin + ".json", token: "token").text
                #expect(text.contains(#""privateFields":{"contact":"\#(word)"}"#), "\(text)")
            }
            let page = await shop.get("/events/\(position)", token: "token").text
            #expect(page.contains("contact \(word); what names a person"))
        }
    }

    @Test(
        "What is shown of a body is what a list names, and nothing else",
        arguments: [
            (#"{"type":"payment.succeeded"}"#, "{\n  \"type\": \"payment.succeeded\"\n}"),
            (#"{"type":"a b@c"}"#, "{\n  \"type\": \"••• 5 bytes\"\n}"),
            (#"{"zip":10115,"amount":9900}"#, "{\n  \"zip\": •••,\n  \"amount\": 9900\n}"),
            (#"{"ada@example.org":1}"#, "{\n  \"••• 15 bytes\": •••\n}"),
            (#"["x",true,null]"#, "[\n  \"••• 1 bytes\",\n  true,\n  null\n]"),
            ("id=evt_1&email=a%40b.c&x", "id=evt_1\nemail=••• 7 bytes\nx="),
        ])
    func bodies(body: String, expected: String) {
        let masked = MaskedDelivery(headers: [], body: Array(body.utf8))
        #expect(masked.body == expected)
        #expect(masked.bodyBytes == body.utf8.count)
    }

    @Test(
        "Bytes that are neither JSON nor a form are counted and not shown",
        arguments: ["Ada Lovelace", "<xml>Ada=1</xml>", "{broken", "Name: Ada\nx=1", ""])
    func unreadable(body: String) {
        let masked = MaskedDelivery(headers: [], body: Array(body.utf8))
        #expect(masked.body == nil)
        #expect(masked.bodyBytes == body.utf8.count)
    }

    @Test("Why a signature does not fit is explained only where actions are allowed")
    func explanation() async throws {
        let shop = try Shop()
        let receipt = try await shop.receive(
            Shop.privateBody, id: "msg_2", at: 20,
            secret: "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9=")
        let address = "/webhooks/\(receipt.position)"
        let shown = await shop.get(address, token: "token").text
        #expect(shown.contains("Most likely:") && shown.contains("wrong_secret"))
        let hidden = await shop.get(address).text
        #expect(!hidden.contains("Most likely:") && !hidden.contains("wrong_secret"))
    }
}
