import CheckoutModel
import ProviderKit

/// Every word of Mollie's that decides anything, and what it means here.
///
/// The one place to look.
enum StatusMapping {
    /// `status` of a payment; nil for words we do not know.
    ///
    /// Refunds and chargebacks do not change it: what was paid stays `paid`.
    /// Source: mollie-api-php, src/Types/PaymentStatus.php.
    static func payment(_ word: String) -> CheckoutStatus? {
        switch word {
        case "open", "pending", "authorized": .pending
        case "paid": .succeeded
        case "failed": .failed
        case "canceled": .cancelled
        case "expired": .expired
        default: nil
        }
    }

    /// `status` of a refund; nil for words we do not know.
    ///
    /// Source: mollie-api-php, src/Types/RefundStatus.php.
    static func refund(_ word: String) -> RefundState? {
        switch word {
        case "queued", "pending", "processing": .pending
        case "refunded": .succeeded
        case "failed", "canceled": .failed
        default: nil
        }
    }

    /// What a signed message is about; the entity in it is of the kind named.
    enum Meaning: Sendable, Hashable {
        /// A payment; nil = as the entity says.
        case payment(CheckoutStatus?)
        case authorized
        case captured
        case paymentLinkPaid
        /// A refund; nil = as the entity says.
        case refund(RefundState?)
        /// A chargeback; nil = as the entity says.
        case chargeback(DisputeState?)
        case dispute(DisputeState)
    }

    /// `type` of an event; every type that is not here is ignored, with its name kept.
    ///
    /// A resolved dispute does not say for whom. Source: mollie-api-php,
    /// src/Webhooks/Events; docs.mollie.com, changelog of the Webhooks API.
    static let events: [String: Meaning] = [
        "payment.paid": .payment(.succeeded),
        "payment.failed": .payment(.failed),
        "payment.canceled": .payment(.cancelled),
        "payment.expired": .payment(.expired),
        "payment.pending": .payment(.pending),
        "payment.authorized": .authorized,
        "capture.succeeded": .captured,
        "payment-link.paid": .paymentLinkPaid,
        "refund.queued": .refund(.pending),
        "refund.pending": .refund(.pending),
        "refund.processing": .refund(.pending),
        "refund.refunded": .refund(.succeeded),
        "refund.failed": .refund(.failed),
        "refund.canceled": .refund(.failed),
        // The customer's bank has taken the money back; the merchant was not asked.
        "chargeback.received": .chargeback(.lost),
        "chargeback.reversed": .chargeback(.won),
        "dispute.created": .dispute(.opened),
        "dispute.resolved": .dispute(.closed),
    ]

    /// `resource` of a signed message that is a bare snapshot, without an event around it.
    ///
    /// Source: docs.mollie.com, Webhooks for the Chargebacks API.
    static let snapshots: [String: Meaning] = [
        "payment": .payment(nil), "refund": .refund(nil), "chargeback": .chargeback(nil),
    ]
}
