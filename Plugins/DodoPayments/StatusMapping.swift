import CheckoutModel
import ProviderKit

/// Every word of Dodo's that decides anything, and what it means here.
///
/// The one place to look.
enum StatusMapping {
    /// `status` of a return URL, compared without ASCII case.
    ///
    /// All other words, and none, are pending: processing, every `requires_…`,
    /// `partially_captured…`, `on_hold`, `paused`, `pending`, and what Dodo invents next.
    ///
    /// Dodo's own mobile SDK reads `cancelled` as pending and so never lets go of a payment that
    /// the provider ended; the word is the API's, so it is taken at its meaning. It stays a hint.
    /// Source: mobile-sdk-ios, ResultParser.swift and its tests; typescript, payments.ts.
    static let returnWords: KeyValuePairs<String, CheckoutStatus> = [
        "succeeded": .succeeded,
        "active": .succeeded,
        "failed": .failed,
        "expired": .expired,
        "cancelled": .cancelled,
    ]

    /// `status` of a payment object (IntentStatus); nil for words we do not know.
    ///
    /// Source: typescript, src/resources/payments.ts.
    static func payment(_ word: String) -> CheckoutStatus? {
        switch word {
        case "succeeded": .succeeded
        case "failed": .failed
        case "cancelled": .cancelled
        case "processing", "requires_customer_action", "requires_merchant_action",
            "requires_payment_method", "requires_confirmation", "requires_capture",
            "partially_captured", "partially_captured_and_capturable":
            .pending
        default: nil
        }
    }

    /// `status` of a subscription object; nil for words we do not know.
    ///
    /// Source: typescript, src/resources/subscriptions.ts.
    static func subscription(_ word: String) -> SubscriptionState? {
        switch word {
        case "pending": .pending
        case "active": .active
        case "on_hold": .pastDue
        case "paused": .paused
        case "cancelled": .cancelled
        case "failed": .failed
        case "expired": .expired
        default: nil
        }
    }

    /// What an event's `type` says.
    enum Meaning: Sendable, Hashable {
        case payment(CheckoutStatus)
        case refund(RefundState)
        case dispute(DisputeState)
        case subscription(SubscriptionState)
        /// The type says that something changed, the object says how it stands.
        case subscriptionAsItStands
        case licenceKey
    }

    /// `type` of a webhook; every type that is not here is ignored, with its name kept: payout.*,
    /// credit.*, abandoned_checkout.*, dunning.*, entitlement_grant.* and whatever comes next.
    ///
    /// Source: typescript, src/resources/webhook-events.ts.
    static let events: [String: Meaning] = [
        "payment.succeeded": .payment(.succeeded),
        "payment.failed": .payment(.failed),
        "payment.processing": .payment(.pending),
        "payment.cancelled": .payment(.cancelled),
        "refund.succeeded": .refund(.succeeded),
        "refund.failed": .refund(.failed),
        "dispute.opened": .dispute(.opened),
        "dispute.challenged": .dispute(.underReview),
        "dispute.won": .dispute(.won),
        "dispute.lost": .dispute(.lost),
        // The merchant gave in.
        "dispute.accepted": .dispute(.lost),
        // Withdrawn by the customer.
        "dispute.cancelled": .dispute(.closed),
        // The documents do not say who has the money then, so neither do we.
        "dispute.expired": .dispute(.closed),
        "subscription.active": .subscription(.active),
        "subscription.renewed": .subscription(.renewed),
        // Dodo holds a subscription when a renewal could not be paid.
        "subscription.on_hold": .subscription(.pastDue),
        "subscription.paused": .subscription(.paused),
        "subscription.unpaused": .subscription(.active),
        "subscription.cancelled": .subscription(.cancelled),
        "subscription.failed": .subscription(.failed),
        "subscription.expired": .subscription(.expired),
        "subscription.plan_changed": .subscriptionAsItStands,
        "subscription.updated": .subscriptionAsItStands,
        "subscription.update_payment_method": .subscriptionAsItStands,
        "license_key.created": .licenceKey,
    ]
}
