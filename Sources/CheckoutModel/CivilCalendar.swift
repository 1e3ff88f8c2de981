/// Days and dates of the proleptic Gregorian calendar, in integers.
enum CivilCalendar {
    static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01.
    ///
    /// Years are counted from March, so that the leap day comes last and month lengths follow one
    /// line, and in eras of 400 years, which all have the same length.
    static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let era = floorDivide(marchYear, 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The date of a day number, by the same counting backwards.
    static func date(ofDay number: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// The date, and the second of that day.
    static func split(
        seconds: Int64
    ) -> (date: (year: Int, month: Int, day: Int), secondOfDay: Int) {
        let day = floorDivide(Int(seconds), 86_400)
        return (date(ofDay: day), Int(seconds) - day * 86_400)
    }

    static func padded(_ number: some BinaryInteger, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    private static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

/// Takes fixed-width ASCII numbers and signs off the front of a time text.
struct DigitReader {
    let bytes: [UInt8]
    private var index = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func number(digits count: Int) throws(InstantError) -> Int {
        var value = 0
        for _ in 0..<count {
            guard let digit = nextDigit() else { throw InstantError(.malformed) }
            value = value * 10 + digit
        }
        return value
    }

    mutating func expect(
        _ character: Unicode.Scalar, or other: Unicode.Scalar? = nil
    ) throws(InstantError) {
        guard take(character) || other.map({ take($0) }) == true else {
            throw InstantError(.malformed)
        }
    }

    /// Zero without a point; one to nine digits after it, cut to six.
    mutating func fractionInMicroseconds() throws(InstantError) -> Int {
        guard take(".") else { return 0 }
        var value = 0
        var count = 0
        while let digit = nextDigit() {
            if count < 6 { value = value * 10 + digit }
            count += 1
        }
        guard (1...9).contains(count) else { throw InstantError(.malformed) }
        for _ in min(count, 6)..<6 { value *= 10 }
        return value
    }

    /// `Z`, or minutes east of UTC from `+hh:mm`, and then the end of the text.
    mutating func offsetInMinutes() throws(InstantError) -> Int {
        var offset = 0
        if !take("Z"), !take("z") {
            let isWest = take("-")
            if !isWest { try expect("+") }
            let hours = try number(digits: 2)
            try expect(":")
            let minutes = try number(digits: 2)
            guard hours < 24, minutes < 60 else { throw InstantError(.invalid) }
            offset = (hours * 60 + minutes) * (isWest ? -1 : 1)
        }
        guard index == bytes.count else { throw InstantError(.malformed) }
        return offset
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func nextDigit() -> Int? {
        guard index < bytes.count else { return nil }
        let digit = Int(bytes[index]) - 48
        guard (0...9).contains(digit) else { return nil }
        index += 1
        return digit
    }
}
