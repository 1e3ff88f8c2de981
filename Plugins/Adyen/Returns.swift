public import CheckoutModel
public import ProviderKit

/// What comes back from Adyen: a session's id, or an opaque result to be posted to the API. No
/// status that can be read, no signature, and one URL for every end of a checkout.
/// Source: adyen-node-api-library, src/typings/checkout/paymentCompletionDetails.ts;
/// docs.adyen.com, `GET /sessions/{id}`.
extension AdyenProvider: ReturnURLParsing {
    private static let vocabulary = ReturnVocabulary(
        parameters: ["sessionId": .session], statusWords: [:])

    /// The session's id; no status words, because Adyen sends none.
    public var returnVocabulary: ReturnVocabulary { Self.vocabulary }

    /// Always pending, whatever a parameter claims.
    public func parseReturn(_ request: ReturnRequest) throws(ReturnRejection) -> ReturnClaim {
        let reading = Self.vocabulary.read(request.url)
        try request.check(session: reading.sessionID)
        return ReturnClaim(
            status: .pending, ids: reading.ids, privateFields: PrivateFields(), reading: reading)
    }
}
