import CheckoutModel
import ProviderKit

extension CheckoutComProvider {
    func kind(
        _ meaning: StatusMapping.Meaning, _ data: JSONFields
    ) throws(WebhookDecodingError) -> ProviderEvent.Kind {
        switch meaning {
        case .payment(let status):
            let failure = status == .failed ? data.note("response_code") : nil
            return .payment(status, try money("amount", data), failure: failure)
        case .authorized: return .authorized(try money("amount", data))
        case .captured: return .captured(try captured(data))
        case .refund(let state): return .refund(state, try money("amount", data))
        case .dispute(let state): return .dispute(state, try money("amount", data))
        }
    }

    func money(_ name: String, _ data: JSONFields) throws(WebhookDecodingError) -> Money? {
        try data.money(name, currency: "currency", profile: Self.descriptor.moneyProfile)
    }

    /// All that was captured of the payment so far, where the event says it, else this capture: a
    /// payment may be captured in parts, and each event tells of one.
    private func captured(_ data: JSONFields) throws(WebhookDecodingError) -> Money? {
        let amount = try money("amount", data)
        guard let amount, let total = try data.object("balances")?.integer("total_captured") else {
            return amount
        }
        do throws(MoneyError) {
            return try Self.descriptor.moneyProfile.money(
                wireAmount: total, currency: amount.currency)
        } catch {
            throw WebhookDecodingError(
                .amountOutOfRange, field: "data.balances.total_captured")
        }
    }

    func ids(
        _ meaning: StatusMapping.Meaning, _ data: JSONFields
    ) throws(WebhookDecodingError) -> ProviderIDs {
        let id = try data.requiredText("id")
        var ids = ProviderIDs(order: reference(in: data))
        switch meaning {
        case .payment, .authorized, .captured: ids.payment = id
        case .refund:
            ids.payment = id
            ids.refund = try data.requiredText("action_id")
        case .dispute:
            // A dispute's reference is the scheme's, not the shop's.
            ids = ProviderIDs(payment: try data.identifier("payment_id"), dispute: id)
        }
        return ids
    }

    func privateFields(_ data: JSONFields) -> PrivateFields {
        let customer = (try? data.object("customer")) ?? nil
        return PrivateFields(
            customerEmail: customer?.note("email"), customerName: customer?.note("name"))
    }

    /// `reference`, else the metadata.
    func reference(in data: JSONFields) -> String? {
        if let reference = data.note("reference") { return reference }
        guard let metadata = try? data.object("metadata") else { return nil }
        return configuration.referenceKeys.lazy.compactMap { metadata.note($0) }.first
    }
}
