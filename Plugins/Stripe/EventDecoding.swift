import CheckoutModel
import ProviderKit

extension StripeProvider {
    func events(
        _ meaning: StatusMapping.Meaning, _ object: JSONFields, _ envelope: EventEnvelope
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        switch meaning {
        case .sessionCompleted, .sessionPayment, .sessionExpired:
            [try session(meaning, object, envelope)]
        case .paymentIntent(let status): [try paymentIntent(status, object, envelope)]
        case .authorized:
            [
                envelope.event(
                    .authorized(try money("amount_capturable", object)),
                    ids: try paymentIDs(object), rawStatus: object.note("status"))
            ]
        case .chargeRefunded: try chargeRefunded(object, envelope)
        case .refund: [try refund(object, envelope)]
        case .dispute(let state): [try dispute(state, object, envelope)]
        case .subscription(let state): [try subscription(state, object, envelope)]
        case .invoicePaid, .invoiceFailed: [try invoice(meaning, object, envelope)]
        }
    }

    private func money(
        _ name: String, _ object: JSONFields
    ) throws(WebhookDecodingError) -> Money? {
        try object.money(name, currency: "currency", profile: Self.descriptor.moneyProfile)
    }

    // MARK: - Checkout sessions

    private func session(
        _ meaning: StatusMapping.Meaning, _ object: JSONFields, _ envelope: EventEnvelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let amount = try money("amount_total", object)
        let kind: ProviderEvent.Kind
        switch meaning {
        case .sessionExpired: kind = .sessionExpired
        case .sessionPayment(let status):
            kind = .payment(doubted(status, object), amount, failure: nil)
        default:
            // Words we do not know are pending: the session is complete, the money is not certain.
            let status = StatusMapping.session(
                status: object.note("status"), paymentStatus: object.note("payment_status"))
            kind = .payment(status ?? .pending, amount, failure: nil)
        }
        return envelope.event(
            kind, ids: try sessionIDs(object), rawStatus: sessionWords(object),
            privateFields: privateFields(object))
    }

    /// A success that its own object does not bear out is pending.
    private func doubted(_ status: CheckoutStatus, _ object: JSONFields) -> CheckoutStatus {
        guard status == .succeeded, let word = object.note("payment_status") else { return status }
        return word == "paid" || word == "no_payment_required" ? status : .pending
    }

    func sessionWords(_ object: JSONFields) -> String? {
        let words = [object.note("status"), object.note("payment_status")].compactMap { $0 }
        return words.isEmpty ? nil : words.joined(separator: "/")
    }

    func sessionIDs(_ object: JSONFields) throws(WebhookDecodingError) -> ProviderIDs {
        ProviderIDs(
            session: try object.requiredText("id"),
            payment: try object.reference("payment_intent"),
            subscription: try object.reference("subscription"), order: reference(in: object),
            customer: try object.reference("customer"))
    }

    /// `client_reference_id`, else the metadata.
    private func reference(in object: JSONFields) -> String? {
        if let reference = object.note("client_reference_id") { return reference }
        guard let metadata = try? object.object("metadata") else { return nil }
        return configuration.referenceKeys.lazy.compactMap { metadata.note($0) }.first
    }

    private func privateFields(_ object: JSONFields) -> PrivateFields {
        let details = (try? object.object("customer_details")) ?? nil
        return PrivateFields(
            customerEmail: details?.note("email") ?? object.note("customer_email"),
            customerName: details?.note("name"))
    }

    // MARK: - Payments

    private func paymentIntent(
        _ status: CheckoutStatus, _ object: JSONFields, _ envelope: EventEnvelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let amount = try money(status == .succeeded ? "amount_received" : "amount", object)
        let failure = (try? object.object("last_payment_error")) ?? nil
        var status = status
        if status == .succeeded, let word = object.note("status"), word != "succeeded" {
            status = .pending
        }
        return envelope.event(
            .payment(status, amount, failure: failure?.note("code")), ids: try paymentIDs(object),
            rawStatus: object.note("status"))
    }

    private func paymentIDs(_ object: JSONFields) throws(WebhookDecodingError) -> ProviderIDs {
        ProviderIDs(
            payment: try object.requiredText("id"), order: reference(in: object),
            customer: try object.reference("customer"))
    }

    // MARK: - Refunds and disputes

    /// The charge's `amount_refunded` is the sum over all its refunds, so counting it beside the
    /// refunds themselves would count money twice.
    ///
    /// Where the charge lists its refunds each of them is reported under its own id; where it does
    /// not (API versions since 2022-11-15), the `refund.*` events tell, and this one says nothing.
    private func chargeRefunded(
        _ object: JSONFields, _ envelope: EventEnvelope
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        let listed = try object.object("refunds")?.objects("data") ?? []
        guard !listed.isEmpty else {
            return [
                envelope.event(
                    .ignored,
                    ids: ProviderIDs(payment: try object.reference("payment_intent")),
                    rawStatus: object.note("status"))
            ]
        }
        var events: [ProviderEvent] = []
        for refund in listed {
            events.append(try self.refund(refund, envelope, charge: object))
        }
        return events
    }

    private func refund(
        _ object: JSONFields, _ envelope: EventEnvelope, charge: JSONFields? = nil
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let id = try object.requiredText("id")
        let payment = try object.reference("payment_intent")
        let chargePayment = try charge?.reference("payment_intent")
        return envelope.event(
            .refund(StatusMapping.refund(object.note("status")), try money("amount", object)),
            ids: ProviderIDs(payment: payment ?? chargePayment, refund: id),
            part: charge == nil ? nil : id,
            rawStatus: object.note("status"))
    }

    private func dispute(
        _ state: DisputeState?, _ object: JSONFields, _ envelope: EventEnvelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let word = object.note("status")
        let ids = ProviderIDs(
            payment: try object.reference("payment_intent"),
            dispute: try object.requiredText("id"))
        guard let state = state ?? word.flatMap(StatusMapping.dispute) else {
            return envelope.event(.ignored, ids: ids, rawStatus: word)
        }
        return envelope.event(
            .dispute(state, try money("amount", object)), ids: ids, rawStatus: word)
    }

    // MARK: - Subscriptions

    private func subscription(
        _ state: SubscriptionState?, _ object: JSONFields, _ envelope: EventEnvelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let word = object.note("status")
        let ids = ProviderIDs(
            subscription: try object.requiredText("id"), order: reference(in: object),
            customer: try object.reference("customer"))
        guard let state = state ?? word.flatMap(StatusMapping.subscription) else {
            return envelope.event(.ignored, ids: ids, rawStatus: word)
        }
        return envelope.event(.subscription(state), ids: ids, rawStatus: word)
    }

    /// Only what an invoice says of its subscription; its payment intent reports the money.
    private func invoice(
        _ meaning: StatusMapping.Meaning, _ object: JSONFields, _ envelope: EventEnvelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        // Since API version 2025-03-31 the subscription stands in the invoice's parent.
        let parent = try object.object("parent")?.object("subscription_details")
        let own = try object.reference("subscription")
        let subscription = try parent?.reference("subscription") ?? own
        let ids = ProviderIDs(
            payment: try object.reference("payment_intent"), subscription: subscription,
            customer: try object.reference("customer"))
        let word = object.note("status")
        guard subscription != nil else {
            return envelope.event(.ignored, ids: ids, rawStatus: word)
        }
        let isRenewal = object.note("billing_reason") == "subscription_cycle"
        let state: SubscriptionState =
            meaning == .invoiceFailed ? .pastDue : isRenewal ? .renewed : .active
        return envelope.event(.subscription(state), ids: ids, rawStatus: word)
    }
}
