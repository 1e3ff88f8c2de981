import Testing

@testable import CommandKit

@Suite("Did you mean")
struct SuggestionTests {
    private let names = ["sessions", "timeline", "abandoned", "verify", "export", "import"]

    @Test(
        "A slip of the fingers finds its word",
        arguments: [
            ("sesions", "sessions"), ("session", "sessions"), ("tmieline", "timeline"),
            ("verfiy", "verify"), ("exprot", "export"), ("abandonned", "abandoned"),
        ])
    func finds(_ typed: String, _ meant: String) {
        #expect(Suggestion.nearest(to: typed, among: names) == meant)
    }

    @Test("Below the floor nothing is offered", arguments: ["", "x", "xyz", "qqqqqq", "ver"])
    func floor(_ typed: String) {
        let found = Suggestion.nearest(to: typed, among: names)
        #expect(found == (typed == "ver" ? "verify" : nil))
    }

    @Test("A word too long to compare gets no suggestion")
    func tooLong() {
        let word = String(repeating: "sessions", count: 20)
        #expect(Suggestion.nearest(to: word, among: [word]) == nil)
    }

    @Test(
        "Distance counts insertions, deletions, changes and swaps",
        arguments: [
            ("", "", 0), ("abc", "abc", 0), ("abc", "ab", 1), ("ab", "abc", 1), ("abc", "axc", 1),
            ("abc", "acb", 1), ("kitten", "sitting", 3), ("", "abc", 3), ("ca", "abc", 3),
        ])
    func distance(_ left: String, _ right: String, _ expected: Int) {
        #expect(Suggestion.distance(Array(left.utf8), Array(right.utf8)) == expected)
        #expect(Suggestion.distance(Array(right.utf8), Array(left.utf8)) == expected)
    }
}
