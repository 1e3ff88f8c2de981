public import CheckoutModel
public import ProviderKit

/// `GET /hosted-payments/{id}` and `GET /payments/{id}`.
/// Source: checkout-sdk-python, checkout_sdk/payments/hosted/hosted_payments_client.py,
/// checkout_sdk/environment.py; checkout.com, docs, Get payment details.
extension CheckoutComProvider: StatusQuerying {
    /// Asks about a page or a payment; throws `unknown_mode` when the configuration does not say
    /// which of the two hosts knows it.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        let collection: String
        switch target {
        case .session: collection = "hosted-payments"
        case .payment: collection = "payments"
        case .order, .merchantReference: throw .unsupportedTarget
        }
        return HTTPRequestPlan(
            method: "GET",
            url: "\(try apiHost())/\(collection)/\(try URLSegment.encoded(target.id))",
            headers: HeaderList(try secrets.bearerHeaders()))
    }

    /// A page names its payment; ask about that one for whether money was taken.
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
            case .order, .merchantReference:
                return .indeterminate(.otherObject, retryAfterSeconds: nil)
            }
            guard let status else {
                return .indeterminate(.unknownWord, retryAfterSeconds: nil)
            }
            return .known(
                PaymentFacts(
                    status: status, amount: try money("amount", object), ids: ids,
                    mode: configuration.mode, rawStatus: word))
        } catch {
            return .indeterminate(.unreadable, retryAfterSeconds: nil)
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
