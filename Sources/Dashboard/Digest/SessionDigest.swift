import CheckoutLedger
import CheckoutModel

/// What lists and counts need to know of one stream's session, in a few words of memory.
///
/// Times are microseconds since 1970; `nil` where nothing was heard.
struct SessionDigest: Sendable, Hashable {
    /// What the stream's own records say, whoever leads the session.
    struct Own: Sendable, Hashable {
        /// When its first record was written.
        var firstRecordedAt: Int64
        /// Index of its provider and account among `LedgerDigest.scopes`.
        var scope: UInt16 = .max
        /// True once a record named a session, payment, refund, dispute or subscription.
        var namesCheckout = false
        /// The latest time that a webhook told of; out of order is what tells of an earlier one.
        var newestTold: Int64 = .min
        /// The outcome that its records make, and the first of those that made it.
        var decision: Decision?
    }

    /// An outcome since it has stood without a break.
    struct Decision: Sendable, Hashable {
        var outcome: SessionOutcome
        /// When the first record that made it was written, µs since 1970.
        var at: Int64
        /// Whose voice that was.
        var by: EventSource
    }

    var own: Own
    /// The stream that leads the session; another one where streams were joined.
    var lead: UInt64
    /// What the whole session comes to; nil for a stream that another one leads.
    var sum: Sum?

    init(stream: UInt64, firstRecordedAt: Int64) {
        own = Own(firstRecordedAt: firstRecordedAt)
        lead = stream
    }

    /// A session at one moment.
    struct Sum: Sendable, Hashable {
        /// False for a stream that tells of no checkout, such as a refused delivery.
        var isCheckout: Bool
        var status: CheckoutStatus
        var outcome: CheckoutStatus?
        var evidence: Evidence?
        /// Whose voice made the outcome.
        var decidedBy: EventSource?
        /// Why nothing is known; nil for a session that does not wait for an outcome.
        var reason: AbandonedSession.Reason?
        var marks: SessionEvidence.Marks
        var codes: CodeSet
        var amount: Money?
        var openedAt: Int64?
        /// When it was opened, else when its first event was recorded.
        var startedAt: Int64
        var decidedAt: Int64?
        var lastRecordedAt: Int64
    }
}

extension SessionDigest.Sum {
    /// Sums a session up; `decision` is that of whichever of its streams made its outcome first.
    init(
        _ state: SessionState, isCheckout: Bool, firstRecordedAt: Int64,
        decision: SessionDigest.Decision?
    ) {
        let evidence = state.evidence
        let outcome = evidence.outcome
        self.isCheckout = isCheckout
        status = evidence.status
        self.outcome = outcome?.status
        self.evidence = evidence.evidence
        decidedBy = outcome == nil ? nil : decision?.by
        decidedAt = outcome == nil ? nil : decision?.at
        reason = state.isAwaitingOutcome ? AbandonedSession.Reason(evidence) : nil
        marks = evidence.marks
        codes = CodeSet(evidence.discrepancies.map(\.code))
        amount = evidence.amount
        openedAt = state.trace.openedAt == .max ? nil : state.trace.openedAt
        startedAt = openedAt ?? firstRecordedAt
        lastRecordedAt = state.trace.lastRecordedAt
    }

    /// How long it took from showing the page to knowing how it ended, µs.
    var timeToKnow: Int64? {
        guard let openedAt, let decidedAt else { return nil }
        let (span, overflow) = decidedAt.subtractingReportingOverflow(openedAt)
        return overflow ? nil : max(0, span)
    }
}
