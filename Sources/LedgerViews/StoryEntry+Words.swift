import CheckoutLedger
package import CheckoutModel
package import CommandKit

extension StoryEntry {
    package static let shape = RowShape(
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
            (PrivateStates.member.name, PrivateStates.member.about),
            (
                "private",
                "with --private: the opened fields; in lost, each class that is erased, "
                    + "key_missing or tampered; or null"
            ),
        ])

    package func write(
        _ states: @autoclosure () -> PrivateStates?, to writer: inout JSONWriter
    ) {
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
        if writer.wants(PrivateStates.member.name) {
            writer.field(PrivateStates.member.name, states())
        }
    }

    /// `41.2 s` in the first minute, then one number and one unit.
    package var time: String {
        guard offset < 60_000_000 else { return Wording.duration(.microseconds(offset)) }
        let tenths = offset / 100_000
        return "\(tenths / 10).\(tenths % 10) s"
    }

    /// Said when writing it down took more than a second longer than its happening.
    package var lateness: String {
        guard let occurredAt = recorded.event.occurredAt else { return "" }
        let lag = recorded.recordedAt.since(occurredAt)
        guard lag > 1_000_000 else { return "" }
        return " (recorded \(Wording.duration(.microseconds(lag))) later)"
    }

    package var word: String {
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

    /// What an app's journal notes beside the events of its page, in words.
    private static let appNotes = [
        "acknowledged": "the app has the result",
        "interrupted": "the app ended while the page was open",
        "timed_out": "the app stopped waiting; the page may be open still",
    ]

    package var voice: String {
        let event = recorded.event
        switch event.source {
        case .webhook, .query: return event.provider.rawValue
        default: return event.actor ?? event.source.name
        }
    }

    /// What was said, in a few words.
    package var detail: String {
        let event = recorded.event
        let amount = event.amount.map { " " + $0.display } ?? ""
        switch event.type {
        case .sessionCreated: return event.amount.map { "asks for \($0.display)" } ?? "created"
        case .sessionOpened: return "checkout page shown"
        case .sessionClosed:
            // As an app's journal writes it.
            let isByApp = event.reason == "cancelled_by_app"
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
        case .noteAdded where event.source == .app:
            return event.reason.map { Self.appNotes[$0] ?? $0 } ?? ""
        case .operatorResolved, .noteAdded: return event.reason ?? ""
        case .eraseRequested, .subjectErased, .holdPlaced, .holdReleased, .subjectLinked,
            .keysRotated, .eraseRefused:
            return recorded.privacyDetail
        default: return event.type.name + amount
        }
    }
}

extension Evidence {
    /// How an outcome is known, to follow its word.
    package var phrase: String {
        switch self {
        case .hint: "by a hint"
        case .verified: "by verified evidence"
        case .operator: "by an operator"
        }
    }
}
