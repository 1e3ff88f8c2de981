// How the ledger's values look in a table.

import CheckoutModel
import CommandKit
import LedgerViews

extension Cell {
    /// What is not there: a dash, so that a column of a table has no holes.
    static let none = Cell("-", .dim)

    init(_ money: Money?) { self = money.map { Cell($0.display) } ?? .none }
}

extension Context {
    /// The column of `time(_:)`: ages for a person, absolute times for a program.
    func timeColumn(_ title: String) -> Column {
        tableFormat == .table && output.terminal.isTerminal
            ? Column("AGE", .trailing) : Column(title)
    }

    func time(_ instant: Instant?) -> Cell {
        guard let instant else { return .none }
        guard tableFormat == .table, output.terminal.isTerminal else {
            return Cell(instant.iso8601, .dim)
        }
        return Cell(Wording.duration(.microseconds(now.since(instant))), .dim)
    }
}
