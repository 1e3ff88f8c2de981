public import CheckoutModel
public import ProviderKit

/// What Dodo appends to the return URL. It signs none of it, and never names the session.
/// Source: dodo-docs, checkout-session.mdx; mobile-sdk-ios, ResultParser.swift.
extension DodoPaymentsProvider: ReturnURLParsing {
    private static let vocabulary = ReturnVocabulary(
        parameters: [
            "status": .status, "payment_id": .payment, "subscription_id": .subscription,
            "email": .email, "license_key": .licenseKey,
        ],
        statusWords: StatusMapping.returnWords)

    /// Dodo's parameters and words.
    public var returnVocabulary: ReturnVocabulary { Self.vocabulary }

    /// The words as they stand.
    ///
    /// Only where there is no status at all does the landing count: Dodo appends nothing to the URL
    /// for customers who gave up.
    public func parseReturn(_ request: ReturnRequest) throws(ReturnRejection) -> ReturnClaim {
        let reading = Self.vocabulary.read(request.url)
        let gaveUp = request.landing == .cancel && reading.flags == .missingStatus
        return ReturnClaim(
            status: gaveUp ? .cancelled : reading.status, ids: reading.ids,
            privateFields: PrivateFields(
                customerEmail: reading.customerEmail, licenseKeys: reading.licenseKeys),
            reading: reading)
    }
}
