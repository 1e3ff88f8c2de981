extension Money {
    /// Reads `[-]digits[.digits]` in ASCII, with no more decimals than ISO 4217 gives the currency.
    ///
    /// Never rounds, and takes no sign plus, spaces, grouping or exponent. Decimals past the
    /// currency's are refused even when they are zeros: they mean that someone counts differently.
    /// Throws `malformed`, `unknown_currency`, `too_many_decimals`, `out_of_range`, the first
    /// that holds in that order.
    public init(parsing text: some StringProtocol, currency: Currency) throws(MoneyError) {
        let shape = try AmountShape(text.utf8)
        guard let exponent = currency.exponent else { throw MoneyError(.unknownCurrency) }
        self.init(minorUnits: try shape.minorUnits(exponent: exponent), currency: currency)
    }

    /// The same, with the currency as text.
    ///
    /// Throws `unknown_currency` when that is no code.
    public init(
        parsing text: some StringProtocol, currencyCode: some StringProtocol
    ) throws(MoneyError) {
        _ = try AmountShape(text.utf8)
        guard let currency = Currency(currencyCode) else { throw MoneyError(.unknownCurrency) }
        try self.init(parsing: text, currency: currency)
    }

    /// The amount in major units, such as `0.05`, `-0.005` or `5`; minor units with the word
    /// `minor` when the currency is unknown, since guessing decimals would misprint it.
    ///
    /// Has no symbol, grouping or locale, and reads back with `init(parsing:currency:)`.
    public var amountText: String {
        guard let exponent = currency.exponent else { return "\(minorUnits) minor" }
        let digits = String(minorUnits.magnitude)
        let sign = minorUnits < 0 ? "-" : ""
        guard exponent > 0 else { return sign + digits }
        let padding = String(repeating: "0", count: max(0, exponent + 1 - digits.utf8.count))
        let padded = padding + digits
        return sign + padded.dropLast(exponent) + "." + padded.suffix(exponent)
    }

    /// Reads a JSON number token as whole minor units.
    ///
    /// Takes the token's text so that no parser has made a binary fraction of it. `100.0` and
    /// `1e2` are refused like `7840.000000000001`: a sender that computes cents as fractions will
    /// one day be off by one. Throws `amount_not_integer`, `malformed`, `out_of_range`.
    public static func minorUnits(
        jsonNumber token: some StringProtocol
    ) throws(MoneyError) -> Int64 {
        try AmountShape.jsonInteger(token.utf8)
    }
}

/// The digits of an amount, checked for shape and not yet for size.
private struct AmountShape {
    var isNegative = false
    /// ASCII digits of both sides of the point, in order.
    var digits: [UInt8] = []
    var decimals = 0

    init<Bytes: Collection>(_ bytes: Bytes) throws(MoneyError) where Bytes.Element == UInt8 {
        guard bytes.count <= ModelLimits.amountBytes else { throw MoneyError(.malformed) }
        var rest = bytes[...]
        if rest.first == UInt8(ascii: "-") {
            isNegative = true
            rest = rest.dropFirst()
        }
        let whole = rest.prefix(while: Self.isDigit)
        guard !whole.isEmpty else { throw MoneyError(.malformed) }
        digits.append(contentsOf: whole)
        rest = rest[whole.endIndex...]
        guard let next = rest.first else { return }
        guard next == UInt8(ascii: ".") else { throw MoneyError(.malformed) }
        let fraction = rest.dropFirst()
        guard !fraction.isEmpty, fraction.allSatisfy(Self.isDigit) else {
            throw MoneyError(.malformed)
        }
        digits.append(contentsOf: fraction)
        decimals = fraction.count
    }

    func minorUnits(exponent: Int) throws(MoneyError) -> Int64 {
        guard decimals <= exponent else { throw MoneyError(.tooManyDecimals) }
        let zeros = repeatElement(UInt8(ascii: "0"), count: exponent - decimals)
        return try Self.value(digits + zeros, isNegative: isNegative)
    }

    /// `-?(0|[1-9][0-9]*)`, with every other JSON number told apart from what is no number.
    static func jsonInteger<Bytes: Collection>(
        _ bytes: Bytes
    ) throws(MoneyError) -> Int64 where Bytes.Element == UInt8 {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let rest = isNegative ? bytes.dropFirst() : bytes[...]
        let digits = rest.prefix(while: isDigit)
        guard let first = digits.first, bytes.count <= ModelLimits.amountBytes else {
            throw MoneyError(.malformed)
        }
        guard digits.count == 1 || first != UInt8(ascii: "0") else { throw MoneyError(.malformed) }
        guard let next = rest[digits.endIndex...].first else {
            return try value(Array(digits), isNegative: isNegative)
        }
        switch next {
        case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
            throw MoneyError(.amountNotInteger)
        default: throw MoneyError(.malformed)
        }
    }

    /// Counts downwards, because the smallest Int64 has no positive twin.
    private static func value(_ digits: [UInt8], isNegative: Bool) throws(MoneyError) -> Int64 {
        var value: Int64 = 0
        for digit in digits {
            let (tenfold, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (next, overflow) = tenfold.subtractingReportingOverflow(
                Int64(digit - UInt8(ascii: "0")))
            guard !tooLarge, !overflow else { throw MoneyError(.outOfRange) }
            value = next
        }
        guard !isNegative else { return value }
        guard value != .min else { throw MoneyError(.outOfRange) }
        return -value
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
