public import CheckoutModel
public import ProviderKit

/// What comes back: the merchant's `redirect_url`, to which nothing is appended (from memory, not
/// verified). So nothing in it is a status, and the landing never tells a success.
extension LemonSqueezyProvider: ReturnURLParsing {
    private static let vocabulary = ReturnVocabulary(parameters: [:], statusWords: [:])

    /// Empty.
    public var returnVocabulary: ReturnVocabulary { Self.vocabulary }

    /// Pending, or cancelled where the host knows that the customer came to its URL for that.
    public func parseReturn(_ request: ReturnRequest) throws(ReturnRejection) -> ReturnClaim {
        ReturnClaim(
            status: request.landing == .cancel ? .cancelled : .pending, ids: ProviderIDs(),
            privateFields: PrivateFields(), reading: Self.vocabulary.read(request.url))
    }
}
