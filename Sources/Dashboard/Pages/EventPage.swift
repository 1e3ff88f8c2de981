import CheckoutLedger
import CheckoutModel
import CommandKit
import Cryptography
import EventLog
import LedgerViews
import Markup

/// One event with its place in the log.
struct StoredEvent: Sendable {
    var recorded: RecordedEvent
    var record: Record
    /// The events that name it as their cause.
    var effects: [UInt64]
    /// The session's event behind it.
    var next: UInt64?
    var end: UInt64
    var session: Session?
    /// What became of its private fields; nil where it has none.
    var privateStates: PrivateStates?
}

enum EventPage {
    static func page(_ event: StoredEvent, _ view: PageView) -> Page {
        let position = event.recorded.position
        let content: Markup = """
            <h1>\(event.recorded.event.type.name) <span class="dim">@\(position)</span></h1>
            <p class="lead">What exactly was stored at position \(count: position). It is never \
            edited.</p>
            <p class="chips">\(neighbours(event))</p>
            <h2>Place</h2>
            <div class="card">\(Markup.names(place(event)))</div>
            <h2>What was said</h2>
            <div class="card">\(Markup.names(said(event)))</div>
            <h2>Bytes</h2>
            <div class="card">\(Markup.names(bytes(event)))</div>
            """
        return Page(
            "Event @\(position)", section: "", json: "/events/\(position).json",
            command: view.command("events", "--at", "\(position)"), content: content)
    }

    private static func neighbours(_ event: StoredEvent) -> Markup {
        let position = event.recorded.position
        func link(_ position: UInt64?, _ word: String) -> Markup {
            guard let position else { return "<span class=\"chip\">no \(word)</span> " }
            return "<a class=\"chip\" href=\"/events/\(position)\">\(word) @\(position)</a> "
        }
        return """
            \(link(position > 0 ? position - 1 : nil, "before in the log"))\
            \(link(position + 1 < event.end ? position + 1 : nil, "after in the log"))\
            \(link(event.recorded.previous, "before in the session"))\
            \(link(event.next, "after in the session"))
            """
    }

    private static func place(_ event: StoredEvent) -> [(String, Markup)] {
        let recorded = event.recorded
        let effects = event.effects.map { " \(Markup.link(event: $0))" as Markup }
        let streams = event.session?.streams ?? [recorded.stream]
        let links = streams.map { stream -> Markup in
            "<a href=\"/streams/\(stream)\">\(stream)</a> "
        }
        return [
            ("session", event.session.map(Markup.link) ?? "–"),
            (streams.count > 1 ? "streams, joined" : "stream", Markup(links)),
            ("stream, revision", "\(recorded.stream), \(recorded.revision)"),
            ("recorded", "\(time: recorded.recordedAt)"),
            ("happened", "\(time: recorded.event.occurredAt)"),
            ("caused by", recorded.cause.map { Markup.link(event: $0) } ?? "–"),
            ("led to", effects.isEmpty ? "–" : Markup(effects)),
        ]
    }

    /// The members of the event's line that its place does not say.
    private static func said(_ event: StoredEvent) -> [(String, Markup)] {
        let placed: Set<String> = [
            "position", "recordedAt", "stream", "revision", "cause", "occurredAt",
        ]
        return EventRow.lines(event.recorded).filter { !placed.contains($0.name) }.map {
            ($0.name, "<span class=\"id\">\($0.value)</span>")
        }
    }

    private static func bytes(_ event: StoredEvent) -> [(String, Markup)] {
        let sealed =
            event.privateStates.map {
                "\($0.text); what names a person or opens something is encrypted under the "
                    + "session's key"
            } ?? "nothing is sealed in it"
        return [
            (
                "leaf hash",
                "<span class=\"id\" data-copy>\(Hex.encode(event.record.leafHash.bytes))</span>"
            ),
            (
                "before in its session",
                event.recorded.previous.map { Markup.link(event: $0) }
                    ?? "none, it begins its stream"
            ),
            ("record", "\(Wording.bytes(event.record.bytes.count))"),
            ("payload", "\(Wording.bytes(event.record.payload.count)) of them"),
            ("sealed fields", "\(sealed)"),
        ]
    }

    static func json(_ event: StoredEvent) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.field("schema", "event/1")
            EventRow.write(event.recorded, event.privateStates, to: &writer)
            writer.field("previous", event.recorded.previous)
            writer.field("next", event.next)
            writer.field("effects", event.effects)
            writer.field("leafHash", Hex.encode(event.record.leafHash.bytes))
            writer.field("recordBytes", event.record.bytes.count)
            writer.field("payloadBytes", event.record.payload.count)
        }
        return writer.line()
    }
}
