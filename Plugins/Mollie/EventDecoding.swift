import CheckoutModel
import ProviderKit

/// What every Mollie event has around its entity.
struct Envelope {
    let key: String
    let type: String
    let createdAt: Instant?
    let entityID: String?
    let mode: ProviderMode

    func event(
        _ kind: ProviderEvent.Kind, ids: ProviderIDs = ProviderIDs(), account: String? = nil,
        rawStatus: String?
    ) -> ProviderEvent {
        ProviderEvent(
            key: DedupeKey(rawValue: key), kind: kind, occurredAt: createdAt, mode: mode, ids: ids,
            account: account, rawType: type, rawStatus: rawStatus)
    }

    /// The id of what the event is about; throws `missing_field` when it names nothing.
    func id(_ entity: JSONFields?) throws(WebhookDecodingError) -> String {
        if let id = try entity?.identifier("id") ?? entityID { return id }
        throw WebhookDecodingError(.missingField, field: "entityId")
    }
}

extension JSONFields {
    /// Mollie's amount: decimal text and a currency code in an object of its own.
    func amount() throws(WebhookDecodingError) -> Money? {
        try object("amount")?.decimalMoney("value", currency: "currency")
    }
}

extension MollieProvider {
    func event(
        _ meaning: StatusMapping.Meaning, _ entity: JSONFields?, _ envelope: Envelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let word = entity?.note("status")
        let kind: ProviderEvent.Kind
        let ids: ProviderIDs
        switch meaning {
        case .payment(let told):
            ids = try paymentIDs(entity, id: envelope.id(entity))
            kind = .payment(
                status(told, word), try entity?.amount(), failure: failure(in: entity))
        case .authorized:
            ids = try paymentIDs(entity, id: envelope.id(entity))
            kind = .authorized(try entity?.amount())
        case .captured:
            let payment = try entity?.identifier("paymentId")
            ids = ProviderIDs(session: payment, payment: payment)
            kind = .captured(try entity?.amount())
        case .paymentLinkPaid:
            ids = ProviderIDs(session: try envelope.id(entity))
            kind = paymentLink(entity, try entity?.amount())
        case .refund(let told):
            let payment = try entity?.identifier("paymentId")
            ids = ProviderIDs(
                session: payment, payment: payment, refund: try envelope.id(entity))
            kind = .refund(
                told ?? word.flatMap(StatusMapping.refund) ?? .pending, try entity?.amount())
        case .chargeback(let told):
            let payment = try entity?.identifier("paymentId")
            ids = ProviderIDs(
                session: payment, payment: payment, dispute: try envelope.id(entity))
            kind = .dispute(
                told ?? (entity?["reversedAt"] == nil ? .lost : .won), try entity?.amount())
        case .dispute(let state):
            // From memory, not verified: that a dispute names its payment.
            let payment = try entity?.identifier("paymentId")
            ids = ProviderIDs(
                session: payment, payment: payment, dispute: try envelope.id(entity))
            kind = .dispute(state, try entity?.amount())
        }
        return envelope.event(
            kind, ids: ids, account: entity?.note("profileId"), rawStatus: word)
    }

    /// What the event tells, unless its own entity does not bear a success out; else what the
    /// entity tells.
    private func status(_ told: CheckoutStatus?, _ word: String?) -> CheckoutStatus {
        let own = word.map { StatusMapping.payment($0) ?? .pending }
        guard let told else { return own ?? .pending }
        return told == .succeeded ? own.map { $0 == .succeeded ? told : .pending } ?? told : told
    }

    /// A paid link counts only where the configuration says so, since its payment tells too, and
    /// never when it can be paid again.
    private func paymentLink(_ entity: JSONFields?, _ amount: Money?) -> ProviderEvent.Kind {
        guard configuration.countsPaymentLinks, entity?["reusable"] != .bool(true) else {
            return .ignored
        }
        return .payment(.succeeded, amount, failure: nil)
    }

    /// The payment is the checkout, too.
    func paymentIDs(
        _ entity: JSONFields?, id: String
    ) throws(WebhookDecodingError) -> ProviderIDs {
        ProviderIDs(
            session: id, payment: id, subscription: try entity?.identifier("subscriptionId"),
            order: reference(in: entity), customer: try entity?.identifier("customerId"))
    }

    private func reference(in entity: JSONFields?) -> String? {
        guard let metadata = (try? entity?.object("metadata")) ?? nil else { return nil }
        return configuration.referenceKeys.lazy.compactMap { metadata.note($0) }.first
    }

    /// From memory, not verified.
    private func failure(in entity: JSONFields?) -> String? {
        ((try? entity?.object("details")) ?? nil)?.note("failureReason")
    }
}
