import CheckoutModel
import ProviderKit

/// Every word of Square's that decides anything, and what it means here.
///
/// The one place to look.
enum StatusMapping {
    /// `status` of a payment; nil for words we do not know.
    ///
    /// Source: square-python-sdk, src/square/types/payment.py.
    static func payment(_ word: String) -> CheckoutStatus? {
        switch word {
        case "COMPLETED": .succeeded
        case "APPROVED", "PENDING": .pending
        case "CANCELED": .cancelled
        case "FAILED": .failed
        default: nil
        }
    }

    /// True when the payment's word says that its money is reserved and not yet taken.
    static func isAuthorised(_ word: String) -> Bool { word == "APPROVED" }

    /// `state` of an order; nil for words we do not know, and for an open order, which its payments
    /// tell.
    ///
    /// An order becomes open when it was paid, and complete when it was delivered too.
    /// Source: square-python-sdk, src/square/types/order_state.py; developer.squareup.com,
    /// checkout-api/quick-pay-checkout.
    static func order(_ word: String) -> OrderMeaning? {
        switch word {
        case "DRAFT": .status(.pending)
        case "OPEN": .asPaid
        case "COMPLETED": .status(.succeeded)
        case "CANCELED": .status(.cancelled)
        default: nil
        }
    }

    /// What an order's state says.
    enum OrderMeaning: Sendable, Hashable {
        case status(CheckoutStatus)
        /// Its amounts and payments tell.
        case asPaid
    }

    /// `status` of a card among an order's payments that means: taken.
    ///
    /// Source: square-python-sdk, src/square/types/tender_card_details_status.py.
    static let capturedCard = "CAPTURED"

    /// `status` of a refund; unknown words are pending.
    ///
    /// Source: square-python-sdk, src/square/types/payment_refund.py.
    static func refund(_ word: String?) -> RefundState {
        switch word {
        case "COMPLETED": .succeeded
        case "REJECTED", "FAILED": .failed
        default: .pending
        }
    }

    /// `state` of a dispute; nil for words we do not know.
    ///
    /// Source: square-python-sdk, src/square/types/dispute_state.py.
    static func dispute(_ word: String) -> DisputeState? {
        switch word {
        case "INQUIRY_EVIDENCE_REQUIRED", "EVIDENCE_REQUIRED": .opened
        case "INQUIRY_PROCESSING", "PROCESSING": .underReview
        case "INQUIRY_CLOSED": .closed
        case "WON": .won
        // The merchant gave in.
        case "LOST", "ACCEPTED": .lost
        default: nil
        }
    }

    /// `status` of a subscription; nil for words we do not know.
    ///
    /// Source: square-python-sdk, src/square/types/subscription_status.py.
    static func subscription(_ word: String) -> SubscriptionState? {
        switch word {
        case "PENDING": .pending
        case "ACTIVE": .active
        case "PAUSED": .paused
        case "CANCELED", "DEACTIVATED": .cancelled
        default: nil
        }
    }

    /// What an event's `type` says: that an object of this kind changed.
    ///
    /// The object tells how it stands.
    enum Meaning: Sendable, Hashable {
        case payment
        case refund
        /// A dispute; where its own word is not known, this.
        case dispute(otherwise: DisputeState?)
        case subscription
    }

    /// `type` of a webhook; every type that is not here is ignored, with its name kept: `order.…`,
    /// which tells nothing that the payments do not, `invoice.…`, `webhooks.test_notification` and
    /// whatever comes next.
    ///
    /// Source: square-python-sdk, src/square/types (`…_event.py`); `dispute.state.changed` is the
    /// name in older API versions.
    static let events: [String: Meaning] = [
        "payment.created": .payment,
        "payment.updated": .payment,
        "refund.created": .refund,
        "refund.updated": .refund,
        "dispute.created": .dispute(otherwise: .opened),
        "dispute.state.changed": .dispute(otherwise: nil),
        "dispute.state.updated": .dispute(otherwise: nil),
        "subscription.created": .subscription,
        "subscription.updated": .subscription,
    ]
}
