import CheckoutModel
import ProviderKit

extension PaddleProvider {
    func kind(
        _ meaning: StatusMapping.Meaning, _ data: JSONFields
    ) throws(WebhookDecodingError) -> ProviderEvent.Kind {
        let word = data.note("status")
        switch meaning {
        case .transaction:
            guard let status = word.flatMap(StatusMapping.transaction) else { return .ignored }
            return .payment(status, try total(data), failure: nil)
        case .transactionPaid:
            // A status that does not bear the type out makes it pending.
            let isBorneOut = word.map { StatusMapping.transaction($0) == .succeeded } ?? true
            return .payment(isBorneOut ? .succeeded : .pending, try total(data), failure: nil)
        case .attemptFailed:
            return .payment(.pending, try total(data), failure: failure(data))
        case .transactionCanceled: return .payment(.cancelled, try total(data), failure: nil)
        case .adjustment:
            let action = try data.requiredText("action")
            switch StatusMapping.adjustment(action, status: word) {
            case .refund(let state): return .refund(state, try adjusted(data))
            case .dispute(let state): return .dispute(state, try adjusted(data))
            case nil: return .ignored
            }
        case .subscription(let state):
            let state = state ?? word.flatMap(StatusMapping.subscription)
            return state.map { .subscription($0) } ?? .ignored
        }
    }

    /// What the customer pays: the grand total, tax included and credits taken off.
    func total(_ data: JSONFields) throws(WebhookDecodingError) -> Money? {
        guard let totals = try data.object("details")?.object("totals") else { return nil }
        return try totals.integerTextMoney(
            "grand_total", currency: "currency_code", profile: Self.descriptor.moneyProfile)
    }

    private func adjusted(_ data: JSONFields) throws(WebhookDecodingError) -> Money? {
        guard let totals = try data.object("totals") else { return nil }
        return try totals.integerTextMoney(
            "total", currency: "currency_code", profile: Self.descriptor.moneyProfile)
    }

    /// Paddle's code of the attempt that failed; the latest stands first.
    private func failure(_ data: JSONFields) -> String? {
        data.objects("payments").lazy.compactMap { $0.note("error_code") }.first
    }

    func ids(
        _ meaning: StatusMapping.Meaning, _ data: JSONFields
    ) throws(WebhookDecodingError) -> ProviderIDs {
        switch meaning {
        case .transaction, .transactionPaid, .attemptFailed, .transactionCanceled:
            return try transactionIDs(data)
        case .adjustment: return try adjustmentIDs(data)
        case .subscription:
            return ProviderIDs(
                session: try data.identifier("transaction_id"),
                subscription: try data.requiredText("id"), order: reference(in: data),
                customer: try data.identifier("customer_id"))
        }
    }

    func transactionIDs(_ data: JSONFields) throws(WebhookDecodingError) -> ProviderIDs {
        let id = try data.requiredText("id")
        return ProviderIDs(
            session: id, payment: id, subscription: try data.identifier("subscription_id"),
            order: reference(in: data), customer: try data.identifier("customer_id"))
    }

    /// A refund is named by its adjustment, a dispute by its transaction.
    ///
    /// A chargeback and what ends it are two adjustments, each with an id of its own, that only
    /// share the transaction.
    private func adjustmentIDs(_ data: JSONFields) throws(WebhookDecodingError) -> ProviderIDs {
        let id = try data.requiredText("id")
        let transaction = try data.requiredText("transaction_id")
        var ids = ProviderIDs(
            payment: transaction, customer: try data.identifier("customer_id"))
        switch StatusMapping.adjustment(try data.requiredText("action"), status: nil) {
        case .refund: ids.refund = id
        case .dispute: ids.dispute = transaction
        case nil: break
        }
        return ids
    }

    func rawStatus(_ meaning: StatusMapping.Meaning, _ data: JSONFields) -> String? {
        guard meaning == .adjustment else { return data.note("status") }
        let words = [data.note("action"), data.note("status")].compactMap { $0 }
        return words.isEmpty ? nil : words.joined(separator: "/")
    }

    /// The shop's own reference; whatever else stands in the custom data decides nothing.
    func reference(in data: JSONFields) -> String? {
        guard let custom = try? data.object("custom_data") else { return nil }
        return configuration.referenceKeys.lazy.compactMap { custom.note($0) }.first
    }
}
