import CheckoutLedger
import HTTPServer
import ProviderKit

extension WebResponse {
    /// What an adapter wants to have answered.
    init(_ reply: HTTPReply) {
        self.init(
            status: reply.status,
            headers: reply.headers.fields.map { WebField($0.name, $0.value) },
            body: .bytes(reply.body))
    }
}

extension DeliveryReceipt.Verdict {
    /// The word in logs and metrics.
    var word: String {
        switch self {
        case .recorded: "recorded"
        case .unhandled: "unhandled"
        case .duplicate: "duplicate"
        case .conflicting: "conflicting"
        case .quarantined: "quarantined"
        case .refused: "refused"
        }
    }
}

extension LedgerError {
    /// True where a key to check with is lacking, and the ledger itself is well.
    var isAboutKeys: Bool { code == .keyNotFetched || code == .keyCredentials }
}
