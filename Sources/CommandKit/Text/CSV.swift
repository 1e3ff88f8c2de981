/// Comma-separated values per RFC 4180.
package enum CSV {
    package static func line(_ cells: [String]) -> String {
        cells.map(cell).joined(separator: ",") + "\r\n"
    }

    /// A cell that a spreadsheet would run as a formula gets an apostrophe in front; numbers,
    /// also negative ones, stay numbers.
    private static func cell(_ text: String) -> String {
        let safe = isFormula(text) ? "'" + text : text
        let needsQuotes = safe.utf8.contains { byte in
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0D || byte == 0x0A
        }
        guard needsQuotes else { return safe }
        var quoted = "\""
        for scalar in safe.unicodeScalars {
            quoted += scalar == "\"" ? "\"\"" : String(scalar)
        }
        return quoted + "\""
    }

    private static func isFormula(_ text: String) -> Bool {
        guard let first = text.utf8.first, "=+-@\t\r\n".utf8.contains(first) else { return false }
        return !isNumber(text)
    }

    /// An optional minus, digits, and at most one point between digits.
    private static func isNumber(_ text: String) -> Bool {
        let unsigned = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        let parts = unsigned.split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) }
        }
    }
}
