import CheckoutModel
import ProviderKit

extension GoCardlessProvider {
    /// Events are thin: they tell no amount, which a query of the payment does.
    func event(_ item: JSONFields) throws(WebhookDecodingError) -> ProviderEvent {
        let id = try item.requiredText("id")
        let type = try item.requiredText("resource_type")
        let action = try item.requiredText("action")
        let links = try item.object("links")
        let details = try item.object("details")
        var ids = try ids(links, item)
        let kind: ProviderEvent.Kind
        switch StatusMapping.events[type]?[action] {
        case .payment(let status):
            try require(type == "payments" ? ids.payment : ids.session)
            let cause = status == .failed ? details?.note("cause") : nil
            kind = .payment(status, nil, failure: cause)
        case .paymentFailed:
            try require(ids.payment)
            let isRetried = try details?.bool("will_attempt_retry") ?? false
            kind = .payment(isRetried ? .pending : .failed, nil, failure: details?.note("cause"))
        case .reversal(let state):
            ids.dispute = try require(ids.payment)
            kind = .dispute(state, nil)
        case .refund(let state):
            try require(ids.refund)
            kind = .refund(state, nil)
        case .subscription(let state):
            try require(ids.subscription)
            kind = .subscription(state)
        case nil: kind = .ignored
        }
        return ProviderEvent(
            key: DedupeKey(rawValue: id), kind: kind, occurredAt: item.time("created_at"),
            mode: configuration.mode, ids: ids, account: links?.note("organisation"),
            rawType: "\(type).\(action)")
    }

    /// What the event is about must be named, or it could not be told from another.
    @discardableResult
    private func require(_ id: String?) throws(WebhookDecodingError) -> String {
        guard let id else { throw WebhookDecodingError(.missingField, field: "events.links") }
        return id
    }

    private func ids(
        _ links: JSONFields?, _ item: JSONFields
    ) throws(WebhookDecodingError) -> ProviderIDs {
        let made = try links?.identifier("payment_request_payment")
        return ProviderIDs(
            session: try links?.identifier("billing_request"),
            payment: try links?.identifier("payment") ?? made,
            refund: try links?.identifier("refund"),
            subscription: try links?.identifier("subscription"),
            order: reference(in: item, "resource_metadata") ?? reference(in: item, "metadata"),
            customer: links?.note("customer"))
    }

    /// The shop's own reference; whatever else stands in the metadata decides nothing.
    func reference(in object: JSONFields, _ name: String = "metadata") -> String? {
        guard let metadata = (try? object.object(name)) ?? nil else { return nil }
        return configuration.referenceKeys.lazy.compactMap { metadata.note($0) }.first
    }
}
