import CheckoutModel
import ProviderKit

/// Every word of PayPal's that decides anything, and what it means here.
///
/// The one place to look.
enum StatusMapping {
    /// Currencies that PayPal takes without decimals although ISO 4217 counts two.
    ///
    /// From memory, not verified: HUF and TWD.
    static let moneyProfile = MoneyProfile(
        name: "paypal",
        exceptions: ["HUF", "TWD"].reduce(into: [:]) { table, code in
            if let currency = Currency(code) { table[currency] = 0 }
        })

    /// `status` of an order whose payer approved it and that waits for us.
    static let approvedOrder = "APPROVED"
    /// `intent` of an order whose money is taken by one capture; others are authorized first.
    static let captureIntent = "CAPTURE"
    /// `issue` of a refusal that says only that somebody was faster.
    ///
    /// From memory, not verified.
    static let capturedIssue = "ORDER_ALREADY_CAPTURED"

    /// What `status` of an order leaves to be asked.
    enum Order: Sendable, Hashable {
        case known(CheckoutStatus)
        /// The captures tell.
        case captured
    }

    /// `status` of an order; nil for words we do not know.
    ///
    /// Source: PayPal-TypeScript-Server-SDK, src/models/orderStatus.ts.
    static func order(_ word: String) -> Order? {
        switch word {
        case "CREATED", "SAVED", "APPROVED", "PAYER_ACTION_REQUIRED": .known(.pending)
        case "VOIDED": .known(.cancelled)
        case "COMPLETED": .captured
        default: nil
        }
    }

    /// `status` of a capture; nil for words we do not know.
    ///
    /// A refund does not undo that it was paid. Source: src/models/captureStatus.ts.
    static func capture(_ word: String) -> CheckoutStatus? {
        switch word {
        case "COMPLETED", "PARTIALLY_REFUNDED", "REFUNDED": .succeeded
        case "PENDING": .pending
        case "DECLINED", "FAILED": .failed
        default: nil
        }
    }

    /// `status` of a refund; unknown words are pending.
    ///
    /// Source: src/models/refundStatus.ts.
    static func refund(_ word: String?) -> RefundState {
        switch word {
        case "COMPLETED": .succeeded
        case "CANCELLED", "FAILED": .failed
        default: .pending
        }
    }

    /// `status` of a dispute that is not resolved; nil for words we do not know.
    ///
    /// Source: PayPal-NET-SDK, Source/v1/CustomerDisputes.
    static func dispute(_ word: String) -> DisputeState? {
        switch word {
        case "OPEN", "WAITING_FOR_SELLER_RESPONSE": .opened
        case "WAITING_FOR_BUYER_RESPONSE", "UNDER_REVIEW": .underReview
        default: nil
        }
    }

    /// `dispute_outcome.outcome_code` of a resolved dispute; nil for words we do not know.
    ///
    /// A payout leaves open who paid for it, and the words for an accepted or denied dispute leave
    /// open whose side was taken. Source: PayPal-NET-SDK, Source/v1/CustomerDisputes.
    static func disputeOutcome(_ word: String) -> DisputeState? {
        switch word {
        case "RESOLVED_BUYER_FAVOUR": .lost
        case "RESOLVED_SELLER_FAVOUR": .won
        case "RESOLVED_WITH_PAYOUT", "CANCELED_BY_BUYER", "ACCEPTED", "DENIED", "NONE": .closed
        default: nil
        }
    }

    /// `status` of a subscription; nil for words we do not know.
    ///
    /// From memory, not verified.
    static func subscription(_ word: String) -> SubscriptionState? {
        switch word {
        case "APPROVAL_PENDING", "APPROVED": .pending
        case "ACTIVE": .active
        case "SUSPENDED": .paused
        case "CANCELLED": .cancelled
        case "EXPIRED": .expired
        default: nil
        }
    }

    /// What an event's `event_type` says; the resource in it is of the kind named.
    enum Meaning: Sendable, Hashable {
        /// An order that waits for its capture.
        case orderApproved
        /// An order whose captures tell.
        case orderCompleted
        /// Approved, not captured in time, given back.
        case approvalReversed
        case capture(CheckoutStatus)
        /// A refund of a capture; nil = as the resource says.
        case refund(RefundState?)
        case authorized
        /// A sale of the first version of the API, which subscriptions still make.
        case sale(CheckoutStatus)
        case saleRefund
        /// A dispute; nil = as the resource says.
        case dispute(DisputeState?)
        /// A subscription; nil = as the resource says.
        case subscription(SubscriptionState?)
    }

    /// `event_type` of a webhook; every type that is not here is ignored, with its name kept.
    ///
    /// Source: developer.paypal.com, Webhook event names. From memory, not verified: disputes and
    /// subscriptions.
    static let events: [String: Meaning] = [
        "CHECKOUT.ORDER.APPROVED": .orderApproved,
        "CHECKOUT.ORDER.COMPLETED": .orderCompleted,
        "CHECKOUT.PAYMENT-APPROVAL.REVERSED": .approvalReversed,
        "PAYMENT.AUTHORIZATION.CREATED": .authorized,
        "PAYMENT.CAPTURE.COMPLETED": .capture(.succeeded),
        "PAYMENT.CAPTURE.PENDING": .capture(.pending),
        "PAYMENT.CAPTURE.DENIED": .capture(.failed),
        "PAYMENT.CAPTURE.DECLINED": .capture(.failed),
        "PAYMENT.CAPTURE.REFUNDED": .refund(nil),
        // PayPal took the money back itself.
        "PAYMENT.CAPTURE.REVERSED": .refund(.succeeded),
        "PAYMENT.REFUND.PENDING": .refund(.pending),
        "PAYMENT.REFUND.FAILED": .refund(.failed),
        "PAYMENT.SALE.COMPLETED": .sale(.succeeded),
        "PAYMENT.SALE.PENDING": .sale(.pending),
        "PAYMENT.SALE.DENIED": .sale(.failed),
        "PAYMENT.SALE.REFUNDED": .saleRefund,
        "PAYMENT.SALE.REVERSED": .saleRefund,
        "CUSTOMER.DISPUTE.CREATED": .dispute(.opened),
        "CUSTOMER.DISPUTE.UPDATED": .dispute(nil),
        "CUSTOMER.DISPUTE.RESOLVED": .dispute(nil),
        "BILLING.SUBSCRIPTION.CREATED": .subscription(.pending),
        "BILLING.SUBSCRIPTION.ACTIVATED": .subscription(.active),
        "BILLING.SUBSCRIPTION.RE-ACTIVATED": .subscription(.active),
        "BILLING.SUBSCRIPTION.UPDATED": .subscription(nil),
        "BILLING.SUBSCRIPTION.SUSPENDED": .subscription(.paused),
        "BILLING.SUBSCRIPTION.CANCELLED": .subscription(.cancelled),
        "BILLING.SUBSCRIPTION.EXPIRED": .subscription(.expired),
        "BILLING.SUBSCRIPTION.PAYMENT.FAILED": .subscription(.pastDue),
    ]
}
