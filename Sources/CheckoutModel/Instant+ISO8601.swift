// Integer calendar arithmetic on the proleptic Gregorian calendar, without Foundation: its date
// parser reads locale data, and what it accepts differs between versions.

/// Why a time was refused.
///
/// Carries no part of the text.
public struct InstantError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The text is not `2026-03-04T05:06:07[.digits](Z|+hh:mm)`.
        case malformed = "time_malformed"
        /// The shape is right, but there is no such day, hour, minute or offset.
        case invalid = "time_invalid"
    }

    /// What was wrong.
    public let reason: Reason

    /// Makes the error of one reason.
    public init(_ reason: Reason) { self.reason = reason }

    /// The stable word for programs.
    public var code: String { reason.rawValue }

    /// One sentence for a person.
    public var message: String {
        switch reason {
        case .malformed: "The time is not written like 2026-03-04T05:06:07Z."
        case .invalid: "There is no such day or time of day."
        }
    }

    /// What to try next.
    public var hint: String { "Write UTC like 2026-03-04T05:06:07Z, or an offset like +05:30." }

    /// The code and the sentence.
    public var description: String { "\(code): \(message)" }
}

extension Instant {
    /// Reads an RFC 3339 time, years 0000 to 9999.
    ///
    /// `t` and `z` may be lower-case. One to nine decimals; what is finer than a microsecond is
    /// cut off, not rounded, so that a time never moves into the future. A leap second
    /// (23:59:60 UTC) is held at the last microsecond before it, because an instant does not
    /// count leap seconds. No zone, no offset without a colon, no comma, no week or ordinal dates.
    /// Throws `time_malformed`, `time_invalid`.
    public init(iso8601 text: some StringProtocol) throws(InstantError) {
        var reader = DigitReader(bytes: Array(text.utf8.prefix(ModelLimits.timeBytes + 1)))
        guard reader.bytes.count <= ModelLimits.timeBytes else { throw InstantError(.malformed) }
        let year = try reader.number(digits: 4)
        try reader.expect("-")
        let month = try reader.number(digits: 2)
        try reader.expect("-")
        let day = try reader.number(digits: 2)
        try reader.expect("T", or: "t")
        let hour = try reader.number(digits: 2)
        try reader.expect(":")
        let minute = try reader.number(digits: 2)
        try reader.expect(":")
        let second = try reader.number(digits: 2)
        let fraction = try reader.fractionInMicroseconds()
        let offset = try reader.offsetInMinutes()

        guard (1...12).contains(month), day >= 1, day <= CivilCalendar.days(in: month, of: year),
            hour < 24, minute < 60, second <= 60
        else { throw InstantError(.invalid) }
        let days = CivilCalendar.dayNumber(year: year, month: month, day: day)
        let minutes = days * 1_440 + hour * 60 + minute - offset
        if second == 60 {
            guard (minutes % 1_440 + 1_440) % 1_440 == 1_439 else { throw InstantError(.invalid) }
            self.init(microseconds: Int64(minutes + 1) * 60_000_000 - 1)
        } else {
            self.init(microseconds: Int64(minutes * 60 + second) * 1_000_000 + Int64(fraction))
        }
    }

    /// UTC with six decimals, `2026-03-04T05:06:07.000000Z`; reads back to the same instant.
    ///
    /// A year past 9999 has a sign plus and as many digits as it needs, one before 0 a minus, as
    /// ISO 8601's expanded form has it; those do not read back.
    public var iso8601: String {
        let remainder = microseconds % 1_000_000
        let micros = remainder < 0 ? remainder + 1_000_000 : remainder
        return "\(dateAndTime).\(CivilCalendar.padded(micros, to: 6))Z"
    }

    /// UTC in whole seconds, `2026-03-04T05:06:07Z`, cut towards the past.
    public var iso8601Seconds: String { "\(dateAndTime)Z" }

    private var dateAndTime: String {
        let (date, second) = CivilCalendar.split(seconds: seconds)
        let time = [second / 3_600, second / 60 % 60, second % 60]
            .map { CivilCalendar.padded($0, to: 2) }.joined(separator: ":")
        let year =
            (0...9_999).contains(date.year)
            ? CivilCalendar.padded(date.year, to: 4)
            : (date.year < 0 ? "-" : "+") + CivilCalendar.padded(abs(date.year), to: 4)
        let month = CivilCalendar.padded(date.month, to: 2)
        return "\(year)-\(month)-\(CivilCalendar.padded(date.day, to: 2))T\(time)"
    }
}
