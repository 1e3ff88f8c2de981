import CheckoutModel
import HTTPServer
import LedgerServer
import Synchronization
import Testing

/// Says back what form token a page would carry.
private struct TokenPage: WebHandler {
    func admission(of request: WebRequest) -> WebAdmission { .accept(bodyLimit: 1_024) }
    func respond(to request: WebRequest) async -> WebResponse {
        WebResponse(type: "text/plain", "\(request.method) \(request.formToken)")
    }
}

@Suite("The gate before the pages")
struct GateTests {
    private static let secret = "0123456789abcdef0123456789abcdef"
    private let clock = ShopClock()

    private func gate(
        token: Bool = false, actions: Bool = false, isSecure: Bool = false,
        seen: @escaping @Sendable (WebRequest, WebResponse) -> Void = { _, _ in }
    ) -> AccessGate {
        AccessGate(
            TokenPage(),
            rules: AccessRules(
                hosts: AccessRules.loopbackHosts.union(["pay.shop.example"]),
                token: token ? AccessToken(Self.secret) : nil, isSecure: isSecure,
                allowsActions: actions),
            now: { [clock] in clock.now }, seen: seen)
    }

    private func ask(
        _ gate: AccessGate, _ method: String = "GET", _ path: String = "/",
        host: String? = "localhost:8787", cookie: String? = nil, form: String? = nil,
        _ more: [WebField] = []
    ) async -> WebResponse {
        var headers = more
        if let host { headers.append(WebField("host", host)) }
        if let cookie { headers.append(WebField("cookie", cookie)) }
        if form != nil {
            headers.append(WebField("content-type", "application/x-www-form-urlencoded"))
        }
        let request = WebRequest(
            method: method, target: path,
            path: path.prefix { $0 != "?" }.split(separator: "/").map { String($0) },
            headers: headers, body: Array((form ?? "").utf8))
        switch gate.admission(of: request) {
        case .refuse(let response): return response
        case .accept: return await gate.respond(to: request)
        }
    }

    /// The pair of name and value that a `Set-Cookie` sets.
    private func cookie(_ response: WebResponse) -> String? {
        response.header("Set-Cookie").map { String($0.prefix { $0 != ";" }) }
    }

    private func login(_ gate: AccessGate) async -> String? {
        cookie(await ask(gate, "POST", "/login", form: "token=\(Self.secret)"))
    }

    @Test("A server on the loopback address answers only to its own names")
    func hosts() async {
        let gate = gate()
        let cases: [(host: String?, status: Int)] = [
            ("localhost", 200), ("LOCALHOST:8787", 200), ("127.0.0.1:1", 200), ("[::1]:8787", 200),
            ("pay.shop.example", 200), ("evil.example", 421), ("localhost.evil.example", 421),
            ("127.0.0.1.evil.example", 421), ("", 421), (nil, 421),
        ]
        for (host, status) in cases {
            let answer = await ask(gate, host: host)
            #expect(answer.status == status, "\(host ?? "none")")
        }
    }

    @Test("Every answer carries the headers that keep a browser from doing more")
    func headers() async {
        for gate in [gate(), gate(token: true), gate(isSecure: true)] {
            for path in ["/", "/login", "/nowhere"] {
                let answer = await ask(gate, "GET", path)
                let policy = answer.header("Content-Security-Policy") ?? ""
                #expect(policy.hasPrefix("default-src 'none'"))
                #expect(policy.contains("frame-ancestors 'none'"))
                #expect(!policy.contains("unsafe"))
                #expect(answer.header("X-Frame-Options") == "DENY")
                #expect(answer.header("Referrer-Policy") == "same-origin")
            }
        }
        let secure = await ask(gate(isSecure: true))
        #expect(secure.header("Strict-Transport-Security") != nil)
        #expect(secure.header("Set-Cookie")?.hasPrefix("__Host-checkout_ledger_session=") == true)
        #expect(secure.header("Set-Cookie")?.hasSuffix("; Secure") == true)
    }

    @Test("With a token nobody sees a page before logging in")
    func login() async throws {
        let gate = gate(token: true)
        let away = await ask(
            gate, "GET", "/sessions/a?b=1", [WebField("accept", "text/html")])
        #expect(away.status == 303)
        #expect(away.header("Location") == "/login?next=/sessions/a%3Fb%3D1")
        #expect(await ask(gate, "GET", "/sessions.json").status == 401)
        #expect(await ask(gate, "POST", "/resend", form: "x=1").status == 401)
        #expect(await ask(gate, "GET", "/login").status == 200)
        let wrong = await ask(gate, "POST", "/login", form: "token=wrong")
        #expect(wrong.status == 401 && cookie(wrong) == nil)
        let right = await ask(
            gate, "POST", "/login", form: "token=\(Self.secret)&next=%2Fsessions%2Fa")
        #expect(right.status == 303)
        #expect(right.header("Location") == "/sessions/a")
        let rules = right.header("Set-Cookie") ?? ""
        #expect(rules.contains("; HttpOnly; SameSite=Strict"))
        let held = try #require(cookie(right))
        #expect(await ask(gate, cookie: held).status == 200)
        #expect(await ask(gate, cookie: held + "x").status == 401)
        // The server was started again meanwhile.
        #expect(await ask(self.gate(token: true), cookie: held).status == 200)
        clock.advance(seconds: 12 * 3_600)
        #expect(await ask(gate, cookie: held).status == 401)
    }

