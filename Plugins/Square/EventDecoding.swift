import CheckoutModel
import ProviderKit

extension SquareProvider {
    func event(
        _ meaning: StatusMapping.Meaning, _ object: JSONFields, _ envelope: EventEnvelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        switch meaning {
        case .payment: try payment(object.requiredObject("payment"), envelope)
        case .refund: try refund(object.requiredObject("refund"), envelope)
        case .dispute(let otherwise):
            try dispute(object.requiredObject("dispute"), otherwise, envelope)
        case .subscription: try subscription(object.requiredObject("subscription"), envelope)
        }
    }

    private func payment(
        _ payment: JSONFields, _ envelope: EventEnvelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let word = payment.note("status")
        let amount = try Self.money("amount_money", payment)
        let kind: ProviderEvent.Kind
        if let word, StatusMapping.isAuthorised(word) {
            kind = .authorized(amount)
        } else {
            // A word that we do not know, or none, leaves open how the payment stands.
            kind = .payment(
                word.flatMap(StatusMapping.payment) ?? .pending, amount,
                failure: failure(payment))
        }
        return envelope.event(
            kind, ids: try paymentIDs(payment), rawStatus: word,
            privateFields: PrivateFields(customerEmail: payment.note("buyer_email_address")))
    }

    /// The code of the first error of a card.
    private func failure(_ payment: JSONFields) -> String? {
        let card = (try? payment.object("card_details")) ?? nil
        return card?.objects("errors").first?.note("code")
    }

    func paymentIDs(_ payment: JSONFields) throws(WebhookDecodingError) -> ProviderIDs {
        ProviderIDs(
            session: try payment.identifier("order_id"), payment: try payment.requiredText("id"),
            order: payment.note("reference_id"), customer: try payment.identifier("customer_id"))
    }

    private func refund(
        _ refund: JSONFields, _ envelope: EventEnvelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        // A refund has an order of its own, which is not the session's.
        envelope.event(
            .refund(
                StatusMapping.refund(refund.note("status")),
                try Self.money("amount_money", refund)),
            ids: ProviderIDs(
                payment: try refund.identifier("payment_id"),
                refund: try refund.requiredText("id")),
            rawStatus: refund.note("status"))
    }

    private func dispute(
        _ dispute: JSONFields, _ otherwise: DisputeState?, _ envelope: EventEnvelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let word = dispute.note("state")
        var id = try dispute.identifier("dispute_id")
        if id == nil { id = try dispute.requiredText("id") }
        let payment = try dispute.object("disputed_payment")?.identifier("payment_id")
        let ids = ProviderIDs(payment: payment, dispute: id)
        guard let state = word.flatMap(StatusMapping.dispute) ?? otherwise else {
            return envelope.event(.ignored, ids: ids, rawStatus: word)
        }
        return envelope.event(
            .dispute(state, try Self.money("amount_money", dispute)), ids: ids, rawStatus: word)
    }

    private func subscription(
        _ subscription: JSONFields, _ envelope: EventEnvelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let word = subscription.note("status")
        let ids = ProviderIDs(
            subscription: try subscription.requiredText("id"),
            customer: try subscription.identifier("customer_id"))
        let state = word.flatMap(StatusMapping.subscription)
        return envelope.event(
            state.map { .subscription($0) } ?? .ignored, ids: ids, rawStatus: word)
    }

    /// Square's `Money`: minor units and a currency.
    static func money(
        _ name: String, _ object: JSONFields
    ) throws(WebhookDecodingError) -> Money? {
        try object.object(name)?.money(
            "amount", currency: "currency", profile: descriptor.moneyProfile)
    }
}
