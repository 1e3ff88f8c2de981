/// A place in the log or in time, as typed on a command line.
///
/// It reads no clock: an age stays an age until the command, which has the clock, subtracts it.
package enum Moment: Sendable, Hashable {
    /// A position in the log: `@311`.
    case position(UInt64)
    /// Microseconds since 1970-01-01 UTC: `2026-09-01` or `2026-09-01T14:02:11.5+02:00`.
    /// A time without a zone is UTC.
    case time(microseconds: Int64)
    /// Microseconds before now: `2h`.
    case ago(microseconds: Int64)

    /// Nil when the text is none of the three.
    package init?(_ text: String) {
        if let span = Span.microseconds(text) {
            self = .ago(microseconds: span)
        } else if text.utf8.first == UInt8(ascii: "@") {
            guard let position = Position.parse(text) else { return nil }
            self = .position(position)
        } else {
            guard let time = ISOTime.microseconds(text) else { return nil }
            self = .time(microseconds: time)
        }
    }
}

/// A position as typed: digits, with or without a leading `@`.
enum Position {
    static func parse(_ text: String) -> UInt64? {
        let digits = text.utf8.first == UInt8(ascii: "@") ? text.utf8.dropFirst() : text.utf8[...]
        return wholeNumber(digits)
    }
}

/// Spans of time as typed: one whole number and one unit.
enum Span {
    private static let units: [(name: String, seconds: Int64)] = [
        ("s", 1), ("sec", 1), ("m", 60), ("min", 60), ("h", 3_600), ("d", 86_400), ("w", 604_800),
    ]

    static func microseconds(_ text: String) -> Int64? {
        let digits = text.utf8.prefix { isDigit($0) }
        let rest = text.utf8[digits.endIndex...].drop { $0 == UInt8(ascii: " ") }
        guard let number = wholeNumber(digits).flatMap({ Int64(exactly: $0) }),
            let unit = units.first(where: { $0.name.utf8.elementsEqual(rest) })
        else { return nil }
        let product = number.multipliedReportingOverflow(by: unit.seconds * 1_000_000)
        return product.overflow ? nil : product.partialValue
    }
}

/// ISO 8601 calendar times of the years 1 to 9999.
///
/// No week dates, no ordinal dates, no leap second.
enum ISOTime {
    static func microseconds(_ text: String) -> Int64? {
        var scanner = DigitScanner(text.utf8[...])
        guard let year = scanner.number(4), year > 0, scanner.take("-"),
            let month = scanner.number(2), (1...12).contains(month), scanner.take("-"),
            let day = scanner.number(2), day >= 1, day <= daysIn(month: month, year: year)
        else { return nil }
        let midnight = daysSince1970(year: year, month: month, day: day) * 86_400
        if scanner.isAtEnd { return midnight * 1_000_000 }
        guard scanner.take("T") || scanner.take("t") || scanner.take(" "),
            let hour = scanner.number(2), hour < 24, scanner.take(":"),
            let minute = scanner.number(2), minute < 60
        else { return nil }
        var second: Int64 = 0
        var fraction: Int64 = 0
        if scanner.take(":") {
            guard let number = scanner.number(2), number < 60 else { return nil }
            second = number
            if scanner.take(".") {
                guard let digits = scanner.microseconds() else { return nil }
                fraction = digits
            }
        }
        guard let offset = scanner.zoneOffset(), scanner.isAtEnd else { return nil }
        let seconds = midnight + hour * 3_600 + minute * 60 + second - offset
        return seconds * 1_000_000 + fraction
    }

    private static func daysIn(month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func isLeap(_ year: Int64) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let before = year - 1
        var days = before * 365 + before / 4 - before / 100 + before / 400
        for earlier in 1..<month { days += daysIn(month: earlier, year: year) }
        return days + day - 1 - 719_162
    }
}

/// Reads fixed fields from the front of a text.
private struct DigitScanner {
    private var rest: Substring.UTF8View

    init(_ text: Substring.UTF8View) { rest = text }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: scalar) else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func number(_ width: Int) -> Int64? {
        let field = rest.prefix(width)
        guard field.count == width, let number = wholeNumber(field) else { return nil }
        rest = rest.dropFirst(width)
        return Int64(number)
    }

    /// One to six digits after the point, as microseconds.
    mutating func microseconds() -> Int64? {
        let field = rest.prefix { isDigit($0) }
        guard (1...6).contains(field.count), let number = wholeNumber(field) else { return nil }
        rest = rest.dropFirst(field.count)
        return (field.count..<6).reduce(Int64(number)) { value, _ in value * 10 }
    }

    /// Seconds east of UTC: `Z`, nothing, `+02:00` or `+0200`.
    mutating func zoneOffset() -> Int64? {
        if isAtEnd || take("Z") || take("z") { return 0 }
        let isEast = take("+")
        guard isEast || take("-"), let hours = number(2), hours < 24 else { return nil }
        _ = take(":")
        guard let minutes = number(2), minutes < 60 else { return nil }
        return (isEast ? 1 : -1) * (hours * 3_600 + minutes * 60)
    }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

/// ASCII digits only; nil for anything else, for nothing, and beyond 64 bits.
private func wholeNumber(_ digits: Substring.UTF8View) -> UInt64? {
    guard !digits.isEmpty else { return nil }
    var value: UInt64 = 0
    for byte in digits {
        guard isDigit(byte) else { return nil }
        let (tens, tooBig) = value.multipliedReportingOverflow(by: 10)
        let (sum, tooBigToo) = tens.addingReportingOverflow(UInt64(byte - 0x30))
        guard !tooBig, !tooBigToo else { return nil }
        value = sum
    }
    return value
}
