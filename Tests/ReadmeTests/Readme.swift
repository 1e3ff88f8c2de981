import Foundation

/// The README as its parts that can be checked.
struct Readme {
    /// A fenced block: its language, its text with a last line break, its first line's number.
    struct Block {
        let language: String
        let text: String
        let line: Int
    }

    let text: String
    let blocks: [Block]

    static let root = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../..").standardizedFileURL

    init() throws {
        text = try String(
            contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
        var blocks: [Block] = []
        var open: (language: String, lines: [Substring], line: Int)?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if line.hasPrefix("```") {
                if let block = open {
                    let text = block.lines.map { $0 + "\n" }.joined()
                    blocks.append(Block(language: block.language, text: text, line: block.line))
                    open = nil
                } else {
                    open = (String(line.dropFirst(3)), [], index + 2)
                }
            } else {
                open?.lines.append(line)
            }
        }
        self.blocks = blocks
    }

    /// Targets of links and paths in back quotes that lie inside the repository.
    var paths: Set<String> {
        var paths: Set<String> = []
        for part in text.components(separatedBy: "](").dropFirst() {
            let target = part.prefix { $0 != ")" }
            if !target.contains("://") { paths.insert(String(target)) }
        }
        return paths
    }

    /// A block of commands for the built program.
    ///
    /// `./run demo` and `./run cli` become what they stand for; other verbs are named apart, since
    /// a test must not start the tests.
    static func script(_ block: Block) -> (text: String, verbs: [String]) {
        var verbs: [String] = []
        let lines = block.text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line -> String in
                guard line.hasPrefix("./run ") else { return String(line) }
                let words = line.split(separator: " ")
                verbs.append(String(words[1]))
                switch words[1] {
                case "cli": return "checkout-ledger " + words.dropFirst(2).joined(separator: " ")
                case "demo":
                    let rest = words.dropFirst(2).joined(separator: " ")
                    return "checkout-ledger demo --ledger .demo " + rest
                default: return ""
                }
            }
        return (lines.joined(separator: "\n"), verbs)
    }
}
