package import CheckoutLedger
package import CheckoutModel
package import CommandKit

/// One session that waits for an outcome.
package struct AbandonedRow {
    package let abandoned: AbandonedSession
    /// When it is looked at.
    package let instant: Instant

    package init(abandoned: AbandonedSession, instant: Instant) {
        self.abandoned = abandoned
        self.instant = instant
    }

    package static let shape = RowShape(
        title: "abandoned",
        members: [
            ("session", "the session's id"),
            ("provider", "whose checkout it is"),
            ("status", "what an app may show"),
            ("amount", "what was asked for: {minorUnits, currency}, or null"),
            ("openedAt", "when the page was first shown, or about to be"),
            ("ageSeconds", "whole seconds from then to now, or to --as-of"),
            ("reason", "why nothing is known, a stable word"),
            ("next", "what to do: wait, ask_provider, review or reopen"),
            ("orders", "the merchant's own references"),
            ("payments", "the provider's payment ids"),
        ])

    package var age: Int64 { instant.since(abandoned.openedAt) }

    package func write(to writer: inout JSONWriter) {
        let session = abandoned.session
        writer.field("session", session.name)
        writer.field("provider", session.scope.provider.rawValue)
        writer.field("status", session.state.evidence.status.name)
        writer.field("amount", session.state.evidence.amount)
        writer.field("openedAt", abandoned.openedAt.iso8601)
        writer.field("ageSeconds", age / 1_000_000)
        writer.field("reason", abandoned.reason.rawValue)
        writer.field("next", abandoned.reason.advice.word)
        writer.field("orders", session.ids.orders)
        writer.field("payments", session.ids.payments)
    }
}

extension AbandonedSession.Reason {
    package func sentence(_ evidence: SessionEvidence) -> String {
        switch self {
        case .noReturn: "nothing heard"
        case .closed: "page closed"
        case .returnedUnclear: "came back unclear"
        case .unconfirmed: "said \(evidence.status.name)"
        case .paymentPending: "payment under way"
        case .needsReview: "payment differs"
        case .failedToOpen: "page never shown"
        }
    }

    package var advice: (word: String, sentence: String) {
        switch self {
        case .noReturn, .returnedUnclear: ("ask_provider", "ask the provider")
        case .closed, .unconfirmed: ("ask_provider", "wait, then ask")
        case .paymentPending: ("wait", "wait")
        case .needsReview: ("review", "see its timeline")
        case .failedToOpen: ("reopen", "open it again")
        }
    }
}
