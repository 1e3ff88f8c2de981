import HTTPServer
import Markup
import ProviderKit

extension Dashboard {
    /// Carries out a form; the host has held its token against the visitor's before.
    func act(on request: WebRequest, _ view: PageView) async -> WebResponse {
        guard view.formToken != nil else {
            return result(
                DashboardReply(isDone: false, message: "Actions are not allowed here."),
                back: "/", view, status: 403)
        }
        let fields = FormFields(request.body)
        switch request.path {
        case ["actions", "verify"]:
            return result(await perform(.verify, request), back: "/verify", view)
        case ["actions", "reconcile"]:
            let session = fields?["session"]
            let reply = await perform(.reconcile(session: session), request)
            let back: Markup = session.map { "/sessions?q=\(query: $0)" } ?? "/abandoned"
            return result(reply, back: back, view)
        case ["actions", "resend"]:
            guard let position = fields?["position"].flatMap({ UInt64($0) }) else { break }
            let reply = await perform(.resend(position: position), request)
            return result(reply, back: "/webhooks/\(position)", view)
        default: break
        }
        return result(
            DashboardReply(isDone: false, message: "There is no such action."), back: "/", view,
            status: 404)
    }

    private func perform(
        _ action: DashboardAction, _ request: WebRequest
    ) async -> DashboardReply {
        await reader.host.perform(action, for: request)
    }

    private func result(
        _ reply: DashboardReply, back: Markup, _ view: PageView, status: Int? = nil
    ) -> WebResponse {
        var view = view
        view.notice = reply
        let title = reply.isUnderWay ? "Under way" : reply.isDone ? "Done" : "Not done"
        let content: Markup = """
            <h1>\(title)</h1>
            <p><a href="\(back)">Back to where it was asked for</a></p>
            """
        let page = Page(title, section: "", content: content)
        return .page(page, view, status: status ?? (reply.isDone ? 200 : 409))
    }
}
