public import CheckoutModel
public import ProviderKit

/// What PayPal appends to both return URLs: `token`, the order, and `PayerID` once it was approved.
/// From memory, not verified: the names of the two parameters.
extension PayPalProvider: ReturnURLParsing {
    private static let vocabulary = ReturnVocabulary(
        parameters: ["token": .session, "PayerID": .customer], statusWords: [:])

    /// The two parameters; no status words, because PayPal sends none.
    public var returnVocabulary: ReturnVocabulary { Self.vocabulary }

    /// Pending after return_url, since an approved order is not captured yet; cancelled after
    /// cancel_url, unless a payer is named all the same.
    public func parseReturn(_ request: ReturnRequest) throws(ReturnRejection) -> ReturnClaim {
        let reading = Self.vocabulary.read(request.url)
        try request.check(session: reading.sessionID)
        let gaveUp = request.landing == .cancel && reading.flags == .missingStatus
        return ReturnClaim(
            status: gaveUp && reading.customerID == nil ? .cancelled : .pending,
            ids: reading.ids, privateFields: PrivateFields(), reading: reading)
    }
}
