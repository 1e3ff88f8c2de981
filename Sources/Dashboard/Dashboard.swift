package import CheckoutLedger
import CheckoutModel
import CommandKit
package import EventLog
package import HTTPServer
import LedgerViews
import Markup

/// The pages that show a ledger.
///
/// Answers GET for pages, for the JSON twin of each (its address with `.json` behind it), for the
/// script and the live stream; and POST below `/actions/` where the host allows actions. Who may
/// ask at all, cookies, tokens and the security headers are the host's business: it stands in
/// front, refuses, and adds to each answer a Content-Security-Policy that takes
/// ``StyleSheet/policySource`` for styles and `'self'` for scripts, images, forms and connections.
package struct Dashboard<Store: LogStore>: WebHandler {
    let reader: LedgerReader<Store>
    let watch = ProjectionWatch()

    package init(_ ledger: Ledger<Store>, host: any DashboardHost) {
        reader = LedgerReader(ledger: ledger, cache: DigestCache(ledger), host: host)
    }

    /// Reads the whole log once, so that no visitor waits for it.
    ///
    /// Throws `DAMAGED`, `LOG_CLOSED`, `STORAGE_FAILED`; pages that need it will say the same.
    package func prepare() throws(LedgerError) {
        let digest = try reader.cache.current()
        _ = try reader.cache.ordersPaidTwice(at: digest.end)
        // Adapters are asked about their words once.
        _ = reader.host.providers
    }

    package func admission(of request: WebRequest) -> WebAdmission {
        switch request.method {
        case "GET", "HEAD": return .accept(bodyLimit: 0)
        case "POST" where request.path.first == "actions":
            return .accept(bodyLimit: Limits.formBytes)
        default:
            return .refuse(
                WebResponse(
                    status: 405, type: "text/plain; charset=utf-8",
                    "Pages are read with GET; only actions are posted.\n",
                    headers: [WebField("Allow", "GET, HEAD")]))
        }
    }

    package func respond(to request: WebRequest) async -> WebResponse {
        let view = PageView(
            now: reader.now, formToken: reader.host.formToken(for: request),
            resendTarget: reader.host.resendTarget, program: reader.host.program,
            ledgerPath: reader.host.ledgerPath)
        var response: WebResponse
        if request.method == "POST" {
            response = await act(on: request, view)
        } else {
            let (path, isJSON) = Self.twin(request.path)
            do throws(LedgerError) {
                response = try answer(path, isJSON, request, view)
            } catch {
                response = failure(error, isJSON, view)
            }
        }
        response.notes.append(WebField("route", Self.route(request.path)))
        return response
    }

    /// The kind of page behind an address: one of a few words, whatever was asked for.
    static func route(_ path: [String]) -> String {
        guard let first = twin(Array(path.prefix(1))).path.first else { return "/" }
        switch (first, path.count) {
        case ("index", 1): return "/"
        case (_, 1) where pages.contains(first): return "/\(first)"
        case ("sessions", 2...): return "/sessions/{name}"
        case ("streams", 2): return "/streams/{stream}"
        case ("webhooks", 2), ("events", 2): return "/\(first)/{position}"
        case ("actions", 2) where actions.contains(path[1]): return "/actions/\(path[1])"
        default: return "other"
        }
    }

    private static var pages: Set<String> {
        [
            "sessions", "funnel", "abandoned", "discrepancies", "webhooks", "verify", "projections",
            "providers", "glossary", "live", "live.js", "icon.svg", "jump",
        ]
    }

    private static var actions: Set<String> { ["verify", "reconcile", "resend"] }

    /// Takes `.json` off the last segment.
    private static func twin(_ path: [String]) -> (path: [String], isJSON: Bool) {
        guard let last = path.last, last.hasSuffix(".json") else { return (path, false) }
        return (path.dropLast() + [String(last.dropLast(5))], true)
    }

    private func answer(
        _ path: [String], _ isJSON: Bool, _ request: WebRequest, _ view: PageView
    ) throws(LedgerError) -> WebResponse {
        let explains = view.formToken != nil
        let isFirstPage = path.isEmpty || (isJSON && path == ["index"])
        switch (path.first, path.count) {
        case _ where isFirstPage:
            let overview = try reader.overview()
            return isJSON
                ? .json(OverviewPage.json(overview))
                : .page(OverviewPage.page(overview, view), view)
        case ("sessions", 1):
            let list = try reader.sessions(SessionFilter(request))
            return isJSON
                ? .json(SessionsPage.json(list)) : .page(SessionsPage.page(list, view), view)
        case ("sessions", _): return try session(request, view)
        case ("streams", 2):
            let session = try reader.session(atStream: try Self.number(path[1]))
            return session.isFoundByName
                ? .redirect(to: Address.session(session))
                : try timeline(session, isJSON, view)
        case ("webhooks", 2):
            let delivery = try reader.webhook(
                at: try Self.number(path[1]), explains: explains)
            return isJSON
                ? .json(DeliveryPage.json(delivery))
                : .page(DeliveryPage.page(delivery, view), view)
        case ("events", 2):
            let event = try reader.event(at: try Self.number(path[1]))
            return isJSON
                ? .json(EventPage.json(event)) : .page(EventPage.page(event, view), view)
        case (let name?, 1): return try list(name, isJSON, request, view)
        default: throw Self.noPage
        }
    }

    private func list(
        _ name: String, _ isJSON: Bool, _ request: WebRequest, _ view: PageView
    ) throws(LedgerError) -> WebResponse {
        switch name {
        case "funnel":
            let funnel = Funnel(try reader.cache.current(), now: view.now)
            return isJSON
                ? .json(FunnelPage.json(funnel)) : .page(FunnelPage.page(funnel, view), view)
        case "abandoned":
            let list = try reader.abandoned(
                before: request.parameter("before").flatMap { UInt64($0) })
            return isJSON
                ? .json(AbandonedPage.json(list)) : .page(AbandonedPage.page(list, view), view)
        case "discrepancies":
            let list = try reader.discrepancies(DiscrepancyFilter(request))
            return isJSON
                ? .json(DiscrepanciesPage.json(list))
                : .page(DiscrepanciesPage.page(list, view), view)
        case "webhooks":
            let list = try reader.webhooks(DeliveryFilter(request))
            return isJSON
                ? .json(WebhooksPage.json(list)) : .page(WebhooksPage.page(list, view), view)
        case "verify":
            let verification = try reader.verification()
            return isJSON
                ? .json(VerifyPage.json(verification))
                : .page(VerifyPage.page(verification, view), view)
        case "projections":
            let projections = try reader.projections(watch)
            return isJSON
                ? .json(ProjectionsPage.json(projections, at: view.now))
                : .page(ProjectionsPage.page(projections, view), view)
        case "providers":
            let cards = reader.host.providers
            return isJSON
                ? .json(ProvidersPage.json(cards)) : .page(ProvidersPage.page(cards, view), view)
        case "glossary":
            return isJSON ? .json(GlossaryPage.json()) : .page(GlossaryPage.page(view), view)
        default: return try other(name, request)
        }
    }

    /// What is no page: the script, the icon, the live stream and the jump box.
    private func other(_ name: String, _ request: WebRequest) throws(LedgerError) -> WebResponse {
        switch name {
        case "live":
            return LiveStream.response(
                from: reader.ledger, after: try reader.ledger.endPosition())
        case "live.js":
            return WebResponse(
                type: "text/javascript; charset=utf-8", LiveScript.text,
                headers: [WebField("Cache-Control", "no-cache")])
        case "icon.svg":
            return WebResponse(
                type: "image/svg+xml", Icon.file.text,
                headers: [WebField("Cache-Control", "max-age=86400")])
        case "jump": return try jump(request.parameter("q") ?? "")
        default: throw Self.noPage
        }
    }

    static var noPage: LedgerError {
        LedgerError(
            .notFound, "There is no page at this address.",
            hint: "The pages stand in the line at the top.")
    }

    private static func number(_ text: String) throws(LedgerError) -> UInt64 {
        guard let number = UInt64(text) else { throw noPage }
        return number
    }
}

