import CheckoutModel
import ProviderKit

/// Every word of Coinbase Commerce's that decides anything, and what it means here.
///
/// The one place to look.
enum StatusMapping {
    /// The last `status` of a charge's timeline; nil for words we do not know.
    ///
    /// Pending means that funds were seen and may still go away. Source: docs.cdp.coinbase.com,
    /// Payment status. Expired, canceled, unresolved (too little, too much, too late) and resolved
    /// (a person decided) are from memory, not verified; the last two are pending, because they do
    /// not say how much came.
    static func timeline(_ word: String) -> CheckoutStatus? {
        switch word {
        case "NEW", "SIGNED", "PENDING", "UNRESOLVED", "RESOLVED": .pending
        case "COMPLETED": .succeeded
        case "FAILED": .failed
        case "EXPIRED": .expired
        case "CANCELED": .cancelled
        default: nil
        }
    }

    /// The words of a timeline that end before any funds were seen.
    static let unpaid: Set<String> = ["NEW", "SIGNED", "EXPIRED", "CANCELED"]

    /// `event.type` of a webhook; every type that is not here is ignored, with its name kept.
    ///
    /// Source: docs.cdp.coinbase.com, Webhooks fields. `charge:delayed` (paid late) and
    /// `charge:resolved` (a person decided) are from memory, not verified, and so pending.
    static let events: [String: CheckoutStatus] = [
        "charge:created": .pending,
        "charge:pending": .pending,
        "charge:confirmed": .succeeded,
        "charge:failed": .failed,
        "charge:delayed": .pending,
        "charge:resolved": .pending,
    ]
}
