import CheckoutModel
import ProviderKit

/// Every word of the sandbox's that decides anything, and what it means here.
///
/// The one place to look. Source: this project, Sources/SandboxCheckout/SandboxWords.swift.
enum StatusMapping {
    /// `status` of a return URL, compared without ASCII case.
    ///
    /// All other words, and none, are pending.
    static let returnWords: KeyValuePairs<String, CheckoutStatus> = [
        "succeeded": .succeeded,
        "failed": .failed,
        "cancelled": .cancelled,
        "expired": .expired,
        "pending": .pending,
    ]

    /// `status` of a checkout; nil for words we do not know.
    ///
    /// A declined attempt leaves the checkout open: the customer may try another card.
    static func checkout(_ word: String) -> CheckoutStatus? {
        switch word {
        case "open": .pending
        case "paid": .succeeded
        case "expired": .expired
        default: nil
        }
    }

    /// `status` of a payment; nil for words we do not know.
    static func payment(_ word: String) -> CheckoutStatus? {
        switch word {
        case "pending": .pending
        case "succeeded": .succeeded
        case "failed": .failed
        case "cancelled": .cancelled
        default: nil
        }
    }

    /// What an event's `type` says.
    enum Meaning: Sendable, Hashable {
        case payment(CheckoutStatus)
        case refund(RefundState)
        case dispute(DisputeState)
        case checkoutExpired
    }

    /// `type` of a webhook; every type that is not here is ignored, with its name kept.
    static let events: [String: Meaning] = [
        "payment.pending": .payment(.pending),
        "payment.succeeded": .payment(.succeeded),
        "payment.failed": .payment(.failed),
        "payment.cancelled": .payment(.cancelled),
        "refund.pending": .refund(.pending),
        "refund.succeeded": .refund(.succeeded),
        "refund.failed": .refund(.failed),
        "dispute.opened": .dispute(.opened),
        "dispute.under_review": .dispute(.underReview),
        "dispute.won": .dispute(.won),
        "dispute.lost": .dispute(.lost),
        "dispute.closed": .dispute(.closed),
        "checkout.expired": .checkoutExpired,
    ]
}
