import CommandKit
import TestSupport
import Testing

@Suite("Any words at all")
struct RandomWordsTests {
    /// Words near what the parser looks for, so that random lines reach deep into it.
    private let seeds = [
        "sessions", "list", "show", "timeline", "events", "import", "help", "completions", "manual",
        "--", "-", "--json", "--json=", "--json=a", "--ledger", "--status", "--status=failed", "-n",
        "-n5", "-q", "-qv", "--color", "--help", "--reason", "=", "--=", "---", "-=", "", "@1",
        "2h",
        "\u{301}", "--\u{301}", "-\u{301}", "\u{0}", "🇩🇪", "-5", "--after=2026-01-01",
    ]

    @Test("No command line traps, and every refusal has a message", arguments: 0..<8)
    func neverTraps(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var outcomes: Set<String> = []
        for _ in 0..<2_000 {
            let words = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? Array((seeds.randomElement(using: &random) ?? "").utf8)
                    : randomBytes(&random)
            }
            do {
                let invocation = try sampleTree.parse(bytes: words)
                if case .show(let page) = invocation { _ = sampleTree.text(of: page) }
                outcomes.insert("parsed")
            } catch {
                outcomes.insert(error.code.rawValue)
                #expect(!error.message.isEmpty)
                let controls = error.text().unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" }
                #expect(controls.isEmpty)
            }
        }
        #expect(outcomes.isSuperset(of: ["parsed", "NOT_UTF8", "UNKNOWN_COMMAND"]))
    }

    private func randomBytes(_ random: inout SeededGenerator) -> [UInt8] {
        let isASCII = Int.random(in: 0..<4, using: &random) > 0
        return (0..<Int.random(in: 0...8, using: &random)).map { _ in
            UInt8.random(in: 0...(isASCII ? 0x7F : 0xFF), using: &random)
        }
    }
}
