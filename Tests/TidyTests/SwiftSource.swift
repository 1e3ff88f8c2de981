/// A Swift file as a scanner sees it.
///
/// It knows comments, string literals and brackets, and nothing of types or macros; every rule
/// built on it is about text.
struct SwiftSource {
    let path: String
    /// The file as it stands, a line each.
    let lines: [String]
    /// The same lines with comments and the contents of string literals blanked out, columns kept.
    ///
    /// Code inside `\( )` stays.
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        code = SourceBlanker.blank(text).split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0) }
    }

    var lastComponent: String { String(path.split(separator: "/").last ?? "") }

    /// The modules that the file imports, with the line of each.
    var imports: [(module: String, line: Int)] {
        code.enumerated().compactMap { index, line in
            var words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            while let first = words.first,
                first.hasPrefix("@")
                    || ["public", "package", "internal", "private", "fileprivate"]
                        .contains(first)
            {
                words.removeFirst()
            }
            guard words.first == "import", words.count > 1 else { return nil }
            let kinds: Set<Substring> = [
                "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
            ]
            let name = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
            return (String(name.prefix { $0 != "." && $0 != ";" }), index + 1)
        }
    }

    /// Lines of code that contain `word`, not as a part of a longer identifier; from 1.
    func lines(with word: String) -> [Int] {
        code.indices.filter { contains(code[$0], word) }.map { $0 + 1 }
    }

    private func contains(_ line: String, _ word: String) -> Bool {
        var rest = line[...]
        while let range = rest.firstRange(of: word) {
            let before =
                range.lowerBound == line.startIndex
                ? nil : line[line.index(before: range.lowerBound)]
            let after = range.upperBound == line.endIndex ? nil : line[range.upperBound]
            let startsClean = before.map { !isIdentifier($0) && $0 != "." } ?? true
            let endsOpen = word.last.map(isIdentifier) ?? false
            if startsClean, !endsOpen || !(after.map(isIdentifier) ?? false) { return true }
            rest = rest[range.upperBound...]
        }
        return false
    }

    private func isIdentifier(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }
}

/// Replaces what is not code by spaces.
enum SourceBlanker {
    static func blank(_ text: String) -> String {
        var blanker = Blanker(Array(text.unicodeScalars))
        return blanker.run()
    }
}

private struct Blanker {
    private let scalars: [Unicode.Scalar]
    private var at = 0
    private var result = String.UnicodeScalarView()

    init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    mutating func run() -> String {
        code(untilParenthesis: false)
        return String(result)
    }

    private func starts(_ text: String) -> Bool {
        var index = at
        for scalar in text.unicodeScalars {
            guard index < scalars.count, scalars[index] == scalar else { return false }
            index += 1
        }
        return true
    }

    private mutating func keep(_ count: Int = 1) {
        result.append(contentsOf: scalars[at..<min(at + count, scalars.count)])
        at += count
    }

    private mutating func hide(_ count: Int = 1) {
        for scalar in scalars[at..<min(at + count, scalars.count)] {
            result.append(scalar == "\n" ? "\n" : " ")
        }
        at += count
    }

    /// Code up to the end, or up to the parenthesis that closes an interpolation.
    private mutating func code(untilParenthesis: Bool) {
        var depth = 0
        while at < scalars.count {
            if starts("//") {
                while at < scalars.count, scalars[at] != "\n" { hide() }
            } else if starts("/*") {
                blockComment()
            } else if let hashes = literalStart() {
                literal(hashes)
            } else {
                if scalars[at] == "(" { depth += 1 }
                if scalars[at] == ")" {
                    depth -= 1
                }
                keep()
                if untilParenthesis, depth < 0 { return }
            }
        }
    }

    private mutating func blockComment() {
        var depth = 0
        repeat {
            if starts("/*") {
                depth += 1
                hide(2)
            } else if starts("*/") {
                depth -= 1
                hide(2)
            } else {
                hide()
            }
        } while depth > 0 && at < scalars.count
    }

    /// The number of `#` before a quote here; nil when no string literal begins.
    private func literalStart() -> Int? {
        var index = at
        while index < scalars.count, scalars[index] == "#" { index += 1 }
        return index < scalars.count && scalars[index] == "\"" ? index - at : nil
    }

    private mutating func literal(_ hashes: Int) {
        keep(hashes)
        let fence = String(repeating: "#", count: hashes)
        let isMultiline = starts("\"\"\"")
        let quotes = isMultiline ? "\"\"\"" : "\""
        keep(quotes.count)
        while at < scalars.count {
            if starts(quotes + fence) {
                keep(quotes.count + hashes)
                return
            }
            if !isMultiline, scalars[at] == "\n" { return }
            if starts("\\" + fence + "(") {
                keep(2 + hashes)
                code(untilParenthesis: true)
            } else if starts("\\" + fence) {
                hide(2 + hashes)
            } else {
                hide()
            }
        }
    }
}
