import CommandKit
import Testing

@Suite("Words, widths and numbers")
struct TextTests {
    @Test(
        "A text is as wide as a terminal draws it",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("注文", 4), ("한국", 4), ("ｱ", 1),
            ("ａ", 2), ("😀", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("a\u{200B}b", 2),
            ("…", 1), ("\u{1112}\u{1161}\u{11AB}", 2), ("█", 1),
        ])
    func width(_ text: String, _ expected: Int) {
        #expect(DisplayWidth.of(text) == expected)
    }

    @Test(
        "Cutting never splits a character or exceeds its columns",
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("注文一", 5, "注文…"),
            ("注文一", 4, "注…"), ("ab", 1, "…"), ("ab", 0, ""),
        ])
    func truncates(_ text: String, _ columns: Int, _ expected: String) {
        #expect(DisplayWidth.truncated(text, to: columns) == expected)
    }

    @Test("Control characters and direction overrides become visible")
    func visible() {
        #expect(SafeText.visible("a\u{1B}[2Jb\r\n\t") == "a\\u{1B}[2Jb\\r\\n\\t")
        #expect(SafeText.visible("x\u{202E}y\u{9B}\u{2028}") == "x\\u{202E}y\\u{9B}\\u{2028}")
        #expect(SafeText.visible("Zoé 注文") == "Zoé 注文")
    }

    @Test(
        "Durations have one number and one unit",
        arguments: [
            (Duration.zero, "0 µs"), (.microseconds(850), "850 µs"), (.milliseconds(12), "12 ms"),
            (.milliseconds(999), "999 ms"), (.milliseconds(2_890), "2.8 s"),
            (.seconds(59), "59.0 s"), (.seconds(60), "1 min"), (.seconds(3_599), "59 min"),
            (.seconds(3_600), "1 h"), (.seconds(172_799), "47 h"), (.seconds(259_200), "3 d"),
            (.seconds(864_000_000), "10,000 d"), (.seconds(-5), "-5.0 s"),
        ])
    func duration(_ duration: Duration, _ expected: String) {
        #expect(Wording.duration(duration) == expected)
    }

    @Test(
        "Sizes are cut to what a person compares",
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1.0 KB"),
            (9_999, "9.9 KB"), (412_345, "412 KB"), (1_999_999, "1.9 MB"),
            (Int.max, "9.2 EB"),
        ])
    func bytes(_ count: Int, _ expected: String) {
        #expect(Wording.bytes(count) == expected)
    }

    @Test("Counts are grouped and their plurals right")
    func counts() {
        #expect(Wording.count(1, "session") == "1 session")
        #expect(Wording.count(0, "session") == "0 sessions")
        #expect(Wording.count(1_184, "entry", "entries") == "1,184 entries")
        #expect(Wording.grouped(Int.min) == "-9,223,372,036,854,775,808")
        #expect(Wording.grouped(999) == "999")
        #expect(Wording.percent(131, of: 200) == "65.5 %")
        #expect(Wording.percent(1, of: 0) == "0.0 %")
        #expect(Wording.percent(Int.max, of: Int.max) == "100.0 %")
        #expect(Wording.percent(2, of: 3) == "66.6 %")
        #expect(Wording.percent(Int.max, of: 1) == ">100 %")
    }

    @Test("Exit codes keep their numbers")
    func exitCodes() {
        #expect(ExitCode.all.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 70, 130])
        #expect(ExitCode.all.allSatisfy { !$0.meaning.isEmpty })
    }
}
