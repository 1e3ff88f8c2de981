import Foundation
import TestSupport
import Testing

/// Where each public case is tested; a case that is tested nowhere fails here.
@Suite("Public cases")
struct CoverageTests {
    /// Areas whose every case is run straight from the file, unless it is the flow's.
    static let runners: Set<String> = [
        "return_url", "checkout_url", "webhook", "money",
    ]

    /// A test elsewhere whose display name does not tell the case's id.
    struct Elsewhere {
        let file, name: String
    }

    static let elsewhere: [String: [Elsewhere]] = [
        "pub-store-01": [
            Elsewhere(
                file: "LMDBTests/OpeningTests.swift",
                name: "twice in one process is refused by any path, and the first keeps its data "
                    + "and locks")
        ],
        "pub-store-02": [
            Elsewhere(
                file: "LMDBTests/GrowthTests.swift",
                name: "begin in one megabyte and take whole batches, some of which run again in a "
                    + "larger map"),
            Elsewhere(
                file: "LMDBTests/GrowthTests.swift",
                name: "run a closure again when only the commit finds the map full, after every "
                    + "put said yes"),
        ],
        "pub-store-06": [
            Elsewhere(
                file: "LMDBTests/OpeningTests.swift",
                name: "without permission says which path, and never goes on without locks")
        ],
        "pub-store-07": [
            Elsewhere(
                file: "LMDBTests/OpeningTests.swift",
                name: "refuses a file that is not LMDB's and leaves the directory as it was")
        ],
        "pub-cli-02": [
            Elsewhere(
                file: "CommandLineTests/WritingExchangeTests.swift",
                name: "Lines that end in CRLF are as many records as they are lines")
        ],
        "pub-cli-05": [
            Elsewhere(
                file: "CommandLineTests/WritingExchangeTests.swift",
                name: "A torn tail is named by its offset, and the repaired file adds only what "
                    + "is missing")
        ],
    ]

    /// Ids that display names of tests anywhere begin with.
    private static func named() throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for file in try TestSources.all() {
            for match in file.text.matches(of: /@Test\(\s*"(pub-[a-z]+-[0-9]+):/) {
                found[String(match.1), default: []].append(file.path)
            }
        }
        return found
    }

    @Test("Every public case is run or named by a test")
    func everyCase() throws {
        let named = try Self.named()
        #expect(PublicCase.all.count >= 76)
        #expect(Set(PublicCase.all.map(\.id)).count == PublicCase.all.count)
        for item in PublicCase.all {
            let isRun = Self.runners.contains(item.area) && !FlowCases.cases.contains(item.id)
            let isClaimed =
                isRun || Self.elsewhere[item.id] != nil
                || named[item.id] != nil
            #expect(isClaimed, "\(item.id) is tested nowhere")
        }
    }

    @Test("No test claims a case that is not in the file")
    func everyClaim() throws {
        let ids = Set(PublicCase.all.map(\.id))
        for (id, files) in try Self.named() { #expect(ids.contains(id), "\(id) in \(files)") }
        for id in Self.elsewhere.keys { #expect(ids.contains(id), "\(id)") }
        for id in FlowCases.cases { #expect(ids.contains(id), "\(id)") }
        let conditions = Set(
            PublicCase.all.flatMap { item in item.allConditions.map { "\(item.id): \($0)" } })
        for condition in FlowCases.conditions {
            #expect(conditions.contains(condition), "\(condition)")
        }
        #expect(Self.runners.isSubset(of: PublicCase.all.map(\.area)))
    }

    @Test("A test that covers a case under another name is still there")
    func everyName() throws {
        let sources = try TestSources.all()
        for (id, tests) in Self.elsewhere {
            for test in tests {
                let file = sources.first { $0.path == test.file }
                #expect(
                    file?.text.contains("\"\(test.name)\"") == true,
                    "\(id): \(test.file) has no test '\(test.name)'")
            }
        }
    }
}

/// The sources of all test targets.
enum TestSources {
    static func all() throws -> [(path: String, text: String)] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
        let paths = try #require(FileManager.default.enumerator(atPath: tests.path))
        return try paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map {
            (path: $0, text: try String(contentsOf: tests.appending(path: $0), encoding: .utf8))
        }
    }
}
