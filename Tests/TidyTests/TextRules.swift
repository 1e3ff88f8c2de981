/// Rules about the text of one file.
///
/// Each gives findings: a line and what to do.
enum TextRules {
    struct Finding: Equatable, CustomStringConvertible {
        let path: String
        let line: Int
        let advice: String

        var description: String { "\(path):\(line): \(advice)" }
    }

    static let longestFile = 500
    static let longestFunction = 60
    static let longestLine = 100

    static func lengths(_ source: SwiftSource) -> [Finding] {
        var findings: [Finding] = []
        let count = source.lines.last == "" ? source.lines.count - 1 : source.lines.count
        if count > longestFile {
            findings.append(
                Finding(
                    path: source.path, line: count,
                    advice: "\(count) lines; split the file by role (at most \(longestFile))."))
        }
        for (index, line) in source.lines.enumerated() where line.count > longestLine {
            findings.append(
                Finding(
                    path: source.path, line: index + 1,
                    advice: "\(line.count) columns; break the line (at most \(longestLine))."))
        }
        for function in FunctionScanner.functions(in: source.code)
        where function.length > longestFunction {
            findings.append(
                Finding(
                    path: source.path, line: function.line,
                    advice: "\(function.name) has \(function.length) lines; give a part of it a "
                        + "name of its own (at most \(longestFunction))."))
        }
        return findings
    }

    /// A word of code that is not to be used, where it may stand all the same, and what instead.
    struct Ban {
        let word: String
        let isAllowed: @Sendable (SwiftSource) -> Bool
        let advice: String
    }

    static let bans: [Ban] = [
        Ban(word: "try!", isAllowed: { _ in false }, advice: "Handle or pass on the error."),
        Ban(word: "as!", isAllowed: { _ in false }, advice: "Use as? and say what else happens."),
        Ban(
            word: "Date()", isAllowed: { $0.lastComponent.contains("Clock") },
            advice: "Take the time from the injected clock."),
        Ban(
            word: "UUID()", isAllowed: { $0.lastComponent.contains("Identifier") },
            advice: "Take ids from the injected id maker."),
        Ban(
            word: "print(", isAllowed: { isProgram($0) },
            advice: "Return the text; only the program prints."),
        Ban(
            word: "fatalError()", isAllowed: { _ in false },
            advice: "Say in the message which promise was broken."),
        Ban(word: "Double", isAllowed: { !isMoney($0) }, advice: moneyAdvice),
        Ban(word: "Float", isAllowed: { !isMoney($0) }, advice: moneyAdvice),
        Ban(word: "Float16", isAllowed: { !isMoney($0) }, advice: moneyAdvice),
        Ban(word: "Float80", isAllowed: { !isMoney($0) }, advice: moneyAdvice),
        Ban(word: "CGFloat", isAllowed: { !isMoney($0) }, advice: moneyAdvice),
        Ban(word: "Decimal", isAllowed: { !isMoney($0) }, advice: moneyAdvice),
    ]

    private static let moneyAdvice = "Amounts are integers of minor units."

    /// Foundation's `Process` crashed where many threads started programs at once, on Linux.
    static let bansInTests = [
        Ban(word: "Process()", isAllowed: { _ in false }, advice: "Start it as a ChildProgram.")
    ]

    static func bannedWords(_ source: SwiftSource, _ bans: [Ban] = bans) -> [Finding] {
        bans.filter { !$0.isAllowed(source) }.flatMap { ban in
            source.lines(with: ban.word).map {
                Finding(path: source.path, line: $0, advice: "No \(ban.word) here. \(ban.advice)")
            }
        }
    }

    private static func isProgram(_ source: SwiftSource) -> Bool {
        source.path.hasPrefix("Sources/checkout-ledger/") || source.path.hasPrefix("Benchmarks/")
    }

    /// Everything between an amount's text and its total: the model, the heart, the adapters.
    private static func isMoney(_ source: SwiftSource) -> Bool {
        ["Sources/CheckoutModel/", "Sources/CheckoutLedger/", "Sources/ProviderKit/", "Plugins/"]
            .contains { source.path.hasPrefix($0) }
            || source.lastComponent.contains("Money") || source.lastComponent.contains("Amount")
    }

    /// Marks of unfinished work, wherever they stand.
    ///
    /// Spelt in two parts, so that this file passes.
    static func unfinished(_ source: SwiftSource) -> [Finding] {
        let marks = ["FIX" + "ME", "TO" + "DO"]
        return source.lines.enumerated().compactMap { index, line in
            let words = line.split { !$0.isLetter && !$0.isNumber }
            guard let mark = marks.first(where: { words.contains(Substring($0)) }) else {
                return nil
            }
            return Finding(
                path: source.path, line: index + 1,
                advice: "No \(mark): finish it, or open an issue and delete the remark.")
        }
    }

    /// What the compiler is asked to believe has a comment right above that says why it may.
    static func unprovenSafety(_ source: SwiftSource) -> [Finding] {
        let words = ["@unchecked Sendable", "nonisolated(unsafe)"]
        return words.flatMap { word in
            source.code.indices.filter { source.code[$0].contains(word) }.compactMap { index in
                guard !hasCommentAbove(index, source) else { return nil }
                return Finding(
                    path: source.path, line: index + 1,
                    advice: "Say in a comment above what protects this \(word).")
            }
        }
    }

    /// A comment may be parted from the line by attributes and by the lines of the same
    /// declaration's head.
    private static func hasCommentAbove(_ index: Int, _ source: SwiftSource) -> Bool {
        var above = index
        if source.lines[index].contains("//") { return true }
        while above > 0 {
            above -= 1
            let line = source.lines[above].drop { $0 == " " }
            if line.hasPrefix("//") { return true }
            let isHead = line.hasPrefix("@") || (!line.isEmpty && !endsStatement(line))
            if !isHead { return false }
        }
        return false
    }

    private static func endsStatement(_ line: Substring) -> Bool {
        line.hasSuffix("{") || line.hasSuffix("}") || line.hasSuffix(")")
            || line.contains(" = ") || line.hasPrefix("import ")
    }

    /// Paths that exist on one machine only.
    static func machinePaths(_ source: SwiftSource) -> [Finding] {
        let paths = ["/work/", "/tmp/", "/home/", "/Users/", "/root/", "/opt/"]
        return source.lines.enumerated().compactMap { index, line in
            guard let path = paths.first(where: { hasPath($0, line) }) else { return nil }
            return Finding(
                path: source.path, line: index + 1,
                advice: "No \(path) in sources: take the folder as a value.")
        }
    }

    /// Only a path that starts here: `https://x/work/` and `tests/tmp/` are none.
    private static func hasPath(_ path: String, _ line: String) -> Bool {
        line.ranges(of: path).contains { range in
            guard range.lowerBound > line.startIndex else { return true }
            let before = line[line.index(before: range.lowerBound)]
            return !before.isLetter && !before.isNumber && !"./-_~)}".contains(before)
        }
    }
}
