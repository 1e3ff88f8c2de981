import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog

extension Entry {
    static let abandoned = Entry(
        .look,
        Command(
            "abandoned", "List sessions whose outcome is not known",
            discussion: """
                One row a session that was shown to a customer and of which nothing final is \
                known. Each of them may have been paid.
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
        var list = try Listing(context, abandonedShape, abandonedColumns)
        let provider = context.command.value("provider")
        let limit = context.command.integer("limit") ?? .max
        let ledger = try context.ledger()
        let instant = try context.instantAsOf(ledger)
        var seen: Set<[UInt64]> = []
        var failure: OutputError?
        try ledger.forEachAbandonedSession(
            asOf: instant, olderThan: context.command.microseconds("older-than") ?? 0,
            known: context.asOf
        ) { (abandoned) throws(LedgerError) in
            let streams = abandoned.session.streams
            // A session of several streams comes up with each that is open.
            guard streams.count == 1 || seen.insert(streams).inserted,
                provider == nil || provider == abandoned.session.scope.provider.rawValue
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

let abandonedShape = RowShape(
    title: "abandoned",
    members: [
        ("session", "the session's id"),
        ("provider", "whose checkout it is"),
        ("status", "what an app may show"),
        ("amount", "what was asked for: {minorUnits, currency}, or null"),
        ("openedAt", "when the page was first shown"),
        ("ageSeconds", "whole seconds from then to now, or to --as-of"),
        ("reason", "why nothing is known, a stable word"),
        ("next", "what to do: wait, ask_provider, review or reopen"),
        ("orders", "the merchant's own references"),
        ("payments", "the provider's payment ids"),
    ])

private let abandonedColumns = [
    Column("SESSION", shrinks: true), Column("PROVIDER"), Column("AMOUNT", .trailing),
    Column("AGE", .trailing), Column("WHY", shrinks: true), Column("NEXT", shrinks: true),
]

private struct AbandonedRow {
    let abandoned: AbandonedSession
    let instant: Instant

    private var age: Int64 { instant.since(abandoned.openedAt) }

    func write(to writer: inout JSONWriter) {
        let session = abandoned.session
        writer.field("session", session.name)
        writer.field("provider", session.scope.provider.rawValue)
        writer.field("status", session.state.evidence.status.name)
        writer.field("amount", session.state.evidence.amount)
        writer.field("openedAt", abandoned.openedAt.iso8601)
        writer.field("ageSeconds", age / 1_000_000)
        writer.field("reason", abandoned.reason.rawValue)
        writer.field("next", abandoned.reason.advice.word)
        writer.field("orders", session.ids.orders)
        writer.field("payments", session.ids.payments)
    }

    func cells() -> [Cell] {
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

extension AbandonedSession.Reason {
    fileprivate func sentence(_ evidence: SessionEvidence) -> String {
        switch self {
        case .noReturn: "nothing heard"
        case .closed: "page closed"
        case .returnedUnclear: "came back unclear"
        case .unconfirmed: "said \(evidence.status.name)"
        case .paymentPending: "payment under way"
        case .needsReview: "payment differs"
        case .failedToOpen: "page never shown"
        }
    }

    fileprivate var advice: (word: String, sentence: String) {
        switch self {
        case .noReturn, .returnedUnclear: ("ask_provider", "ask the provider")
        case .closed, .unconfirmed: ("ask_provider", "wait, then ask")
        case .paymentPending: ("wait", "wait")
        case .needsReview: ("review", "see its timeline")
        case .failedToOpen: ("reopen", "open it again")
        }
    }
}
