package import CheckoutModel
package import HTTPServer

/// Something that happened in the server, for its log; carries nothing private.
package struct ServerEvent: Sendable, Hashable {
    /// How much it matters.
    package enum Level: String, Sendable, Hashable {
        case info
        case warning
        case error
    }

    package var level: Level
    /// A fixed text, the same for each event of a kind.
    package var message: String
    /// Names with dots, and values that no request chose.
    package var fields: [WebField]

    package init(_ level: Level, _ message: String, _ fields: [WebField] = []) {
        self.level = level
        self.message = message
        self.fields = fields
    }
}

/// Counts requests and tells the log of each: method, route, status, duration and what the handler
/// noted; never a query, a header, a body or a name in a path.
package struct RequestLog<Inner: WebHandler>: WebHandler {
    private let inner: Inner
    private let metrics: ServerMetrics
    private let now: @Sendable () -> Instant
    private let tell: @Sendable (ServerEvent) -> Void

    package init(
        _ inner: Inner, metrics: ServerMetrics, now: @escaping @Sendable () -> Instant,
        tell: @escaping @Sendable (ServerEvent) -> Void
    ) {
        self.inner = inner
        self.metrics = metrics
        self.now = now
        self.tell = tell
    }

    package func admission(of request: WebRequest) -> WebAdmission {
        let admission = inner.admission(of: request)
        if case .refuse(let response) = admission { note(request, response, microseconds: 0) }
        return admission
    }

    package func respond(to request: WebRequest) async -> WebResponse {
        let began = now()
        let response = await inner.respond(to: request)
        note(request, response, microseconds: now().microseconds - began.microseconds)
        return response
    }

    private func note(_ request: WebRequest, _ response: WebResponse, microseconds: Int64) {
        let route = response.notes.first { $0.name == "route" }?.value ?? "other"
        metrics.countRequest(route: route, status: response.status)
        let fields =
            [
                WebField(
                    "http.method", Self.methods.contains(request.method) ? request.method : "?"),
                WebField("http.route", route), WebField("http.status", "\(response.status)"),
                WebField("duration.us", "\(microseconds)"),
            ] + response.notes.filter { $0.name != "route" }
        tell(ServerEvent(response.status >= 500 ? .error : .info, "request", fields))
    }

    private static var methods: [String] { ["GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"] }
}
