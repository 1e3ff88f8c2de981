/// Who issues which card numbers, from public lists.
///
/// Left out on purpose: UATP (`1…` is every timestamp), enRoute (`2014`, `2149` are years),
/// Maestro beyond eight beginnings (its 60s would swallow everything), and 12-digit Maestro.
enum CardIssuers {
    struct Range: Sendable {
        let brand: String
        /// First six digits, lowest and highest.
        let first: UInt32
        let last: UInt32
        /// One bit for each length.
        let lengths: UInt32
    }

    /// In order: the first that fits names the card.
    static let ranges: [Range] = [
        range("amex", "34", "34", 15...15), range("amex", "37", "37", 15...15),
        range("mastercard", "51", "55", 16...16),
        range("mastercard", "222100", "272099", 16...16),
        range("mir", "2200", "2204", 16...19),
        range("diners", "300", "305", 14...14, 16...19),
        range("diners", "3095", "3095", 14...14, 16...19),
        range("diners", "36", "36", 14...14),
        range("diners", "38", "39", 14...14, 16...19),
        range("jcb", "3528", "3589", 16...19),
        range("dankort", "5019", "5019", 16...16),
        range("maestro", "5018", "5018", 16...19), range("maestro", "5020", "5020", 16...19),
        range("maestro", "5038", "5038", 16...19), range("maestro", "5893", "5893", 16...19),
        range("maestro", "6304", "6304", 16...19), range("maestro", "6759", "6759", 16...19),
        range("maestro", "6761", "6763", 16...19),
        range("discover", "6011", "6011", 16...19), range("discover", "644", "649", 16...19),
        range("discover", "65", "65", 16...19),
        range("unionpay", "62", "62", 16...19), range("unionpay", "8100", "8171", 16...19),
        range("rupay", "508500", "508999", 16...16),
        range("rupay", "606985", "607984", 16...16),
        range("rupay", "608001", "608500", 16...16),
        range("elo", "506699", "506778", 16...16), range("elo", "509000", "509999", 16...16),
        range("elo", "636368", "636368", 16...16),
        range("troy", "9792", "9792", 16...16),
        range("visa", "4", "4", 16...16, 19...19),
    ]

    private static func range(
        _ brand: String, _ from: String, _ to: String, _ lengths: ClosedRange<Int>...
    ) -> Range {
        func six(_ digits: String, filled digit: Character) -> UInt32 {
            UInt32(digits + String(repeating: digit, count: 6 - digits.count)) ?? 0
        }
        return Range(
            brand: brand, first: six(from, filled: "0"), last: six(to, filled: "9"),
            lengths: lengths.joined().reduce(0) { $0 | 1 << UInt32($1) })
    }

    /// How cards are printed, in groups of digits, besides one block and digit by digit; the
    /// longest first.
    static let groupings: [[UInt8]] = [
        [4, 4, 4, 4, 3], [6, 13], [4, 4, 4, 4, 2], [4, 4, 4, 4], [8, 8], [4, 6, 5], [4, 5, 6],
        [4, 6, 4],
    ]

    /// Who issued the number; nil when nobody did or its check digit is wrong.
    static func brand(of number: DigitString) -> String? {
        guard number.isLuhnValid else { return nil }
        let six = number.first(6)
        return ranges.first {
            $0.first <= six && six <= $0.last && $0.lengths >> UInt32(number.count) & 1 == 1
        }?.brand
    }
}

/// Up to 19 decimal digits, held as one number so that looking at them allocates nothing.
struct DigitString {
    private(set) var value: UInt64 = 0
    private(set) var count = 0

    /// Appends a digit, 0 … 9; there may be 19 of them.
    mutating func append(_ digit: UInt8) {
        value = value &* 10 &+ UInt64(digit)
        count += 1
    }

    /// The first digits as a number; all of them when there are fewer.
    func first(_ digits: Int) -> UInt32 {
        var rest = value
        for _ in 0..<max(0, count - digits) { rest /= 10 }
        return UInt32(truncatingIfNeeded: rest)
    }

    /// The last four digits as text.
    var lastFour: String {
        let four = value % 10_000
        let text = String(four)
        return String(repeating: "0", count: 4 - text.count) + text
    }

    /// True when the last digit is the check digit of the others.
    var isLuhnValid: Bool {
        var sum: UInt64 = 0
        var rest = value
        var isSecond = false
        for _ in 0..<count {
            let digit = rest % 10
            rest /= 10
            let doubled = digit * 2
            sum += isSecond ? (doubled > 9 ? doubled - 9 : doubled) : digit
            isSecond.toggle()
        }
        return count > 0 && sum % 10 == 0
    }
}
