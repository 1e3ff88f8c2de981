import CheckoutModel
import ProviderKit

/// Every word of Paddle's that decides anything, and what it means here.
///
/// The one place to look.
enum StatusMapping {
    /// `status` of a transaction; nil for words we do not know.
    ///
    /// Paid means that the money came, completed that Paddle has done its bookkeeping too.
    /// Source: paddle-python-sdk, Entities/Shared/TransactionStatus.py.
    static func transaction(_ word: String) -> CheckoutStatus? {
        switch word {
        case "draft", "ready", "billed", "past_due": .pending
        case "paid", "completed": .succeeded
        case "canceled": .cancelled
        default: nil
        }
    }

    /// What an adjustment does; nil for actions that move no money of a customer's, such as
    /// `credit` and `credit_reverse`, and for words we do not know.
    ///
    /// Source: paddle-python-sdk, Notifications/Entities/Shared/Action.py; paddle-node-sdk,
    /// src/enums (`chargeback_warning_reverse`).
    static func adjustment(_ action: String, status: String?) -> Adjustment? {
        switch action {
        case "refund": .refund(refund(status))
        case "chargeback": .dispute(status == "reversed" ? .won : .lost)
        case "chargeback_reverse": .dispute(.won)
        case "chargeback_warning": .dispute(.opened)
        case "chargeback_warning_reverse": .dispute(.closed)
        default: nil
        }
    }

    /// What an adjustment does.
    enum Adjustment: Sendable, Hashable {
        case refund(RefundState)
        case dispute(DisputeState)
    }

    /// `status` of a refund; unknown words are pending.
    ///
    /// Source: paddle-python-sdk, Entities/Shared/AdjustmentStatus.py.
    private static func refund(_ word: String?) -> RefundState {
        switch word {
        case "approved": .succeeded
        case "rejected": .failed
        case "reversed": .reversed
        default: .pending
        }
    }

    /// `status` of a subscription; nil for words we do not know, `inactive` among them.
    ///
    /// Source: paddle-python-sdk, Entities/Subscriptions/SubscriptionStatus.py.
    static func subscription(_ word: String) -> SubscriptionState? {
        switch word {
        case "active", "trialing": .active
        case "past_due": .pastDue
        case "paused": .paused
        case "canceled": .cancelled
        default: nil
        }
    }

    /// What an event's `event_type` says; the object in `data` is of the kind named.
    enum Meaning: Sendable, Hashable {
        /// A transaction as its status says.
        case transaction
        /// A transaction whose money came.
        case transactionPaid
        /// An attempt failed; the transaction stays open for another.
        case attemptFailed
        case transactionCanceled
        case adjustment
        /// A subscription; nil = as the object says.
        case subscription(SubscriptionState?)
    }

    /// `event_type` of a webhook; every type that is not here is ignored, with its name kept:
    /// address.*, customer.*, invoice.*, payout.*, product.* and whatever comes next.
    ///
    /// Source: paddle-python-sdk, Entities/Events/EventTypeName.py.
    static let events: [String: Meaning] = [
        "transaction.created": .transaction,
        "transaction.ready": .transaction,
        "transaction.billed": .transaction,
        "transaction.updated": .transaction,
        "transaction.revised": .transaction,
        "transaction.past_due": .transaction,
        "transaction.paid": .transactionPaid,
        "transaction.completed": .transactionPaid,
        "transaction.payment_failed": .attemptFailed,
        "transaction.canceled": .transactionCanceled,
        "adjustment.created": .adjustment,
        "adjustment.updated": .adjustment,
        "subscription.created": .subscription(nil),
        "subscription.updated": .subscription(nil),
        "subscription.imported": .subscription(nil),
        "subscription.activated": .subscription(.active),
        "subscription.trialing": .subscription(.active),
        "subscription.resumed": .subscription(.active),
        "subscription.past_due": .subscription(.pastDue),
        "subscription.paused": .subscription(.paused),
        "subscription.canceled": .subscription(.cancelled),
    ]
}
