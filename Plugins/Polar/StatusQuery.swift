public import CheckoutModel
public import ProviderKit

/// `GET /v1/checkouts/{id}` and `GET /v1/orders/{id}`.
/// Source: polar-python, sdkconfiguration.py; polar-sdk 1.0.2, services/{checkouts,orders}.py.
extension PolarProvider: StatusQuerying {
    private static let collections = StatusCollections(session: "checkouts", payment: "orders")

    /// Asks about a session or a payment, which is an order of Polar's; throws `unknown_mode` when
    /// the configuration does not say which of the two hosts knows it.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        return HTTPRequestPlan(
            method: "GET",
            url: "\(try apiHost())/v1/\(try Self.collections.path(of: target))",
            headers: HeaderList(try secrets.bearerHeaders()))
    }

    /// The object's own word; a checkout that was paid does not name its order.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        try reply.statusReport(about: target) { (object) throws(WebhookDecodingError) in
            let word = try object.requiredText("status")
            switch target {
            case .session:
                return report(
                    StatusMapping.checkout(word), amount: try checkoutAmount(object),
                    ids: try checkoutIDs(object), word: word)
            case .payment:
                return report(
                    StatusMapping.order(word), amount: try money("total_amount", object),
                    ids: try orderIDs(object), word: word)
            case .order, .merchantReference: return .otherObject
            }
        }
    }

    private func report(
        _ status: CheckoutStatus?, amount: Money?, ids: ProviderIDs, word: String
    ) -> StatusReport {
        .told(status, by: word, amount: amount, ids: ids, mode: configuration.mode)
    }

    func apiHost() throws(RequestPlanError) -> String {
        switch configuration.mode {
        case .live: "https://api.polar.sh"
        case .test: "https://sandbox-api.polar.sh"
        case .unknown: throw .unknownMode
        }
    }
}
