import CheckoutModel
import HTTPServer
import HTTPTransport
import ProviderKit
import Sandbox
import Synchronization
import Testing

@testable import SandboxCheckout

@Suite("The sandbox's pages")
struct PageTests {
    @Test("Every outcome is a button, and leads to where a real provider would lead")
    func buttons() async throws {
        let cases: [(action: String, location: String, status: CheckoutWord)] = [
            ("pay", "https://tea.example/back?cart=7&checkout_id=ID&payment_id=", .paid),
            ("decline", "/sandbox/pay/ID", .open), ("close", "/sandbox/pay/ID/done", .paid),
            ("leave", "https://tea.example/cart?checkout_id=ID&status=cancelled", .open),
            ("expire", "/sandbox/pay/ID/done", .expired), ("secure", "/sandbox/bank/", .open),
        ]
        for (action, location, status) in cases {
            let shop = try PretendShop()
            let id = try shop.checkout()
            let answer = await shop.post("/sandbox/pay/\(id)", "action=\(action)")
            #expect(answer.status == 303)
            let target = answer.header("Location") ?? ""
            #expect(target.hasPrefix(location.replacing("ID", with: id)), "\(action): \(target)")
            #expect(shop.sandbox.snapshot.checkouts[id]?.status == status)
        }
    }

    @Test("The bank's page leads back to the shop, or to the checkout")
    func bank() async throws {
        for answer in BankAnswer.allCases {
            let shop = try PretendShop()
            let id = try shop.checkout()
            let page = await shop.post("/sandbox/pay/\(id)", "action=secure")
            let bank = page.header("Location") ?? ""
            #expect(await shop.get(bank).text.contains("made-up bank"))
            let target = await shop.post(bank, "answer=\(answer.rawValue)").header("Location") ?? ""
            if answer == .approve {
                #expect(target.hasSuffix("&status=succeeded"))
            } else {
                #expect(target == "/sandbox/pay/\(id)")
                let text = await shop.get(target).text
                #expect(text.contains(answer == .refuse ? "declined" : "called off"))
            }
        }
    }

    @Test("Every page says that it is pretend, runs nothing and loads nothing")
    func policy() async throws {
        let shop = try PretendShop()
        let id = try shop.checkout()
        let bank = await shop.post("/sandbox/pay/\(id)", "action=secure").header("Location") ?? ""
        for path in [
            "/sandbox", "/sandbox/pay/\(id)", "/sandbox/pay/\(id)/done", bank,
            "/sandbox/checkouts/\(id)", "/sandbox/shop?status=succeeded", "/sandbox/nothing",
        ] {
            let page = await shop.get(path)
            let policy = page.header("Content-Security-Policy") ?? ""
            #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
            #expect(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"))
            #expect(page.text.contains("Sandbox: pretend money"))
            #expect(!page.text.contains("<script") && !page.text.contains("src="))
            #expect(page.text.contains("width=device-width"))
        }
        let pay = await shop.get("/sandbox/pay/\(id)").header("Content-Security-Policy") ?? ""
        #expect(pay.contains("form-action 'self' https://tea.example https://tea.example;"))
    }

    @Test("No text from outside becomes markup, wherever it is shown")
    func hostileText() async throws {
        let hostile = "\"'><img src=x onerror=alert(1)><script>x</script>\u{202E}"
        let shop = try PretendShop()
        let currency = try #require(Currency("EUR"))
        var draft = try CheckoutDraft(
            money: Money(minorUnits: 1, currency: currency), title: hostile, reference: hostile,
            returnURL: "https://tea.example/?a=&b=%22%3E", customerEmail: hostile)
        draft.behaviour.loss = .first
        let id = try shop.sandbox.perform { (engine, now) throws(SandboxRefusal) in
            try engine.create(draft, at: now).id
        }
        let bank = await shop.post("/sandbox/pay/\(id)", "action=secure").header("Location") ?? ""
        let encoded = String(
            decoding: URLSegment.form([(name: hostile, value: hostile)]), as: UTF8.self)
        for path in [
            "/sandbox", "/sandbox/pay/\(id)", bank, "/sandbox/checkouts/\(id)",
            "/sandbox/pay/\(id)/done", "/sandbox/shop?\(encoded)",
            "/sandbox/shop?checkout_id=\(encoded.prefix { $0 != "=" })",
        ] {
            let page = await shop.get(path)
            #expect(page.status == 200)
            #expect(!page.text.contains("<img") && !page.text.contains("<script"))
            #expect(!page.text.contains("\u{202E}") && !page.text.contains("'><"))
        }
        for path in ["/sandbox/pay/\(encoded)", "/sandbox/checkouts/\(encoded)"] {
            let page = await shop.get(path)
            #expect(page.status == 404 && !page.text.contains("onerror"))
        }
    }

