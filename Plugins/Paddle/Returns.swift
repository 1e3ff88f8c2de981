public import CheckoutModel
public import ProviderKit

/// What comes back: the merchant's own success URL, to which Paddle appends nothing (from memory,
/// not verified). So nothing in it is a status, and the landing never tells a success.
extension PaddleProvider: ReturnURLParsing {
    /// The one parameter by which a merchant may name the transaction; no status words.
    public var returnVocabulary: ReturnVocabulary { vocabulary }

    /// Pending, or cancelled where the host knows that the customer came to its URL for that.
    public func parseReturn(_ request: ReturnRequest) throws(ReturnRejection) -> ReturnClaim {
        let reading = vocabulary.read(request.url)
        let session = reading.sessionID.flatMap { Self.isTransaction($0) ? $0 : nil }
        try request.check(session: session)
        return ReturnClaim(
            status: request.landing == .cancel ? .cancelled : .pending,
            ids: ProviderIDs(session: session), privateFields: PrivateFields(), reading: reading)
    }
}
