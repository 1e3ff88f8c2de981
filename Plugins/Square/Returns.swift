public import CheckoutModel
public import ProviderKit

/// What Square appends to the redirect URL: ids, no status, no signature; nothing at all in its
/// sandbox.
///
/// `checkoutId` belongs to the retired Checkout API and names nothing that is heard of again.
/// Source: square-python-sdk, src/square/types/checkout.py (`redirect_url`).
extension SquareProvider: ReturnURLParsing {
    private static let vocabulary = ReturnVocabulary(
        parameters: [
            "orderId": .session, "referenceId": .order, "transactionId": .payment,
        ], statusWords: [:])

    /// The ids; no status words, because Square sends none.
    public var returnVocabulary: ReturnVocabulary { Self.vocabulary }

    /// Always pending: Square comes back after a completed checkout only, and anyone can write the
    /// URL.
    public func parseReturn(_ request: ReturnRequest) throws(ReturnRejection) -> ReturnClaim {
        let reading = Self.vocabulary.read(request.url)
        try request.check(session: reading.sessionID)
        return ReturnClaim(
            status: .pending, ids: reading.ids, privateFields: PrivateFields(), reading: reading)
    }
}
