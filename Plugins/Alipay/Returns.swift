public import CheckoutModel
public import ProviderKit

/// What Alipay appends to the return URL: ids and an amount, signed, and no status.
/// Source: smartwalle/alipay, examples/main.go; alipay-sdk-nodejs-all, test/alipay.test.ts.
extension AlipayProvider: SignedReturn {
    private static let vocabulary = ReturnVocabulary(
        parameters: ["out_trade_no": .session, "trade_no": .payment], statusWords: [:])

    /// The trade's two numbers; no status words, because Alipay sends none.
    public var returnVocabulary: ReturnVocabulary { Self.vocabulary }

    /// Always pending, signed or not: the customer came back, and the notification or a query tells
    /// how the trade stands.
    public func parseReturn(_ request: ReturnRequest) throws(ReturnRejection) -> ReturnClaim {
        let reading = Self.vocabulary.read(request.url)
        try request.check(session: reading.sessionID)
        return ReturnClaim(
            status: .pending, ids: reading.ids, privateFields: PrivateFields(), reading: reading)
    }

    /// One plan over the query.
    ///
    /// Throws `missing_signature`; `malformed_return` for a query that two readers could read
    /// differently and for another application's; `signature_mismatch` for another algorithm.
    public func plan(for request: ReturnRequest) throws(ReturnRejection) -> VerificationPlan {
        guard let form = SignedForm((request.url.query ?? "").utf8) else { throw .malformed }
        switch form.fault {
        case .noSignature: throw .missingSignature
        case .otherAlgorithm: throw .signatureMismatch
        case nil: break
        }
        if let account, let named = named(in: form), named != account { throw .malformed }
        return form.plan
    }
}
