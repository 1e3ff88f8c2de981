import CheckoutModel
import Testing

@Suite struct InstantTests {
    @Test(
        "Times are read exactly or refused with the reason",
        arguments: [
            ("1970-01-01T00:00:00Z", "0"), ("2026-03-04T05:06:07Z", "1772600767000000"),
            ("2026-03-04t05:06:07z", "1772600767000000"),
            ("2026-03-04T05:06:07.1Z", "1772600767100000"),
            ("2026-03-04T05:06:07.123456789Z", "1772600767123456"),
            ("1969-12-31T23:59:59.9999999Z", "-1"),
            ("2026-03-04T10:36:07+05:30", "1772600767000000"),
            ("2026-03-03T21:06:07-08:00", "1772600767000000"),
            ("2024-02-29T00:00:00Z", "1709164800000000"),
            ("2000-02-29T00:00:00-00:00", "951782400000000"),
            ("0000-01-01T00:00:00Z", "-62167219200000000"),
            ("9999-12-31T23:59:59Z", "253402300799000000"),
            ("2016-12-31T23:59:60Z", "1483228799999999"),
            ("2017-01-01T05:29:60.5+05:30", "1483228799999999"),
            ("2016-12-31T22:59:60Z", "time_invalid"), ("2023-02-29T00:00:00Z", "time_invalid"),
            ("1900-02-29T00:00:00Z", "time_invalid"), ("2026-04-31T00:00:00Z", "time_invalid"),
            ("2026-00-01T00:00:00Z", "time_invalid"), ("2026-13-01T00:00:00Z", "time_invalid"),
            ("2026-01-00T00:00:00Z", "time_invalid"), ("2026-01-01T24:00:00Z", "time_invalid"),
            ("2026-01-01T00:60:00Z", "time_invalid"), ("2026-01-01T00:00:61Z", "time_invalid"),
            ("2026-01-01T00:00:00+24:00", "time_invalid"),
            ("", "time_malformed"), ("2026-01-01", "time_malformed"),
            ("2026-01-01 00:00:00Z", "time_malformed"), ("2026-01-01T00:00:00", "time_malformed"),
            ("2026-01-01T00:00:00.Z", "time_malformed"),
            ("2026-01-01T00:00:00.1234567890Z", "time_malformed"),
            ("2026-01-01T00:00:00,5Z", "time_malformed"),
            ("2026-01-01T00:00:00+0530", "time_malformed"),
            ("2026-01-01T00:00:00Z ", "time_malformed"), ("+026-01-01T00:00:00Z", "time_malformed"),
            ("\u{FF12}026-01-01T00:00:00Z", "time_malformed"),
        ])
    func reading(text: String, wanted: String) {
        let answer: String
        do throws(InstantError) {
            answer = "\(try Instant(iso8601: text).microseconds)"
        } catch {
            answer = error.code
        }
        #expect(answer == wanted)
    }

    @Test("Times print in UTC and read back to the microsecond, years 0 to 9999")
    func printing() throws {
        var micros: Int64 = -62_167_219_200_000_000
        while micros < 253_402_300_800_000_000 {
            let instant = Instant(microseconds: micros)
            #expect(try Instant(iso8601: instant.iso8601) == instant)
            micros += 97_000_000_000_017 * 3
        }
        #expect(Instant(microseconds: -1).iso8601 == "1969-12-31T23:59:59.999999Z")
        #expect(Instant(microseconds: -1).iso8601Seconds == "1969-12-31T23:59:59Z")
        #expect(Instant(microseconds: .max).iso8601.hasPrefix("+294247-"))
        #expect(Instant(microseconds: .min).iso8601.hasPrefix("-290308-"))
    }
}
