public import CheckoutModel
public import ProviderKit

/// What comes back: the merchant's `redirect_url` or `cancel_url`, to which nothing is appended
/// (from memory, not verified).
extension CoinbaseCommerceProvider: ReturnURLParsing {
    private static let vocabulary = ReturnVocabulary(parameters: [:], statusWords: [:])

    /// Empty.
    public var returnVocabulary: ReturnVocabulary { Self.vocabulary }

    /// Pending after redirect_url, since funds that were seen are not final; cancelled after
    /// cancel_url.
    public func parseReturn(_ request: ReturnRequest) throws(ReturnRejection) -> ReturnClaim {
        ReturnClaim(
            status: request.landing == .cancel ? .cancelled : .pending, ids: ProviderIDs(),
            privateFields: PrivateFields(), reading: Self.vocabulary.read(request.url))
    }
}
