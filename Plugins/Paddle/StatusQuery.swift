public import CheckoutModel
public import ProviderKit

/// `GET /transactions/{id}`.
/// Source: paddle-node-sdk, src/internal/api/constants.ts; paddle-python-sdk, Client.py.
extension PaddleProvider: StatusQuerying {
    /// Asks about a transaction, by whichever of its two names; throws `unknown_mode` when the
    /// configuration does not say which of the two hosts knows it.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        switch target {
        case .session, .payment: break
        case .order, .merchantReference: throw .unsupportedTarget
        }
        return HTTPRequestPlan(
            method: "GET",
            url: "\(try apiHost())/transactions/\(try URLSegment.encoded(target.id))",
            headers: HeaderList(try headers(secrets)))
    }

    /// The transaction's own word.
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
            guard try data.requiredText("id") == target.id else {
                return .indeterminate(.otherObject, retryAfterSeconds: nil)
            }
            let word = try data.requiredText("status")
            guard let status = StatusMapping.transaction(word) else {
                return .indeterminate(.unknownWord, retryAfterSeconds: nil)
            }
            return .known(
                PaymentFacts(
                    status: status, amount: try total(data), ids: try transactionIDs(data),
                    mode: configuration.mode, rawStatus: word))
        } catch {
            return .indeterminate(.unreadable, retryAfterSeconds: nil)
        }
    }

    /// Newer keys say their mode (the prefixes are from memory, not verified); others are taken.
    func headers(_ secrets: SecretSet) throws(RequestPlanError) -> [HeaderList.Field] {
        var headers = try secrets.bearerHeaders(
            of: configuration.mode, prefixes: [(live: "pdl_live_", test: "pdl_sdbx_")])
        headers.append(.init(name: "Paddle-Version", value: "1"))
        return headers
    }

    func apiHost() throws(RequestPlanError) -> String {
        switch configuration.mode {
        case .live: "https://api.paddle.com"
        case .test: "https://sandbox-api.paddle.com"
        case .unknown: throw .unknownMode
        }
    }
}
