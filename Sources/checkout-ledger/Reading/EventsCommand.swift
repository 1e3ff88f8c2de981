import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog
import LedgerViews

extension Entry {
    static let events = Entry(
        .look,
        Command(
            "events", "List, show or follow stored events",
            discussion: """
                One row an event, in the order in which they were recorded. All conditions that \
                are given must hold; one that may be repeated holds when any of its values does. \
                --since and --until look at the time of recording.
                """,
            options: eventFilters + [
                .limit,
                .flag("follow", short: "f", "Go on with events as they are recorded, until Ctrl-C"),
                .value("at", .position, "Show the one event at a position, with everything"),
                .flag("private", "With --at: open the sealed fields too"),
                .format,
            ],
            examples: [
                Example("events --session cks_7Qm", "Everything about one checkout"),
                Example("events --type refund --since 24h", "Refunds of the last day"),
                Example("events --follow --json", "Feed a program, live"),
                Example("events --at 318", "One event with its hash"),
            ])
    ) { context in
        if let position = context.command.position("at") {
            return try await showEvent(at: position, context)
        }
        var list = try Listing(context, EventRow.shape, EventRow.columns(context))
        let follows = context.command.has("follow")
        if follows, let bound = ["until", "before"].first(where: context.command.has) {
            throw context.command.usageError(
                "--follow has no end, so it cannot be given with --\(bound).", about: bound)
        }
        var pages = EventPages(eventQuery(context))
        let limit = context.command.integer("limit") ?? .max
        let ledger = try context.ledger()
        var goesOn = true
        while goesOn, !Interrupt.isRequested {
            let events = try pages.page(of: ledger)
            for event in events.prefix(limit - list.count) {
                try list.add {
                    EventRow.write(event, PrivateStates(of: event, in: ledger), to: &$0)
                } cells: {
                    EventRow.cells(event, context)
                }
            }
            try list.flush()
            if list.count >= limit {
                goesOn = false
            } else if events.isEmpty {
                goesOn = follows
                if follows { goesOn = try await pages.waitForMore(in: ledger, for: context) }
            }
        }
        try list.finish()
        if !follows {
            try context.remark(
                list.count == 0 ? "No events." : Wording.count(list.count, "event") + ".")
        }
        return Interrupt.isRequested ? .interrupted : .done
    }
}

private let eventFilters: [Option] = [
    .value("session", .text, placeholder: "NAME", "One session, by any of its ids"),
    .value("order", .text, placeholder: "ID", "One order; several sessions may share it"),
    .value("payment", .text, placeholder: "ID", "One payment"),
    .value(
        "type", .choice(EventType.words), placeholder: "TYPE", repeats: true,
        "A type such as payment.succeeded, or all of 'payment'"),
    .value(
        "source", .choice(EventSource.allCases.map(\.name)), placeholder: "VOICE", repeats: true,
        "Whose voice: app, browser, webhook, query, operator, host, ledger"),
    .value(
        "evidence", .choice(Evidence.allCases.map(\.name)), repeats: true, "How well known"),
    .value("provider", .text, placeholder: "NAME", repeats: true, "One provider"),
    .value("since", .moment, "Recorded at or after: a time, an age such as 2h, or @311"),
    .value("until", .moment, "Recorded before: a time, an age, or @311"),
    .value("after", .position, "Only positions behind this one"),
    .value("before", .position, "Only positions in front of this one"),
]

private func eventQuery(_ context: Context) -> AuditQuery {
    let command = context.command
    var query = AuditQuery()
    query.session = command.value("session")
    query.order = command.value("order")
    query.payment = command.value("payment")
    query.types = command.values("type").flatMap { EventType.types(named: $0) }
    query.sources = command.values("source").compactMap { EventSource(name: $0) }
    query.evidence = Evidence.allCases.filter { command.values("evidence").contains($0.name) }
    query.providers = command.values("provider").map { ProviderID(rawValue: $0) }
    var lower: UInt64 = 0
    var upper = UInt64.max
    switch command.moment("since") {
    case .position(let position): lower = position
    case .time(let time): query.since = Instant(microseconds: time)
    case .ago(let span): query.since = context.before(span)
    case .none: break
    }
    switch command.moment("until") {
    case .position(let position): upper = position
    case .time(let time): query.until = Instant(microseconds: time)
    case .ago(let span): query.until = context.before(span)
    case .none: break
    }
    if let after = command.position("after") {
        lower = max(lower, after == .max ? after : after + 1)
    }
    if let before = command.position("before") { upper = min(upper, before) }
    query.positions = lower < upper ? lower..<upper : 0..<0
    return query
}
