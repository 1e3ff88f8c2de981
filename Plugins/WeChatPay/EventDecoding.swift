import CheckoutModel
import ProviderKit

/// A transaction, in an event or in an answer.
///
/// Source: wechatpay-go, services/payments/models.go.
struct Transaction {
    let merchant: String?
    let ids: ProviderIDs
    let word: String
    let amount: Money?
    let paidAt: Instant?

    init(_ object: JSONFields) throws(WebhookDecodingError) {
        merchant = object.note("mchid") ?? object.note("sp_mchid")
        let reference = try object.requiredText("out_trade_no")
        ids = ProviderIDs(
            session: reference, payment: try object.identifier("transaction_id"),
            order: reference, customer: try object.object("payer")?.note("openid"))
        word = try object.requiredText("trade_state")
        amount = try object.object("amount")?.amount("total")
        paidAt = object.time("success_time")
    }
}

extension JSONFields {
    static let defaultCurrency = Currency("CNY")

    /// Minor units; CNY where no currency is told, as in deliveries about refunds.
    func amount(_ name: String) throws(WebhookDecodingError) -> Money? {
        guard self["currency"] == nil, let currency = Self.defaultCurrency else {
            return try money(name, currency: "currency", profile: .iso4217)
        }
        return try integer(name).map { Money(minorUnits: $0, currency: currency) }
    }
}

extension WeChatPayProvider {
    func event(
        _ meaning: StatusMapping.Meaning, _ object: JSONFields, _ envelope: EventEnvelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        switch meaning {
        case .transaction:
            let transaction = try Transaction(object)
            let status = StatusMapping.transaction(transaction.word) ?? .pending
            return envelope.event(
                .payment(status, transaction.amount, failure: nil), at: transaction.paidAt,
                ids: transaction.ids, account: transaction.merchant,
                rawStatus: transaction.word)
        case .refund(let state):
            let reference = try object.identifier("out_trade_no")
            return envelope.event(
                .refund(state, try object.object("amount")?.amount("refund")),
                at: object.time("success_time"),
                ids: ProviderIDs(
                    session: reference, payment: try object.identifier("transaction_id"),
                    refund: try object.requiredText("refund_id"), order: reference),
                account: object.note("mchid") ?? object.note("sp_mchid"),
                rawStatus: object.note("refund_status"))
        }
    }
}
