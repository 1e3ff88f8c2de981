public import CheckoutModel

extension JSONFields {
    /// An amount of minor units that stands as text, as Paddle writes `"1999"`; nil when no amount
    /// is told.
    ///
    /// Throws `amount_not_integer` for text that is no plain integer and for what is no text,
    /// `amount_out_of_range`, and as ``money(_:currency:profile:)`` for the currency.
    public func integerTextMoney(
        _ amount: String, currency: String, profile: MoneyProfile
    ) throws(WebhookDecodingError) -> Money? {
        guard let found = self[amount], found != .string("") else { return nil }
        guard let text = found.text else {
            throw WebhookDecodingError(.amountNotInteger, field: path + amount)
        }
        do throws(MoneyError) {
            _ = try Money.minorUnits(jsonNumber: text)
        } catch {
            throw WebhookDecodingError(
                error.reason == .outOfRange ? .amountOutOfRange : .amountNotInteger,
                field: path + amount)
        }
        return try moneyText(amount, currency: currency, profile: profile)
    }
}
