public import CheckoutModel
public import ProviderKit

/// What comes back: one of three URLs, which tells how it went, and parameters that name the
/// payment. Nothing is signed.
/// Source: checkout-sdk-python, checkout_sdk/payments/hosted/hosted_payments.py (success_url,
/// failure_url, cancel_url). The parameter `cko-payment-id` is from memory, not verified;
/// `cko-session-id` lives for minutes and names no page, so it is not read.
extension CheckoutComProvider: ReturnURLParsing {
    private static let vocabulary = ReturnVocabulary(
        parameters: ["cko-payment-id": .payment], statusWords: [:])

    /// The one parameter; no status words, because none is sent.
    public var returnVocabulary: ReturnVocabulary { Self.vocabulary }

    /// Failed after failure_url, cancelled after cancel_url; pending after success_url, because an
    /// approved payment is not yet captured and anybody can type the URL.
    public func parseReturn(_ request: ReturnRequest) throws(ReturnRejection) -> ReturnClaim {
        let reading = Self.vocabulary.read(request.url)
        let status: CheckoutStatus =
            switch request.landing {
            case .failure: .failed
            case .cancel: .cancelled
            case .success, .unspecified: .pending
            }
        return ReturnClaim(
            status: status, ids: reading.ids, privateFields: PrivateFields(), reading: reading)
    }
}
