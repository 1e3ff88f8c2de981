import CheckoutLedger
import CheckoutModel
import ProviderKit

extension ReconcileResult {
    /// What came of it, in words that follow the session's name.
    var detail: String {
        switch ending {
        case .resolved(let outcome):
            outcome.evidence == .operator ? "by a person's decision" : "by provider query"
        case .pending where awaitsCompletion:
            "approved; the provider waits for us to take the money"
        case .pending: "the provider says that it is open"
        case .unclear(let reason): "the provider's answer tells nothing: \(reason.sentence)"
        case .needsReview(let codes):
            "paid, not as asked for: \(codes.map(\.rawValue).joined(separator: ", "))"
        case .notAsked(let obstacle): obstacle.message
        case .wouldAsk: url ?? ""
        }
    }
}

extension IndeterminateReason {
    fileprivate var sentence: String {
        switch self {
        case .notFound: "it knows no such checkout"
        case .rateLimited: "it was asked too often"
        case .providerTrouble: "it has trouble"
        case .unexpectedStatus: "an unexpected status"
        case .unreadable: "it cannot be read"
        case .unknownWord: "a status word that is not known here"
        case .otherObject: "it is about something else"
        }
    }
}
