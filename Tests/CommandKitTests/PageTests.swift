import CommandKit
import Foundation
import Testing

@Suite("Pages made from the tree")
struct PageTests {
    struct PageCase: CustomTestStringConvertible {
        let file: String
        let page: Page
        var width = 80
        var testDescription: String { file }
    }

    static let cases = [
        PageCase(file: "help.txt", page: .help(path: [])),
        PageCase(file: "help--narrow.txt", page: .help(path: ["timeline"]), width: 40),
        PageCase(file: "help--sessions.txt", page: .help(path: ["sessions"])),
        PageCase(file: "help--sessions-list.txt", page: .help(path: ["sessions", "list"])),
        PageCase(file: "help--events.txt", page: .help(path: ["events"])),
        PageCase(file: "topic--exit-codes.txt", page: .topic("exit-codes")),
        PageCase(file: "version.txt", page: .version),
        PageCase(file: "completions.bash", page: .completions(.bash)),
        PageCase(file: "completions.zsh", page: .completions(.zsh)),
        PageCase(file: "completions.fish", page: .completions(.fish)),
        PageCase(file: "manual.1", page: .manual),
    ]

    @Test("Help, completions and the manual page are as recorded", arguments: cases)
    func matchesSnapshot(_ test: PageCase) throws {
        try expectSnapshot(sampleTree.text(of: test.page, width: test.width), test.file)
    }

    @Test("No line of help is wider than the terminal", arguments: [60, 80, 120])
    func width(_ width: Int) {
        for path in [[], ["sessions"], ["sessions", "list"], ["timeline"], ["events"]] {
            let text = sampleTree.text(of: .help(path: path), width: width)
            for line in text.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
        }
    }

    @Test("Colour changes no word of help")
    func colour() {
        let coloured = sampleTree.text(of: .help(path: []), style: Style(colours: true))
        let stripped = coloured.replacing(/\u{1B}\[[0-9]+m/, with: "")
        #expect(coloured != stripped)
        #expect(stripped == sampleTree.text(of: .help(path: [])))
    }
}

/// Compares with a file under `Snapshots`; `RECORD_SNAPSHOTS=1` writes it instead.
func expectSnapshot(
    _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Snapshots/\(name)")
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
        try Data(text.utf8).write(to: file)
    }
    let recorded = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(
        text == recorded, "differs from Snapshots/\(name); RECORD_SNAPSHOTS=1 records it anew",
        sourceLocation: sourceLocation)
}
