import CheckoutModel
import ProviderKit

/// Every word of Lemon Squeezy's that decides anything, and what it means here.
///
/// The one place to look.
enum StatusMapping {
    /// `status` of an order; nil for words we do not know.
    ///
    /// A refunded order was paid; one that is called fraudulent was not kept.
    /// Source: lemonsqueezy.js, src/orders/types.ts. `partial_refund` and `fraudulent` are from
    /// memory, not verified.
    static func order(_ word: String) -> CheckoutStatus? {
        switch word {
        case "pending": .pending
        case "paid", "refunded", "partial_refund": .succeeded
        case "failed", "fraudulent": .failed
        default: nil
        }
    }

    /// `status` of a subscription; nil for words we do not know.
    ///
    /// Source: lemonsqueezy.js, src/subscriptions/types.ts.
    static func subscription(_ word: String) -> SubscriptionState? {
        switch word {
        case "on_trial", "active": .active
        case "past_due", "unpaid": .pastDue
        case "paused": .paused
        case "cancelled": .cancelled
        case "expired": .expired
        default: nil
        }
    }

    /// `billing_reason` of a paid subscription invoice; the first one begins the subscription.
    ///
    /// Source: lemonsqueezy.js, src/subscriptionInvoices/types.ts.
    static func paidInvoice(_ billingReason: String?) -> SubscriptionState {
        billingReason == "renewal" ? .renewed : .active
    }

    /// What an event's name says; the object in `data` is of the kind named.
    enum Meaning: Sendable, Hashable {
        /// An order as its status says.
        case order
        /// An order with the sum of what went back.
        case orderRefunded
        /// A subscription; nil = as the object says.
        case subscription(SubscriptionState?)
        /// An invoice of a subscription that was paid.
        case invoicePaid
        /// An invoice of a subscription that was not paid.
        case invoiceFailed
        case licenceKey
    }

    /// `meta.event_name` of a webhook; every name that is not here is ignored, with its name kept.
    ///
    /// `subscription_payment_refunded` is among those: the first invoice's refund is reported with
    /// its order, and an invoice's id is not an order's. Source: lemonsqueezy.js,
    /// src/webhooks/types.ts.
    static let events: [String: Meaning] = [
        "order_created": .order,
        "order_refunded": .orderRefunded,
        "subscription_created": .subscription(nil),
        "subscription_updated": .subscription(nil),
        "subscription_cancelled": .subscription(.cancelled),
        "subscription_resumed": .subscription(.active),
        "subscription_expired": .subscription(.expired),
        "subscription_paused": .subscription(.paused),
        "subscription_unpaused": .subscription(.active),
        "subscription_payment_success": .invoicePaid,
        "subscription_payment_recovered": .invoicePaid,
        "subscription_payment_failed": .invoiceFailed,
        "license_key_created": .licenceKey,
        "license_key_updated": .licenceKey,
    ]
}
