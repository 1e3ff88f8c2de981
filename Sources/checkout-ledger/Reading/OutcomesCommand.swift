import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog
import LedgerViews

extension Entry {
    static let outcomes = Entry(
        .look,
        Command(
            "outcomes", "List final outcomes with their evidence",
            discussion: """
                One row a session of which something is held true, in the order in which it became \
                true. An outcome that later evidence replaced is not listed.
                """,
            options: [
                .value(
                    "outcome", .choice(CheckoutStatus.outcomes.map(\.name)),
                    placeholder: "OUTCOME", repeats: true, "Only this outcome"),
                .value(
                    "after", .position, "Only what became true behind this position"),
                .limit, .format,
            ],
            examples: [
                Example("outcomes", "Everything that is held true"),
                Example("outcomes --json --after @311", "What became true since position 311"),
            ])
    ) { context in
        var list = try Listing(context, outcomeShape, outcomeColumns)
        let wanted = context.command.values("outcome")
        let limit = context.command.integer("limit") ?? .max
        let after = context.command.position("after")
        guard after != .max else { return .done }
        let ledger = try context.ledger()
        var failure: OutputError?
        try ledger.forEachFinalOutcome(from: after.map { $0 + 1 } ?? 0) {
            (final) throws(LedgerError) in
            guard wanted.isEmpty || wanted.contains(final.outcome.status.name) else {
                return .more
            }
            do throws(OutputError) {
                try list.add(json: final.write, cells: final.cells)
            } catch {
                failure = error
            }
            let isEnough = failure != nil || list.count >= limit || Interrupt.isRequested
            return isEnough ? .stop : .more
        }
        if let failure { throw failure }
        try list.finish()
        try context.remark(
            list.count == 0 ? "No outcomes yet." : Wording.count(list.count, "outcome") + ".")
        return .done
    }
}

let outcomeShape = RowShape(
    title: "outcomes",
    members: [
        ("position", "position of the evidence that made it"),
        ("session", "the session's id"),
        ("provider", "whose checkout it is"),
        ("outcome", "succeeded, failed, cancelled or expired"),
        ("evidence", "verified or operator"),
        ("amount", "what was paid, else asked for: {minorUnits, currency}, or null"),
        ("refunded", "minor units that went back; 0 for none"),
    ])

private let outcomeColumns = [
    Column("POSITION", .trailing), Column("SESSION", shrinks: true), Column("PROVIDER"),
    Column("OUTCOME"), Column("EVIDENCE"), Column("AMOUNT", .trailing),
    Column("REFUNDED", .trailing),
]

extension FinalOutcome {
    fileprivate func write(to writer: inout JSONWriter) {
        let evidence = session.state.evidence
        writer.field("position", position)
        writer.field("session", session.name)
        writer.field("provider", session.scope.provider.rawValue)
        writer.field("outcome", outcome.status.name)
        writer.field("evidence", outcome.evidence.name)
        writer.field("amount", evidence.amount)
        writer.field("refunded", evidence.refunded.total?.minorUnits ?? 0)
    }

    fileprivate func cells() -> [Cell] {
        let evidence = session.state.evidence
        return [
            Cell("\(position)", .dim), Cell(session.name),
            Cell(session.scope.provider.rawValue),
            Cell(outcome.status.name, outcome.status.tone), Cell(outcome.evidence.name),
            Cell(evidence.amount), evidence.refunded.total.map { Cell($0) } ?? "",
        ]
    }
}
