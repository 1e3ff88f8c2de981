import CheckoutModel
import ProviderKit

// Dodo sends an object as it stands when the delivery leaves, so a late retry of an old type can
// carry newer data. The type therefore decides, and the object's own status only ever adds doubt.

extension DodoPaymentsProvider {
    func kind(
        _ meaning: StatusMapping.Meaning, _ data: JSONFields
    ) throws(WebhookDecodingError) -> ProviderEvent.Kind {
        let profile = Self.descriptor.moneyProfile
        switch meaning {
        case .payment(let status):
            let amount = try data.money("total_amount", currency: "currency", profile: profile)
            return .payment(
                doubted(status, by: data.note("status")), amount,
                failure: data.note("error_code"))
        case .refund(let state):
            let amount = try data.money("amount", currency: "currency", profile: profile)
            return .refund(doubted(state, by: data.note("status")), amount)
        case .dispute(let state):
            // The amount is text. Whether `10.50` would count major units is not documented, so
            // only a plain integer is read, as minor units like everywhere else in this API. Any
            // other text leaves the amount unknown: a dispute nobody sees is worse than one
            // without an amount.
            return .dispute(
                state, try data.moneyText("amount", currency: "currency", profile: profile))
        case .subscription(let state): return .subscription(state)
        case .subscriptionAsItStands:
            guard let state = data.note("status").flatMap(StatusMapping.subscription) else {
                return .ignored
            }
            return .subscription(state)
        case .licenceKey: return .ignored
        }
    }

    /// `payment.succeeded` whose object says anything but succeeded is pending: one of the two is
    /// not true any more, and calling it paid is the mistake that costs goods.
    ///
    /// The other way round the type stands: its own `payment.succeeded` comes separately and
    /// outranks it.
    private func doubted(_ status: CheckoutStatus, by word: String?) -> CheckoutStatus {
        guard status == .succeeded, let word else { return status }
        return StatusMapping.payment(word) == .succeeded ? .succeeded : .pending
    }

    /// The same for refunds: money is called returned only where both say so.
    private func doubted(_ state: RefundState, by word: String?) -> RefundState {
        guard state == .succeeded, let word else { return state }
        return word == "succeeded" ? .succeeded : .pending
    }

    func ids(
        of data: JSONFields, meaning: StatusMapping.Meaning
    ) throws(WebhookDecodingError) -> ProviderIDs {
        let customer = try data.object("customer")?.identifier("customer_id")
        let plainCustomer = try data.identifier("customer_id")
        var ids = ProviderIDs(
            session: try data.identifier("checkout_session_id"),
            payment: try data.identifier("payment_id"),
            refund: try data.identifier("refund_id"),
            dispute: try data.identifier("dispute_id"),
            subscription: try data.identifier("subscription_id"),
            order: reference(in: data),
            customer: customer ?? plainCustomer)
        // What the event is about must be named, or it could not be told from another.
        switch meaning {
        case .payment: ids.payment = try data.requiredText("payment_id")
        case .refund: ids.refund = try data.requiredText("refund_id")
        case .dispute: ids.dispute = try data.requiredText("dispute_id")
        case .subscription, .subscriptionAsItStands:
            ids.subscription = try data.requiredText("subscription_id")
        case .licenceKey: break
        }
        return ids
    }

    func privateFields(
        of data: JSONFields, meaning: StatusMapping.Meaning
    ) throws(WebhookDecodingError) -> PrivateFields {
        let customer = try data.object("customer")
        return PrivateFields(
            customerEmail: customer?.note("email"), customerName: customer?.note("name"),
            licenseKeys: meaning == .licenceKey ? [try data.requiredText("key")] : [])
    }

    /// The shop's own reference; whatever else stands in the metadata decides nothing.
    func reference(in data: JSONFields) -> String? {
        guard let metadata = try? data.object("metadata") else { return nil }
        return configuration.referenceKeys.lazy.compactMap { metadata.note($0) }.first
    }
}
