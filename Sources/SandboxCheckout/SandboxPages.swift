import Cryptography
package import HTTPServer
import Markup
import ProviderKit

/// Everything below `/sandbox`: the API, the hosted pages and the pages of control.
///
/// All of it is pretend, and every page says so. No script, one inline style sheet, nothing from
/// elsewhere; forms work in every browser.
package struct SandboxPages: WebHandler {
    let sandbox: Sandbox

    package init(_ sandbox: Sandbox) { self.sandbox = sandbox }

    package func admission(of request: WebRequest) -> WebAdmission {
        switch request.method {
        case "GET", "HEAD": .accept(bodyLimit: 0)
        case "POST": .accept(bodyLimit: SandboxLimits.bodyBytes)
        default: .refuse(refusal(SandboxRefusal(.methodNotAllowed), of: request))
        }
    }

    package func respond(to request: WebRequest) async -> WebResponse {
        do throws(SandboxRefusal) {
            guard request.path.first == "sandbox" else { throw SandboxRefusal(.notFound) }
            let rest = Array(request.path.dropFirst())
            if rest.first == "api" {
                try authorise(request)
                return try api(request, Array(rest.dropFirst()))
            }
            try refuseOtherNames(request)
            if request.method == "POST" { try Self.refuseOtherSites(request) }
            return try page(request, rest)
        } catch {
            return refusal(error, of: request)
        }
    }

    private func page(
        _ request: WebRequest, _ path: [String]
    ) throws(SandboxRefusal) -> WebResponse {
        let isPost = request.method == "POST"
        switch (path.first, path.dropFirst().first, path.count) {
        case (nil, _, _) where !isPost: return try overview()
        case ("shop", nil, 1) where !isPost: return shopPage(request)
        case ("checkouts", nil, 1) where isPost: return try createFromForm(request)
        case ("checkouts", let id?, 2):
            return isPost ? try act(on: id, request) : try detail(of: id)
        case ("pay", let id?, 2): return isPost ? try pay(id, request) : try payPage(of: id)
        case ("pay", let id?, 3) where path[2] == "done" && !isPost: return try donePage(of: id)
        case ("bank", let id?, 2): return isPost ? try bank(id, request) : try bankPage(of: id)
        default: throw SandboxRefusal(.notFound)
        }
    }

    // MARK: - Who may

    private func authorise(_ request: WebRequest) throws(SandboxRefusal) {
        let scheme = "Bearer "
        let field = request.header("authorization") ?? ""
        guard field.hasPrefix(scheme),
            ConstantTime.equal(Array(field.dropFirst(scheme.count).utf8), sandbox.apiKey)
        else { throw SandboxRefusal(.unauthorized) }
    }

    /// A stranger's page whose name leads to this machine is not shown what stands here.
    private func refuseOtherNames(_ request: WebRequest) throws(SandboxRefusal) {
        guard let host = request.header("host") else { return }
        guard sandbox.names.contains(host.lowercased()) else { throw SandboxRefusal(.crossSite) }
    }

    /// A form on some other page, open in the same browser, must not press our buttons.
    static func refuseOtherSites(_ request: WebRequest) throws(SandboxRefusal) {
        if let site = request.header("sec-fetch-site"), site != "same-origin", site != "none" {
            throw SandboxRefusal(.crossSite)
        }
        guard let origin = request.header("origin") else { return }
        guard let host = request.header("host"),
            origin == "http://\(host)" || origin == "https://\(host)"
        else { throw SandboxRefusal(.crossSite) }
    }

    // MARK: - Answers

    static let safetyHeaders = [
        WebField("Cache-Control", "no-store"), WebField("X-Content-Type-Options", "nosniff"),
        // The pages' own forms need an Origin header, which no-referrer would take away.
        WebField("Referrer-Policy", "same-origin"),
        WebField("Cross-Origin-Opener-Policy", "same-origin-allow-popups"),
    ]

    /// A page; `formTargets` are the places beside our own that a form may lead to.
    func html(
        _ title: String, status: Int = 200, formTargets: [String] = [], isWide: Bool = false,
        _ content: Markup
    ) -> WebResponse {
        let forms = (["'self'"] + formTargets).joined(separator: " ")
        let policy =
            "default-src 'none'; style-src '\(SandboxStyle.hash)'; form-action \(forms); "
            + "base-uri 'none'; frame-ancestors 'none'"
        return WebResponse(
            status: status, type: "text/html; charset=utf-8",
            SandboxStyle.document(title, isWide: isWide, content).text,
            headers: Self.safetyHeaders + [WebField("Content-Security-Policy", policy)])
    }

    func redirect(_ target: String) -> WebResponse {
        WebResponse(status: 303, headers: Self.safetyHeaders + [WebField("Location", target)])
    }

    func json(_ value: JSONValue, status: Int = 200) -> WebResponse {
        WebResponse(
            status: status,
            headers: Self.safetyHeaders + [WebField("Content-Type", "application/json")],
            body: .bytes(value.json))
    }

    private func refusal(_ error: SandboxRefusal, of request: WebRequest) -> WebResponse {
        if request.path.dropFirst().first == "api" {
            return json(
                .object([
                    "pretend": .bool(true),
                    "error": .object([
                        "code": .string(error.code.rawValue), "message": .string(error.message),
                        "hint": .string(error.hint),
                        "field": error.field.map(JSONValue.string),
                    ]),
                ]), status: error.code.status)
        }
        return html(
            error.message, status: error.code.status,
            """
            <h1>\(error.message)</h1>
            <p>\(error.hint)</p>
            <p><a href="/sandbox">All checkouts of the sandbox</a></p>
            """)
    }
}
