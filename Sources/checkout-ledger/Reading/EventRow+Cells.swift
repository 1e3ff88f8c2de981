import CheckoutLedger
import CheckoutModel
import CommandKit
import LedgerViews

extension EventRow {
    static func columns(_ context: Context) -> [Column] {
        [
            Column("POSITION", .trailing), context.timeColumn("RECORDED"),
            Column("SESSION", shrinks: true), Column("VOICE"), Column("TYPE"),
            Column("AMOUNT", .trailing), Column("SAYS", shrinks: true),
        ]
    }

    static func cells(_ recorded: RecordedEvent, _ context: Context) -> [Cell] {
        let event = recorded.event
        let rawType = event.rawType == event.type.name ? nil : event.rawType
        let says = event.status?.name ?? event.reason ?? rawType ?? ""
        return [
            Cell("\(recorded.position)", .dim), context.time(recorded.recordedAt),
            event.ids.display.map { Cell($0) } ?? .none, Cell(event.source.name),
            Cell(event.type.name, event.type.tone(event.evidence)),
            event.amount.map { Cell($0) } ?? "", Cell(says, .dim),
        ]
    }
}
