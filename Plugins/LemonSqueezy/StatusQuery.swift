public import CheckoutModel
public import ProviderKit

/// `GET /v1/orders/{id}`. Source: lemonsqueezy.js, src/orders/index.ts. The media type of JSON:API
/// and the bearer token are from memory, not verified.
extension LemonSqueezyProvider: StatusQuerying {
    static let apiHost = "https://api.lemonsqueezy.com"
    private static let collections = StatusCollections(payment: "orders")
    static let mediaType = "application/vnd.api+json"

    /// Asks about a payment, which is an order of Lemon Squeezy's.
    ///
    /// A checkout cannot be asked about: its object says neither whether it was paid nor by which
    /// order.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        return HTTPRequestPlan(
            method: "GET", url: "\(Self.apiHost)/v1/\(try Self.collections.path(of: target))",
            headers: HeaderList(try secrets.bearerHeaders(accepting: Self.mediaType)))
    }

    /// The order's own word.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        try reply.statusReport { (object) throws(WebhookDecodingError) in
            let data = try object.requiredObject("data")
            guard case .payment(let id) = target, try data.requiredText("id") == id else {
                return .otherObject
            }
            let attributes = try data.requiredObject("attributes")
            let word = try attributes.requiredText("status")
            return .told(
                StatusMapping.order(word), by: word, amount: try money("total", attributes),
                ids: ProviderIDs(
                    payment: id,
                    customer: try attributes.integer("customer_id").map { String($0) }),
                mode: mode(attributes))
        }
    }
}
