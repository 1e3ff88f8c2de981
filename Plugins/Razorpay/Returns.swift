public import CheckoutModel
public import ProviderKit

/// What Razorpay appends to the callback URL, signed under the secret of the API key.
///
/// Three kinds: a payment link's (`link|reference|status|payment`), an order's (`order|payment`)
/// and a subscription's (`payment|subscription`, the other way round). Fields are joined by `|`
/// without escaping, so only a link's reference, which stands between others, may hold one; and an
/// id that looks like one of another kind is refused, or an order's signature would pass for a
/// subscription's.
/// Source: razorpay-python, razorpay/utility/utility.py, tests/test_client_utility.py.
extension RazorpayProvider: SignedReturn {
    enum Name {
        static let payment = "razorpay_payment_id"
        static let link = "razorpay_payment_link_id"
        static let reference = "razorpay_payment_link_reference_id"
        static let status = "razorpay_payment_link_status"
        static let order = "razorpay_order_id"
        static let subscription = "razorpay_subscription_id"
        static let signature = "razorpay_signature"
    }

    private static let vocabulary = ReturnVocabulary(
        parameters: [
            Name.status: .status, Name.payment: .payment, Name.link: .session,
            Name.order: .session, Name.subscription: .subscription, Name.reference: .order,
        ], statusWords: StatusMapping.returnWords)

    /// Razorpay's parameters and words.
    public var returnVocabulary: ReturnVocabulary { Self.vocabulary }

    /// The words as they stand: a hint until ``plan(for:)`` held.
    ///
    /// Orders and subscriptions come back without a status, so they are pending: a payment that
    /// was authorised may still have to be captured.
    public func parseReturn(_ request: ReturnRequest) throws(ReturnRejection) -> ReturnClaim {
        let reading = Self.vocabulary.read(request.url)
        try request.check(session: reading.sessionID)
        var ids = reading.ids
        // As it is signed: a form's `+` is a space.
        if let reference = Self.form(request)?[Name.reference], reading.orderID != nil {
            ids = ProviderIDs(
                session: ids.session, payment: ids.payment, subscription: ids.subscription,
                order: reference)
        }
        return ReturnClaim(
            status: reading.status, ids: ids, privateFields: PrivateFields(), reading: reading)
    }

    /// One plan over the fields of the return's kind.
    ///
    /// Throws `missing_signature`; `malformed_return` where a parameter is repeated, the kind is
    /// not certain or a field is missing; `signature_mismatch` where fields could be taken apart
    /// in another way.
    public func plan(for request: ReturnRequest) throws(ReturnRejection) -> VerificationPlan {
        guard let form = Self.form(request) else { throw .malformed }
        let names = form.pairs.map(\.name).filter { $0.hasPrefix("razorpay_") }
        guard Set(names).count == names.count else { throw .malformed }
        guard let text = form[Name.signature], !text.isEmpty else { throw .missingSignature }
        let signed = try signedFields(of: form)
        let signature = SignatureCandidate.decode(text, .hex)
        return VerificationPlan(
            SignatureCandidate(
                scheme: "razorpay/return", algorithm: .hmacSHA256, keys: .secret(.apiKey),
                signed: [Array(signed.joined(separator: "|").utf8)],
                signatures: signature.map { [$0] } ?? []),
            time: nil)
    }

    private static func form(_ request: ReturnRequest) -> FormFields? {
        FormFields((request.url.query ?? "").utf8)
    }

    private func signedFields(of form: FormFields) throws(ReturnRejection) -> [String] {
        let kinds = [Name.link, Name.order, Name.subscription].filter { form[$0] != nil }
        guard kinds.count == 1, let kind = kinds.first else { throw .malformed }
        let payment = try id(Name.payment, in: form, prefix: "pay_")
        switch kind {
        case Name.link:
            let link = try id(kind, in: form, prefix: "plink_")
            let status = try id(Name.status, in: form, prefix: "")
            return [link, form[Name.reference] ?? "", status, payment]
        case Name.order: return [try id(kind, in: form, prefix: "order_"), payment]
        default: return [payment, try id(kind, in: form, prefix: "sub_")]
        }
    }

    /// A field that holds no `|` and does not begin as an id of another kind.
    private func id(
        _ name: String, in form: FormFields, prefix: String
    ) throws(ReturnRejection) -> String {
        guard let id = form[name], !id.isEmpty else { throw .malformed }
        let others = ["pay_", "plink_", "order_", "sub_"].filter { $0 != prefix }
        guard !id.utf8.contains(UInt8(ascii: "|")), !others.contains(where: id.hasPrefix) else {
            throw .signatureMismatch
        }
        return id
    }
}
