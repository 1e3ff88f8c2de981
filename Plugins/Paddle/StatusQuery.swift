public import CheckoutModel
public import ProviderKit

/// `GET /transactions/{id}`.
/// Source: paddle-node-sdk, src/internal/api/constants.ts; paddle-python-sdk, Client.py.
extension PaddleProvider: StatusQuerying {
    private static let collections = StatusCollections(
        session: "transactions", payment: "transactions")

    /// Asks about a transaction, by whichever of its two names; throws `unknown_mode` when the
    /// configuration does not say which of the two hosts knows it.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        return HTTPRequestPlan(
            method: "GET",
            url: "\(try apiHost())/\(try Self.collections.path(of: target))",
            headers: HeaderList(try headers(secrets)))
    }

    /// The transaction's own word.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        try reply.statusReport { (object) throws(WebhookDecodingError) in
            let data = try object.requiredObject("data")
            guard try data.requiredText("id") == target.id else { return .otherObject }
            let word = try data.requiredText("status")
            return .told(
                StatusMapping.transaction(word), by: word, amount: try total(data),
                ids: try transactionIDs(data), mode: configuration.mode)
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
