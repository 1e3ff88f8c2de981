import CheckoutLedger
import CheckoutModel
import CommandKit
import HTTPServer
import LedgerViews
import Markup

/// One session's story, and what hangs together with it.
struct Timeline: Sendable {
    var session: Session
    var events: [RecordedEvent]
    /// Contradictions inside the session and with others.
    var discrepancies: [Discrepancy]
    /// What of the deliveries' sealed bytes may be shown, by position.
    var bodies: [UInt64: MaskedDelivery]
    /// What became of private fields, by position of the events that have some.
    var privateStates: [UInt64: PrivateStates]
}

enum TimelinePage {
    static func page(_ timeline: Timeline, _ view: PageView) -> Page {
        let session = timeline.session
        let story = StoryEntry.story(timeline.events)
        let told = story.filter { shows($0, in: timeline.events) }
        let address = Address.session(session)
        let content: Markup = """
            <div id="head" data-live>\(head(timeline, story, view))</div>
            <div id="lanes" data-live>\(SwimLanes(story: told).plot().markup)</div>
            <h2>Facts, in the order in which they were recorded</h2>
            <div id="facts" data-live>\(facts(story, timeline))</div>
            \(deliveries(timeline, view))
            """
        return Page(
            session.name, section: "/sessions", json: "\(address.text).json",
            command: view.command("timeline", session.qualifiedName), isLive: true,
            content: content)
    }

