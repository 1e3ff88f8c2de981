import CheckoutLedger
import CheckoutModel
import CommandKit
import LedgerViews

extension SessionRow {
    static func columns(_ context: Context) -> [Column] {
        [
            Column("SESSION", shrinks: true), Column("PROVIDER"), Column("STATUS"),
            Column("OUTCOME"), Column("EVIDENCE"), Column("AMOUNT", .trailing),
            context.timeColumn("LAST EVENT"), Column("REVIEW"),
        ]
    }

    func cells(_ context: Context) -> [Cell] {
        let evidence = session.state.evidence
        let outcome = session.outcome
        // A line of a terminal has no room for the codes; 'discrepancies' and the story have them.
        let review =
            context.tableFormat == .table
            ? (needsReview ? "needed" : "notice")
            : discrepancies.map(\.rawValue).joined(separator: ",")
        return [
            Cell(session.name), Cell(session.scope.provider.rawValue),
            Cell(evidence.status.name, outcome == nil ? .caution : .plain),
            outcome.map { Cell($0.status.name, $0.status.tone) } ?? .none,
            evidence.evidence.map { Cell($0.name, $0 == .hint ? .caution : .plain) } ?? .none,
            Cell(evidence.amount),
            context.time(Instant(known: session.state.trace.lastRecordedAt)),
            discrepancies.isEmpty ? "" : Cell(review, needsReview ? .bad : .caution),
        ]
    }
}
