public import CheckoutModel

/// Reads the fields of one JSON object and names the field in every error.
///
/// An absent field and `null` are the same. Empty text is absent too, as in `ProviderIDs`.
public struct JSONFields: Sendable {
    private let value: JSONValue
    /// Where the object stands, such as `data.`; empty for the whole body.
    let path: String

    /// The fields of a body of at most `limit` bytes.
    ///
    /// Throws `malformed_body`, also when it is no object.
    public init(body: [UInt8], limit: Int = Limits.bodyBytes) throws(WebhookDecodingError) {
        guard let value = try? JSONValue(json: body, limit: limit), case .object = value else {
            throw WebhookDecodingError(.malformedBody)
        }
        self.init(value: value, path: "")
    }

    private init(value: JSONValue, path: String) {
        self.value = value
        self.path = path
    }

    /// The value itself; nil for `null`.
    public subscript(_ name: String) -> JSONValue? {
        let found = value[name]
        return found == .null ? nil : found
    }

    /// An object inside.
    ///
    /// Throws `unexpected_type`.
    public func object(_ name: String) throws(WebhookDecodingError) -> JSONFields? {
        guard let found = self[name] else { return nil }
        guard case .object = found else { throw unexpected(name) }
        return JSONFields(value: found, path: "\(path)\(name).")
    }

    /// An object that must be there.
    ///
    /// Throws `missing_field`, `unexpected_type`.
    public func requiredObject(_ name: String) throws(WebhookDecodingError) -> JSONFields {
        guard let found = try object(name) else { throw missing(name) }
        return found
    }

    /// The objects of an array; others are left out.
    public func objects(_ name: String) -> [JSONFields] {
        (self[name]?.elements ?? []).compactMap { element in
            guard case .object = element else { return nil }
            return JSONFields(value: element, path: "\(path)\(name).")
        }
    }

    /// Text.
    ///
    /// Throws `unexpected_type`.
    public func text(_ name: String) throws(WebhookDecodingError) -> String? {
        guard let found = self[name] else { return nil }
        guard let text = found.text else { throw unexpected(name) }
        return text.isEmpty ? nil : text
    }

    /// Text that must be there.
    ///
    /// Throws `missing_field`, `unexpected_type`.
    public func requiredText(_ name: String) throws(WebhookDecodingError) -> String {
        guard let text = try text(name) else { throw missing(name) }
        return text
    }

    /// Text or nothing, whatever stands there: for notes that decide nothing.
    public func note(_ name: String) -> String? {
        guard let text = self[name]?.text, !text.isEmpty else { return nil }
        return text
    }

    /// An id: text of at most ``Limits/identifierBytes``.
    ///
    /// Throws `unexpected_type`.
    public func identifier(_ name: String) throws(WebhookDecodingError) -> String? {
        guard let id = try text(name) else { return nil }
        guard id.utf8.count <= Limits.identifierBytes else { throw unexpected(name) }
        return id
    }

    /// An id, or the id of the object that stands in its place, as Stripe expands references.
    public func reference(_ name: String) throws(WebhookDecodingError) -> String? {
        guard case .object = self[name] else { return try identifier(name) }
        return try object(name)?.identifier("id")
    }

    /// Exact whole number.
    ///
    /// Throws `unexpected_type`.
    public func integer(_ name: String) throws(WebhookDecodingError) -> Int64? {
        guard let found = self[name] else { return nil }
        guard let integer = found.integer else { throw unexpected(name) }
        return integer
    }

    /// True or false.
    ///
    /// Throws `unexpected_type`.
    public func bool(_ name: String) throws(WebhookDecodingError) -> Bool? {
        guard let found = self[name] else { return nil }
        guard case .bool(let value) = found else { throw unexpected(name) }
        return value
    }

    /// An amount of the wire's minor units with its currency; nil when no amount is told.
    ///
    /// Throws `amount_not_integer` for anything but a plain JSON integer, also for `100.0`, `1e2`
    /// and `"100"`; `amount_out_of_range`; `missing_field` or `unknown_currency` for the currency.
    public func money(
        _ amount: String, currency: String, profile: MoneyProfile
    ) throws(WebhookDecodingError) -> Money? {
        guard let found = self[amount] else { return nil }
        guard case .number(let number) = found, number.isInteger else {
            throw WebhookDecodingError(.amountNotInteger, field: path + amount)
        }
        guard let units = number.integer else {
            throw WebhookDecodingError(.amountOutOfRange, field: path + amount)
        }
        return try money(units, field: amount, currency: currency, profile: profile)
    }

    /// The same for an amount that stands as text, such as Dodo's dispute amounts: nil when the
    /// text is not a plain integer.
    public func moneyText(
        _ amount: String, currency: String, profile: MoneyProfile
    ) throws(WebhookDecodingError) -> Money? {
        guard let text = try text(amount), let units = try? Money.minorUnits(jsonNumber: text)
        else {
            return nil
        }
        return try money(units, field: amount, currency: currency, profile: profile)
    }

    /// An amount in major units that stands as text, such as PayPal's `"10.00"`; nil when no amount
    /// is told.
    ///
    /// Throws `amount_not_decimal` for anything but `[-]digits[.digits]` with no more decimals than
    /// the currency has, `amount_out_of_range`, and as ``money(_:currency:profile:)`` for the
    /// currency.
    public func decimalMoney(
        _ amount: String, currency name: String
    ) throws(WebhookDecodingError) -> Money? {
        guard let found = self[amount] else { return nil }
        guard let text = found.text else {
            throw WebhookDecodingError(.amountNotDecimal, field: path + amount)
        }
        let currency = try currency(name)
        do throws(MoneyError) {
            return try Money(parsing: text, currency: currency)
        } catch {
            let reason: WebhookDecodingError.Reason =
                switch error.reason {
                case .unknownCurrency: .unknownCurrency
                case .outOfRange: .amountOutOfRange
                default: .amountNotDecimal
                }
            throw WebhookDecodingError(
                reason, field: path + (reason == .unknownCurrency ? name : amount))
        }
    }

    private func currency(_ name: String) throws(WebhookDecodingError) -> Currency {
        guard let currency = Currency(try requiredText(name)) else {
            throw WebhookDecodingError(.unknownCurrency, field: path + name)
        }
        return currency
    }

    private func money(
        _ units: Int64, field: String, currency name: String, profile: MoneyProfile
    ) throws(WebhookDecodingError) -> Money {
        let currency = try currency(name)
        do {
            return try profile.money(wireAmount: units, currency: currency)
        } catch {
            let isCurrency = error.reason == .unknownCurrency
            throw WebhookDecodingError(
                isCurrency ? .unknownCurrency : .amountOutOfRange,
                field: path + (isCurrency ? name : field))
        }
    }

    /// An ISO 8601 time; nil when absent or unreadable: a broken clock field is no reason to hold
    /// a payment back, and nothing is ordered by it alone.
    public func time(_ name: String) -> Instant? {
        note(name).flatMap { try? Instant(iso8601: $0) }
    }

    private func missing(_ name: String) -> WebhookDecodingError {
        WebhookDecodingError(.missingField, field: path + name)
    }

    private func unexpected(_ name: String) -> WebhookDecodingError {
        WebhookDecodingError(.unexpectedType, field: path + name)
    }
}
