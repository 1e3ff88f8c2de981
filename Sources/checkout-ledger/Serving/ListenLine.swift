import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog
import LedgerViews
import ProviderKit

/// What `listen` tells of one webhook.
struct ListenLine {
    let arrival: Arrival
    let verdict: String
    let stored: StoredDelivery?
    private(set) var session: String?
    private(set) var before: CheckoutStatus?
    private(set) var after: CheckoutStatus?
    private(set) var occurredAt: Instant?
    /// True when something later had been told of the session before.
    private(set) var isLate = false

    init(_ arrival: Arrival, in ledger: Ledger<LMDBStore>) throws {
        self.arrival = arrival
        verdict = arrival.note("verdict") ?? "not taken"
        guard let position = arrival.note("position").flatMap({ UInt64($0) }) else {
            stored = nil
            return
        }
        let recorded = try ledger.event(at: position)
        stored = StoredDelivery(recorded)
        session = recorded.event.ids.display
        // A duplicate changed nothing now, whatever the first arrival did.
        guard verdict == "recorded",
            let meaning = try stored?.meanings(in: ledger).last,
            let name = meaning.event.ids.display
        else { return }
        session = name
        occurredAt = meaning.event.occurredAt
        let end = meaning.position + 1
        before = try? ledger.session(named: name, asOf: .position(position)).state.evidence.status
        after = try? ledger.session(named: name, asOf: .position(end)).state.evidence.status
        if let previous = recorded.previous, let occurredAt {
            let earlier = try ledger.event(at: previous).event.occurredAt
            isLate = earlier.map { $0 > occurredAt } ?? false
        }
    }

    // MARK: For a person

    /// The line of the webhook, and a hint behind a refusal.
    var texts: [String] {
        let type = stored?.recorded.event.rawType ?? "?"
        let name = stored?.name ?? "-"
        let line = [
            Self.clock(arrival.at), "-->", Self.padded(type, 22), Self.padded(name, 12),
            Self.padded(word, 10), change,
        ].joined(separator: "  ")
        let text = SafeText.visible(line).trimmingEnd
        guard verdict == "refused", let stored else { return [text] }
        return [
            text,
            "          Hint: run \(Program.name) webhooks explain @\(stored.recorded.position)",
        ]
    }

    func text(of sent: SentDelivery) -> String {
        let answer: String =
            switch sent.answer {
            case .success(let status): "[\(status)]"
            case .failure(let error): "[\(error.code)]"
            }
        return SafeText.visible(
            "\(Self.clock(arrival.at))  <--  \(answer) POST \(sent.url)  "
                + Wording.duration(sent.took))
    }

    /// The verdict as a person reads it.
    private var word: String {
        switch verdict {
        case "recorded": isLate ? "late" : "ok"
        case "unhandled": "unknown"
        case "refused_unrecorded": "refused"
        default: verdict.replacing("_", with: " ")
        }
    }

    /// `cks_7Qm  pending -> succeeded`, or what stands in its place.
    private var change: String {
        switch verdict {
        case "duplicate": return "of @\(stored?.recorded.position ?? 0)"
        case "refused", "quarantined", "conflicting":
            return stored?.recorded.event.reason?.replacing("_", with: " ") ?? ""
        default: break
        }
        guard let session else { return "" }
        guard let after else { return session }
        guard before == after else {
            return "\(session)  \(before?.name ?? "new") -> \(after.name)"
        }
        let occurred = isLate ? occurredAt.map { " (occurred \(Self.clock($0)))" } ?? "" : ""
        return "\(session)  stays \(after.name)\(occurred)"
    }

    /// `14:02:11`, in UTC as every time of this program.
    private static func clock(_ time: Instant) -> String {
        String(time.iso8601Seconds.dropFirst(11).prefix(8))
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    // MARK: For a program

    func write(_ sent: SentDelivery?, to writer: inout JSONWriter) {
        let event = stored?.recorded.event
        writer.field("receivedAt", arrival.at.iso8601)
        writer.field("provider", arrival.note("provider"))
        writer.field("type", event?.rawType)
        writer.field("delivery", event?.deliveryID)
        writer.field("verdict", verdict)
        writer.field("reason", event?.reason)
        writer.field("position", stored?.recorded.position)
        writer.field("session", session)
        writer.field("before", before?.name)
        writer.field("after", after?.name)
        if let sent {
            writer.object("forwarded") { sent.write(to: &$0) }
        } else {
            writer.field("forwarded", String?.none)
        }
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
