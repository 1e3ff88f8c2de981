/// Writes rows as they come, in one of three forms.
///
/// Aligned columns are as wide as the widest of the first `Limits.tableSample` rows; a longer cell
/// later on shifts its own row only. So a list of any length needs the memory of that sample. On a
/// terminal, columns that may shrink are cut with `…` until a row fits; elsewhere every value is
/// whole. Control characters are made visible in every form but CSV, which quotes them.
package struct TableWriter {
    /// How rows are written: `--format table|plain|csv`.
    package enum Format: String, Sendable, CaseIterable {
        /// Aligned columns.
        case table
        /// Tab-separated with a heading.
        case plain
        /// RFC 4180 with a heading, CRLF, formula cells neutralised.
        case csv
    }

    package struct Column: Sendable {
        package enum Alignment: Sendable { case leading, trailing }

        /// Upper case for aligned columns by convention; written as given.
        package let title: String
        /// Numbers and amounts are `trailing`.
        package let alignment: Alignment
        /// May be cut on a terminal.
        ///
        /// Never let a state or an amount shrink.
        package let shrinks: Bool

        package init(_ title: String, _ alignment: Alignment = .leading, shrinks: Bool = false) {
            self.title = title
            self.alignment = alignment
            self.shrinks = shrinks
        }
    }

    /// One value with the reason for its colour.
    package struct Cell: Sendable, Hashable, ExpressibleByStringLiteral {
        package let text: String
        package let tone: Tone

        package init(_ text: String, _ tone: Tone = .plain) {
            self.text = text
            self.tone = tone
        }

        package init(stringLiteral text: String) { self.init(text) }
    }

    private let columns: [Column]
    private let format: Format
    private let output: Output
    private var sample: [[Cell]] = []
    private var widths: [Int]?
    /// Rows added so far.
    package private(set) var count = 0

    private static let gap = 2
    private static let narrowest = 6

    package init(_ columns: [Column], format: Format = .table, on output: Output) {
        self.columns = columns
        self.format = format
        self.output = output
    }

    /// Adds a row with one cell a column.
    package mutating func add(_ row: [Cell]) throws(OutputError) {
        precondition(row.count == columns.count, "a row has as many cells as the table columns")
        count += 1
        switch format {
        case .plain, .csv:
            if count == 1 { try output.write(separated(columns.map(\.title))) }
            try output.write(separated(row.map(\.text)))
        case .table:
            if let widths {
                try output.line(aligned(row, widths))
            } else {
                sample.append(row)
                if sample.count == Limits.tableSample { try writeSample() }
            }
        }
    }

    /// Writes what is still held.
    ///
    /// Without any row: the heading for `plain` and `csv`, nothing for `table`; the caller says in
    /// words that there is nothing.
    package mutating func finish() throws(OutputError) {
        if format != .table, count == 0 { try output.write(separated(columns.map(\.title))) }
        if widths == nil, !sample.isEmpty { try writeSample() }
        try output.flush()
    }

    private mutating func writeSample() throws(OutputError) {
        let chosen = chooseWidths()
        widths = chosen
        try output.line(aligned(columns.map { Cell($0.title, .dim) }, chosen))
        for row in sample { try output.line(aligned(row, chosen)) }
        sample = []
    }

    private func chooseWidths() -> [Int] {
        var widths = columns.indices.map { index in
            sample.reduce(DisplayWidth.of(columns[index].title)) { widest, row in
                max(widest, DisplayWidth.of(SafeText.visible(row[index].text)))
            }
        }
        guard output.terminal.isTerminal else { return widths }
        var excess = widths.reduce(0, +) + Self.gap * (columns.count - 1) - output.terminal.width
        while excess > 0 {
            // Takes one column from the widest that may still give, so that the loss is shared.
            let candidates = columns.indices.filter {
                columns[$0].shrinks && widths[$0] > Self.narrowest
            }
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    private func aligned(_ row: [Cell], _ widths: [Int]) -> String {
        var line = ""
        for (index, cell) in row.enumerated() {
            let column = columns[index]
            let safe = SafeText.visible(cell.text)
            let isCut = output.terminal.isTerminal && column.shrinks
            let text = isCut ? DisplayWidth.truncated(safe, to: widths[index]) : safe
            let padding = String(
                repeating: " ", count: max(widths[index] - DisplayWidth.of(text), 0))
            let painted = output.terminal.style.paint(text, cell.tone)
            let isLast = index == row.count - 1
            if index > 0 { line += String(repeating: " ", count: Self.gap) }
            switch column.alignment {
            case .trailing: line += padding + painted
            case .leading: line += isLast ? painted : painted + padding
            }
        }
        // An empty last cell must not leave the gap before it at the end of the line.
        while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
        return line
    }

    private func separated(_ cells: [String]) -> String {
        format == .csv
            ? CSV.line(cells) : cells.map(SafeText.visible).joined(separator: "\t") + "\n"
    }
}