extension Dashboard {
    /// `/sessions/dodo/cks_1`, or any other name behind `/sessions/` that leads to one session.
    private func session(
        _ request: WebRequest, _ view: PageView
    ) throws(LedgerError) -> WebResponse {
        let whole = request.path.dropFirst().joined(separator: "/")
        // First as it stands: an id may itself end like an address of JSON.
        do throws(LedgerError) {
            return try timeline(try reader.ledger.session(named: whole), false, view)
        } catch {
            guard whole.hasSuffix(".json") else { return try other(than: error, whole) }
        }
        let session = try reader.ledger.session(named: String(whole.dropLast(5)))
        return try timeline(session, true, view)
    }

    /// Where a name leads that is no session's own: an order's one session, or those that fit.
    private func other(
        than error: LedgerError, _ name: String
    ) throws(LedgerError) -> WebResponse {
        guard error.code == .notFound || error.code == .ambiguous else { throw error }
        let found = try reader.search(name)
        guard let first = found.first else { throw error }
        return .redirect(
            to: found.count == 1 ? Address.session(first) : "/sessions?q=\(query: name)")
    }

    private func timeline(
        _ session: Session, _ isJSON: Bool, _ view: PageView
    ) throws(LedgerError) -> WebResponse {
        let timeline = try reader.timeline(session)
        return isJSON
            ? .json(TimelinePage.json(timeline)) : .page(TimelinePage.page(timeline, view), view)
    }

