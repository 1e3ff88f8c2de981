import CheckoutModel
import ProviderKit

extension LemonSqueezyProvider {
    func kind(
        _ meaning: StatusMapping.Meaning, _ attributes: JSONFields
    ) throws(WebhookDecodingError) -> ProviderEvent.Kind {
        let word = attributes.note("status")
        switch meaning {
        case .order:
            guard let status = word.flatMap(StatusMapping.order) else { return .ignored }
            return .payment(status, try money("total", attributes), failure: nil)
        case .orderRefunded:
            // The sum over all refunds of the order, which have no ids: a later one is larger.
            return .refund(.succeeded, try money("refunded_amount", attributes))
        case .subscription(let state):
            let state = state ?? word.flatMap(StatusMapping.subscription)
            return state.map { .subscription($0) } ?? .ignored
        case .invoicePaid:
            return .subscription(StatusMapping.paidInvoice(attributes.note("billing_reason")))
        case .invoiceFailed: return .subscription(.pastDue)
        case .licenceKey: return .ignored
        }
    }

    func money(
        _ name: String, _ attributes: JSONFields
    ) throws(WebhookDecodingError) -> Money? {
        try attributes.money(
            name, currency: "currency", profile: Self.descriptor.moneyProfile)
    }

    func ids(
        _ meaning: StatusMapping.Meaning, _ data: JSONFields, _ attributes: JSONFields,
        _ meta: JSONFields
    ) throws(WebhookDecodingError) -> ProviderIDs {
        let id = try data.requiredText("id")
        var ids = ProviderIDs(
            order: reference(in: meta), customer: try number("customer_id", attributes))
        switch meaning {
        case .order, .orderRefunded: ids.payment = id
        case .subscription:
            ids.subscription = id
            // The order that began it.
            ids.payment = try number("order_id", attributes)
        case .invoicePaid, .invoiceFailed:
            ids.subscription = try number("subscription_id", attributes)
            guard ids.subscription != nil else {
                throw WebhookDecodingError(
                    .missingField, field: "data.attributes.subscription_id")
            }
        case .licenceKey: ids.payment = try number("order_id", attributes)
        }
        return ids
    }

    /// Ids of other objects stand as numbers.
    private func number(
        _ name: String, _ fields: JSONFields
    ) throws(WebhookDecodingError) -> String? {
        try fields.integer(name).map { String($0) }
    }

    func privateFields(
        _ meaning: StatusMapping.Meaning, _ attributes: JSONFields
    ) -> PrivateFields {
        let key = meaning == .licenceKey ? attributes.note("key") : nil
        return PrivateFields(
            customerEmail: attributes.note("user_email"),
            customerName: attributes.note("user_name"), licenseKeys: key.map { [$0] } ?? [])
    }

    /// The shop's own reference; whatever else stands in the custom data decides nothing.
    private func reference(in meta: JSONFields) -> String? {
        guard let custom = try? meta.object("custom_data") else { return nil }
        return configuration.referenceKeys.lazy.compactMap { custom.note($0) }.first
    }
}
