import CommandKit
import Testing

@Suite("Moments on the command line")
struct MomentTests {
    @Test(
        "A position, a time or an age is read exactly",
        arguments: [
            ("@0", Moment.position(0)), ("@18446744073709551615", .position(.max)),
            ("30s", .ago(microseconds: 30_000_000)), ("5 min", .ago(microseconds: 300_000_000)),
            ("2h", .ago(microseconds: 7_200_000_000)), ("1w", .ago(microseconds: 604_800_000_000)),
            ("1970-01-01", .time(microseconds: 0)),
            ("1970-01-01T00:00:01Z", .time(microseconds: 1_000_000)),
            ("1969-12-31T23:59:59.5Z", .time(microseconds: -500_000)),
            ("2000-02-29T12:00:00Z", .time(microseconds: 951_825_600_000_000)),
            ("2026-09-01T14:02:11.25+02:00", .time(microseconds: 1_788_264_131_250_000)),
            ("2026-09-01T12:02:11.250000", .time(microseconds: 1_788_264_131_250_000)),
            ("2026-09-01 12:02", .time(microseconds: 1_788_264_120_000_000)),
            ("9999-12-31T23:59:59.999999Z", .time(microseconds: 253_402_300_799_999_999)),
            ("0001-01-01", .time(microseconds: -62_135_596_800_000_000)),
        ])
    func reads(_ text: String, _ expected: Moment) {
        #expect(Moment(text) == expected)
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "@", "@-1", "@18446744073709551616", "h", "2", "-2h", "2y", "2.5h",
            "99999999999999999999s", "9223372036854775807d", "2026", "2026-13-01", "2026-02-29",
            "2026-00-10", "2026-01-00", "0000-01-01", "2026-09-01T24:00", "2026-09-01T10:60",
            "2026-09-01T10:00:60Z", "2026-09-01T10:00:00.Z", "2026-09-01T10:00:00.1234567Z",
            "2026-09-01T10:00+25:00", "2026-09-01T10", "2026-09-01x", "２０２６-09-01", "yesterday",
        ])
    func refuses(_ text: String) {
        #expect(Moment(text) == nil)
    }
}
