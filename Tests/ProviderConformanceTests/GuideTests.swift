import Foundation
import Testing

@Suite("The guide to adapters")
struct GuideTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../..").standardizedFileURL

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test("shows code that is the text of the adapter that is built and run")
    func code() throws {
        let lines = try Self.text("Plugins/README.md").split(
            separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasSuffix("```swift") })
        let block = lines[(start + 1)...].prefix { !$0.hasSuffix("```") }
        // The list indents by three, the type in the file by four.
        let code = block.map { $0.isEmpty ? "" : "    " + $0.dropFirst(3) }
        #expect(code.count > 10)
        let file = try Self.text("Tests/ThirdParty/Sources/AcmePay/AcmePay.swift")
        #expect(file.contains(code.joined(separator: "\n")))
    }

    @Test("names files and types that are there")
    func names() throws {
        let guide = try Self.text("Plugins/README.md")
        for path in [
            "Tests/ThirdParty/Sources/AcmePay/AcmePay.swift",
            "Sources/checkout-ledger/Context.swift",
            "Sources/AdapterChecks", "Tests/Vectors/providers",
        ] {
            #expect(guide.contains(path))
            let file = Self.root.appendingPathComponent(path).path
            #expect(FileManager.default.fileExists(atPath: file), "\(path)")
        }
    }
}
