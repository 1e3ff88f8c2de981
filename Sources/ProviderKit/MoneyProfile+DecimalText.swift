public import CheckoutModel

/// For providers that write amounts in major units.
extension MoneyProfile {
    /// The amount in major units with exactly the decimals of this wire, such as `19.99` or `500`.
    ///
    /// Throws `unusable_amount` where the wire has fewer decimals than the amount needs, and for
    /// currencies that ISO 4217 does not list.
    public func decimalText(of money: Money) throws(RequestPlanError) -> String {
        guard let exponent = exponent(of: money.currency),
            let units = try? wireAmount(of: money)
        else { throw .unusableAmount }
        let digits = String(units.magnitude)
        let sign = units < 0 ? "-" : ""
        guard exponent > 0 else { return sign + digits }
        let zeros = String(repeating: "0", count: max(0, exponent + 1 - digits.utf8.count))
        let padded = zeros + digits
        return "\(sign)\(padded.dropLast(exponent)).\(padded.suffix(exponent))"
    }
}
