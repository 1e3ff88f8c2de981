import CommandKit
import LedgerViews

typealias Cell = TableWriter.Cell
typealias Column = TableWriter.Column

/// The rows of one list: JSON lines under `--json`, a table on a terminal, tab-separated text
/// elsewhere.
///
/// Rows are written as they come; nothing but a table's sample is held.
struct Listing {
    private let output: Output
    private var table: TableWriter?
    private var writer: JSONWriter
    /// Rows added so far.
    private(set) var count = 0

    init(_ context: Context, _ shape: RowShape, _ columns: [Column]) throws {
        output = context.output
        writer = JSONWriter(only: try context.selection(of: shape))
        if !context.isJSON {
            table = TableWriter(columns, format: context.tableFormat, on: output)
        }
    }

    /// Adds a row in the form that is wanted; only that closure is called.
    mutating func add(
        json: (inout JSONWriter) -> Void, cells: () -> [Cell]
    ) throws(OutputError) {
        count += 1
        if table != nil {
            try table?.add(cells())
        } else {
            writer.object(json)
            try output.line(&writer)
        }
    }

    /// Hands over what is held, for a list that goes on later.
    mutating func flush() throws(OutputError) {
        if table != nil, count > 0 { try table?.finish() } else { try output.flush() }
    }

    /// Ends the list.
    mutating func finish() throws(OutputError) {
        if table != nil { try table?.finish() } else { try output.flush() }
    }
}

extension Context {
    /// `--format`, else a table for a person and tab-separated text for a program.
    var tableFormat: TableWriter.Format {
        command.choice("format", as: TableWriter.Format.self)
            ?? (output.terminal.isTerminal ? .table : .plain)
    }

    /// Says something about the data: beside it on a terminal, on standard error elsewhere, and
    /// nowhere when only data is wanted.
    func remark(_ text: String) throws(OutputError) {
        guard !isQuiet, !isJSON else { return }
        if output.terminal.isTerminal {
            try output.line(text)
        } else {
            errors.say(text)
        }
    }
}

extension Option {
    static let format = Option.value(
        "format", .choice(TableWriter.Format.allCases.map(\.rawValue)),
        "Choose the form of rows (else a table on a terminal, plain elsewhere)")

    static let limit = Option.value("limit", .integer(1...Int.max), "Stop after N rows")

    static let asOf = Option.value(
        "as-of", .moment, "Tell what was believed then; a position counts itself")
}
