public import CheckoutModel
public import ProviderKit

/// What customers come back with; which parameters GoCardless appends is not verified, so none is
/// read. Source: gocardless-pro-python, billing_request_flow.py (redirect_uri, exit_uri).
extension GoCardlessProvider: ReturnURLParsing {
    private static let vocabulary = ReturnVocabulary(parameters: [:], statusWords: [:])

    /// No parameters and no words.
    public var returnVocabulary: ReturnVocabulary { Self.vocabulary }

    /// Pending after redirect_uri, because a debit is only agreed to there; cancelled after
    /// exit_uri.
    public func parseReturn(_ request: ReturnRequest) throws(ReturnRejection) -> ReturnClaim {
        ReturnClaim(
            status: request.landing == .cancel ? .cancelled : .pending, ids: ProviderIDs(),
            privateFields: PrivateFields(), reading: Self.vocabulary.read(request.url))
    }
}
