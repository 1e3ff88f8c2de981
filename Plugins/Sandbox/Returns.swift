public import CheckoutModel
public import ProviderKit

/// What the sandbox adds to the return URL.
///
/// It signs none of it, as most providers do not.
extension SandboxProvider: ReturnURLParsing {
    private static let vocabulary = ReturnVocabulary(
        parameters: [
            "status": .status, "checkout_id": .session, "payment_id": .payment,
        ],
        statusWords: StatusMapping.returnWords)

    /// The sandbox's parameters and words.
    public var returnVocabulary: ReturnVocabulary { Self.vocabulary }

    /// The words as they stand; without one, a landing on the cancel URL says cancelled.
    public func parseReturn(_ request: ReturnRequest) throws(ReturnRejection) -> ReturnClaim {
        let reading = Self.vocabulary.read(request.url)
        try request.check(session: reading.sessionID)
        let gaveUp = request.landing == .cancel && reading.flags == .missingStatus
        return ReturnClaim(
            status: gaveUp ? .cancelled : reading.status, ids: reading.ids,
            privateFields: PrivateFields(), reading: reading)
    }
}
