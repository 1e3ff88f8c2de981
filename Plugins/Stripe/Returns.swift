public import CheckoutModel
public import ProviderKit

/// What comes back from Stripe: no status at all, and the session's id where the merchant put
/// `{CHECKOUT_SESSION_ID}` into the URL. The landing tells the rest.
/// Source: stripe-python, stripe/checkout/_session.py (success_url, cancel_url).
extension StripeProvider: ReturnURLParsing {
    static func parameters(
        _ configuration: StripeConfiguration
    ) -> KeyValuePairs<String, ReturnRole> {
        [configuration.sessionParameter: .session]
    }

    /// The one parameter; no status words, because Stripe sends none.
    ///
    /// A parameter called `status` is the merchant's own or a forger's.
    public var returnVocabulary: ReturnVocabulary { vocabulary }

    /// Pending after success_url, since bank debits land there unpaid; cancelled after cancel_url.
    ///
    /// A template that was not replaced, and any other text that is no session id, is no id.
    public func parseReturn(_ request: ReturnRequest) throws(ReturnRejection) -> ReturnClaim {
        let reading = vocabulary.read(request.url)
        let session = reading.sessionID.flatMap { $0.hasPrefix(Self.idPrefix) ? $0 : nil }
        try request.check(session: session)
        return ReturnClaim(
            status: request.landing == .cancel ? .cancelled : .pending,
            ids: ProviderIDs(session: session), privateFields: PrivateFields(), reading: reading)
    }
}
