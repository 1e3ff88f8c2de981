extension ValueKind {
    /// Why `text` is not a value of this kind, as the end of a sentence after its name; nil when
    /// it is one.
    func fault(of text: String) -> String? {
        switch self {
        case .text: nil
        case .integer(let range): integerFault(text, range)
        case .choice(let words): choiceFault(text, words)
        case .path, .stream: text.isEmpty ? "needs a path, but got an empty word." : nil
        case .moment:
            Moment(text) == nil
                ? "needs a position ('@311'), a time ('2026-09-01T14:02:11Z') or an age ('2h'), "
                    + "not \(quoted(text))."
                : nil
        case .position:
            Position.parse(text) == nil
                ? "needs a position ('311' or '@311'), not \(quoted(text))." : nil
        case .span:
            Span.microseconds(text) == nil
                ? "needs a span of time ('30s', '5min', '2h', '3d'), not \(quoted(text))." : nil
        }
    }

    private func integerFault(_ text: String, _ range: ClosedRange<Int>) -> String? {
        let bounds =
            range.upperBound == .max
            ? "from \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
        guard let number = Int(text) else {
            return "needs a whole number \(bounds), not \(quoted(text))."
        }
        return range.contains(number) ? nil : "needs a whole number \(bounds), not \(number)."
    }

    private func choiceFault(_ text: String, _ words: [String]) -> String? {
        guard !words.contains(text) else { return nil }
        let hint = Suggestion.sentence(for: text, among: words)
        let list = words.map { "'\($0)'" }.joined(separator: ", ")
        return "cannot be \(quoted(text)).\(hint.isEmpty ? " It is one of \(list)." : hint)"
    }
}
