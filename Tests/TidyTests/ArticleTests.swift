import Foundation
import Testing

/// Swift in the articles, which readers copy into their apps.
@Suite("The articles")
struct ArticleTests {
    private let repository: Repository

    init() throws { repository = try Repository.shared.get() }

    /// A fenced block of Swift: its first line's number, and its lines as they are compared.
    private struct Sample {
        let line: Int
        var lines: [String] = []
    }

    @Test("have Swift in them that is the text of files here, which are compiled")
    func samples() throws {
        let sources = repository.swiftSources("Tests/").map { Self.compared($0.lines) }
        let articles = repository.files.map(\.path).filter {
            $0.hasSuffix(".md") && $0.contains(".docc/")
        }
        var count = 0
        for article in articles {
            for sample in Self.samples(in: try repository.text(article)) {
                count += 1
                // A file has its imports at its top, wherever the lines that need them stand.
                let imports = sample.lines.filter { $0.hasPrefix("import ") }
                let rest = sample.lines.filter { !$0.hasPrefix("import ") }
                let isThere = sources.contains { source in
                    Set(imports).isSubset(of: source) && source.contains(rest)
                }
                #expect(isThere, "\(article):\(sample.line) is in no file below Tests/")
            }
        }
        #expect(count > 10)
    }

    private static func samples(in article: String) -> [Sample] {
        var samples: [Sample] = []
        var open: Sample?
        for (index, line) in article.components(separatedBy: "\n").enumerated() {
            if line.hasPrefix("```") {
                if let sample = open { samples.append(sample) }
                open = open == nil && line == "```swift" ? Sample(line: index + 2) : nil
            } else {
                open?.lines += compared([line])
            }
        }
        return samples
    }

    /// The lines without what depends on where they stand: indentation and empty lines.
    private static func compared(_ lines: [String]) -> [String] {
        lines.map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
    }
}
