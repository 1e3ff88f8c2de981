import CheckoutModel
import ProviderKit

/// Every word of Adyen's that decides anything, and what it means here.
///
/// The one place to look.
enum StatusMapping {
    /// Where Adyen's amounts have other decimals than ISO 4217: CLP and ISK are sent as hundredths
    /// though they have none, CVE and IDR are sent whole though they have two decimals.
    ///
    /// Source: docs.adyen.com, development-resources/currency-codes (as quoted in the tables of
    /// public plugins).
    static let moneyProfile = MoneyProfile(
        name: "adyen",
        exceptions: [("CLP", 2), ("CVE", 0), ("IDR", 0), ("ISK", 2)].reduce(into: [:]) {
            table, entry in
            if let currency = Currency(entry.0) { table[currency] = entry.1 }
        })

    /// `status` of a payment link; nil for words we do not know.
    ///
    /// Source: adyen-node-api-library, src/typings/checkout/paymentLinkResponse.ts.
    static func paymentLink(_ word: String) -> CheckoutStatus? {
        switch word {
        case "completed", "paid": .succeeded
        case "active", "paymentPending": .pending
        case "expired": .expired
        default: nil
        }
    }

    /// What an event code says when its `success` is true, and when it is false.
    enum Meaning: Sendable, Hashable {
        /// An attempt to pay, authorised or refused.
        case authorisation
        /// Reserved money was taken; refused = the reservation stands.
        case capture
        /// The payment stands thus; false says nothing.
        case payment(CheckoutStatus)
        /// A refund; false = the money did not go back.
        case refund(RefundState)
        /// Called off before capture or given back after it: the item's unsigned
        /// `modification.action` says which.
        case cancelOrRefund
        /// A dispute; false leaves it open.
        case dispute(DisputeState)
    }

    /// `eventCode`; every code that is not here is ignored, with its name kept: REPORT_AVAILABLE,
    /// RECURRING_CONTRACT, NOTIFICATION_OF_FRAUD, ORDER_OPENED and whatever comes next.
    ///
    /// Source: adyen-node-api-library, src/typings/notification/notificationRequestItem.ts;
    /// docs.adyen.com, risk-management/disputes-api/dispute-notifications. From memory, not
    /// verified: EXPIRE, TECHNICAL_CANCEL.
    static let events: [String: Meaning] = [
        "AUTHORISATION": .authorisation,
        "PENDING": .payment(.pending),
        "CAPTURE": .capture,
        "CAPTURE_FAILED": .payment(.failed),
        "CANCELLATION": .payment(.cancelled),
        "TECHNICAL_CANCEL": .payment(.cancelled),
        "EXPIRE": .payment(.expired),
        "OFFER_CLOSED": .payment(.expired),
        "CANCEL_OR_REFUND": .cancelOrRefund,
        "REFUND": .refund(.succeeded),
        "REFUND_WITH_DATA": .refund(.succeeded),
        "POSTPONED_REFUND": .refund(.pending),
        "REFUND_FAILED": .refund(.failed),
        "REFUNDED_REVERSED": .refund(.reversed),
        "REQUEST_FOR_INFORMATION": .dispute(.opened),
        "NOTIFICATION_OF_CHARGEBACK": .dispute(.opened),
        "DISPUTE_OPENED_WITH_CHARGEBACK": .dispute(.opened),
        "INFORMATION_SUPPLIED": .dispute(.underReview),
        // The money is gone for now; a defence may bring it back.
        "CHARGEBACK": .dispute(.lost),
        "CHARGEBACK_REVERSED": .dispute(.won),
        "SECOND_CHARGEBACK": .dispute(.lost),
        "PREARBITRATION_WON": .dispute(.won),
        "PREARBITRATION_LOST": .dispute(.lost),
        "ISSUER_RESPONSE_TIMEFRAME_EXPIRED": .dispute(.won),
        "DISPUTE_DEFENSE_PERIOD_ENDED": .dispute(.lost),
    ]
}
