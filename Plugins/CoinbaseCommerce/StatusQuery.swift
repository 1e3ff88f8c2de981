public import CheckoutModel
public import ProviderKit

/// `GET /charges/{code or id}`.
/// Source: coinbase-commerce-python, coinbase_commerce/{client,auth}.py.
extension CoinbaseCommerceProvider: StatusQuerying {
    static let apiHost = "https://api.commerce.coinbase.com"
    static let apiVersion = "2018-03-22"

    /// Asks about a charge by its code, as a session, or by its UUID, as a payment.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        switch target {
        case .session, .payment: break
        case .order, .merchantReference: throw .unsupportedTarget
        }
        return HTTPRequestPlan(
            method: "GET", url: "\(Self.apiHost)/charges/\(try URLSegment.encoded(target.id))",
            headers: HeaderList(try headers(secrets)))
    }

    /// The last word of the timeline.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        let object: JSONFields
        switch try reply.statusObject() {
        case .success(let fields): object = fields
        case .failure(let nothing): return nothing.report
        }
        do throws(WebhookDecodingError) {
            let charge = try object.requiredObject("data")
            let name: String? =
                if case .session = target { try charge.identifier("code") } else {
                    try charge.identifier("id")
                }
            guard name == target.id else {
                return .indeterminate(.otherObject, retryAfterSeconds: nil)
            }
            guard let word = lastWord(charge) else {
                return .indeterminate(.unreadable, retryAfterSeconds: nil)
            }
            guard let status = StatusMapping.timeline(word) else {
                return .indeterminate(.unknownWord, retryAfterSeconds: nil)
            }
            return .known(
                PaymentFacts(
                    status: status, amount: try amount(charge), ids: try ids(charge), mode: .live,
                    rawStatus: word))
        } catch {
            return .indeterminate(.unreadable, retryAfterSeconds: nil)
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
