import CheckoutModel
import ProviderKit

extension SandboxProvider {
    /// Every message of the sandbox's says `"pretend": true`; another one is not its own.
    static func requirePretence(_ fields: JSONFields) throws(WebhookDecodingError) {
        guard try fields.bool("pretend") == true else {
            throw WebhookDecodingError(.unexpectedType, field: "pretend")
        }
    }

    func kind(
        _ meaning: StatusMapping.Meaning, _ data: JSONFields
    ) throws(WebhookDecodingError) -> ProviderEvent.Kind {
        switch meaning {
        case .payment(let status):
            .payment(status, try money(data), failure: data.note("failure_code"))
        case .refund(let state): .refund(state, try money(data))
        case .dispute(let state): .dispute(state, try money(data))
        case .checkoutExpired: .sessionExpired
        }
    }

    func money(_ data: JSONFields) throws(WebhookDecodingError) -> Money? {
        try data.money("amount", currency: "currency", profile: Self.descriptor.moneyProfile)
    }

    /// What the event is about must be named, or it could not be told from another.
    func ids(
        of data: JSONFields, meaning: StatusMapping.Meaning
    ) throws(WebhookDecodingError) -> ProviderIDs {
        let id = try data.requiredText("id")
        var ids = ProviderIDs(
            session: try data.identifier("checkout"), payment: try data.identifier("payment"),
            order: try data.identifier("reference"))
        switch meaning {
        case .payment: ids.payment = id
        case .refund: ids.refund = id
        case .dispute: ids.dispute = id
        case .checkoutExpired: ids.session = id
        }
        return ids
    }
}
