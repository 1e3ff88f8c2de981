import CheckoutModel
import ProviderKit

extension CoinbaseCommerceProvider {
    /// The type decides; the timeline adds doubt to a success and tells why a charge failed.
    func kind(
        _ status: CheckoutStatus, _ word: String?, _ charge: JSONFields
    ) throws(WebhookDecodingError) -> ProviderEvent.Kind {
        let standing = word.map(StatusMapping.timeline)
        switch (status, standing) {
        case (.failed, .some(.expired)): return .sessionExpired
        case (.failed, .some(.cancelled)):
            return .payment(.cancelled, try amount(charge), failure: nil)
        case (.succeeded, .some(let standing)) where standing != .succeeded:
            return .payment(.pending, try amount(charge), failure: nil)
        default: return .payment(status, try amount(charge), failure: nil)
        }
    }

    /// The last status of the timeline, unchanged.
    func lastWord(_ charge: JSONFields) -> String? {
        charge.objects("timeline").last?.note("status")
    }

    /// The price; where the customer chose it, what the only payment was worth.
    ///
    /// What several payments come to is not summed here: one of them may be unconfirmed.
    func amount(_ charge: JSONFields) throws(WebhookDecodingError) -> Money? {
        if let price = try charge.object("pricing")?.object("local") {
            return try price.decimalMoney("amount", currency: "currency")
        }
        let payments = charge.objects("payments")
        guard payments.count == 1,
            let worth = try payments[0].object("value")?.object("local")
        else { return nil }
        return try worth.decimalMoney("amount", currency: "currency")
    }

    /// The code names the page; the UUID names the payment, once there is one.
    ///
    /// A page that nobody paid on has no payment that could stay open when the page expires.
    func ids(_ charge: JSONFields) throws(WebhookDecodingError) -> ProviderIDs {
        let isUnpaid = lastWord(charge).map(StatusMapping.unpaid.contains) ?? false
        return ProviderIDs(
            session: try charge.requiredText("code"),
            payment: isUnpaid ? nil : try charge.identifier("id"),
            order: reference(in: charge))
    }

    /// The shop's own reference; whatever else stands in the metadata decides nothing.
    private func reference(in charge: JSONFields) -> String? {
        guard let metadata = try? charge.object("metadata") else { return nil }
        return configuration.referenceKeys.lazy.compactMap { metadata.note($0) }.first
    }
}