    @Test("A program sends the token with each request")
    func bearer() async {
        let gate = gate(token: true, actions: true)
        let cases: [(field: String, status: Int)] = [
            ("Bearer \(Self.secret)", 200), ("bearer \(Self.secret)", 200),
            ("Bearer \(Self.secret)x", 401), ("Basic \(Self.secret)", 401), ("Bearer ", 401),
        ]
        for (text, status) in cases {
            let field = [WebField("authorization", text)]
            #expect(await ask(gate, "GET", "/", field).status == status, "\(text)")
            #expect(await ask(gate, "POST", "/resend", field).status == status, "\(text)")
        }
    }

    @Test("After logging in a browser goes nowhere but on this server")
    func redirect() async {
        let gate = gate(token: true)
        let cases = [
            "//evil.example": "/", "https://evil.example": "/", "/%5Cevil.example": "/",
            "/a%0d%0ab": "/", "": "/", "/login": "/", "/sessions": "/sessions",
        ]
        for (next, place) in cases {
            let answer = await ask(
                gate, "POST", "/login", form: "token=\(Self.secret)&next=\(next)")
            #expect(answer.header("Location") == place, "\(next)")
        }
    }

    @Test("A form is taken only from the server's own page, in the same session")
    func forms() async throws {
        for hasToken in [false, true] {
            let gate = gate(token: hasToken, actions: true)
            func newSession() async -> String? {
                hasToken ? await login(gate) : cookie(await ask(gate))
            }
            let held = try #require(await newSession())
            let other = try #require(await newSession())
            let token = await ask(gate, cookie: held).text.dropFirst("GET ".count)
            let good = "form_token=\(token)"
            let cases: [(id: String, status: Int, cookie: String?, form: String?, [WebField])] = [
                ("good", 200, held, good, []),
                ("good, from here", 200, held, good, [WebField("origin", "http://localhost:8787")]),
                ("no form", 403, held, nil, []),
                ("no form token", 403, held, "a=1", []),
                ("another token", 403, held, good + "x", []),
                ("another session", 403, other, good, []),
                ("another site", 403, held, good, [WebField("origin", "https://evil.example")]),
                ("a hidden site", 403, held, good, [WebField("origin", "null")]),
                ("no session", hasToken ? 401 : 403, nil, good, []),
            ]
            for (id, status, cookie, form, more) in cases {
                let answer = await ask(gate, "POST", "/act", cookie: cookie, form: form, more)
                #expect(answer.status == status, "\(id), token \(hasToken)")
            }
        }
    }

    @Test("Buttons do nothing unless they are allowed to; logging out always works")
    func actions() async throws {
        let gate = gate(token: true)
        let held = try #require(await login(gate))
        let token = await ask(gate, cookie: held).text.dropFirst("GET ".count)
        let form = "form_token=\(token)"
        #expect(await ask(gate, "POST", "/act", cookie: held, form: form).status == 403)
        let out = await ask(gate, "POST", "/logout", cookie: held, form: form)
        #expect(out.status == 303)
        #expect(out.header("Set-Cookie")?.contains("Max-Age=0") == true)
        #expect(await ask(gate, "DELETE", "/act", cookie: held).status == 405)
    }

    @Test("Who looks at what is told, and who was turned away is not")
    func seen() async {
        let paths = ToldPaths()
        let gate = gate(token: true) { request, _ in paths.add(request.target) }
        _ = await ask(gate, "GET", "/a")
        _ = await ask(gate, "GET", "/b", cookie: await login(gate))
        #expect(paths.all == ["/b"])
    }

    @Test("A handler learns how each visitor was let in")
    func visitors() async throws {
        let open = ToldPaths()
        _ = await ask(gate { request, _ in open.add(request.visitor.rawValue) })
        #expect(open.all == ["anybody"])
        let told = ToldPaths()
        let gate = gate(token: true) { request, _ in told.add(request.visitor.rawValue) }
        _ = await ask(gate, cookie: await login(gate))
        _ = await ask(gate, "GET", "/", [WebField("authorization", "Bearer \(Self.secret)")])
        #expect(told.all == ["session", "token"])
    }

    @Test("The first look of a kind is told at once, those that follow it together")
    func reads() {
        let told = ToldEvents()
        let log = ReadLog { told.tell($0) }
        func look(_ route: String, _ visitor: WebVisitor = .session, status: Int = 200) {
            var request = WebRequest(target: "/sessions/cks_secret?q=ada", path: [])
            request.visitor = visitor
            var response = WebResponse(status: status)
            response.notes = [WebField("route", route)]
            log.note(request, response)
        }
        for _ in 0..<3 { look("/sessions/{name}") }
        look("/sessions/{name}", .token)
        look("/sessions/{name}", status: 404)
        look("/live.js")
        log.flush()
        log.flush()
        look("/sessions/{name}")
        let lines = told.events.map { event in event.fields.map(\.value).joined(separator: " ") }
        #expect(
            lines == [
                "/sessions/{name} session 1", "/sessions/{name} token 1",
                "/sessions/{name} session 2", "/sessions/{name} session 1",
            ])
        #expect(told.events.allSatisfy { $0.message == "pages read" })
        #expect(!"\(told.events)".contains("secret"))
    }

    @Test("A token is one line of 32 characters or more")
    func tokens() {
        #expect(AccessToken(Self.secret + "\n") != nil)
        #expect(AccessToken(String(Self.secret.dropLast())) == nil)
        #expect(AccessToken("") == nil)
        #expect(AccessToken(Self.secret + "\n" + Self.secret) == nil)
    }
}

/// The paths that were let in.
private final class ToldPaths: Sendable {
    private let state = Mutex<[String]>([])

    var all: [String] { state.withLock { $0 } }
    func add(_ path: String) { state.withLock { $0.append(path) } }
}
