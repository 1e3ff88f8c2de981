import CommandKit
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
        var random = SplitMix(state: seed)
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

    private func randomBytes(_ random: inout SplitMix) -> [UInt8] {
        let isASCII = Int.random(in: 0..<4, using: &random) > 0
        return (0..<Int.random(in: 0...8, using: &random)).map { _ in
            UInt8.random(in: 0...(isASCII ? 0x7F : 0xFF), using: &random)
        }
    }
}

/// A seeded generator, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
