/// How many decimals one provider's wire gives each currency, where it departs from ISO 4217.
///
/// The known trouble is ISK, UGX, HUF and TWD. Which provider does what is data in its adapter.
/// Money inside the ledger is always in ISO minor units; a profile stands at the edge.
public struct MoneyProfile: Sendable, Hashable {
    /// The profile's name in messages, such as `iso4217`.
    public let name: String
    private let exceptions: [Currency: UInt8]

    /// Takes the currencies that differ from ISO 4217, each with the decimals used on the wire.
    ///
    /// Decimals outside 0...6 are a mistake in the adapter and are held at that range.
    public init(name: String, exceptions: [Currency: Int] = [:]) {
        self.name = name
        self.exceptions = exceptions.mapValues { UInt8(min(max($0, 0), 6)) }
    }

    /// No exceptions.
    public static let iso4217 = MoneyProfile(name: "iso4217")

    /// Decimals on this wire; nil when ISO 4217 does not list the currency.
    public func exponent(of currency: Currency) -> Int? {
        guard let standard = currency.exponent else { return nil }
        return exceptions[currency].map(Int.init) ?? standard
    }

    /// Reads an amount as it stands on the wire into ISO minor units, exactly.
    ///
    /// Throws `unknown_currency`, `inexact_conversion`, `out_of_range`.
    public func money(
        wireAmount: Int64, currency: Currency
    ) throws(MoneyError) -> Money {
        let shift = try Self.shift(from: exponent(of: currency), to: currency.exponent)
        return Money(
            minorUnits: try Self.scale(wireAmount, by: shift), currency: currency)
    }

    /// Writes an amount as the wire wants it, exactly.
    ///
    /// Throws `unknown_currency`, `inexact_conversion`, `out_of_range`.
    public func wireAmount(of money: Money) throws(MoneyError) -> Int64 {
        let currency = money.currency
        let shift = try Self.shift(from: currency.exponent, to: exponent(of: currency))
        return try Self.scale(money.minorUnits, by: shift)
    }

    private static func shift(from: Int?, to: Int?) throws(MoneyError) -> Int {
        guard let from, let to else { throw MoneyError(.unknownCurrency) }
        return to - from
    }

    private static func scale(_ amount: Int64, by shift: Int) throws(MoneyError) -> Int64 {
        var factor: Int64 = 1
        for _ in 0..<abs(shift) { factor *= 10 }
        guard shift >= 0 else {
            guard amount % factor == 0 else { throw MoneyError(.inexactConversion) }
            return amount / factor
        }
        let (product, overflow) = amount.multipliedReportingOverflow(by: factor)
        guard !overflow else { throw MoneyError(.outOfRange) }
        return product
    }
}
