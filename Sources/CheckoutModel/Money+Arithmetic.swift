// Functions rather than operators: every one of them can fail, and an operator hides that.

extension Money {
    /// Adds exactly.
    ///
    /// Throws `currency_mismatch`, `out_of_range`.
    public func adding(_ other: Money) throws(MoneyError) -> Money {
        try combined(with: other) { $0.addingReportingOverflow($1) }
    }

    /// Subtracts exactly; the result may be negative.
    ///
    /// Throws `currency_mismatch`, `out_of_range`.
    public func subtracting(_ other: Money) throws(MoneyError) -> Money {
        try combined(with: other) { $0.subtractingReportingOverflow($1) }
    }

    /// True when this amount is smaller.
    ///
    /// Throws `currency_mismatch`.
    public func isLess(than other: Money) throws(MoneyError) -> Bool {
        guard currency == other.currency else { throw MoneyError(.currencyMismatch) }
        return minorUnits < other.minorUnits
    }

    private func combined(
        with other: Money, _ operation: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
    ) throws(MoneyError) -> Money {
        guard currency == other.currency else { throw MoneyError(.currencyMismatch) }
        let (value, overflow) = operation(minorUnits, other.minorUnits)
        guard !overflow else { throw MoneyError(.outOfRange) }
        return Money(minorUnits: value, currency: currency)
    }
}
