public import CheckoutModel
public import ProviderKit

/// What comes back from Polar: no status at all, and the checkout's id where the merchant put
/// `{CHECKOUT_ID}` into the URL. The landing tells the rest.
/// Source: polar-python, models/checkoutcreate.py (success_url, return_url).
extension PolarProvider: ReturnURLParsing {
    /// The one parameter; no status words, because Polar sends none.
    public var returnVocabulary: ReturnVocabulary { vocabulary }

    /// Pending after success_url, since a checkout that the customer confirmed is not yet paid;
    /// cancelled after return_url, Polar's back button.
    ///
    /// Text that is no UUID, such as a template that was not replaced or a client secret, is no id.
    public func parseReturn(_ request: ReturnRequest) throws(ReturnRejection) -> ReturnClaim {
        let reading = vocabulary.read(request.url)
        let session = reading.sessionID.flatMap { Self.isUUID($0) ? $0 : nil }
        try request.check(session: session)
        return ReturnClaim(
            status: request.landing == .cancel ? .cancelled : .pending,
            ids: ProviderIDs(session: session), privateFields: PrivateFields(), reading: reading)
    }

    /// 8-4-4-4-12 hexadecimal digits, as all ids of Polar's are.
    static func isUUID(_ text: String) -> Bool {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12]
            && groups.joined().allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
                    || (0x41...0x46).contains($0)
            }
    }
}
