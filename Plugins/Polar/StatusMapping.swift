import CheckoutModel
import ProviderKit

/// Every word of Polar's that decides anything, and what it means here.
///
/// The one place to look.
enum StatusMapping {
    /// `status` of a checkout; nil for words we do not know.
    ///
    /// Confirmed means that the customer pressed the button, not that money came.
    /// Source: polar-sdk 1.0.2, CheckoutStatus.
    static func checkout(_ word: String) -> CheckoutStatus? {
        switch word {
        case "open", "confirmed": .pending
        case "succeeded": .succeeded
        case "failed": .failed
        case "expired": .expired
        default: nil
        }
    }

    /// `status` of an order; nil for words we do not know.
    ///
    /// A refunded order was paid. Source: polar-sdk 1.0.2, OrderStatus.
    static func order(_ word: String) -> CheckoutStatus? {
        switch word {
        case "draft", "pending": .pending
        case "paid", "refunded", "partially_refunded": .succeeded
        case "void": .cancelled
        default: nil
        }
    }

    /// `status` of a refund; unknown words are pending.
    ///
    /// Source: polar-sdk 1.0.2, RefundStatus.
    static func refund(_ word: String?) -> RefundState {
        switch word {
        case "succeeded": .succeeded
        case "failed", "canceled": .failed
        default: .pending
        }
    }

    /// `status` of the dispute that a refund ended or prevented; nil for words we do not know.
    ///
    /// Source: polar-sdk 1.0.2, DisputeStatus.
    static func dispute(_ word: String) -> DisputeState? {
        switch word {
        case "early_warning", "needs_response": .opened
        case "under_review": .underReview
        case "won": .won
        case "lost": .lost
        case "prevented": .closed
        default: nil
        }
    }

    /// `status` of a subscription; nil for words we do not know.
    ///
    /// Source: polar-sdk 1.0.2, SubscriptionStatus.
    static func subscription(_ word: String) -> SubscriptionState? {
        switch word {
        case "incomplete": .pending
        case "trialing", "active": .active
        case "past_due", "unpaid": .pastDue
        case "paused": .paused
        case "canceled": .cancelled
        case "incomplete_expired": .expired
        default: nil
        }
    }

    /// What an event's `type` says; the object in `data` is of the kind named.
    enum Meaning: Sendable, Hashable {
        /// A checkout as its status says.
        case checkout
        case checkoutExpired
        /// An order as its status says.
        case order
        case orderPaid
        /// The order names the sum of its refunds, which are reported under their own ids.
        case orderRefunded
        case refund
        /// A subscription; nil = as the object says.
        case subscription(SubscriptionState?)
    }

    /// `type` of a webhook; every type that is not here is ignored, with its name kept.
    ///
    /// Among those are all of benefits, customers, members and products.
    ///
    /// Source: polar-sdk 1.0.2, polar/v2026_10/webhooks.py.
    static let events: [String: Meaning] = [
        "checkout.created": .checkout,
        "checkout.updated": .checkout,
        "checkout.expired": .checkoutExpired,
        "order.created": .order,
        "order.updated": .order,
        "order.paid": .orderPaid,
        "order.refunded": .orderRefunded,
        "refund.created": .refund,
        "refund.updated": .refund,
        "subscription.created": .subscription(nil),
        "subscription.updated": .subscription(nil),
        "subscription.active": .subscription(.active),
        // The end is announced: what has been paid for still runs, and the object says so.
        "subscription.canceled": .subscription(nil),
        "subscription.uncanceled": .subscription(nil),
        "subscription.revoked": .subscription(.cancelled),
        "subscription.past_due": .subscription(.pastDue),
        "subscription.paused": .subscription(.paused),
        "subscription.resumed": .subscription(.active),
        // A new period began, whether or not its payment succeeds.
        "subscription.cycled": .subscription(nil),
        "subscription.migrated": .subscription(nil),
    ]
}
