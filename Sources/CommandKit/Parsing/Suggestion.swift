/// "Did you mean …?" for misspelt commands, options and words of a list.
enum Suggestion {
    /// The name most like `word`, when one reaches `Limits.similarityFloor`; the first of equals.
    static func nearest(to word: String, among names: [String]) -> String? {
        let typed = Array(word.utf8)
        guard !typed.isEmpty, typed.count <= Limits.suggestionBytes else { return nil }
        var best: (name: String, similarity: Int)?
        for name in names {
            let candidate = Array(name.utf8)
            let longer = max(typed.count, candidate.count)
            let similarity = 100 * (longer - distance(typed, candidate)) / longer
            let isBetter = best.map { similarity > $0.similarity } ?? true
            if similarity >= Limits.similarityFloor, isBetter { best = (name, similarity) }
        }
        return best?.name
    }

    /// ` Did you mean 'x'?` with its leading space, or nothing.
    static func sentence(for word: String, among names: [String]) -> String {
        nearest(to: word, among: names).map { " Did you mean '\($0)'?" } ?? ""
    }

    /// Insertions, deletions, changes and swaps of neighbours that turn one word into the other
    /// (optimal string alignment).
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let change = last[column] + (left[row] == right[column] ? 0 : 1)
                var cost = min(change, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
