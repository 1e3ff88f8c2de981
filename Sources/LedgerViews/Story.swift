package import CheckoutLedger
package import CheckoutModel
package import CommandKit
import EventLog

/// One event of a session's story, and what it changed.
package struct StoryEntry {
    package let recorded: RecordedEvent
    /// Microseconds from the story's first moment to this one, by the speakers' clocks where they
    /// say a time.
    package let offset: Int64
    /// What the event did, in words; empty when it only adds to the picture.
    package let effects: [String]
    package let tone: Tone
    /// True for a fact that was known before: told again, it left everything as it was.
    package let isRepeated: Bool
    /// What may be shown, and what is held true, after the event.
    package let status: CheckoutStatus
    package let outcome: SessionOutcome?

    /// When it happened, as far as somebody says; else when it was written down.
    package static func moment(_ recorded: RecordedEvent) -> Instant {
        recorded.event.occurredAt ?? recorded.recordedAt
    }
}

extension StoryEntry {
    /// Folds a session's events one by one, in order of recording, and notes what each changed.
    package static func story(_ events: [RecordedEvent]) -> [StoryEntry] {
        guard let start = events.map(moment).min() else { return [] }
        var evidence = SessionEvidence()
        return events.map { recorded in
            let before = evidence
            evidence.absorb(Fact(recorded.event, selfReference: reference(of: recorded)))
            let change = StoryChange(recorded: recorded, before: before, after: evidence)
            let (effects, tone) = change.effects
            return StoryEntry(
                recorded: recorded, offset: moment(recorded).since(start), effects: effects,
                tone: tone, isRepeated: change.isRepeated, status: evidence.status,
                outcome: evidence.outcome)
        }
    }

    /// The name under which a resolution is replaced by a later one.
    private static func reference(of recorded: RecordedEvent) -> EventReference {
        EventReference(
            high: UInt64(truncatingIfNeeded: recorded.id.value >> 64),
            low: UInt64(truncatingIfNeeded: recorded.id.value))
    }
}

/// One step of the fold, put into words.
private struct StoryChange {
    package let recorded: RecordedEvent
    let before: SessionEvidence
    let after: SessionEvidence

    private var event: CheckoutEvent { recorded.event }

    /// Said of what states something: a note or a delivery's own record never does.
    var isRepeated: Bool {
        switch event.type.family {
        case .payment, .refund, .dispute, .subscription: after == before
        case .session, .delivery, .other: false
        }
    }

    var effects: ([String], Tone) {
        if let (words, tone) = deliveryEffect { return ([words], tone) }
        var parts: [String] = []
        var tone = Tone.plain
        if let (words, colour) = outcomeEffect {
            parts.append(words)
            tone = colour
        }
        if after.refunded != before.refunded, let total = after.refunded.total {
            parts.append("refunded: \(total.display)")
        }
        let known = Set(before.discrepancies.map(\.code))
        let found = after.discrepancies.map(\.code).filter { !known.contains($0) }
        if !found.isEmpty {
            parts += found.map { "discrepancy: \($0.rawValue)" }
            if found.contains(where: \.needsReview) { tone = .bad }
        }
        if parts.isEmpty, case let (words, tone) = quietEffect {
            return (words.isEmpty ? [] : [words], tone)
        }
        return (parts, tone)
    }

    private var outcomeEffect: (String, Tone)? {
        guard after.outcome != before.outcome else { return nil }
        guard let new = after.outcome else {
            return ("outcome withdrawn", .caution)
        }
        guard let old = before.outcome else {
            return ("outcome: \(new.status.name)", new.status.tone)
        }
        if old.status == new.status {
            return ("still \(new.status.name), now \(new.evidence.name)", new.status.tone)
        }
        return ("outcome: \(old.status.name) -> \(new.status.name)", new.status.tone)
    }

    private var deliveryEffect: (String, Tone)? {
        switch event.type {
        case .deliveryReceived:
            recorded.flags.contains(.unhandled)
                ? ("kept, not understood", .caution) : ("kept", .dim)
        case .deliveryPart: ("kept", .dim)
        case .deliveryRefused: ("refused, changes nothing", .bad)
        case .deliveryConflicted: ("same id, other bytes: not applied", .bad)
        case .deliveryQuarantined: ("set aside, not applied", .bad)
        case .noteAdded: ("changes nothing", .dim)
        case .sessionLinked: ("joined", .dim)
        default: nil
        }
    }

    /// What to say of an event that changed neither outcome nor money.
    private var quietEffect: (String, Tone) {
        switch event.type.family {
        case .payment, .refund, .dispute, .subscription:
            if isRepeated {
                return event.evidence == .hint
                    ? ("hint, nothing new", .caution) : ("duplicate, counted once", .dim)
            }
            if let outcome = after.outcome { return ("stays \(outcome.status.name)", .dim) }
            if event.evidence == .hint { return ("hint, no outcome", .caution) }
            return ("no outcome yet", .caution)
        case .session:
            return sessionEffect
        case .delivery, .other:
            if event.type == .operatorResolved { return ("decides nothing here", .caution) }
            return ("", .plain)
        }
    }

    private var sessionEffect: (String, Tone) {
        switch event.type {
        case .sessionReturned, .sessionClosed, .sessionExpired:
            if let outcome = after.outcome { return ("stays \(outcome.status.name)", .dim) }
            let status =
                event.type == .sessionReturned ? event.status ?? .pending : after.status
            return ("hint: \(status.name)", .caution)
        case .sessionFailedToOpen: return ("nothing was paid here", .caution)
        case .sessionCleared: return ("put aside", .dim)
        default: return ("", .plain)
        }
    }
}
