import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog

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
        var list = try Listing(context, storyShape, storyColumns)
        let ledger = try context.ledger()
        let word = context.command.argument("session")
        let found = try context.session(word, in: ledger, asOf: context.asOf)
        let (session, events) = try ledger.timeline(of: found.qualifiedName, asOf: context.asOf)
        let opens = context.command.has("private")
        let story = StoryEntry.story(events)
        if !context.isJSON { try context.remark(headLine(session) + "\n") }
        let visible = story.filter { context.shows($0, in: events) }
        let isTold = !context.isJSON && context.tableFormat == .table
        for entry in visible {
            let sealed = opens ? try PrivateText(entry.recorded, in: ledger) : nil
            let told = entry.effects + (isTold ? context.losses(of: entry, in: ledger) : [])
            let effects = isTold ? told : [entry.effects.joined(separator: "; ")]
            try list.add {
                entry.write(to: &$0)
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
        if opens {
            try await context.recordPrivateReading(
                "timeline --private", visible.map(\.recorded.position))
        }
        return .done
    }
}

let storyShape = RowShape(
    title: "timeline",
    members: [
        ("position", "place in the whole log"),
        ("recordedAt", "when it was written down here"),
        ("occurredAt", "when it happened, by the speaker's clock, or null"),
        ("offset", "microseconds from the story's first moment"),
        ("source", "whose voice"),
        ("evidence", "hint, verified or operator"),
        ("type", "dotted name"),
        ("amount", "{minorUnits, currency}, or null"),
        ("detail", "what was said, in words"),
        ("effect", "what it changed, in words"),
        ("status", "what may be shown after it"),
        ("outcome", "what is held true after it, or null"),
        ("cause", "position of the event it was read from, or null"),
        (
            "private",
            "with --private: the opened fields; in lost, each class that is erased, key_missing "
                + "or tampered; or null"
        ),
    ])

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

extension Evidence {
    fileprivate var phrase: String {
        switch self {
        case .hint: "by a hint"
        case .verified: "by verified evidence"
        case .operator: "by an operator"
        }
    }
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
    fileprivate func write(to writer: inout JSONWriter) {
        let event = recorded.event
        writer.field("position", recorded.position)
        writer.field("recordedAt", recorded.recordedAt.iso8601)
        writer.field("occurredAt", event.occurredAt?.iso8601)
        writer.field("offset", offset)
        writer.field("source", event.source.name)
        writer.field("evidence", event.evidence.name)
        writer.field("type", event.type.name)
        writer.field("amount", event.amount)
        writer.field("detail", detail)
        writer.field("effect", effects.joined(separator: "; "))
        writer.field("status", status.name)
        writer.field("outcome", outcome?.status.name)
        writer.field("cause", recorded.cause)
    }

    fileprivate func cells(effect: String) -> [Cell] {
        [
            Cell(time, .dim), Cell(word), Cell(voice), Cell(detail + lateness),
            Cell(effect, tone),
        ]
    }

    /// `41.2 s` in the first minute, then one number and one unit.
    private var time: String {
        guard offset < 60_000_000 else { return Wording.duration(.microseconds(offset)) }
        let tenths = offset / 100_000
        return "\(tenths / 10).\(tenths % 10) s"
    }

    /// Said when writing it down took more than a second longer than its happening.
    private var lateness: String {
        guard let occurredAt = recorded.event.occurredAt else { return "" }
        let lag = recorded.recordedAt.since(occurredAt)
        guard lag > 1_000_000 else { return "" }
        return " (recorded \(Wording.duration(.microseconds(lag))) later)"
    }

    private var word: String {
        let event = recorded.event
        switch event.source {
        case .webhook: return "webhook"
        case .query: return "answer"
        default: break
        }
        let name = event.type.name
        let last = name.split(separator: ".").last.map(String.init) ?? name
        return last.split(separator: "_").joined(separator: " ")
    }

    private var voice: String {
        let event = recorded.event
        switch event.source {
        case .webhook, .query: return event.provider.rawValue
        default: return event.actor ?? event.source.name
        }
    }

    /// What was said, in a few words.
    private var detail: String {
        let event = recorded.event
        let amount = event.amount.map { " " + $0.display } ?? ""
        switch event.type {
        case .sessionCreated: return event.amount.map { "asks for \($0.display)" } ?? "created"
        case .sessionOpened: return "checkout page shown"
        case .sessionClosed:
            let isByApp = event.reason == CheckoutEnding.cancelledByApp.rawValue
            return isByApp ? "the app took the page away" : "customer closed the page"
        case .sessionFailedToOpen: return event.reason ?? "page could not be shown"
        case .sessionReturned:
            return event.status.map { "came back saying \($0.name)" } ?? "came back"
        case .sessionCleared: return "put aside by the host"
        case .sessionLinked:
            return "another record is the same checkout"
        case .deliveryReceived, .deliveryPart: return event.rawType ?? event.type.name
        case .deliveryRefused, .deliveryConflicted, .deliveryQuarantined:
            return event.reason ?? event.type.name
        case .statusChecked:
            return "asked: " + (event.status?.name ?? event.reason ?? "no answer") + amount
        case .operatorResolved, .noteAdded: return event.reason ?? ""
        case .eraseRequested, .subjectErased, .holdPlaced, .holdReleased, .subjectLinked,
            .keysRotated:
            return recorded.privacyDetail
        default: return event.type.name + amount
        }
    }
}
