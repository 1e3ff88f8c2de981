public import CheckoutModel
public import ProviderKit

/// `GET /v1/orders/{id}`. Source: lemonsqueezy.js, src/orders/index.ts. The media type of JSON:API
/// and the bearer token are from memory, not verified.
extension LemonSqueezyProvider: StatusQuerying {
    static let apiHost = "https://api.lemonsqueezy.com"
    static let mediaType = "application/vnd.api+json"

    /// Asks about a payment, which is an order of Lemon Squeezy's.
    ///
    /// A checkout cannot be asked about: its object says neither whether it was paid nor by which
    /// order.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        guard case .payment(let id) = target else { throw .unsupportedTarget }
        return HTTPRequestPlan(
            method: "GET", url: "\(Self.apiHost)/v1/orders/\(try URLSegment.encoded(id))",
            headers: HeaderList(try secrets.bearerHeaders(accepting: Self.mediaType)))
    }

    /// The order's own word.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        let object: JSONFields
        switch try reply.statusObject() {
        case .success(let fields): object = fields
        case .failure(let nothing): return nothing.report
        }
        do throws(WebhookDecodingError) {
            let data = try object.requiredObject("data")
            guard case .payment(let id) = target, try data.requiredText("id") == id else {
                return .indeterminate(.otherObject, retryAfterSeconds: nil)
            }
            let attributes = try data.requiredObject("attributes")
            let word = try attributes.requiredText("status")
            guard let status = StatusMapping.order(word) else {
                return .indeterminate(.unknownWord, retryAfterSeconds: nil)
            }
            return .known(
                PaymentFacts(
                    status: status, amount: try money("total", attributes),
                    ids: ProviderIDs(
                        payment: id,
                        customer: try attributes.integer("customer_id").map { String($0) }),
                    mode: mode(attributes), rawStatus: word))
        } catch {
            return .indeterminate(.unreadable, retryAfterSeconds: nil)
        }
    }
}
