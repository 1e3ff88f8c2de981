import CheckoutModel
import ProviderKit

/// Every word of WeChat Pay's that decides anything, and what it means here.
///
/// The one place to look.
enum StatusMapping {
    /// `trade_state` of a transaction; nil for words we do not know.
    ///
    /// `REFUND` means that some of a paid amount went back, not that it was not paid. `CLOSED` is
    /// an order that can no longer be paid, whoever closed it.
    /// Source: wechatpay-java, service/payments/model/Transaction.java.
    static func transaction(_ word: String) -> CheckoutStatus? {
        switch word {
        case "SUCCESS", "REFUND": .succeeded
        case "NOTPAY", "USERPAYING", "ACCEPT": .pending
        case "PAYERROR": .failed
        case "CLOSED": .expired
        case "REVOKED": .cancelled
        default: nil
        }
    }

    /// What an event's `event_type` says; the opened resource is of the kind named.
    enum Meaning: Sendable, Hashable {
        /// A transaction: its own word decides.
        case transaction
        case refund(RefundState)
    }

    /// `event_type` of a webhook; every type that is not here is ignored, with its name kept.
    ///
    /// An abnormal refund did not reach the customer and waits for the merchant. A payment that
    /// failed is not told of: from memory, not verified. Source: wechatpay-im/website, webhook/v3.
    static let events: [String: Meaning] = [
        "TRANSACTION.SUCCESS": .transaction,
        "REFUND.SUCCESS": .refund(.succeeded),
        "REFUND.ABNORMAL": .refund(.failed),
        "REFUND.CLOSED": .refund(.failed),
    ]
}
