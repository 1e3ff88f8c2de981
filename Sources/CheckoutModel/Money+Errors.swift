/// Why an amount was refused.
///
/// Carries no amount, so it is safe to log.
public struct MoneyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The text is not `[-]digits[.digits]` in ASCII.
        case malformed
        /// More decimals than the currency has, trailing zeros included.
        case tooManyDecimals = "too_many_decimals"
        /// The amount does not fit a 64-bit number of minor units.
        case outOfRange = "out_of_range"
        /// ISO 4217 lists no such code, or lists it without a minor unit.
        case unknownCurrency = "unknown_currency"
        /// Two amounts of different currencies met.
        case currencyMismatch = "currency_mismatch"
        /// A JSON number of minor units is written with a fraction or an exponent.
        case amountNotInteger = "amount_not_integer"
        /// The provider's amount is no whole number of ISO minor units, or the other way round.
        case inexactConversion = "inexact_conversion"
    }

    /// What was wrong.
    public let reason: Reason

    /// Makes the error of one reason.
    public init(_ reason: Reason) { self.reason = reason }

    /// The stable word for programs, such as `too_many_decimals`.
    public var code: String { reason.rawValue }

    /// One sentence for a person.
    public var message: String {
        switch reason {
        case .malformed: "The amount is not plain digits with at most one decimal point."
        case .tooManyDecimals: "The amount has more decimals than its currency."
        case .outOfRange: "The amount is too large to be kept exactly."
        case .unknownCurrency: "ISO 4217 has no such currency with a minor unit."
        case .currencyMismatch: "The two amounts are in different currencies."
        case .amountNotInteger: "The amount of minor units is not written as a whole number."
        case .inexactConversion: "The amount cannot be converted without rounding."
        }
    }

    /// What to try next.
    public var hint: String {
        switch reason {
        case .malformed: "Write it like 19.99 or -5: no sign plus, spaces, grouping or exponent."
        case .tooManyDecimals: "Leave out the extra decimals; the amount is never rounded for you."
        case .outOfRange: "Check that the amount is in the unit you meant."
        case .unknownCurrency: "Use a three-letter code such as EUR, JPY or KWD."
        case .currencyMismatch: "Convert one of them before you compare or add."
        case .amountNotInteger: "Send minor units (cents, yen, fils) as a JSON integer."
        case .inexactConversion: "Check which number of decimals the provider uses for it."
        }
    }

    /// The code and the sentence.
    public var description: String { "\(code): \(message)" }
}
