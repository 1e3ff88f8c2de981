package import CheckoutLedger
package import CheckoutModel
package import EventLog
package import HTTPServer
import ProviderKit

/// Everything that the server answers, by the first segment of the path.
package struct LedgerSite<Store: LogStore>: WebHandler {
    private let receiver: WebhookReceiver<Store>
    private let status: StatusPages<Store>
    private let guardedStatus: AccessGate
    private let pages: AccessGate

    /// Whoever has pages, such as a dashboard, gives them as `pages`: they get everything that is
    /// neither a webhook nor asked for by a monitor, and stand behind the gate.
    package init(
        receiver: WebhookReceiver<Store>, ledger: Ledger<Store>, pages: any WebHandler,
        rules: AccessRules, metrics: ServerMetrics, health: ServerHealth, version: String,
        now: @escaping @Sendable () -> Instant,
        seen: @escaping @Sendable (WebRequest, WebResponse) -> Void = { _, _ in }
    ) {
        self.receiver = receiver
        status = StatusPages(
            ledger: ledger, metrics: metrics, health: health, now: now, version: version)
        guardedStatus = AccessGate(status, rules: rules, now: now)
        self.pages = AccessGate(pages, rules: rules, now: now, seen: seen)
    }

    /// Pages about webhooks stand beside the addresses that take them.
    ///
    /// The list, and each stored webhook by its position: no provider's name begins with a digit.
    private static func isPage(_ request: WebRequest) -> Bool {
        guard request.method == "GET" || request.method == "HEAD" else { return false }
        return request.path.count == 1
            || request.path.count == 2 && request.path[1].first?.isASCIIDigit == true
    }

    private func handler(of request: WebRequest) -> any WebHandler {
        switch request.path.first {
        case WebhookEndpoints.root where !Self.isPage(request): receiver
        // A monitor asks by whatever address it has, and learns one word.
        case "healthz" where request.path.count == 1: status
        case "metrics" where request.path.count == 1: guardedStatus
        default: pages
        }
    }

    package func admission(of request: WebRequest) -> WebAdmission {
        handler(of: request).admission(of: request)
    }

    package func respond(to request: WebRequest) async -> WebResponse {
        await handler(of: request).respond(to: request)
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}

/// What stands at `/` where there are no other pages: the addresses that there are.
package struct AddressPage: WebHandler {
    private let endpoints: WebhookEndpoints

    package init(_ endpoints: WebhookEndpoints) { self.endpoints = endpoints }

    package func admission(of request: WebRequest) -> WebAdmission { .accept(bodyLimit: 0) }

    package func respond(to request: WebRequest) async -> WebResponse {
        guard request.path.isEmpty else { return .notFound }
        let lines =
            endpoints.endpoints.map { "POST \($0.path)" } + ["GET /healthz", "GET /metrics"]
        return WebResponse(
            type: "text/plain; charset=utf-8", lines.joined(separator: "\n") + "\n")
    }
}
