public import CheckoutModel
public import ProviderKit

/// `GET /v1/checkouts/{id}` and `GET /v1/orders/{id}`.
/// Source: polar-python, sdkconfiguration.py; polar-sdk 1.0.2, services/{checkouts,orders}.py.
extension PolarProvider: StatusQuerying {
    /// Asks about a session or a payment, which is an order of Polar's; throws `unknown_mode` when
    /// the configuration does not say which of the two hosts knows it.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        let collection: String
        switch target {
        case .session: collection = "checkouts"
        case .payment: collection = "orders"
        case .order, .merchantReference: throw .unsupportedTarget
        }
        return HTTPRequestPlan(
            method: "GET",
            url: "\(try apiHost())/v1/\(collection)/\(try URLSegment.encoded(target.id))",
            headers: HeaderList(try secrets.bearerHeaders()))
    }

    /// The object's own word; a checkout that was paid does not name its order.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        let object: JSONFields
        switch try reply.statusObject() {
        case .success(let fields): object = fields
        case .failure(let nothing): return nothing.report
        }
        do throws(WebhookDecodingError) {
            guard try object.requiredText("id") == target.id else {
                return .indeterminate(.otherObject, retryAfterSeconds: nil)
            }
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
            case .order, .merchantReference:
                return .indeterminate(.otherObject, retryAfterSeconds: nil)
            }
        } catch {
            return .indeterminate(.unreadable, retryAfterSeconds: nil)
        }
    }

    private func report(
        _ status: CheckoutStatus?, amount: Money?, ids: ProviderIDs, word: String
    ) -> StatusReport {
        guard let status else { return .indeterminate(.unknownWord, retryAfterSeconds: nil) }
        return .known(
            PaymentFacts(
                status: status, amount: amount, ids: ids, mode: configuration.mode,
                rawStatus: word))
    }

    func apiHost() throws(RequestPlanError) -> String {
        switch configuration.mode {
        case .live: "https://api.polar.sh"
        case .test: "https://sandbox-api.polar.sh"
        case .unknown: throw .unknownMode
        }
    }
}
