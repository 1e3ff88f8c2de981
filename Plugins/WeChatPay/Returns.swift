public import CheckoutModel
public import ProviderKit

/// WeChat appends nothing to the page that it goes back to, and has one page for every end.
/// From memory, not verified.
extension WeChatPayProvider: ReturnURLParsing {
    private static let vocabulary = ReturnVocabulary(parameters: [:], statusWords: [:])

    /// No parameters and no words.
    public var returnVocabulary: ReturnVocabulary { Self.vocabulary }

    /// Always pending.
    public func parseReturn(_ request: ReturnRequest) throws(ReturnRejection) -> ReturnClaim {
        ReturnClaim(
            status: .pending, ids: ProviderIDs(), privateFields: PrivateFields(),
            reading: Self.vocabulary.read(request.url))
    }
}