    /// Leads to what a text names: `@311`, one session, or the list of those that it fits.
    private func jump(_ text: String) throws(LedgerError) -> WebResponse {
        let word = text.trimmed
        if word.isEmpty { return .redirect(to: "/sessions") }
        if word.hasPrefix("@"), let position = UInt64(word.dropFirst()) {
            return .redirect(to: "/events/\(position)")
        }
        let found = try reader.search(word)
        guard found.count == 1 else { return .redirect(to: "/sessions?q=\(query: word)") }
        return .redirect(to: Address.session(found[0]))
    }

    private func failure(
        _ error: LedgerError, _ isJSON: Bool, _ view: PageView
    ) -> WebResponse {
        let status =
            switch error.code {
            case .notFound: 404
            case .ambiguous: 300
            default: 500
            }
        guard !isJSON else {
            var writer = JSONWriter()
            writer.object {
                $0.field("schema", "error/1")
                $0.field("code", error.code.rawValue)
                $0.field("message", error.message)
                $0.field("hint", error.hint)
            }
            return .json(writer.line(), status: status)
        }
        let title = [404: "Not found", 300: "Several fit"][status] ?? "This page cannot be shown"
        let content: Markup = """
            <h1>\(title)</h1>
            <p class="note bad">\(error.message) <code>\(error.code.rawValue)</code></p>
            <p>\(error.hint)</p>
            """
        return .page(Page("Not shown", section: "", content: content), view, status: status)
    }
}

extension WebResponse {
    static func page(_ page: Page, _ view: PageView, status: Int = 200) -> WebResponse {
        WebResponse(
            status: status, type: "text/html; charset=utf-8", page.document(view).text,
            headers: [WebField("Cache-Control", "no-store")])
    }

    static func json(_ bytes: [UInt8], status: Int = 200) -> WebResponse {
        WebResponse(
            status: status,
            headers: [
                WebField("Content-Type", "application/json; charset=utf-8"),
                WebField("Cache-Control", "no-store"),
            ], body: .bytes(bytes))
    }

    /// To an address of ours, whose parts are percent-encoded.
    static func redirect(to address: Markup) -> WebResponse {
        WebResponse(
            status: 303,
            headers: [
                WebField("Location", address.text), WebField("Cache-Control", "no-store"),
            ])
    }
}

extension String {
    /// Without blanks at both ends.
    fileprivate var trimmed: String {
        let ended = drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }
        return String(ended.reversed())
    }
}
