/// Finds the bodies of functions by counting brackets.
///
/// Sees `func`, `init`, `deinit` and `subscript` with a body in braces. Does not see closures and
/// computed properties as functions of their own; their lines count for the function around them.
struct FunctionScanner {
    struct Function: Equatable {
        let name: String
        /// The line of its keyword, from 1.
        let line: Int
        /// Lines from the opening brace to the closing one, both counted.
        let length: Int
    }

    private enum Token: Equatable {
        case word(String)
        case mark(Character)
    }

    private let tokens: [(token: Token, line: Int)]

    static func functions(in code: [String]) -> [Function] {
        FunctionScanner(code).functions()
    }

    private init(_ code: [String]) {
        var tokens: [(Token, Int)] = []
        for (index, line) in code.enumerated() {
            var word = ""
            for character in line + " " {
                if character.isLetter || character.isNumber || character == "_" {
                    word.append(character)
                    continue
                }
                if !word.isEmpty { tokens.append((.word(word), index + 1)) }
                word = ""
                if !character.isWhitespace { tokens.append((.mark(character), index + 1)) }
            }
        }
        self.tokens = tokens
    }

    private func functions() -> [Function] {
        var found: [Function] = []
        for index in tokens.indices {
            guard let name = declaredName(at: index), let open = openingBrace(after: index),
                let close = closing(open)
            else { continue }
            found.append(
                Function(
                    name: name, line: tokens[index].line,
                    length: tokens[close].line - tokens[open].line + 1))
        }
        return found
    }

    /// The name when a function is declared here; `x.init(…)`, `#selector` and labels are not.
    private func declaredName(at index: Int) -> String? {
        guard case .word(let keyword) = tokens[index].token else { return nil }
        let before = index > 0 ? tokens[index - 1].token : nil
        guard before != .mark("."), before != .mark("`") else { return nil }
        let next = index + 1 < tokens.count ? tokens[index + 1].token : nil
        switch keyword {
        case "func":
            switch next {
            case .word(let name): return name
            case .mark: return "operator"
            case nil: return nil
            }
        case "init":
            return next == .mark("(") || next == .mark("?") || next == .mark("<") ? "init" : nil
        case "subscript": return next == .mark("(") || next == .mark("<") ? "subscript" : nil
        case "deinit": return next == .mark("{") ? "deinit" : nil
        default: return nil
        }
    }

    /// The brace that opens the body; nil for a requirement of a protocol, which has none.
    private func openingBrace(after index: Int) -> Int? {
        let enders: Set<String> = [
            "func", "var", "let", "case", "init", "deinit", "subscript", "struct", "enum", "class",
            "extension", "protocol", "actor", "typealias", "associatedtype", "static", "mutating",
            "public", "package", "internal", "private", "fileprivate", "import", "return", "if",
        ]
        var depth = 0
        for next in tokens.indices.dropFirst(index + 1) {
            switch tokens[next].token {
            case .mark("("), .mark("["): depth += 1
            case .mark(")"), .mark("]"): depth -= 1
            case .mark("{") where depth == 0: return next
            case .mark("}") where depth == 0, .mark("@") where depth == 0: return nil
            case .word(let word) where depth == 0 && next > index + 1 && enders.contains(word):
                return nil
            default: break
            }
            if depth < 0 { return nil }
        }
        return nil
    }

    private func closing(_ open: Int) -> Int? {
        var depth = 0
        for index in tokens.indices.dropFirst(open) {
            if tokens[index].token == .mark("{") { depth += 1 }
            if tokens[index].token == .mark("}") { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }
}
