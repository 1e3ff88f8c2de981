import CheckoutLedger
import CheckoutModel
import HTTPServer
import Synchronization
import Testing

@testable import Dashboard

@Suite("Actions of the dashboard")
struct ActionTests {
    private func post(_ path: [String], _ body: String) -> WebRequest {
        WebRequest(
            method: "POST", target: "/" + path.joined(separator: "/"), path: path,
            body: Array(body.utf8))
    }

    @Test("Without permission there is no form and nothing is done")
    func readOnly() async throws {
        let shop = try Shop()
        try await shop.tell(.sessionOpened, at: 1)
        for address in ["/", "/sessions/dodo/cks_1", "/abandoned", "/verify", "/webhooks"] {
            #expect(!(await shop.get(address).text.contains("method=\"post\"")))
        }
        let host = TestHost(clock: shop.clock, token: nil)
        let answer = await Dashboard(shop.ledger, host: host).respond(
            to: post(["actions", "verify"], ""))
        #expect(answer.status == 403)
        #expect(host.asked.withLock { $0 } == [])
    }

    @Test("Every form is a POST of ours and carries the token")
    func forms() async throws {
        let shop = try Shop()
        try await shop.tell(.sessionOpened, at: 1)
        try await shop.receive(Shop.privateBody, id: "msg_1", at: 5)
        for address in ["/abandoned", "/verify", "/webhooks/1"] {
            let text = await shop.get(address, token: "tok\"en").text
            let scan = HTMLScan(text)
            let posts = scan.tags.filter { $0.values["method"] == "post" }
            let tokens = scan.tags.filter { $0.values["name"] == WebForm.tokenField }
            #expect(posts.count == tokens.count)
            #expect(tokens.allSatisfy { $0.values["value"] == "tok&quot;en" })
            #expect(posts.allSatisfy { $0.values["action"]?.hasPrefix("/actions/") == true })
            #expect(scan.dangers == [])
        }
    }

    @Test(
        "A form does what it says",
        arguments: [
            ("verify", "token=t", DashboardAction.verify),
            ("reconcile", "token=t", .reconcile(session: nil)),
            ("reconcile", "session=dodo%2Fcks_1", .reconcile(session: "dodo/cks_1")),
            ("resend", "position=7", .resend(position: 7)),
        ])
    func actions(name: String, body: String, expected: DashboardAction) async throws {
        let shop = try Shop()
        let host = TestHost(clock: shop.clock, token: "t")
        let answer = await Dashboard(shop.ledger, host: host).respond(
            to: post(["actions", name], body))
        #expect(answer.status == 200)
        #expect(answer.text.contains("Asked."))
        #expect(host.asked.withLock { $0 } == [expected])
    }

    @Test("A webhook is sent again to the one place that is named, which the page shows")
    func resendTarget() async throws {
        let shop = try Shop()
        try await shop.receive(Shop.privateBody, id: "msg_1", at: 5)
        let text = await shop.get("/webhooks/0", token: "t").text
        #expect(text.contains("action=\"/actions/resend\""))
        #expect(text.contains("https://shop.example/hooks?a=&lt;b&gt;"))
    }

    @Test(
        "A page is known to logs by its kind alone",
        arguments: [
            ("/", "/"), ("/index.json", "/"), ("/sessions", "/sessions"),
            ("/sessions.json?q=ada", "/sessions"), ("/sessions/dodo/cks_1", "/sessions/{name}"),
            ("/webhooks/0", "/webhooks/{position}"), ("/events/0.json", "/events/{position}"),
            ("/streams/0", "/streams/{stream}"), ("/actions/verify", "/actions/verify"),
            ("/actions/ada", "other"), ("/ada", "other"), ("/events/0/ada", "other"),
        ])
    func routes(address: String, route: String) async throws {
        let shop = try Shop()
        try await shop.tellClosedAndPaid()
        let notes = await shop.get(address).notes
        #expect(notes.map(\.value) == [route])
    }

    @Test(
        "What is no action, or names nothing, does nothing",
        arguments: [("nothing", ""), ("resend", ""), ("resend", "position=x")])
    func refused(name: String, body: String) async throws {
        let shop = try Shop()
        let host = TestHost(clock: shop.clock, token: "t")
        let answer = await Dashboard(shop.ledger, host: host).respond(
            to: post(["actions", name], body))
        #expect(answer.status == 404)
        #expect(host.asked.withLock { $0 } == [])
    }

    @Test(
        "Pages are read with GET, and only actions take a body",
        arguments: [
            ("GET", [], true), ("HEAD", ["sessions"], true), ("POST", ["actions", "verify"], true),
            ("POST", ["sessions"], false), ("PUT", ["actions"], false), ("DELETE", [], false),
        ])
    func methods(method: String, path: [String], isTaken: Bool) async throws {
        let shop = try Shop()
        let request = WebRequest(method: method, target: "/", path: path)
        switch shop.dashboard().admission(of: request) {
        case .accept(let limit): #expect(isTaken && (method == "POST") == (limit > 0))
        case .refuse(let answer): #expect(!isTaken && answer.status == 405)
        }
    }
}
