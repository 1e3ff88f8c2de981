import CheckoutLedger
import CheckoutModel
import CommandKit
import LedgerViews

extension Entry {
    static let asOf = Entry(
        .look,
        Command(
            "as-of", "Tell what was believed of a session at a moment",
            discussion: """
                Folds the session's events up to a position or a recorded time, and names the \
                positions that counted. What was learnt later, such as a join of two records, \
                takes no part.
                """,
            arguments: [
                Argument("when", .moment, .one, "@311, a time, or an age such as 2h"),
                Argument("session", .text, .one, "Any id of the session, or a beginning of it"),
            ],
            options: [.format],
            examples: [
                Example("as-of @311 cks_7Qm", "After event 311"),
                Example("as-of 2026-09-01T12:00:00Z cks_7Qm --json", "At noon, for a program"),
            ])
    ) { context in
        let selection = try context.selection(of: asOfShape)
        let word = context.command.argument("when")
        guard let typed = Moment(word) else {
            throw context.command.usageError("'WHEN' is no moment.", about: "when")
        }
        let moment = context.ledgerMoment(typed)
        let ledger = try context.ledger()
        let name = try context.session(
            context.command.argument("session"), in: ledger, asOf: moment
        )
        .qualifiedName
        let (session, events) = try ledger.timeline(of: name, asOf: moment)
        let row = SessionRow(
            session, ordersPaidTwice: try ledger.streamsOfOrdersPaidTwice(asOf: moment))
        let positions = events.map(\.position)
        if context.isJSON {
            var writer = JSONWriter(only: selection)
            writer.object {
                row.write(to: &$0)
                $0.field("asOf", asOfText(moment))
                $0.field("positions", positions)
            }
            try context.output.line(&writer)
            return .done
        }
        let rest = try ledger.session(named: name).state.trace.eventCount
        var table = TableWriter(
            SessionRow.columns(context), format: context.tableFormat, on: context.output)
        try table.add(row.cells(context))
        try table.finish()
        let list = positions.map(String.init).joined(separator: ", ")
        try context.remark(
            """
            Counted \(Wording.count(positions.count, "event")) of \
            \(Wording.grouped(Int(rest))): positions \(list).
            """)
        return .done
    }
}

/// The moment as JSON shows it: a position that counts itself, or a time.
private func asOfText(_ moment: LedgerMoment) -> String {
    switch moment {
    case .now: "now"
    case .position(let position): "@\(position == 0 ? 0 : position - 1)"
    case .time(let time): time.iso8601
    }
}

let asOfShape = SessionRow.shape.adding(
    "as-of",
    [
        ("asOf", "the moment: @position, or a time"),
        ("positions", "the events that counted"),
    ])
