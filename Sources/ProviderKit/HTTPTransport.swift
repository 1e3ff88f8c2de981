/// Carries requests out; whoever owns the network conforms to it.
///
/// The kit and the ledger know only this protocol, so that an app may bring its own client. The
/// module `HTTPTransport` has one over libcurl, and a scripted one for tests.
public protocol HTTPTransport: Sendable {
    /// The reply, whatever its status code says: 404 and 500 are replies, not errors.
    ///
    /// `deadline` counts from the call to the last byte of the body. Redirects are replies too and
    /// are never followed. Ends with `cancelled` when the task is.
    func send(
        _ plan: HTTPRequestPlan, deadline: Duration
    ) async throws(TransportError) -> HTTPReply
}
