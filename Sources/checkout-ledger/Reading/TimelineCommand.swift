import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog
import LedgerViews

extension Entry {
    static let timeline = Entry(
        .look,
        Command(
            "timeline", "Tell one session's story in order",
            discussion: """
                Every event of a checkout in the order in which it was recorded, and what each of \
                them changed. TIME counts from the story's first moment, by the speakers' clocks. \
                A webhook is shown by what it means; -v shows its own record too.
                """,
            arguments: [
                Argument(
                    "session", .text, .one,
                    "Any id of it (session, payment, refund, order …), or a beginning of its id")
            ],
            options: [
                .asOf, .flag("private", "Open the sealed fields: addresses, bodies, return URLs"),
                .format,
            ],
            examples: [
                Example("timeline cks_7Qm", "One checkout"),
                Example("timeline ORDER-20260901-001", "The checkout of an order"),
                Example("timeline cks_7Qm --as-of @311", "The story as it was after event 311"),
                Example("timeline pay_1 --json", "One object an event"),
            ])
    ) { context in
        var list = try Listing(context, StoryEntry.shape, storyColumns)
        var ledger = try context.ledger()
        let word = context.command.argument("session")
        let found = try context.session(word, in: ledger, asOf: context.asOf)
        let (session, events) = try ledger.timeline(of: found.qualifiedName, asOf: context.asOf)
        let opens = context.command.has("private")
        let story = StoryEntry.story(events)
        let visible = story.filter { context.shows($0, in: events) }
        if opens {
            ledger = try await context.recordPrivateReading(
                "timeline --private", visible.map(\.recorded.position))
        }
        if !context.isJSON { try context.remark(headLine(session) + "\n") }
        let isTold = !context.isJSON && context.tableFormat == .table
        for entry in visible {
            let sealed = opens ? try PrivateText(entry.recorded, in: ledger) : nil
            let told = entry.effects + (isTold ? context.losses(of: entry, in: ledger) : [])
            let effects = isTold ? told : [entry.effects.joined(separator: "; ")]
            try list.add {
                entry.write(PrivateStates(of: entry.recorded, in: ledger), to: &$0)
                if let sealed { $0.field("private", sealed) }
            } cells: {
                entry.cells(effect: effects.first ?? "")
            }
            for effect in effects.dropFirst() where isTold {
                try list.add(json: { _ in }) { ["", "", "", "", Cell(effect, entry.tone)] }
            }
        }
        try list.finish()
        if !context.isJSON {
            if opens { try context.writePrivateFields(of: visible, in: ledger) }
            try context.remark(footer(events, hidden: story.count - visible.count))
        }
        return .done
    }
}

private let storyColumns = [
    Column("TIME", .trailing), Column("EVENT"), Column("VOICE"), Column("WHAT", shrinks: true),
    Column("EFFECT", shrinks: true),
]

extension Context {
    /// A webhook whose meaning is told in the same story needs no line of its own for a person.
    fileprivate func shows(_ entry: StoryEntry, in events: [RecordedEvent]) -> Bool {
        if isJSON || command.has("verbose") || command.has("private") { return true }
        let recorded = entry.recorded
        switch recorded.event.type {
        case .deliveryPart: return false
        case .deliveryReceived:
            return !events.contains {
                $0.cause == recorded.position && $0.event.type != .deliveryPart
            }
        default: return true
        }
    }
}

extension Context {
    /// With -v: which private fields of an event are erased, without their key, or tampered with.
    fileprivate func losses(of entry: StoryEntry, in ledger: Ledger<LMDBStore>) -> [String] {
        // Without the root key nothing can be said of keys that exist.
        guard command.has("verbose"),
            let parts = try? ledger.privateParts(of: entry.recorded)
        else { return [] }
        return parts.compactMap { part in
            part.answer.loss.map { "\(part.dataClass.name) fields \($0)" }
        }
    }
}

extension Context {
    /// The sealed fields under a heading for each event: never cut, unlike the cells of a table.
    fileprivate func writePrivateFields(
        of story: [StoryEntry], in ledger: Ledger<LMDBStore>
    ) throws {
        for entry in story {
            let sealed = try PrivateText(entry.recorded, in: ledger)
            guard !sealed.isEmpty else { continue }
            let recorded = entry.recorded
            try output.line()
            try output.line("position \(recorded.position)  \(recorded.event.type.name)")
            try writeFields(sealed.fields)
        }
    }
}

private func headLine(_ session: Session) -> String {
    let evidence = session.state.evidence
    var parts = [session.name, session.scope.description]
    if let amount = evidence.amount { parts.append(amount.display) }
    if let order = session.ids.orders.first { parts.append("order \(order)") }
    if let outcome = session.outcome {
        parts.append("outcome \(outcome.status.name), \(outcome.evidence.phrase)")
    } else {
        parts.append("no outcome, shown as \(evidence.status.name)")
    }
    if evidence.needsReview { parts.append("needs review") }
    return SafeText.visible(parts.joined(separator: "  "))
}

private func footer(_ events: [RecordedEvent], hidden: Int) -> String {
    guard let first = events.first, let last = events.last else { return "No events." }
    let places =
        first.position == last.position
        ? "position \(first.position)" : "positions \(first.position)–\(last.position)"
    var text = "\n\(Wording.count(events.count, "event")), \(places)"
    if hidden > 0 { text += "; \(Wording.count(hidden, "webhook record")) shown by -v" }
    return text + ". Show one: \(Program.name) events --at \(last.position)"
}

extension StoryEntry {
    fileprivate func cells(effect: String) -> [Cell] {
        [
            Cell(time, .dim), Cell(word), Cell(voice), Cell(detail + lateness),
            Cell(effect, tone),
        ]
    }
}
