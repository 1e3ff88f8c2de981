package import CheckoutModel
import Cryptography
package import HTTPServer

/// Stands before the pages: checks the name that was asked for, the login, and that a form is the
/// server's own; puts the headers on every answer that keep a browser from doing more.
///
/// Without a token everybody who reaches the server may look; that is for the loopback address.
package final class AccessGate: WebHandler {
    private let inner: any WebHandler
    private let rules: AccessRules
    private let key: HMACKey
    private let now: @Sendable () -> Instant
    private let seen: @Sendable (WebRequest, WebResponse) -> Void

    /// `seen` is told of every request that was let in, with its answer, for a log of who looked
    /// at what.
    package init(
        _ inner: any WebHandler, rules: AccessRules, now: @escaping @Sendable () -> Instant,
        seen: @escaping @Sendable (WebRequest, WebResponse) -> Void = { _, _ in }
    ) {
        self.inner = inner
        self.rules = rules
        self.now = now
        self.seen = seen
        key = rules.token?.key ?? HMACKey(sha256: SecureRandom.bytes(32))
    }

    package func admission(of request: WebRequest) -> WebAdmission {
        guard rules.knows(host: request.header("host")) else {
            return .refuse(
                guarded(
                    .plain(
                        421,
                        "This server does not go by that name. "
                            + "Its names are set by \"hosts\" in the configuration.")))
        }
        switch request.method {
        case "GET": return .accept(bodyLimit: 0)
        case "POST" where request.path == ["login"] || request.path == ["logout"]:
            return .accept(bodyLimit: ServingLimits.formBytes)
        case "POST":
            // Nobody's body is read who is not let in.
            guard isLetIn(request) else { return .refuse(guarded(.plain(401, "Log in first"))) }
            return inner.admission(of: request)
        default: return .refuse(guarded(.methodNotAllowed(["GET", "HEAD", "POST"])))
        }
    }

    package func respond(to request: WebRequest) async -> WebResponse {
        if rules.token != nil, request.path == ["login"] {
            return guarded(request.method == "POST" ? login(request) : loginPage(request))
        }
        let held = session(of: request)
        if rules.token != nil, held == nil, !carriesToken(request) {
            return guarded(whereToLogIn(request))
        }
        let session = held ?? BrowserSession(now: now().seconds, key: key)
        if request.method == "POST" {
            if let refusal = refusal(of: request, session) { return guarded(refusal) }
            if request.path == ["logout"] { return guarded(logout()) }
        }
        var request = request
        request.formToken = session.formToken(key)
        request.visitor = rules.token == nil ? .anybody : held == nil ? .token : .session
        var response = await inner.respond(to: request)
        seen(request, response)
        // Without a login the forms need a session all the same.
        if rules.token == nil, held == nil { response.headers.append(cookie(session)) }
        return guarded(response)
    }

    private func isLetIn(_ request: WebRequest) -> Bool {
        rules.token == nil || session(of: request) != nil || carriesToken(request)
    }

    // MARK: Who it is

    private func session(of request: WebRequest) -> BrowserSession? {
        request.cookie(cookieName).flatMap {
            BrowserSession($0, now: now().seconds, key: key)
        }
    }

    /// A program's way in: `Authorization: Bearer`, which no browser sends by itself.
    private func carriesToken(_ request: WebRequest) -> Bool {
        guard let token = rules.token, let field = request.header("authorization"),
            field.lowercased().hasPrefix("bearer ")
        else { return false }
        return token.isEqual(to: String(field.dropFirst(7)))
    }

    private func whereToLogIn(_ request: WebRequest) -> WebResponse {
        let wantsPage = request.header("accept")?.contains("text/html") ?? false
        guard request.method == "GET", wantsPage else {
            return .plain(
                401, "Log in at /login, or send the token as Authorization: Bearer.",
                headers: [WebField("WWW-Authenticate", "Bearer")])
        }
        let target = Self.escaped(request.target)
        return .seeOther(request.path.isEmpty ? "/login" : "/login?next=\(target)")
    }

    // MARK: Whether a form is ours

    /// Why an action is not done; nil when it may be.
    private func refusal(of request: WebRequest, _ session: BrowserSession) -> WebResponse? {
        if carriesToken(request) {
            return rules.allowsActions ? nil : Self.noActions
        }
        guard isFromHere(request) else { return .plain(403, "The form is another site's.") }
        guard let given = WebForm(request)?[WebForm.tokenField],
            ConstantTime.equal(Array(given.utf8), Array(session.formToken(key).utf8))
        else { return .plain(403, "The form is out of date. Load the page again.") }
        if request.path == ["logout"] { return nil }
        return rules.allowsActions ? nil : Self.noActions
    }

    /// What a browser says of the page that a form stands on; old ones say nothing.
    private func isFromHere(_ request: WebRequest) -> Bool {
        guard let origin = request.header("origin") else { return true }
        return AccessRules.host(ofURL: origin)
            == request.header("host").map(AccessRules.name(inHost:))
    }

    private static var noActions: WebResponse {
        .plain(403, "Actions are off. Start the server with --allow-actions.")
    }

    // MARK: Logging in and out

    private func loginPage(_ request: WebRequest, complaint: String? = nil) -> WebResponse {
        LoginPage.response(next: request.parameter("next"), complaint: complaint)
    }

    private func login(_ request: WebRequest) -> WebResponse {
        guard isFromHere(request) else { return .plain(403, "The form is another site's.") }
        guard let token = rules.token, let form = WebForm(request) else {
            return .plain(400, "Bad request")
        }
        // A token has 128 bits or more: guessing is hopeless, and a bound on tries would only let a
        // stranger lock everybody out.
        guard token.isEqual(to: form["token"] ?? "") else {
            return LoginPage.response(
                next: form["next"], complaint: "That is not the token.", status: 401)
        }
        let session = BrowserSession(now: now().seconds, key: key)
        return .seeOther(LoginPage.place(form["next"]), headers: [cookie(session)])
    }

    private func logout() -> WebResponse {
        .seeOther(
            "/login", headers: [WebField("Set-Cookie", "\(cookieName)=; Max-Age=0; \(cookieRules)")]
        )
    }

    /// With the prefix a browser takes it from https only, and from this very host.
    private var cookieName: String {
        (rules.isSecure ? "__Host-" : "") + BrowserSession.cookie
    }

    private var cookieRules: String {
        "Path=/; HttpOnly; SameSite=Strict" + (rules.isSecure ? "; Secure" : "")
    }

    private func cookie(_ session: BrowserSession) -> WebField {
        WebField(
            "Set-Cookie",
            "\(cookieName)=\(session.text); Max-Age=\(ServingLimits.sessionSeconds); \(cookieRules)"
        )
    }

    // MARK: What is put on every answer

    /// A page that needs more of the policy, such as the hash of its own style, brings its own.
    private static let headers = [
        WebField(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
                + "connect-src 'self'; form-action 'self'; base-uri 'none'; "
                + "frame-ancestors 'none'"),
        WebField("X-Frame-Options", "DENY"),
        // With no-referrer a browser would hide the origin of our own forms too.
        WebField("Referrer-Policy", "same-origin"),
        WebField("Cross-Origin-Opener-Policy", "same-origin"),
        WebField("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    private func guarded(_ response: WebResponse) -> WebResponse {
        var response = response
        let names = Set(response.headers.map { $0.name.lowercased() })
        response.headers += Self.headers.filter { !names.contains($0.name.lowercased()) }
        if rules.isSecure {
            response.headers.append(
                WebField("Strict-Transport-Security", "max-age=31536000"))
        }
        return response
    }

    /// A target as a value in a query.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F, 0x7E:
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                escaped += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return escaped
    }
}
