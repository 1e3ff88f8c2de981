import CheckoutLedger
import CheckoutModel
import Cryptography
import EventLog
import HTTPServer
import ProviderKit
import Testing

@testable import Dashboard

@Suite("Pages")
struct PageTests {
    static let addresses = [
        "/", "/sessions", "/sessions/dodo/cks_1", "/sessions/cks_1",
        "/funnel", "/abandoned", "/discrepancies", "/webhooks", "/webhooks/5", "/events/3",
        "/verify", "/projections", "/providers", "/glossary",
    ]

    private func filledShop() async throws -> Shop {
        let shop = try Shop()
        try await shop.tellClosedAndPaid()
        try await shop.receive(Shop.privateBody, id: "msg_1", at: 100)
        try await shop.tell(.sessionOpened, at: 200, ids: ProviderIDs(session: "cks_2"))
        return shop
    }

    @Test(
        "Every page has a JSON twin and says how to get the same in the terminal",
        arguments: addresses)
    func twins(address: String) async throws {
        let shop = try await filledShop()
        let page = await shop.get(address)
        #expect(page.status == 200)
        #expect(page.header("Cache-Control") == "no-store")
        #expect(page.text.contains("The same in the terminal: <code data-copy>checkout-ledger "))
        #expect(HTMLScan(page.text).dangers == [])
        let link = HTMLScan(page.text).tags.compactMap { $0.values["href"] }.first {
            $0.split(separator: "?")[0].hasSuffix(".json")
        }
        let twin = await shop.get(try #require(link))
        #expect(twin.status == 200)
        #expect(twin.header("Content-Type") == "application/json; charset=utf-8")
        let value = try JSONValue(json: Array(twin.text.utf8))
        #expect(value["schema"]?.text?.hasSuffix("/1") == true)
    }

    @Test("A provider's words are shown with what they mean here, escaped")
    func words() async throws {
        let shop = try Shop()
        var host = ReadOnlyHost(now: Shop.start)
        host.providers = [
            ProviderCard(
                id: "acme", name: "Acme", adapterVersion: "1", capabilities: [], scheme: nil,
                statusMap: "Plugins/Acme/StatusMapping.swift",
                words: [
                    .init(place: "answer", about: "payment", word: "<paid>", meaning: "succeeded"),
                    .init(
                        place: "webhook", about: "event", word: "back", meaning: "refund.pending"),
                ])
        ]
        let dashboard = Dashboard(shop.ledger, host: host)
        let text = await dashboard.respond(to: .get("/providers")).text
        #expect(text.contains("<span class=\"id\">&lt;paid&gt;</span>"))
        #expect(text.contains("s-succeeded") && text.contains("refund.pending"))
        #expect(text.contains("href=\"#words-acme\"") && text.contains("id=\"words-acme\""))
        #expect(!text.contains("Conformance"))
        let twin = await dashboard.respond(to: .get("/providers.json")).text
        let words = try JSONValue(json: Array(twin.utf8))["providers"]?.elements?[0]["words"]
        #expect(words?.elements?.map { $0["word"]?.text } == ["<paid>", "back"])
    }

    @Test("Pages of an empty ledger say how to fill it, and none fails")
    func empty() async throws {
        let shop = try Shop()
        for address in Self.addresses {
            let page = await shop.get(address)
            let isOne = address.split(separator: "/").count > 1
            #expect(page.status == (isOne ? 404 : 200), "\(address)")
            #expect(HTMLScan(page.text).dangers == [])
        }
        let first = await shop.get("/").text
        for command in ["checkout-ledger demo", "checkout-ledger serve", "record event"] {
            #expect(first.contains(command))
        }
    }

    @Test("A timeline answers whether it was paid and how that is known, before anything else")
    func answer() async throws {
        let shop = try await filledShop()
        let page = await shop.get("/sessions/dodo/cks_1").text
        let answer = try #require(page.firstRange(of: "class=\"answer\""))
        let part = page[answer.upperBound...].prefix(400)
        #expect(part.contains("succeeded") && part.contains("EUR 99.00"))
        #expect(part.contains("a signed webhook"))
        #expect(page.contains("customer was shown cancelled"))
        let open = await shop.get("/sessions/dodo/cks_2").text
        #expect(open.contains("It may have been paid."))
    }

    @Test("A fact that was told again, and one out of order, are drawn hollow")
    func lanes() async throws {
        let shop = try await filledShop()
        let page = await shop.get("/sessions/dodo/cks_1").text
        let again = try #require(page.firstRange(of: "#e4\""))
        #expect(page[again.upperBound...].prefix(120).contains("class=\"open "))
        let first = try #require(page.firstRange(of: "#e3\""))
        #expect(!page[first.upperBound...].prefix(120).contains("class=\"open "))
    }

    @Test("An event leads to what caused it and to what it led to")
    func causes() async throws {
        let shop = try await filledShop()
        let delivery = await shop.get("/events/5").text
        #expect(delivery.contains("href=\"/events/6\">@6"))
        let meaning = await shop.get("/events/6").text
        #expect(meaning.contains("caused by</dt><dd><a class=\"id\" href=\"/events/5\""))
    }

    @Test("Amounts have their currency's own decimals")
    func decimals() async throws {
        let shop = try Shop()
        for (code, units, text) in [("JPY", 1_200, "JPY 1200"), ("KWD", 1_500, "KWD 1.500")] {
            let currency = try #require(Currency(code))
            try await shop.tell(
                .sessionCreated, at: 1, source: .host, ids: ProviderIDs(session: "cks_" + code),
                amount: Money(minorUnits: Int64(units), currency: currency))
            #expect(await shop.get("/sessions").text.contains(text))
        }
    }

    @Test("The style sheet that stands in a page is the one whose hash a policy is given")
    func style() async throws {
        let page = try await Shop().get("/").text
        let open = try #require(page.firstRange(of: "<style>"))
        let close = try #require(page.firstRange(of: "</style>"))
        let sheet = Array(page[open.upperBound..<close.lowerBound].utf8)
        let hash = Base64.encode(SHA256.hash(sheet).bytes)
        #expect(StyleSheet.policySource == "'sha256-\(hash)'")
        #expect(page.components(of: "<style>") == 2)
        #expect(!page.contains("url(") && !page.contains("@import"))
    }

    @Test("Addresses that lead nowhere are told apart from faults")
    func missing() async throws {
        let shop = try await filledShop()
        for address in ["/nowhere", "/events/99999", "/events/x", "/webhooks/0", "/a/b/c"] {
            let page = await shop.get(address)
            #expect(page.status == 404, "\(address)")
            #expect(page.text.contains("NOT_FOUND"))
            #expect(await shop.get(address + ".json").text.contains("\"schema\":\"error/1\""))
        }
    }

    @Test(
        "The jump box leads to what a text names",
        arguments: [
            ("@3", "/events/3"), ("cks_1", "/sessions/dodo/cks_1"),
            (" ORDER-cks_1 ", "/sessions/dodo/cks_1"), ("pay_cks_1", "/sessions/dodo/cks_1"),
            ("cks_", "/sessions?q=cks_"), ("nobody", "/sessions?q=nobody"), ("", "/sessions"),
        ])
    func jump(text: String, address: String) async throws {
        let shop = try await filledShop()
        let answer = await shop.dashboard().respond(
            to: WebRequest(target: "/jump", path: ["jump"], query: [WebField("q", text)]))
        #expect(answer.status == 303)
        #expect(answer.header("Location") == address)
    }

    @Test(
        "An address that names no session of its own leads to the one that it means",
        arguments: [
            ("/sessions/ORDER-cks_1", "/sessions/dodo/cks_1"),
            ("/sessions/pay_cks_1", nil), ("/sessions/cks_", "/sessions?q=cks_"),
            ("/streams/0", "/sessions/dodo/cks_1"),
        ])
    func otherNames(address: String, location: String?) async throws {
        let shop = try await filledShop()
        let answer = await shop.get(address)
        #expect(answer.header("Location") == location)
        #expect(answer.status == (location == nil ? 200 : 303))
    }

    @Test("The live stream says where the log ends, and again when it has grown")
    func live() async throws {
        let shop = try await filledShop()
        let end = try shop.ledger.endPosition()
        let answer = await shop.get("/live")
        #expect(answer.header("Content-Type") == "text/event-stream; charset=utf-8")
        guard case .stream(let stream) = answer.body else {
            Issue.record("not a stream")
            return
        }
        var messages = stream.makeAsyncIterator()
        let first = await messages.next()
        #expect(String(decoding: first ?? [], as: UTF8.self).contains("{\"events\":\(end)}"))
        try await shop.tell(.noteAdded, at: 300, source: .host)
        var seen = ""
        while !seen.contains("{\"events\":\(end + 1)}"), let next = await messages.next() {
            seen = String(decoding: next, as: UTF8.self)
        }
        #expect(seen.contains("{\"events\":\(end + 1)}"))
    }
}

extension String {
    fileprivate func components(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count
    }
}
