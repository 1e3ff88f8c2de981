import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog
import LedgerViews

extension Entry {
    static let sessions = Entry(
        .look,
        Command(
            "sessions", "List checkout sessions",
            discussion: """
                One row a checkout, in order of arrival. STATUS is what an app may show, OUTCOME \
                what is held true and only ever rests on verified or operator evidence.
                """,
            options: [
                .value(
                    "status", .choice(CheckoutStatus.allCases.map(\.name)), placeholder: "STATUS",
                    repeats: true, "Only sessions shown as this"),
                .value(
                    "outcome",
                    .choice(["none"] + CheckoutStatus.outcomes.map(\.name)),
                    placeholder: "OUTCOME", repeats: true,
                    "Only sessions with this outcome, or with none"),
                .value("provider", .text, placeholder: "NAME", "Only sessions of one provider"),
                .flag("needs-review", "Only sessions whose money is in doubt"),
                .value("order", .text, placeholder: "ID", "Only sessions of one order"),
                .asOf, .limit, .format,
            ],
            examples: [
                Example("sessions", "Everything, the newest last"),
                Example("sessions --needs-review", "What a person should look at"),
                Example(
                    "sessions --json=session,outcome,amount", "Three members, one object a line"),
                Example("sessions --outcome none --as-of 2h", "What was open two hours ago"),
            ])
    ) { context in
        var list = try Listing(context, SessionRow.shape, SessionRow.columns(context))
        let filter = SessionFilter(context.command)
        let limit = context.command.integer("limit") ?? .max
        let ledger = try context.ledger()
        let moment = context.asOf
        let twice = try ledger.streamsOfOrdersPaidTwice(asOf: moment)
        var failure: OutputError?
        try ledger.forEachSession(asOf: moment) { (session) throws(LedgerError) in
            let row = SessionRow(session, ordersPaidTwice: twice)
            guard filter.holds(row) else { return .more }
            do throws(OutputError) {
                try list.add(json: row.write) { row.cells(context) }
            } catch {
                failure = error
            }
            let isEnough = failure != nil || list.count >= limit || Interrupt.isRequested
            return isEnough ? .stop : .more
        }
        if let failure { throw failure }
        try list.finish()
        try context.remark(
            list.count == 0 ? "No sessions." : Wording.count(list.count, "session") + ".")
        return .done
    }
}

extension CheckoutStatus {
    /// What an outcome can be: a pending session has none.
    static let outcomes: [CheckoutStatus] = allCases.filter { $0 != .pending }
}

/// Which sessions a person asked for.
private struct SessionFilter {
    let statuses: [String]
    let outcomes: [String]
    let provider: String?
    let order: String?
    let needsReview: Bool

    init(_ command: ParsedCommand) {
        statuses = command.values("status")
        outcomes = command.values("outcome")
        provider = command.value("provider")
        order = command.value("order")
        needsReview = command.has("needs-review")
    }

    func holds(_ row: SessionRow) -> Bool {
        let session = row.session
        return (statuses.isEmpty || statuses.contains(session.state.evidence.status.name))
            && (outcomes.isEmpty || outcomes.contains(session.outcome?.status.name ?? "none"))
            && (provider == nil || provider == session.scope.provider.rawValue)
            && (order.map(session.ids.orders.contains) ?? true)
            && (!needsReview || row.needsReview)
    }
}