    @Test("The buttons answer to the sandbox's own pages alone")
    func otherSites() async throws {
        let shop = try PretendShop()
        let id = try shop.checkout()
        let foreign: [[WebField]] = [
            [WebField("origin", "https://evil.example"), WebField("host", "127.0.0.1:8787")],
            [WebField("origin", "null"), WebField("host", "127.0.0.1:8787")],
            [WebField("sec-fetch-site", "cross-site")], [WebField("sec-fetch-site", "same-site")],
            [WebField("host", "rebound.example:8787")],
        ]
        for headers in foreign {
            let answer = await shop.post("/sandbox/pay/\(id)", "action=pay", headers)
            #expect(answer.status == 403)
        }
        #expect(shop.sandbox.snapshot.checkouts[id]?.status == .open)
        let own = [
            WebField("origin", "http://127.0.0.1:8787"), WebField("host", "127.0.0.1:8787"),
            WebField("sec-fetch-site", "same-origin"),
        ]
        #expect(await shop.post("/sandbox/pay/\(id)", "action=pay", own).status == 303)
    }

    @Test("A checkout made on the control page can be paid, refunded and disputed there")
    func control() async throws {
        let shop = try PretendShop()
        let made = await shop.post(
            "/sandbox/checkouts",
            "amount=12.500&currency=KWD&reference=order-9&duplicates=1&delay=0&loss=none"
                + "&return_url=http%3A%2F%2F127.0.0.1%3A8787%2Fsandbox%2Fshop")
        let page = made.header("Location") ?? ""
        #expect(await shop.get(page).text.contains("Pay KWD 12.500"))
        let id = String(page.dropFirst("/sandbox/pay/".count))
        _ = await shop.post(page, "action=pay")
        let payment = try #require(shop.sandbox.snapshot.payments.keys.first)
        let detail = "/sandbox/checkouts/\(id)"
        for verb in ["refund", "dispute"] {
            #expect(await shop.post(detail, "do=\(verb)&of=\(payment)").status == 303)
        }
        let dispute = try #require(shop.sandbox.snapshot.disputes.keys.first)
        #expect(await shop.post(detail, "do=won&of=\(dispute)").status == 303)
        let text = await shop.get(detail).text
        #expect(text.contains("refund") && text.contains("won"))
        #expect(await shop.post(detail, "do=refund&of=\(payment)").status == 409)
        #expect(await shop.post(detail, "do=nonsense").status == 422)
        #expect(await shop.post("/sandbox/checkouts", "amount=1&currency=XXX").status == 422)
    }

    @Test("What is sent and not answered is sent again, and the control page can ask for more")
    func sending() async throws {
        let shop = try PretendShop(answers: [500, 200])
        let id = try shop.checkout()
        _ = await shop.post("/sandbox/pay/\(id)", "action=expire")
        #expect(await shop.sandbox.sendDue() == 1)
        shop.clock.pass(seconds: 2)
        #expect(await shop.sandbox.sendDue() == 1)
        shop.clock.pass(seconds: 100_000)
        #expect(await shop.sandbox.sendDue() == 0)
        let sent = shop.transport.requests
        #expect(sent.map(\.url) == ["http://127.0.0.1:8787/webhooks/sandbox"].repeated(2))
        let ids = sent.map { $0.headers.first(StandardWebhooks.idHeader) }
        #expect(Set(ids).count == 1)
        #expect(sent[0].headers != sent[1].headers)
        let webhook = try #require(ids[0])
        _ = await shop.post("/sandbox/checkouts/\(id)", "do=resend&of=\(webhook)")
        #expect(await shop.sandbox.sendDue() == 1)
    }
}

extension Array {
    fileprivate func repeated(_ count: Int) -> [Element] {
        (0..<count).flatMap { _ in self }
    }
}
