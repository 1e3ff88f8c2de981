import CheckoutModel
import ProviderKit

/// The entities of a webhook: `payload.<name>.entity`.
struct Payload {
    private let fields: JSONFields?

    init(_ fields: JSONFields?) { self.fields = fields }

    var payment: JSONFields? { entity("payment") }

    /// The entity that the event's name begins with; a dispute's begins with its payment.
    func subject(of type: String) -> JSONFields? {
        let words = type.split(separator: ".")
        return entity(words.count > 2 ? String(words[1]) : words.first.map(String.init) ?? "")
    }

    func entity(_ name: String) -> JSONFields? {
        let wrapper = (try? fields?.object(name)) ?? nil
        return (try? wrapper?.object("entity")) ?? nil
    }

    func required(_ name: String) throws(WebhookDecodingError) -> JSONFields {
        guard let found = entity(name) else {
            throw WebhookDecodingError(.missingField, field: "payload.\(name).entity")
        }
        return found
    }
}

// An entity is a snapshot of when the event occurred. The event's name decides, and the entity's
// own status only ever adds doubt.

extension RazorpayProvider {
    func kind(
        _ meaning: StatusMapping.Meaning, _ payload: Payload
    ) throws(WebhookDecodingError) -> ProviderEvent.Kind {
        switch meaning {
        case .authorized:
            return .authorized(try Self.money("amount", payload.required("payment")))
        case .payment(let status):
            let payment = try payload.required("payment")
            return .payment(
                doubted(status, payment, StatusMapping.payment),
                try Self.money("amount", payment), failure: payment.note("error_code"))
        case .orderPaid:
            let order = try payload.required("order")
            return .payment(
                doubted(.succeeded, order, StatusMapping.order),
                try Self.money("amount_paid", order), failure: nil)
        case .link(let status):
            // The whole that was paid: a link may take several payments.
            let link = try payload.required("payment_link")
            return .payment(
                doubted(status, link, StatusMapping.paymentLink),
                try Self.money(status == .cancelled ? "amount" : "amount_paid", link),
                failure: nil)
        case .linkExpired: return .sessionExpired
        case .refund(let state):
            let refund = try payload.required("refund")
            let word = refund.note("status")
            let isDoubtful = state == .succeeded && word != nil && word != "processed"
            return .refund(isDoubtful ? .pending : state, try Self.money("amount", refund))
        case .dispute(let state):
            return .dispute(state, try Self.money("amount", payload.required("dispute")))
        case .subscription(let state):
            let subscription = try payload.required("subscription")
            let word = subscription.note("status")
            guard let state = state ?? word.flatMap(StatusMapping.subscription) else {
                return .ignored
            }
            return .subscription(state)
        }
    }

    /// A success that its own object does not bear out is pending.
    private func doubted(
        _ status: CheckoutStatus, _ object: JSONFields, _ read: (String) -> CheckoutStatus?
    ) -> CheckoutStatus {
        guard status == .succeeded, let word = object.note("status") else { return status }
        return read(word) == .succeeded ? .succeeded : .pending
    }

    func ids(
        _ meaning: StatusMapping.Meaning, _ payload: Payload
    ) throws(WebhookDecodingError) -> ProviderIDs {
        let payment = payload.payment
        var ids = ProviderIDs(
            payment: try payment?.identifier("id"), order: payment.flatMap(reference),
            customer: try payment?.identifier("customer_id"))
        switch meaning {
        case .authorized, .payment:
            ids.payment = try payload.required("payment").requiredText("id")
            if configuration.checkout == .orders {
                ids.session = try payment?.identifier("order_id")
            }
        case .orderPaid:
            let order = try payload.required("order")
            if configuration.checkout == .orders { ids.session = try order.requiredText("id") }
            ids.order = order.note("receipt") ?? ids.order
        case .link, .linkExpired:
            let link = try payload.required("payment_link")
            ids.session = try link.requiredText("id")
            ids.order = link.note("reference_id") ?? ids.order
        case .refund:
            let refund = try payload.required("refund")
            ids.refund = try refund.requiredText("id")
            ids.payment = try refund.identifier("payment_id")
        case .dispute:
            let dispute = try payload.required("dispute")
            ids.dispute = try dispute.requiredText("id")
            ids.payment = try dispute.identifier("payment_id")
        case .subscription:
            let subscription = try payload.required("subscription")
            ids.subscription = try subscription.requiredText("id")
        }
        return ids
    }

    /// The shop's own reference; whatever else stands in the notes decides nothing.
    func reference(in payment: JSONFields) -> String? {
        // Empty notes are an empty list.
        guard let notes = try? payment.object("notes") else { return nil }
        return configuration.referenceKeys.lazy.compactMap { notes.note($0) }.first
    }

    /// Minor units and the currency beside them.
    static func money(
        _ name: String, _ object: JSONFields
    ) throws(WebhookDecodingError) -> Money? {
        try object.money(name, currency: "currency", profile: descriptor.moneyProfile)
    }
}
