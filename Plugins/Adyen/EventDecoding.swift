import CheckoutModel
import ProviderKit

// Ids, amount, code and success are signed. The session's id is not: it stands in additionalData,
// and the events say so. A delivery that was replayed with another one has the same key and the
// same payment, so the ledger sees two bodies under one name and applies the first only; one that
// was changed on its first way names an order that is not the session's.

extension AdyenProvider {
    func event(
        _ item: JSONFields, key: DedupeKey
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let code = try item.requiredText("eventCode")
        let isSuccess = item.note("success") == "true"
        var kind = ProviderEvent.Kind.ignored
        if let meaning = StatusMapping.events[code] {
            kind = try self.kind(meaning, isSuccess, item)
        }
        return ProviderEvent(
            key: key, kind: kind, occurredAt: item.time("eventDate"), mode: configuration.mode,
            ids: try ids(of: item, kind: kind), unsignedIDs: .session,
            account: item.note("merchantAccountCode"),
            rawType: code, rawStatus: item.note("success"))
    }

    private func kind(
        _ meaning: StatusMapping.Meaning, _ isSuccess: Bool, _ item: JSONFields
    ) throws(WebhookDecodingError) -> ProviderEvent.Kind {
        let amount = try item.object("amount")?.money(
            "value", currency: "currency", profile: Self.descriptor.moneyProfile)
        switch (meaning, isSuccess) {
        case (.authorisation, true):
            return configuration.capturesManually
                ? .authorized(amount) : .payment(.succeeded, amount, failure: nil)
        case (.authorisation, false): return .payment(.failed, amount, failure: failure(item))
        case (.capture, true): return .captured(amount)
        case (.capture, false): return .payment(.pending, amount, failure: failure(item))
        case (.payment(let status), true):
            return .payment(status, amount, failure: status == .failed ? failure(item) : nil)
        // An attempt to call off, or to expire, that failed: the payment is as it was.
        case (.payment, false): return .ignored
        case (.refund(let state), true): return .refund(state, amount)
        // A refund that was refused; a failure that did not happen says nothing.
        case (.refund(.succeeded), false), (.refund(.pending), false):
            return .refund(.failed, amount)
        case (.refund, false): return .ignored
        case (.cancelOrRefund, true):
            switch item.additional("modification.action") {
            case "cancel": return .payment(.cancelled, amount, failure: nil)
            case "refund": return .refund(.succeeded, amount)
            default: return .refund(.pending, amount)
            }
        case (.cancelOrRefund, false): return .ignored
        case (.dispute(let state), true): return .dispute(state, amount)
        // Something is in dispute all the same, except where it was said to be won.
        case (.dispute(.won), false): return .ignored
        case (.dispute, false): return .dispute(.opened, amount)
        }
    }

    /// `Refused`, `CVC Declined` and the like.
    ///
    /// Of other events the field holds the end of the card's number, so digits are never let
    /// through.
    private func failure(_ item: JSONFields) -> String? {
        guard let reason = item.note("reason"), reason.utf8.count <= 64,
            !reason.unicodeScalars.contains(where: { $0.properties.numericType != nil })
        else { return nil }
        return reason
    }

    /// What modifies a payment has a reference of its own and names the payment's as the original.
    private func ids(
        of item: JSONFields, kind: ProviderEvent.Kind
    ) throws(WebhookDecodingError) -> ProviderIDs {
        let original = try item.identifier("originalReference")
        var ids = ProviderIDs(
            session: item.additional("paymentLinkId") ?? item.additional("checkoutSessionId"),
            payment: original, order: item.note("merchantReference"))
        switch kind {
        case .refund: ids.refund = try item.requiredText("pspReference")
        case .dispute: ids.dispute = try item.requiredText("pspReference")
        case .payment, .authorized, .captured, .subscription, .sessionExpired:
            let own = try item.requiredText("pspReference")
            ids.payment = original ?? own
        case .ignored:
            let own = try item.identifier("pspReference")
            ids.payment = original ?? own
        }
        return ids
    }
}

extension JSONFields {
    /// A field of `additionalData`; none of them is signed.
    fileprivate func additional(_ name: String) -> String? {
        let data = (try? object("additionalData")) ?? nil
        return (try? data?.identifier(name)) ?? nil
    }
}
