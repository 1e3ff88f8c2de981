package import CheckoutLedger
package import CheckoutModel
package import CommandKit
import ProviderKit

/// One event as a row of `events`.
package enum EventRow {
    /// The members of an event line in their order; those that are absent are left out of a line.
    package static let shape = RowShape(
        title: "events (what record event and import read)",
        members: [
            ("position", "place in the whole log, from 0"),
            ("recordedAt", "when it was written down here"),
            ("id", "the event's own random name; importing it again adds nothing"),
            ("stream", "the stream's number"),
            ("revision", "place in the stream, from 0"),
            ("cause", "position of the event it was read from, such as the delivery"),
            ("type", "dotted name, such as payment.succeeded"),
            ("occurredAt", "when it happened, by the speaker's clock"),
            ("source", "whose voice: app, browser, webhook, query, operator, host, ledger"),
            ("evidence", "hint, verified or operator"),
            ("provider", "the payment provider"),
            ("account", "which of the merchant's accounts there"),
            ("mode", "live or test"),
            ("session", "the provider's id of the checkout"),
            ("payment", "the provider's id of the payment"),
            ("refund", "the provider's id of the refund"),
            ("dispute", "the provider's id of the dispute"),
            ("subscription", "the provider's id of the subscription"),
            ("order", "the merchant's own reference"),
            ("customer", "the provider's id of the customer"),
            ("amount", "{minorUnits, currency}"),
            ("status", "what a return claimed, or a person decided"),
            ("reason", "why, in words"),
            ("rawType", "the provider's own word for it"),
            ("deliveryID", "the provider's id of the webhook"),
            ("actor", "the person who acted"),
            ("linkedStream", "the stream that this one was joined with"),
            ("sealed", "true when private fields are sealed in it"),
            (PrivateStates.member.name, PrivateStates.member.about),
            ("redacted", "true when something was masked before it was stored"),
            ("unhandled", "true when the adapter did not know its type"),
            ("understood", "false when a newer version wrote what this one cannot read"),
            ("clockHeld", "true when the machine's clock had jumped back"),
            ("scheme", "how the webhook was signed"),
            ("keyFingerprint", "names the key that verified it, without showing it"),
        ])

    package static func write(_ recorded: RecordedEvent, to writer: inout JSONWriter) {
        guard case .object(let members) = EventLine.json(recorded) else { return }
        for member in members { writer.field(member.name, member.value) }
    }

    /// The same with what became of the private fields; left out where there are none.
    package static func write(
        _ recorded: RecordedEvent, _ states: @autoclosure () -> PrivateStates?,
        to writer: inout JSONWriter
    ) {
        write(recorded, to: &writer)
        // Telling takes opening them.
        guard writer.wants(PrivateStates.member.name), let states = states() else { return }
        writer.field(PrivateStates.member.name, states)
    }

    /// Name and value of each member that is there, as a person reads them.
    package static func lines(_ recorded: RecordedEvent) -> [(name: String, value: String)] {
        guard case .object(let members) = EventLine.json(recorded) else { return [] }
        return members.map { member in
            if member.name == "amount", let amount = recorded.event.amount {
                return (member.name, amount.display)
            }
            return (
                member.name, member.value.text ?? String(decoding: member.value.json, as: UTF8.self)
            )
        }
    }
}

extension ProviderIDs {
    /// The id that people would call the event's checkout by.
    package var display: String? {
        session ?? payment ?? refund ?? dispute ?? subscription ?? order ?? customer
    }
}

extension EventType {
    /// Green and red only for what is verified; a hint is yellow whatever it says.
    package func tone(_ evidence: Evidence) -> Tone {
        switch self {
        case .deliveryRefused, .deliveryConflicted, .deliveryQuarantined: .bad
        case .paymentSucceeded: evidence == .hint ? .caution : .good
        case .paymentFailed: evidence == .hint ? .caution : .bad
        default: .plain
        }
    }

    /// Words that `--type` takes: every type's name, and the names before the dot for all of them.
    package static let words: [String] = {
        var words = vocabulary.map(\.name)
        for name in words {
            let family = String(name.prefix { $0 != "." })
            if !words.contains(family) { words.append(family) }
        }
        return words
    }()

    /// The types that one of those words means.
    package static func types(named word: String) -> [EventType] {
        vocabulary.filter { $0.name == word || $0.name.hasPrefix(word + ".") }.map(\.type)
    }
}
