public import CheckoutModel
public import ProviderKit

/// `alipay.trade.page.pay`: no request to be sent, but a signed URL that the customer opens. Alipay
/// knows of the trade once it was opened. Source: smartwalle/alipay, trade_type.go.
extension AlipayProvider {
    /// The longest title of a trade, in characters.
    private static let subjectCharacters = 256

    /// The page on which a draft is paid; the draft's reference becomes `out_trade_no`.
    ///
    /// The same draft at the same time gives the same URL, and the same reference the same trade,
    /// whatever is opened how often. Throws `unusable_amount` for other currencies than CNY and for
    /// nothing to pay; `missing_field`; `unusable_id` for a reference that is not 1 to 64 letters,
    /// digits or `_`; `unknown_mode`; `missing_secret` without our private key.
    public func paymentPage(
        for draft: SessionDraft, secrets: SecretSet, now: Instant
    ) throws(RequestPlanError) -> CreatedSession {
        let total = try draft.total()
        guard total.currency.code == Self.currency, total.minorUnits > 0 else {
            throw .unusableAmount
        }
        guard Self.isTradeNumber(draft.reference) else { throw .unusableID }
        let content = JSONValue.object([
            "out_trade_no": .string(draft.reference),
            "product_code": .string("FAST_INSTANT_TRADE_PAY"),
            "subject": .string(String(draft.title.prefix(Self.subjectCharacters))),
            "total_amount": .string(total.amountText),
        ])
        var more: [(name: String, value: String)] = []
        if !draft.returnURL.isEmpty { more.append(("return_url", draft.returnURL)) }
        if let notifyURL = configuration.notifyURL { more.append(("notify_url", notifyURL)) }
        let pairs = try signed(
            method: "alipay.trade.page.pay", content: content, more: more, secrets: secrets,
            now: now)
        let query = String(decoding: URLSegment.form(pairs), as: UTF8.self)
        return CreatedSession(
            ids: ProviderIDs(session: draft.reference),
            checkoutURL: "\(try gateway())?\(query)", expiresAt: nil, mode: configuration.mode)
    }

    /// 1 to 64 letters, digits or `_`.
    static func isTradeNumber(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
                    || byte == UInt8(ascii: "_")
            }
    }
}