    /// A webhook whose meaning is told in the same story needs no mark of its own.
    private static func shows(_ entry: StoryEntry, in events: [RecordedEvent]) -> Bool {
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

extension TimelinePage {
    private static func head(
        _ timeline: Timeline, _ story: [StoryEntry], _ view: PageView
    ) -> Markup {
        let session = timeline.session
        let evidence = session.state.evidence
        let trace = session.state.trace
        let joined =
            session.streams.count > 1 ? " in \(session.streams.count) joined streams" : ""
        var pairs: [(String, Markup)] = [
            ("shown to the app as", .status(evidence.status, isHint: session.outcome == nil)),
            ("amount", amounts(evidence)), ("provider", "\(session.scope.description)"),
        ]
        pairs += ids(session.ids)
        if let openedAt = Instant(known: trace.openedAt) {
            let name = evidence.marks.isDisjoint(with: .seen) ? "page asked for" : "page shown"
            pairs.append((name, "\(time: openedAt), \(view.age(openedAt)) ago"))
        }
        if let deciding = deciding(story) {
            let recorded = deciding.recorded
            pairs.append(
                (
                    "decided by",
                    "\(Markup.link(event: recorded.position)) \(time: recorded.recordedAt)"
                ))
        }
        pairs.append(
            (
                "events",
                "\(count: trace.eventCount)\(joined)"
            ))
        return """
            <h1><span class="id" data-copy>\(session.name)</span></h1>
            <p class="answer">\(answer(session, story))</p>
            <div class="card">\(Markup.names(pairs))</div>
            \(timeline.discrepancies.map(discrepancy))
            \(actions(timeline, view))
            """
    }

    /// Says whether it was paid, and how that is known.
    private static func answer(_ session: Session, _ story: [StoryEntry]) -> Markup {
        guard let outcome = session.outcome else {
            return """
                \(Markup.outcome(nil, nil)) <span class="dim">Nothing verified has said how it \
                ended. It may have been paid.</span>
                """
        }
        let amount: Markup? = session.state.evidence.paid.total.map { "<b>\($0.display)</b>" }
        let source = deciding(story)?.recorded.event.source.told
        return """
            \(Markup.status(outcome.status)) \(amount) <span class="dim">known \
            \(outcome.evidence.phrase)\(source.map { ": \($0)" } ?? "")</span>
            """
    }

    /// The first fact after which the outcome has stood as it does.
    private static func deciding(_ story: [StoryEntry]) -> StoryEntry? {
        guard let outcome = story.last?.outcome else { return nil }
        return story.reversed().prefix { $0.outcome == outcome }.last
    }

    private static func discrepancy(_ discrepancy: Discrepancy) -> Markup {
        discrepancy.code.needsReview
            ? """
            <p class="note bad"><strong>Needs review:</strong> \(discrepancy.message) \
            <code>\(discrepancy.code.rawValue)</code></p>
            """
            : """
            <p class="note"><strong>Notice:</strong> \(discrepancy.message) \
            <code>\(discrepancy.code.rawValue)</code></p>
            """
    }

    private static func amounts(_ evidence: SessionEvidence) -> Markup {
        var parts: [Markup] = [.money(evidence.amount)]
        if let paid = evidence.paid.total { parts = ["\(paid.display) paid"] }
        if let back = evidence.refunded.total, back.minorUnits != 0 {
            parts.append(", \(back.display) refunded")
        }
        if evidence.expectedTotals.count == 1, evidence.paid.total != evidence.expectedTotals[0] {
            parts.append(", \(evidence.expectedTotals[0].display) asked for")
        }
        return Markup(parts)
    }

    private static func ids(_ ids: SessionIDs) -> [(String, Markup)] {
        let kinds: [(String, [String])] = [
            ("session", ids.sessions), ("order", ids.orders), ("payment", ids.payments),
            ("refund", ids.refunds), ("dispute", ids.disputes),
            ("subscription", ids.subscriptions), ("customer", ids.customers),
        ]
        return kinds.compactMap { name, values in
            guard !values.isEmpty else { return nil }
            let list = values.map { value -> Markup in
                "<span class=\"id\" data-copy>\(value)</span> "
            }
            return (name, Markup(list))
        }
    }

    private static func actions(_ timeline: Timeline, _ view: PageView) -> Markup {
        guard let token = view.formToken, timeline.session.outcome == nil else { return .empty }
        return """
            <form method="post" action="/actions/reconcile">\(Self.token(token))\
            <input type="hidden" name="session" value="\(timeline.session.qualifiedName)">\
            <button class="act">Ask the provider now</button></form>
            """
    }

    /// The field that shows that a form is ours.
    static func token(_ token: String) -> Markup {
        "<input type=\"hidden\" name=\"\(WebForm.tokenField)\" value=\"\(token)\">"
    }
}

extension TimelinePage {
    private static func facts(_ story: [StoryEntry], _ timeline: Timeline) -> Markup {
        var caused: [UInt64: [UInt64]] = [:]
        for event in timeline.events {
            if let cause = event.cause { caused[cause, default: []].append(event.position) }
        }
        var table = RowTable([
            .text("Position"), .number("Time"), .text("Happened"), .text("Recorded"),
            .text("Voice"), .text("Fact"), .text("What was said"), .text("Effect"),
            .text("Caused by / led to"),
        ])
        for entry in story.prefix(Limits.factsShown) {
            let recorded = entry.recorded
            table.add(
                row(entry, caused[recorded.position] ?? []), anchor: "e\(recorded.position)")
        }
        let more = story.count - Limits.factsShown
        let rest: Markup? =
            more > 0
            ? "<p class=\"dim\">\(count: more) more; the terminal lists them all.</p>" : nil
        return "\(table.markup)\(rest)"
    }

    private static func row(_ entry: StoryEntry, _ effects: [UInt64]) -> [Markup] {
        let recorded = entry.recorded
        let event = recorded.event
        var ties: [Markup] = []
        if let cause = recorded.cause { ties.append("by <a href=\"#e\(cause)\">@\(cause)</a>") }
        if !effects.isEmpty {
            let links = effects.map { " <a href=\"#e\($0)\">@\($0)</a>" as Markup }
            ties.append("led to\(links)")
        }
        if let stream = recorded.linkedStream {
            ties.append("joins <a href=\"/streams/\(stream)\">stream \(stream)</a>")
        }
        let effect = entry.effects.enumerated().map { index, text -> Markup in
            "\(index == 0 ? "" : "; ")\(Markup.words(text, entry.tone))"
        }
        return [
            .link(event: recorded.position), "\(entry.time)", "\(time: event.occurredAt)",
            "\(time: recorded.recordedAt)\(lag(recorded))",
            "\(entry.voice)\(entry.voice == event.source.name ? nil : source(event))",
            .words(event.type.name, event.type.tone(event.evidence)),
            "\(entry.detail)", Markup(effect),
            Markup(ties.enumerated().map { $0.offset == 0 ? $0.element : ", " + $0.element }),
        ]
    }

    private static func source(_ event: CheckoutEvent) -> Markup {
        " <span class=\"dim\">\(event.source.name)</span>"
    }

    /// Said when writing it down took more than a second longer than its happening.
    private static func lag(_ recorded: RecordedEvent) -> Markup {
        guard let occurredAt = recorded.event.occurredAt else { return .empty }
        let lag = recorded.recordedAt.since(occurredAt)
        guard lag > 1_000_000 else { return .empty }
        return " <span class=\"dim nowrap\">\(Wording.duration(.microseconds(lag))) later</span>"
    }

    private static func deliveries(_ timeline: Timeline, _ view: PageView) -> Markup {
        let found = timeline.events.filter { timeline.bodies[$0.position] != nil }
        guard !found.isEmpty else { return .empty }
        let parts = found.map { event -> Markup in
            let body = timeline.bodies[event.position].map { DeliveryPage.raw($0) }
            return """
                <details class="card"><summary>@\(event.position) \
                \(event.event.rawType ?? event.event.type.name), delivery \
                \(event.event.deliveryID ?? "without an id")</summary>
                <p><a href="/webhooks/\(event.position)">This delivery by itself</a></p>
                \(body)</details>
                """
        }
        return """
            <h2>Webhooks as they arrived</h2>
            <p class="dim">Kept byte for byte and sealed. What may name a person or open something \
            is masked here, always.</p>
            \(parts)
            """
    }

    static func json(_ timeline: Timeline) -> [UInt8] {
        var writer = JSONWriter()
        let codes = timeline.discrepancies.map(\.code)
        writer.object { writer in
            writer.field("schema", "timeline/1")
            writer.object("session") { object in
                SessionRow(
                    timeline.session,
                    ordersPaidTwice: codes.contains(.orderPaidTwice)
                        ? Set(timeline.session.streams) : []
                ).write(to: &object)
            }
            writer.array("discrepancies") { list in
                for discrepancy in timeline.discrepancies {
                    list.object {
                        DiscrepancyRow.write(discrepancy, of: timeline.session, to: &$0)
                    }
                }
            }
            writer.array("facts") { list in
                for entry in StoryEntry.story(timeline.events) {
                    let states = timeline.privateStates[entry.recorded.position]
                    list.object { entry.write(states, to: &$0) }
                }
            }
        }
        return writer.line()
    }
}

extension EventSource {
    /// Whose word an outcome rests on.
    fileprivate var told: String {
        switch self {
        case .app: "the app"
        case .browser: "a signed return"
        case .webhook: "a signed webhook"
        case .query: "the provider's answer"
        case .operator: "a person"
        case .host: "the host"
        case .ledger: "the ledger"
        }
    }
}
