public import CheckoutModel
public import ProviderKit

/// `GET /v3/pay/transactions/out-trade-no/{no}` and `…/id/{id}`.
///
/// The reply's own signature is not looked at: the connection vouches for it.
/// Source: wechatpay-go, services/payments/native/api_native.go.
extension WeChatPayProvider: StatusQuerying {
    /// Asks about a checkout by our reference, or about a payment by WeChat's id.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        let name: String
        switch target {
        case .session, .merchantReference: name = "out-trade-no"
        case .payment: name = "id"
        case .order: throw .unsupportedTarget
        }
        let id = try URLSegment.encoded(target.id)
        return try request(
            "GET", "/v3/pay/transactions/\(name)/\(id)?mchid=\(try merchantID())",
            secrets: secrets, now: now, nonce: nonce)
    }

    /// The transaction's own word.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        try reply.statusReport { (object) throws(WebhookDecodingError) in
            let transaction = try Transaction(object)
            let answered: String? =
                switch target {
                case .session, .merchantReference: transaction.ids.session
                case .payment: transaction.ids.payment
                case .order: nil
                }
            let isOurs =
                configuration.merchantID == nil || transaction.merchant == nil
                || transaction.merchant == configuration.merchantID
            guard answered == target.id, isOurs else { return .otherObject }
            return .told(
                StatusMapping.transaction(transaction.word), by: transaction.word,
                amount: transaction.amount, ids: transaction.ids, mode: .live)
        }
    }
}
