import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog
import LedgerViews

extension Entry {
    static let discrepancies = Entry(
        .look,
        Command(
            "discrepancies", "List contradictions worth a person's look",
            discussion: """
                One row a contradiction: amounts that differ, an order paid by two sessions, more \
                refunded than paid, a customer who was shown something else than the outcome.
                """,
            options: [
                .value("code", .text, placeholder: "CODE", repeats: true, "Only this kind"),
                .flag("needs-review", "Only those that put money in doubt"), .limit, .format,
            ],
            examples: [
                Example("discrepancies", "Every contradiction"),
                Example("discrepancies --json --needs-review", "Those about money, for a program"),
            ])
    ) { context in
        var list = try Listing(context, DiscrepancyRow.shape, discrepancyColumns)
        let codes = context.command.values("code")
        let onlyReview = context.command.has("needs-review")
        let limit = context.command.integer("limit") ?? .max
        var failure: OutputError?
        try context.ledger().forEachDiscrepancy { (session, found) throws(LedgerError) in
            for discrepancy in found {
                let code = discrepancy.code
                guard codes.isEmpty || codes.contains(code.rawValue),
                    !onlyReview || code.needsReview
                else { continue }
                do throws(OutputError) {
                    try list.add {
                        DiscrepancyRow.write(discrepancy, of: session, to: &$0)
                    } cells: {
                        [
                            Cell(session.name), Cell(session.scope.provider.rawValue),
                            Cell(code.rawValue, code.needsReview ? .bad : .caution),
                            Cell(discrepancy.message),
                        ]
                    }
                } catch {
                    failure = error
                }
                if failure != nil || list.count >= limit { return .stop }
            }
            return Interrupt.isRequested ? .stop : .more
        }
        if let failure { throw failure }
        try list.finish()
        let summary =
            list.count == 0
            ? "No discrepancies." : Wording.count(list.count, "discrepancy", "discrepancies") + "."
        try context.remark(summary)
        return .done
    }
}

private let discrepancyColumns = [
    Column("SESSION", shrinks: true), Column("PROVIDER"), Column("CODE"),
    Column("WHAT", shrinks: true),
]
