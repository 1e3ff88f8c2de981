public import CheckoutModel
public import ProviderKit

/// Mollie appends nothing to `redirectUrl`, where all customers land, paid or not.
/// From memory, not verified: that `cancelUrl` gets nothing either.
extension MollieProvider: ReturnURLParsing {
    private static let vocabulary = ReturnVocabulary(parameters: [:], statusWords: [:])

    /// No parameters and no words: what the URL carries is the merchant's own.
    public var returnVocabulary: ReturnVocabulary { Self.vocabulary }

    /// Pending, or cancelled after `cancelUrl`.
    public func parseReturn(_ request: ReturnRequest) throws(ReturnRejection) -> ReturnClaim {
        ReturnClaim(
            status: request.landing == .cancel ? .cancelled : .pending, ids: ProviderIDs(),
            privateFields: PrivateFields(), reading: Self.vocabulary.read(request.url))
    }
}
