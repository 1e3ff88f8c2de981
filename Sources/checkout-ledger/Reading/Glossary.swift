import CommandKit
import EventLog
import LedgerViews

extension HelpTopic {
    /// The words of the product, one meaning each.
    static let glossary = HelpTopic(
        "glossary", "What the words mean",
        text: Vocabulary.lines.map { $0 + "\n" }.joined())

    /// The members of each command's JSON rows.
    static let formats = HelpTopic(
        "formats", "The members of JSON rows",
        text: """
            With --json, data alone stands on standard output, one object a line. Amounts are
            integers of minor units; times are ISO 8601 in UTC with microseconds. --json=a,b
            prints these members only, --json=? lists them. An error is one object on standard
            error: {"schema":"error/1","code","message","hint"}; "warning/1" is one of a ledger
            that is not the one that was sealed, on which every answer depends.

            """ + shapes.map(section).joined())

    /// Every shape that a reading command writes, and those of running checkouts.
    static let shapes = [
        EventRow.shape, eventDetailShape, SessionRow.shape, asOfShape, StoryEntry.shape,
        AbandonedRow.shape, outcomeShape, DiscrepancyRow.shape, replayShape, verifyShape,
        statsShape, providerShape, reconcileShape, providerFindingShape, checkoutShape,
        webhookShape, webhookDetailShape, explainedDeliveryShape, triggerShape, doctorShape,
        listenShape, AuditListing.shape, erasureShape, holdShape,
    ]

    private static func section(_ shape: RowShape) -> String {
        "\n\(shape.title)\n" + shape.lines.map { "  \($0)\n" }.joined()
    }
}
