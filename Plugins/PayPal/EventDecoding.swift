import CheckoutModel
import ProviderKit

/// What every PayPal event has around its resource.
struct Envelope {
    let id: String
    let type: String
    let resourceType: String?
    let createdAt: Instant?
    let mode: ProviderMode

    func event(
        _ kind: ProviderEvent.Kind, ids: ProviderIDs = ProviderIDs(), account: String? = nil,
        rawStatus: String?, privateFields: PrivateFields = PrivateFields()
    ) -> ProviderEvent {
        ProviderEvent(
            key: DedupeKey(rawValue: id), kind: kind, occurredAt: createdAt, mode: mode, ids: ids,
            account: account, rawType: type, rawStatus: rawStatus, privateFields: privateFields)
    }
}

extension PayPalProvider {
    func event(
        _ meaning: StatusMapping.Meaning, _ resource: JSONFields, _ envelope: Envelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        switch meaning {
        case .orderApproved, .orderCompleted: try order(meaning, resource, envelope)
        case .approvalReversed:
            envelope.event(
                .payment(.cancelled, nil, failure: nil),
                ids: ProviderIDs(session: try resource.requiredText("order_id")),
                rawStatus: resource.note("status"))
        case .capture(let status): try capture(status, resource, envelope)
        case .refund(let state): try refund(state, resource, envelope)
        case .authorized:
            envelope.event(
                .authorized(try resource.object("amount")?.amount()),
                ids: ProviderIDs(
                    session: try orderID(of: resource), order: reference(in: resource)),
                account: payee(of: resource), rawStatus: resource.note("status"))
        case .sale(let status): try sale(status, resource, envelope)
        case .saleRefund: try saleRefund(resource, envelope)
        case .dispute(let state): try dispute(state, resource, envelope)
        case .subscription(let state): try subscription(state, resource, envelope)
        }
    }

    // MARK: - Orders and captures

    private func order(
        _ meaning: StatusMapping.Meaning, _ resource: JSONFields, _ envelope: Envelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let order = try OrderReading(resource)
        // Approval is no payment, whatever a newer body says of it.
        let status = meaning == .orderCompleted ? order.status ?? .pending : .pending
        return envelope.event(
            .payment(status, order.amount, failure: nil), ids: order.ids, account: order.payee,
            rawStatus: resource.note("status"), privateFields: order.privateFields)
    }

    private func capture(
        _ status: CheckoutStatus, _ resource: JSONFields, _ envelope: Envelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let word = resource.note("status")
        var status = status
        // A success that its own resource does not bear out is pending.
        if status == .succeeded, let word, StatusMapping.capture(word) != .succeeded {
            status = .pending
        }
        let details = (try? resource.object("status_details")) ?? nil
        return envelope.event(
            .payment(
                status, try resource.object("amount")?.amount(), failure: details?.note("reason")),
            ids: ProviderIDs(
                session: try orderID(of: resource), payment: try resource.requiredText("id"),
                order: reference(in: resource)),
            account: payee(of: resource), rawStatus: word)
    }

    /// A refund names its capture in a link; a reversal may come as the capture itself, and is then
    /// known by the capture's id.
    private func refund(
        _ state: RefundState?, _ resource: JSONFields, _ envelope: Envelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let id = try resource.requiredText("id")
        let word = resource.note("status")
        let isCapture = envelope.resourceType == "capture"
        let related = try resource.object("supplementary_data")?.object("related_ids")
        let named = try related?.identifier("capture_id")
        let ids = ProviderIDs(
            session: try orderID(of: resource),
            payment: isCapture ? id : named ?? resource.linked("/v2/payments/captures/"),
            refund: id, order: reference(in: resource))
        guard !isCapture || state == .succeeded else {
            // A refunded capture tells its own amount, not the refund's.
            return envelope.event(
                .ignored, ids: ProviderIDs(session: ids.session, payment: id), rawStatus: word)
        }
        return envelope.event(
            .refund(
                state ?? StatusMapping.refund(word), try resource.object("amount")?.amount()),
            ids: ids, account: payee(of: resource), rawStatus: word)
    }

    private func orderID(of resource: JSONFields) throws(WebhookDecodingError) -> String? {
        let related = try resource.object("supplementary_data")?.object("related_ids")
        return try related?.identifier("order_id") ?? resource.linked("/v2/checkout/orders/")
    }

    private func payee(of resource: JSONFields) -> String? {
        ((try? resource.object("payee")) ?? nil)?.note("merchant_id")
    }

    /// From memory, not verified: that a capture repeats the order's `custom_id`.
    func reference(in resource: JSONFields) -> String? {
        resource.note("custom_id") ?? resource.note("invoice_id")
    }

    // MARK: - Sales

    private func sale(
        _ status: CheckoutStatus, _ resource: JSONFields, _ envelope: Envelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let word = resource.note("state")
        let isDoubted = status == .succeeded && word != nil && word != "completed"
        return envelope.event(
            .payment(
                isDoubted ? .pending : status, try saleAmount(resource),
                failure: resource.note("reason_code")),
            ids: ProviderIDs(
                payment: try resource.requiredText("id"),
                subscription: try resource.identifier("billing_agreement_id"),
                order: resource.note("custom") ?? resource.note("invoice_number")),
            rawStatus: word)
    }

    private func saleRefund(
        _ resource: JSONFields, _ envelope: Envelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let amount = try saleAmount(resource)
        return envelope.event(
            .refund(
                .succeeded,
                // Reversals are told as negative amounts; text of an amount is never the smallest
                // integer.
                amount.map {
                    Money(minorUnits: abs($0.minorUnits), currency: $0.currency)
                }),
            ids: ProviderIDs(
                payment: try resource.identifier("sale_id"),
                refund: try resource.requiredText("id")),
            rawStatus: resource.note("state"))
    }

    private func saleAmount(_ resource: JSONFields) throws(WebhookDecodingError) -> Money? {
        try resource.object("amount")?.decimalMoney("total", currency: "currency")
    }

    // MARK: - Disputes and subscriptions

    private func dispute(
        _ state: DisputeState?, _ resource: JSONFields, _ envelope: Envelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let word = resource.note("status")
        let outcome = try resource.object("dispute_outcome")?.note("outcome_code")
        let transaction = resource.objects("disputed_transactions").first
        let ids = ProviderIDs(
            payment: try transaction?.identifier("seller_transaction_id"),
            dispute: try resource.requiredText("dispute_id"))
        let told =
            word == "RESOLVED"
            ? outcome.map(StatusMapping.disputeOutcome) ?? .closed
            : word.flatMap(StatusMapping.dispute)
        guard let state = state ?? told else {
            return envelope.event(.ignored, ids: ids, rawStatus: outcome ?? word)
        }
        return envelope.event(
            .dispute(state, try resource.object("dispute_amount")?.amount()), ids: ids,
            rawStatus: outcome ?? word)
    }

    private func subscription(
        _ state: SubscriptionState?, _ resource: JSONFields, _ envelope: Envelope
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let word = resource.note("status")
        let ids = ProviderIDs(
            subscription: try resource.requiredText("id"), order: reference(in: resource))
        guard let state = state ?? word.flatMap(StatusMapping.subscription) else {
            return envelope.event(.ignored, ids: ids, rawStatus: word)
        }
        return envelope.event(.subscription(state), ids: ids, rawStatus: word)
    }
}
