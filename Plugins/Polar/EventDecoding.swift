import CheckoutModel
import ProviderKit

extension PolarProvider {
    func events(
        _ meaning: StatusMapping.Meaning, _ data: JSONFields, _ envelope: EventEnvelope
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        switch meaning {
        case .checkout, .checkoutExpired: [try checkout(meaning, data, envelope)]
        case .order, .orderPaid, .orderRefunded: [try order(meaning, data, envelope)]
        case .refund: try refund(data, envelope)
        case .subscription(let state): [try subscription(state, data, envelope)]
        }
    }

    // MARK: - Checkouts and orders

    /// A checkout names no order, so its success names no payment; the order's own event does.
    private func checkout(
        _ meaning: StatusMapping.Meaning, _ data: JSONFields, _ envelope: EventEnvelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let word = data.note("status")
        let status = meaning == .checkoutExpired ? .expired : word.flatMap(StatusMapping.checkout)
        let kind: ProviderEvent.Kind =
            switch status {
            case .expired: .sessionExpired
            case let status?: .payment(status, try checkoutAmount(data), failure: nil)
            case nil: .ignored
            }
        return envelope.event(
            kind, ids: try checkoutIDs(data), rawStatus: word,
            privateFields: PrivateFields(
                customerEmail: data.note("customer_email"),
                customerName: data.note("customer_name")))
    }

    /// The total with its tax; nil for trials and the like, where another sum, or none, is paid.
    func checkoutAmount(_ data: JSONFields) throws(WebhookDecodingError) -> Money? {
        let isTrial = data["active_trial_interval"] != nil
        guard !isTrial, try data.bool("is_payment_required") != false else { return nil }
        return try money("total_amount", data)
    }

    func checkoutIDs(_ data: JSONFields) throws(WebhookDecodingError) -> ProviderIDs {
        ProviderIDs(
            session: try data.requiredText("id"),
            subscription: try data.identifier("subscription_id"), order: reference(in: data),
            customer: try data.identifier("customer_id"))
    }

    private func order(
        _ meaning: StatusMapping.Meaning, _ data: JSONFields, _ envelope: EventEnvelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let word = data.note("status")
        let said = word.map(StatusMapping.order)
        let kind: ProviderEvent.Kind
        switch (meaning, said) {
        case (.orderRefunded, _): kind = .ignored
        // A body may be newer than its event: paid and then void is not called paid.
        case (.orderPaid, let status):
            let isPaid = status == nil || status == .succeeded
            kind = .payment(
                isPaid ? .succeeded : .pending, try money("total_amount", data), failure: nil)
        case (_, .some(.some(let status))):
            kind = .payment(status, try money("total_amount", data), failure: nil)
        default: kind = .ignored
        }
        let customer = (try? data.object("customer")) ?? nil
        return envelope.event(
            kind, ids: try orderIDs(data), rawStatus: word,
            privateFields: PrivateFields(
                customerEmail: customer?.note("email"), customerName: customer?.note("name")))
    }

    func orderIDs(_ data: JSONFields) throws(WebhookDecodingError) -> ProviderIDs {
        ProviderIDs(
            session: try data.identifier("checkout_id"), payment: try data.requiredText("id"),
            subscription: try data.identifier("subscription_id"), order: reference(in: data),
            customer: try data.identifier("customer_id"))
    }

    func money(_ name: String, _ data: JSONFields) throws(WebhookDecodingError) -> Money? {
        try data.money(name, currency: "currency", profile: Self.descriptor.moneyProfile)
    }

    /// The shop's own reference; whatever else stands in the metadata decides nothing.
    func reference(in data: JSONFields) -> String? {
        guard let metadata = try? data.object("metadata") else { return nil }
        return configuration.referenceKeys.lazy.compactMap { metadata.note($0) }.first
    }

    // MARK: - Refunds and subscriptions

    /// A refund, and the dispute that it answers where it names one.
    private func refund(
        _ data: JSONFields, _ envelope: EventEnvelope
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        let ids = ProviderIDs(
            payment: try data.identifier("order_id"), refund: try data.requiredText("id"),
            customer: try data.identifier("customer_id"))
        let word = data.note("status")
        var events = [
            envelope.event(
                .refund(StatusMapping.refund(word), try withTax(data)), ids: ids, rawStatus: word)
        ]
        guard let dispute = try data.object("dispute"), let id = try dispute.identifier("id"),
            let word = dispute.note("status"), let state = StatusMapping.dispute(word)
        else { return events }
        events.append(
            envelope.event(
                .dispute(state, try withTax(dispute)),
                ids: ProviderIDs(payment: ids.payment, dispute: id), part: id, rawStatus: word))
        return events
    }

    /// Polar writes the tax beside the amount; what goes back is both.
    private func withTax(_ data: JSONFields) throws(WebhookDecodingError) -> Money? {
        guard let amount = try money("amount", data) else { return nil }
        guard let tax = try money("tax_amount", data) else { return amount }
        guard let sum = try? amount.adding(tax) else {
            throw WebhookDecodingError(.amountOutOfRange, field: "data.tax_amount")
        }
        return sum
    }

    private func subscription(
        _ state: SubscriptionState?, _ data: JSONFields, _ envelope: EventEnvelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let word = data.note("status")
        let state = state ?? word.flatMap(StatusMapping.subscription)
        return envelope.event(
            state.map { .subscription($0) } ?? .ignored,
            ids: ProviderIDs(
                session: try data.identifier("checkout_id"),
                subscription: try data.requiredText("id"), order: reference(in: data),
                customer: try data.identifier("customer_id")),
            rawStatus: word)
    }
}
