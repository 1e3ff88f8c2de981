import CheckoutLedger
import CheckoutModel
import HTTPServer
import Markup
import ProviderKit
import Testing

@testable import Dashboard

@Suite("Hostile text in the ledger")
struct HostileTests {
    static let texts = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
        "</style><script>alert(1)</script>", "javascript:alert(1)", "../../../etc/passwd",
        "a/b?c#d&e=f", "..", "\u{202E}gpj.exe", "x\u{1}\u{8}\u{1B}[2J", "]]>--><!--",
        "//evil.example/x", "id.json", "{{7*7}}${7*7}", "%00%3Cscript%3E", "`'\"\\;$(reboot)",
    ]

    static let addresses = [
        "/", "/sessions", "/funnel", "/abandoned", "/discrepancies", "/webhooks", "/verify",
        "/projections", "/providers", "/glossary", "/sessions?outcome=none",
    ]

    /// A ledger in which every field that takes text has it, and the addresses of its parts.
    private func shop(_ text: String) async throws -> (shop: Shop, addresses: [String]) {
        let shop = try Shop()
        // The ledger refuses a NUL there: it stands between provider and account.
        let provider = ProviderID(rawValue: text.contains("\u{0}") ? "dodo" : text)
        let account = text.contains("\u{0}") ? "" : text
        let ids = ProviderIDs(
            session: text, payment: text, refund: text, dispute: text, subscription: text,
            order: text, customer: text)
        shop.clock.set(Shop.start)
        var last: UInt64 = 0
        for type in EventType.vocabulary.map(\.type)
        where type != .sessionLinked && type.family != .delivery {
            var event = CheckoutEvent(
                type, source: type == .operatorResolved ? .operator : .webhook,
                evidence: type == .operatorResolved ? .operator : .verified,
                occurredAt: Shop.start, provider: provider, account: account, ids: ids,
                status: .succeeded, reason: text, rawType: text, deliveryID: text, actor: text)
            event.privateFields = PrivateFields(customerEmail: text, customerName: text)
            last = try await shop.ledger.record(event).position
        }
        let refused = WebhookDelivery(
            headers: HeaderList([(name: text, value: text), (name: "User-Agent", value: text)]),
            body: Array("{\"\(text)\":\"\(text)\",\"type\":\"\(text)\"}".utf8))
        let receipt = try await shop.ledger.record(
            refused, verifiedBy: try Shop.verifier(),
            scope: AccountScope(provider, account: account), at: Shop.start)
        return (
            shop,
            ["/streams/0", "/events/0", "/events/\(last)", "/webhooks/\(receipt.position)"]
        )
    }

    @Test(
        "No text from the log becomes markup, an attribute or an address of another site",
        arguments: texts)
    func escaped(text: String) async throws {
        let (shop, more) = try await shop(text)
        for address in Self.addresses + more {
            let answer = await shop.get(address, token: "token")
            if answer.status == 303 {
                let location = answer.header("Location") ?? ""
                #expect(location.hasPrefix("/sessions/") && !location.contains("//"))
                continue
            }
            #expect(answer.status == 200, "\(address)")
            #expect(HTMLScan(answer.text).dangers == [], "\(address)")
            #expect(!answer.text.contains("\u{202E}") && !answer.text.contains("\u{1B}"))
        }
    }

    @Test(
        "A session is found again by the address that lists give it, whatever its id",
        arguments: texts.filter { $0 != "x\u{1}\u{8}\u{1B}[2J" })
    func found(text: String) async throws {
        let shop = try Shop()
        try await shop.tell(.sessionOpened, at: 1, ids: ProviderIDs(session: text))
        let session = try shop.ledger.session(named: "dodo/" + text)
        let page = await shop.get(Address.session(session).text)
        #expect(page.status == 200)
        #expect(page.header("Content-Type") == "text/html; charset=utf-8")
        #expect(page.text.contains("session.opened"))
        let found = await shop.dashboard().respond(
            to: WebRequest(target: "/jump", path: ["jump"], query: [WebField("q", text)]))
        #expect(found.status == 303)
    }

    // One test of its own: a runner's output ends at a NUL in an argument.
    @Test("A NUL in the ledger is shown as a replacement character")
    func nul() async throws {
        let (shop, more) = try await shop("x\u{0}y")
        for address in Self.addresses + more {
            let answer = await shop.get(address)
            #expect(answer.status == 200 || answer.status == 303, "\(address)")
            #expect(!answer.text.utf8.contains(0), "\(address)")
            #expect(HTMLScan(answer.text).dangers == [], "\(address)")
        }
    }

    @Test("Queries that make no sense are said to make none, and shown as text", arguments: texts)
    func queries(text: String) async throws {
        let shop = try Shop()
        try await shop.tellClosedAndPaid()
        let names = [
            "q", "status", "outcome", "evidence", "provider", "account", "day", "age", "currency",
            "least", "most", "before", "limit", "verdict", "code", "review",
        ]
        let query = names.map { WebField($0, text) }
        for path in ["sessions", "webhooks", "discrepancies", "abandoned", "jump", text] {
            let answer = await shop.dashboard().respond(
                to: WebRequest(target: "/" + path, path: [path], query: query))
            #expect([200, 303, 404].contains(answer.status))
            #expect(HTMLScan(answer.text).dangers == [])
        }
    }

    @Test(
        "A command on a page is one word of the shell for each word of it",
        arguments: [
            ("cks_1", "cks_1"), ("a b", "'a b'"), ("$(reboot)", "'$(reboot)'"),
            ("it's", "'it'\\''s'"), ("", "''"), ("a\nb", "'a\\nb'"), ("`x`;y", "'`x`;y'"),
        ])
    func quoted(word: String, expected: String) {
        #expect(ShellWord.quoted(word) == expected)
    }
}
