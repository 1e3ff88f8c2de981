import CheckoutModel
import ProviderKit

/// Every word of Razorpay's that decides anything, and what it means here.
///
/// The one place to look.
enum StatusMapping {
    /// `razorpay_payment_link_status` of a return, compared without ASCII case.
    ///
    /// All other words, and none, are pending: `created`, `partially_paid`, and what comes next.
    /// Source: razorpay-python, documents/paymentLink.md and tests/mocks; the list of words is from
    /// memory, not verified.
    static let returnWords: KeyValuePairs<String, CheckoutStatus> = [
        "paid": .succeeded,
        "cancelled": .cancelled,
        "expired": .expired,
    ]

    /// `status` of a payment link; nil for words we do not know.
    ///
    /// The list of words is from memory, not verified.
    static func paymentLink(_ word: String) -> CheckoutStatus? {
        switch word {
        case "paid": .succeeded
        case "created", "partially_paid": .pending
        case "cancelled": .cancelled
        case "expired": .expired
        default: nil
        }
    }

    /// `status` of an order; nil for words we do not know.
    ///
    /// Source: razorpay-python, tests/mocks/fake_order.json; razorpay.com/docs, orders.
    static func order(_ word: String) -> CheckoutStatus? {
        switch word {
        case "paid": .succeeded
        case "created", "attempted": .pending
        default: nil
        }
    }

    /// `status` of a payment; nil for words we do not know.
    ///
    /// A refunded payment was paid. A failed one may still be authorised late.
    /// Source: razorpay-python, tests/mocks; razorpay.com/docs, payments.
    static func payment(_ word: String) -> CheckoutStatus? {
        switch word {
        case "captured", "refunded": .succeeded
        case "created", "authorized", "pending": .pending
        case "failed": .failed
        default: nil
        }
    }

    /// `status` of a refund; nil for words we do not know.
    ///
    /// Source: razorpay-python, tests/mocks/fake_refund.json; razorpay.com/docs, refunds.
    static func refund(_ word: String) -> RefundState? {
        switch word {
        case "processed": .succeeded
        case "pending": .pending
        case "failed": .failed
        default: nil
        }
    }

    /// `status` of a subscription; nil for words we do not know.
    ///
    /// Source: razorpay.com/docs, subscriptions.
    static func subscription(_ word: String) -> SubscriptionState? {
        switch word {
        case "created", "authenticated": .pending
        case "active": .active
        case "pending", "halted": .pastDue
        case "paused": .paused
        case "cancelled": .cancelled
        case "completed", "expired": .expired
        default: nil
        }
    }

    /// What an event's name says.
    enum Meaning: Sendable, Hashable {
        /// A payment alone.
        case payment(CheckoutStatus)
        case authorized
        /// An order, and the payment that paid it.
        case orderPaid
        /// A payment link, and its payment where there is one.
        case link(CheckoutStatus)
        case linkExpired
        case refund(RefundState)
        case dispute(DisputeState)
        /// A subscription; nil = as the object says.
        case subscription(SubscriptionState?)
    }

    /// `event` of a webhook; every name that is not here is ignored, and kept: `invoice.…`,
    /// `settlement.…`, `payment.downtime.…`, `refund.speed_changed` and whatever comes next.
    ///
    /// Source: razorpay.com/docs, webhooks (all events).
    static let events: [String: Meaning] = [
        "payment.authorized": .authorized,
        "payment.captured": .payment(.succeeded),
        "payment.failed": .payment(.failed),
        "payment.pending": .payment(.pending),
        "order.paid": .orderPaid,
        "payment_link.paid": .link(.succeeded),
        "payment_link.partially_paid": .link(.pending),
        "payment_link.cancelled": .link(.cancelled),
        "payment_link.expired": .linkExpired,
        "refund.created": .refund(.pending),
        "refund.processed": .refund(.succeeded),
        "refund.failed": .refund(.failed),
        "payment.dispute.created": .dispute(.opened),
        "payment.dispute.action_required": .dispute(.opened),
        "payment.dispute.under_review": .dispute(.underReview),
        "payment.dispute.won": .dispute(.won),
        "payment.dispute.lost": .dispute(.lost),
        "payment.dispute.closed": .dispute(.closed),
        "subscription.authenticated": .subscription(.pending),
        "subscription.activated": .subscription(.active),
        // Each charge that went through, the first too.
        "subscription.charged": .subscription(.renewed),
        // A charge failed and is tried again; then it is given up until the card is changed.
        "subscription.pending": .subscription(.pastDue),
        "subscription.halted": .subscription(.pastDue),
        "subscription.paused": .subscription(.paused),
        "subscription.resumed": .subscription(.active),
        "subscription.cancelled": .subscription(.cancelled),
        "subscription.completed": .subscription(.expired),
        "subscription.updated": .subscription(nil),
    ]
}
