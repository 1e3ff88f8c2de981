import CheckoutModel
import ProviderKit

extension AlipayProvider {
    static let currency = "CNY"

    func events(
        _ form: SignedForm, notifyID: String
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        let type = form["notify_type"] ?? form["method"] ?? "notify"
        guard let word = form["trade_status"] else {
            return [event(.ignored, ProviderIDs(), form, key: notifyID, type: type, at: nil)]
        }
        guard let trade = form["out_trade_no"] else {
            throw WebhookDecodingError(.missingField, field: "out_trade_no")
        }
        let ids = ProviderIDs(
            session: trade, payment: form["trade_no"], customer: form["buyer_id"])
        let amount = try money("total_amount", form)
        let refunded = try money("refund_fee", form)
        let wasRefunded = (refunded?.minorUnits ?? 0) > 0
        let status: CheckoutStatus
        switch StatusMapping.trade(word) {
        case .status(let told): status = told
        case .closed:
            status = form["gmt_payment"] != nil || wasRefunded ? .succeeded : .expired
        // A word that we do not know leaves open how the trade stands.
        case nil: status = .pending
        }
        let time = status == .expired ? "gmt_close" : "gmt_payment"
        var events = [
            event(
                .payment(status, amount, failure: nil), ids, form, key: notifyID, type: type,
                at: time)
        ]
        if wasRefunded, status == .succeeded {
            events.append(
                event(
                    .refund(.succeeded, refunded), refundIDs(ids, form), form,
                    key: "\(notifyID)#refund", type: type, at: "gmt_refund"))
        }
        return events
    }

    /// `refund_fee` is the sum of all refunds of the trade so far, so the trade's refunds are one,
    /// named by the trade: under the single requests' numbers the earlier ones would count again.
    private func refundIDs(_ ids: ProviderIDs, _ form: SignedForm) -> ProviderIDs {
        var ids = ids
        ids.refund = form["trade_no"] ?? form["out_trade_no"]
        return ids
    }

    private func event(
        _ kind: ProviderEvent.Kind, _ ids: ProviderIDs, _ form: SignedForm, key: String,
        type: String, at time: String?
    ) -> ProviderEvent {
        ProviderEvent(
            key: DedupeKey(rawValue: key), kind: kind,
            occurredAt: time.flatMap { Self.time(form[$0]) } ?? Self.time(form["notify_time"]),
            mode: configuration.mode, ids: ids, account: named(in: form), rawType: type,
            rawStatus: form["trade_status"])
    }

    private func money(
        _ name: String, _ form: SignedForm
    ) throws(WebhookDecodingError) -> Money? {
        guard let text = form[name] else { return nil }
        do throws(MoneyError) {
            return try Money(parsing: text, currencyCode: Self.currency)
        } catch {
            throw WebhookDecodingError(
                error.reason == .outOfRange ? .amountOutOfRange : .amountNotDecimal, field: name)
        }
    }

    /// `2019-08-15 15:56:24`, decimals of a second allowed; nil when absent or unreadable.
    ///
    /// From memory, not verified: the times are Chinese standard time, which has no zone in them.
    static func time(_ text: String?) -> Instant? {
        guard let text else { return nil }
        let parts = text.split(separator: " ")
        guard parts.count == 2 else { return nil }
        return try? Instant(iso8601: "\(parts[0])T\(parts[1])+08:00")
    }
}
