import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog
import LedgerViews

extension Entry {
    static let abandoned = Entry(
        .look,
        Command(
            "abandoned", "List sessions whose outcome is not known",
            discussion: """
                One row a session that was shown to a customer, or was about to be when the app \
                died, and of which nothing final is known. Each of them may have been paid.
                """,
            options: [
                .value(
                    "older-than", .span, default: "0s",
                    "Only sessions opened at least this long ago"
                ),
                .value("provider", .text, placeholder: "NAME", "Only sessions of one provider"),
                .asOf, .limit, .format,
            ],
            examples: [
                Example("abandoned --older-than 15min", "What has waited a quarter of an hour"),
                Example("abandoned --as-of 2026-09-01T12:00Z", "What was open at that time"),
            ])
    ) { context in
        var list = try Listing(context, AbandonedRow.shape, abandonedColumns)
        let provider = context.command.value("provider")
        let limit = context.command.integer("limit") ?? .max
        let ledger = try context.ledger()
        let instant = try context.instantAsOf(ledger)
        var failure: OutputError?
        try ledger.forEachAbandonedSession(
            asOf: instant, olderThan: context.command.microseconds("older-than") ?? 0,
            known: context.asOf
        ) { (abandoned) throws(LedgerError) in
            guard provider == nil || provider == abandoned.session.scope.provider.rawValue
            else { return .more }
            let row = AbandonedRow(abandoned: abandoned, instant: instant)
            do throws(OutputError) {
                try list.add(json: row.write, cells: row.cells)
            } catch {
                failure = error
            }
            let isEnough = failure != nil || list.count >= limit || Interrupt.isRequested
            return isEnough ? .stop : .more
        }
        if let failure { throw failure }
        try list.finish()
        try context.remark(
            list.count == 0
                ? "No session waits for an outcome."
                : Wording.count(list.count, "session") + ". One's story: \(Program.name) timeline "
                    + "SESSION")
        return .done
    }
}

private let abandonedColumns = [
    Column("SESSION", shrinks: true), Column("PROVIDER"), Column("AMOUNT", .trailing),
    Column("AGE", .trailing), Column("WHY", shrinks: true), Column("NEXT", shrinks: true),
]

extension AbandonedRow {
    fileprivate func cells() -> [Cell] {
        let session = abandoned.session
        return [
            Cell(session.name), Cell(session.scope.provider.rawValue),
            Cell(session.state.evidence.amount),
            Cell(Wording.duration(.microseconds(age)), .dim),
            Cell(abandoned.reason.sentence(session.state.evidence), .caution),
            Cell(abandoned.reason.advice.sentence),
        ]
    }
}
