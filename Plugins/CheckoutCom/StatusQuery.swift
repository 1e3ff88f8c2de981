public import CheckoutModel
public import ProviderKit

/// `GET /hosted-payments/{id}` and `GET /payments/{id}`.
/// Source: checkout-sdk-python, checkout_sdk/payments/hosted/hosted_payments_client.py,
/// checkout_sdk/environment.py; checkout.com, docs, Get payment details.
extension CheckoutComProvider: StatusQuerying {
    private static let collections = StatusCollections(
        session: "hosted-payments", payment: "payments")

    /// Asks about a page or a payment; throws `unknown_mode` when the configuration does not say
    /// which of the two hosts knows it.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        return HTTPRequestPlan(
            method: "GET",
            url: "\(try apiHost())/\(try Self.collections.path(of: target))",
            headers: HeaderList(try secrets.bearerHeaders()))
    }

    /// A page names its payment; ask about that one for whether money was taken.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        try reply.statusReport(about: target) { (object) throws(WebhookDecodingError) in
            let word = try object.requiredText("status")
            let status: CheckoutStatus?
            var ids = ProviderIDs(order: reference(in: object))
            switch target {
            case .session(let id):
                status = StatusMapping.page(word)
                ids.session = id
                // It is the page that expired; how its payment stands is another question.
                ids.payment = status == .expired ? nil : try object.identifier("payment_id")
            case .payment(let id):
                status = StatusMapping.payment(word)
                ids.payment = id
            case .order, .merchantReference: return .otherObject
            }
            return .told(
                status, by: word, amount: try money("amount", object), ids: ids,
                mode: configuration.mode)
        }
    }

    func apiHost() throws(RequestPlanError) -> String {
        let name = configuration.apiSubdomain.map { "\($0)." } ?? ""
        return switch configuration.mode {
        case .live: "https://\(name)api.checkout.com"
        case .test: "https://\(name)api.sandbox.checkout.com"
        case .unknown: throw .unknownMode
        }
    }
}
