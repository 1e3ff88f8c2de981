import CheckoutModel
import ProviderKit

/// Every word of Stripe's that decides anything, and what it means here.
///
/// The one place to look.
enum StatusMapping {
    /// Where Stripe's amounts have other decimals than ISO 4217: ISK and UGX are sent as hundredths
    /// though they have none, MGA is sent whole though it has fifths counted as two decimals.
    ///
    /// Source: docs.stripe.com, Supported currencies (special cases, zero-decimal currencies).
    static let moneyProfile = MoneyProfile(
        name: "stripe",
        exceptions: [("ISK", 2), ("UGX", 2), ("MGA", 0)].reduce(into: [:]) { table, entry in
            if let currency = Currency(entry.0) { table[currency] = entry.1 }
        })

    /// `status` and `payment_status` of a checkout session; nil for words we do not know.
    ///
    /// Complete and unpaid is pending: a bank debit or voucher is on its way.
    /// Source: stripe-python, stripe/checkout/_session.py.
    static func session(status: String?, paymentStatus: String?) -> CheckoutStatus? {
        switch (status, paymentStatus) {
        case ("complete", "paid"), ("complete", "no_payment_required"): .succeeded
        case ("complete", "unpaid"): .pending
        case ("open", _): .pending
        case ("expired", _): .expired
        default: nil
        }
    }

    /// `status` of a payment intent; nil for words we do not know.
    ///
    /// Source: stripe-python, stripe/_payment_intent.py.
    static func paymentIntent(_ word: String) -> CheckoutStatus? {
        switch word {
        case "succeeded": .succeeded
        case "canceled": .cancelled
        case "processing", "requires_action", "requires_capture", "requires_confirmation",
            "requires_payment_method":
            .pending
        default: nil
        }
    }

    /// `status` of a refund; unknown words are pending.
    ///
    /// Source: stripe-python, stripe/_refund.py.
    static func refund(_ word: String?) -> RefundState {
        switch word {
        case "succeeded": .succeeded
        case "failed", "canceled": .failed
        default: .pending
        }
    }

    /// `status` of a dispute; nil for words we do not know.
    ///
    /// Source: stripe-python, stripe/_dispute.py.
    static func dispute(_ word: String) -> DisputeState? {
        switch word {
        case "needs_response", "warning_needs_response": .opened
        case "under_review", "warning_under_review": .underReview
        case "won": .won
        case "lost": .lost
        case "warning_closed", "prevented": .closed
        default: nil
        }
    }

    /// `status` of a subscription; nil for words we do not know.
    ///
    /// Source: stripe-python, stripe/_subscription.py.
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

    /// What an event's `type` says; the object in it is of the kind named.
    enum Meaning: Sendable, Hashable {
        /// A checkout session: the session's own words decide.
        case sessionCompleted
        /// A checkout session whose payment ended later.
        case sessionPayment(CheckoutStatus)
        case sessionExpired
        case paymentIntent(CheckoutStatus)
        /// A payment intent with money reserved on it.
        case authorized
        /// A charge; its refunds, where it lists them.
        case chargeRefunded
        case refund
        /// A dispute; nil = as the object says.
        case dispute(DisputeState?)
        /// A subscription; nil = as the object says.
        case subscription(SubscriptionState?)
        case invoicePaid
        case invoiceFailed
    }

    /// `type` of an event; every type that is not here is ignored, with its name kept.
    ///
    /// Source: stripe-python, stripe/_event.py.
    static let events: [String: Meaning] = [
        "checkout.session.completed": .sessionCompleted,
        "checkout.session.async_payment_succeeded": .sessionPayment(.succeeded),
        "checkout.session.async_payment_failed": .sessionPayment(.failed),
        "checkout.session.expired": .sessionExpired,
        "payment_intent.created": .paymentIntent(.pending),
        "payment_intent.requires_action": .paymentIntent(.pending),
        "payment_intent.processing": .paymentIntent(.pending),
        "payment_intent.succeeded": .paymentIntent(.succeeded),
        "payment_intent.payment_failed": .paymentIntent(.failed),
        "payment_intent.canceled": .paymentIntent(.cancelled),
        "payment_intent.amount_capturable_updated": .authorized,
        "charge.refunded": .chargeRefunded,
        "charge.refund.updated": .refund,
        "refund.created": .refund,
        "refund.updated": .refund,
        "refund.failed": .refund,
        "charge.dispute.created": .dispute(.opened),
        "charge.dispute.updated": .dispute(nil),
        "charge.dispute.funds_withdrawn": .dispute(nil),
        "charge.dispute.funds_reinstated": .dispute(nil),
        "charge.dispute.closed": .dispute(nil),
        "customer.subscription.created": .subscription(nil),
        "customer.subscription.updated": .subscription(nil),
        "customer.subscription.resumed": .subscription(nil),
        "customer.subscription.paused": .subscription(.paused),
        "customer.subscription.deleted": .subscription(.cancelled),
        "invoice.paid": .invoicePaid,
        "invoice.payment_failed": .invoiceFailed,
    ]
}
