public import CheckoutModel
public import ProviderKit

/// `GET /charges/{code or id}`.
/// Source: coinbase-commerce-python, coinbase_commerce/{client,auth}.py.
extension CoinbaseCommerceProvider: StatusQuerying {
    private static let collections = StatusCollections(session: "charges", payment: "charges")

    static let apiHost = "https://api.commerce.coinbase.com"
    static let apiVersion = "2018-03-22"

    /// Asks about a charge by its code, as a session, or by its UUID, as a payment.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        return HTTPRequestPlan(
            method: "GET", url: "\(Self.apiHost)/\(try Self.collections.path(of: target))",
            headers: HeaderList(try headers(secrets)))
    }

    /// The last word of the timeline.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        try reply.statusReport { (object) throws(WebhookDecodingError) in
            let charge = try object.requiredObject("data")
            let name: String? =
                if case .session = target { try charge.identifier("code") } else {
                    try charge.identifier("id")
                }
            guard name == target.id else { return .otherObject }
            guard let word = lastWord(charge) else { return .unreadable }
            return .told(
                StatusMapping.timeline(word), by: word, amount: try amount(charge),
                ids: try ids(charge), mode: .live)
        }
    }

    func headers(_ secrets: SecretSet) throws(RequestPlanError) -> [HeaderList.Field] {
        do throws(SecretError) {
            return [
                .init(name: "X-CC-Api-Key", value: try secrets.apiKey()),
                .init(name: "X-CC-Version", value: Self.apiVersion),
                .init(name: "Accept", value: "application/json"),
            ]
        } catch {
            throw .secret(error)
        }
    }
}
