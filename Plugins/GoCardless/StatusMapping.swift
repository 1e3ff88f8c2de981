import CheckoutModel
import ProviderKit

/// Every word of GoCardless's that decides anything, and what it means here.
///
/// The one place to look.
enum StatusMapping {
    /// `status` of a payment; nil for words we do not know.
    ///
    /// What was charged back had been paid: the dispute tells the rest.
    /// Source: developer.gocardless.com, API reference, Payments.
    static func payment(_ word: String) -> CheckoutStatus? {
        switch word {
        case "pending_customer_approval", "pending_submission", "submitted": .pending
        case "confirmed", "paid_out", "charged_back": .succeeded
        case "cancelled": .cancelled
        case "customer_approval_denied", "failed": .failed
        default: nil
        }
    }

    /// `status` of a billing request; nil for words we do not know.
    ///
    /// A fulfilled one has made its payment, which is still to be collected.
    /// Source: developer.gocardless.com, API reference, Billing Requests.
    static func billingRequest(_ word: String) -> CheckoutStatus? {
        switch word {
        case "pending", "ready_to_fulfil", "fulfilling", "fulfilled": .pending
        case "cancelled": .cancelled
        default: nil
        }
    }

    /// What an event says.
    enum Meaning: Sendable, Hashable {
        case payment(CheckoutStatus)
        /// Failed, unless it is tried again.
        case paymentFailed
        /// The bank took the money back; known by the payment's id, as GoCardless gives no other.
        case reversal(DisputeState)
        case refund(RefundState)
        case subscription(SubscriptionState)
    }

    /// `resource_type` and `action` of an event; every pair that is not here is ignored, with its
    /// name kept.
    ///
    /// A payment that was paid out can fail late: the failure is told first, and settled when the
    /// money is taken back. Source: developer.gocardless.com, Event types. From memory, not
    /// verified: what `funds_returned` and `refund_settled` mean for the customer.
    static let events: [String: [String: Meaning]] = [
        "payments": [
            "created": .payment(.pending),
            "customer_approval_granted": .payment(.pending),
            "submitted": .payment(.pending),
            "resubmission_requested": .payment(.pending),
            "customer_approval_denied": .payment(.failed),
            "confirmed": .payment(.succeeded),
            "paid_out": .payment(.succeeded),
            "failed": .paymentFailed,
            "cancelled": .payment(.cancelled),
            "charged_back": .reversal(.lost),
            "chargeback_settled": .reversal(.lost),
            "chargeback_cancelled": .reversal(.won),
            "late_failure_settled": .reversal(.lost),
        ],
        "refunds": [
            "created": .refund(.pending),
            "paid": .refund(.succeeded),
            "refund_settled": .refund(.succeeded),
            "failed": .refund(.failed),
            "funds_returned": .refund(.reversed),
        ],
        "billing_requests": [
            "fulfilled": .payment(.pending),
            "cancelled": .payment(.cancelled),
            "failed": .payment(.failed),
        ],
        "subscriptions": [
            "created": .subscription(.pending),
            "customer_approval_granted": .subscription(.active),
            "customer_approval_denied": .subscription(.failed),
            "paused": .subscription(.paused),
            "resumed": .subscription(.active),
            "cancelled": .subscription(.cancelled),
            "finished": .subscription(.expired),
        ],
    ]
}
