import CheckoutModel
import ProviderKit

/// Every word of Checkout.com's that decides anything, and what it means here.
///
/// The one place to look.
enum StatusMapping {
    /// `status` of a payment; nil for words we do not know.
    ///
    /// Authorized is pending: the money is reserved and not taken. A refunded payment was paid.
    /// Source: seen in public code that quotes the API reference (getPaymentDetails).
    static func payment(_ word: String) -> CheckoutStatus? {
        switch word {
        case "Pending", "Authorized", "Card Verified", "Partially Captured": .pending
        case "Captured", "Paid", "Partially Refunded", "Refunded": .succeeded
        case "Declined": .failed
        case "Voided", "Canceled", "Expired": .cancelled
        default: nil
        }
    }

    /// `status` of a hosted page; nil for words we do not know.
    ///
    /// Received is pending: it does not say whether the money was reserved or taken, and the
    /// payment that the page names does. From memory, not verified.
    static func page(_ word: String) -> CheckoutStatus? {
        switch word {
        case "Payment Pending", "Payment Received": .pending
        case "Expired": .expired
        default: nil
        }
    }

    /// What an event's `type` says; the object in `data` is of the kind named.
    enum Meaning: Sendable, Hashable {
        case payment(CheckoutStatus)
        /// Money is reserved.
        case authorized
        /// Reserved money was taken.
        case captured
        /// A refund, named by the action.
        case refund(RefundState)
        case dispute(DisputeState)
    }

    /// `type` of a webhook; every type that is not here is ignored, with its name kept:
    /// authentication_*, card_verified, payment_capture_declined, payment_void_declined and
    /// whatever comes next.
    ///
    /// Source: checkout-sdk-go, webhooks (names); checkout.com, docs, Event types. What a dispute's
    /// end without a decision means for the money is from memory, not verified: it is closed.
    static let events: [String: Meaning] = [
        "payment_pending": .payment(.pending),
        "payment_capture_pending": .payment(.pending),
        "payment_approved": .authorized,
        "payment_captured": .captured,
        "payment_paid": .payment(.succeeded),
        "payment_declined": .payment(.failed),
        "payment_expired": .payment(.cancelled),
        "payment_canceled": .payment(.cancelled),
        "payment_voided": .payment(.cancelled),
        "payment_refund_pending": .refund(.pending),
        "payment_refunded": .refund(.succeeded),
        "payment_refund_declined": .refund(.failed),
        "dispute_received": .dispute(.opened),
        "dispute_evidence_required": .dispute(.opened),
        "dispute_evidence_submitted": .dispute(.underReview),
        "dispute_arbitration_sent_to_scheme": .dispute(.underReview),
        "dispute_won": .dispute(.won),
        "dispute_arbitration_won": .dispute(.won),
        "dispute_lost": .dispute(.lost),
        "dispute_arbitration_lost": .dispute(.lost),
        // The merchant gave in.
        "dispute_accepted": .dispute(.lost),
        // No answer can be given any more; who has the money is not said.
        "dispute_expired": .dispute(.closed),
        // Withdrawn by the bank, the money credited back.
        "dispute_canceled": .dispute(.closed),
        // Ended because the payment had been refunded.
        "dispute_resolved": .dispute(.closed),
    ]
}
