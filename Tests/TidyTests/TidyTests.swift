import Foundation
import Testing

/// The rules of this repository that a machine can keep.
@Suite("The repository is tidy")
struct TidyTests {
    private let repository: Repository

    init() throws { repository = try Repository.shared.get() }

    private var plugins: Set<String> {
        Set(
            repository.files.compactMap { file in
                let parts = file.path.split(separator: "/")
                return parts.count > 2 && parts[0] == "Plugins" ? String(parts[1]) : nil
            })
    }

    @Test("A target imports only targets above it, and a plugin only the kit")
    func importDirection() {
        for source in repository.swiftSources("Sources/", "Plugins/") {
            for (module, line) in source.imports {
                let fault = ImportRules.fault(of: module, in: source.path, plugins: plugins)
                expectNone(
                    fault.map {
                        [.init(path: source.path, line: line, advice: "import \(module): \($0)")]
                    } ?? [])
            }
        }
    }

    @Test("Files, functions and lines are short enough to read")
    func lengths() {
        let sources = repository.swiftSources(
            "Sources/", "Plugins/", "Tests/", "Benchmarks/", "Package.swift")
        for source in sources { expectNone(TextRules.lengths(source)) }
    }

    @Test("Nothing traps on purpose, reads a clock, makes an id or counts money in floats")
    func bannedWords() {
        for source in repository.swiftSources("Sources/", "Plugins/") {
            expectNone(TextRules.bannedWords(source))
        }
        for source in repository.swiftSources("Tests/") {
            expectNone(TextRules.bannedWords(source, TextRules.bansInTests))
        }
    }

    @Test("No mark of unfinished work is left")
    func unfinished() {
        let sources = repository.swiftSources(
            "Sources/", "Plugins/", "Tests/", "Benchmarks/", "Package.swift")
        for source in sources { expectNone(TextRules.unfinished(source)) }
    }

    @Test("What the compiler cannot check says what protects it")
    func unprovenSafety() {
        for source in repository.swiftSources("Sources/", "Plugins/", "Benchmarks/") {
            expectNone(TextRules.unprovenSafety(source))
        }
    }

    @Test("No source knows a folder of one machine")
    func machinePaths() {
        for source in repository.swiftSources("Sources/", "Plugins/", "Benchmarks/") {
            expectNone(TextRules.machinePaths(source))
        }
    }

    @Test("Every provider shows how it reads a status in one file")
    func statusMapping() {
        #expect(!plugins.isEmpty)
        for plugin in plugins.sorted() {
            let path = "Plugins/\(plugin)/StatusMapping.swift"
            let isThere = repository.exists(path)
            #expect(isThere, "Write \(path): the table from the provider's words to ours.")
        }
    }

    @Test("No file is larger than 200 KB, except test vectors")
    func fileSize() {
        for file in repository.files where !file.path.hasPrefix("Tests/Vectors/") {
            #expect(
                file.bytes <= 200_000,
                "\(file.path) has \(file.bytes) bytes: every clone pays for it; keep it elsewhere.")
        }
    }

    @Test("The lint asks for a doc comment on every public declaration")
    func documentation() throws {
        struct Configuration: Decodable { let rules: [String: Bool] }
        let text = try repository.text(".swift-format")
        let rules = try JSONDecoder().decode(Configuration.self, from: Data(text.utf8)).rules
        #expect(rules["AllPublicDeclarationsHaveDocumentation"] == true)
        #expect(rules["BeginDocumentationCommentWithOneLineSummary"] == true)
        #expect(try repository.text("run").contains("swift format lint --strict"))
        let exemptions = repository.swiftSources("Sources/", "Plugins/")
            .filter { $0.lines.contains { $0.contains("swift-format-ignore-file") } }
        #expect(exemptions.map(\.path) == [], "Fix what the lint says instead.")
    }

    @Test("Every exemption from a rule is still needed")
    func exemptions() throws {
        for (path, reason) in ImportRules.foundationFiles {
            #expect(!reason.isEmpty)
            let source = SwiftSource(path: path, text: try repository.text(path))
            let isNeeded = source.imports.contains { $0.module.hasPrefix("Foundation") }
            #expect(isNeeded, "Remove \(path) from ImportRules.foundationFiles.")
        }
    }

    private func expectNone(
        _ findings: [TextRules.Finding], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for finding in findings {
            Issue.record("\(finding)", sourceLocation: sourceLocation)
        }
    }
}
