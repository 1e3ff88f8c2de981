public import CheckoutModel
public import EventLog

/// A session of which nothing final is known.
public struct AbandonedSession: Sendable, Hashable {
    /// The session.
    public let session: Session
    /// When the page was first shown, or about to be.
    public let openedAt: Instant
    /// Why nothing is known, as far as the voices tell.
    public let reason: Reason

    /// Puts the three together; the ledger's own lists do.
    package init(session: Session, openedAt: Instant, reason: Reason) {
        self.session = session
        self.openedAt = openedAt
        self.reason = reason
    }

    /// Why nothing is known.
    public enum Reason: String, Sendable, Hashable {
        /// The page was shown or about to be, and nothing more was heard: the app was killed, or it
        /// still waits.
        case noReturn = "no_return"
        /// The customer closed the page.
        case closed = "closed"
        /// The browser came back and did not say how it ended.
        case returnedUnclear = "returned_unclear"
        /// The browser came back with an ending that no verified voice has confirmed.
        case unconfirmed = "unconfirmed"
        /// A payment is under way.
        case paymentPending = "payment_pending"
        /// A payment contradicts what was asked for; a person must look.
        case needsReview = "needs_review"
        /// The page could not be shown.
        case failedToOpen = "failed_to_open"
    }
}

/// What became true of a session's payment, and by which evidence.
public struct FinalOutcome: Sendable, Hashable {
    /// The session.
    public let session: Session
    /// What is held true.
    public let outcome: SessionOutcome
    /// Position of the evidence that made it.
    public let position: UInt64
}

extension Ledger {
    /// Lends the sessions that were shown, have no outcome, and were opened at or before
    /// `instant` less `patience`, in order of arrival: the projection `AbandonedSessions`.
    ///
    /// An app's start counts as shown, because the app may have died before it could say more.
    /// Each may have been paid. The caller's instant decides, never a clock of ours. With a past
    /// moment every session is folded anew up to it, so that those resolved since are among them.
    public func forEachAbandonedSession(
        asOf instant: Instant, olderThan patience: Int64 = 0, known moment: LedgerMoment = .now,
        _ body: (AbandonedSession) throws(LedgerError) -> ScanStep
    ) throws(LedgerError) {
        let latest = instant.microseconds.subtractingReportingOverflow(patience)
        guard moment == .now else {
            return try forEachSession(asOf: moment) { (session) throws(LedgerError) in
                let openedAt = session.state.trace.openedAt
                guard !latest.overflow, openedAt <= latest.partialValue,
                    session.state.isAwaitingOutcome
                else { return .more }
                return try body(
                    AbandonedSession(
                        session: session, openedAt: Instant(microseconds: openedAt),
                        reason: .init(session.state.evidence)))
            }
        }
        try forEachPage { (snapshot, from, page) throws in
            var next: UInt64?
            try snapshot.forEachOpen(from: from) { stream, openedAt in
                guard page.count < Limits.sessionsPerPage else {
                    next = stream
                    return .stop
                }
                guard !latest.overflow, openedAt <= latest.partialValue,
                    let session = try snapshot.session(leadingOrWith: stream),
                    session.state.isAwaitingOutcome,
                    try snapshot.firstOpen(of: session) == stream
                else { return .more }
                page.append(
                    AbandonedSession(
                        session: session, openedAt: Instant(microseconds: openedAt),
                        reason: .init(session.state.evidence)))
                return .more
            }
            return next
        } _: { (session: AbandonedSession) throws(LedgerError) in
            try body(session)
        }
    }

    /// Lends the outcomes that hold, in the order in which they were decided: the projection
    /// `FinalOutcomes`.
    ///
    /// An outcome that later evidence replaced is not among them.
    public func forEachFinalOutcome(
        from position: UInt64 = 0, _ body: (FinalOutcome) throws(LedgerError) -> ScanStep
    ) throws(LedgerError) {
        try forEachPage { (snapshot, from, page) throws in
            var next: UInt64?
            try snapshot.forEachOutcome(from: max(from, position)) { position, row in
                guard page.count < Limits.sessionsPerPage else {
                    next = position
                    return .stop
                }
                let row = try row.withUnsafeBytes { try OutcomeRow(decoding: $0) }
                // A joined session has a row in each of its streams; the latest one speaks.
                guard row.outcome != nil,
                    let session = try snapshot.session(leadingOrWith: row.stream),
                    session.state.trace.outcomeAt == position, let outcome = session.outcome
                else { return .more }
                page.append(FinalOutcome(session: session, outcome: outcome, position: position))
                return .more
            }
            return next
        } _: { (outcome: FinalOutcome) throws(LedgerError) in
            try body(outcome)
        }
    }

    /// Lends every session with a contradiction in it: the projection `Discrepancies`.
    ///
    /// Orders paid by several sessions are among them, and deliveries that were set aside.
    public func forEachDiscrepancy(
        _ body: (Session, [Discrepancy]) throws(LedgerError) -> ScanStep
    ) throws(LedgerError) {
        let twice = try streamsOfOrdersPaidTwice()
        try forEachStream { (session) throws(LedgerError) in
            var found = session.state.evidence.discrepancies
            if session.streams.contains(where: twice.contains) {
                found.append(
                    Discrepancy(.orderPaidTwice, "Another session of the same order was paid too."))
            }
            return found.isEmpty ? .more : try body(session, found)
        }
    }

    /// Streams of paid sessions whose order another paid session shares, as believed at a moment.
    ///
    /// Holds only those.
    package func streamsOfOrdersPaidTwice(
        asOf moment: LedgerMoment = .now
    ) throws(LedgerError) -> Set<UInt64> {
        try read { (snapshot) throws(LedgerError) in
            let limit = try snapshot.limit(of: moment)
            var found: Set<UInt64> = []
            try snapshot.each { snapshot in
                for sharing in try snapshot.streamsSharingOrders() {
                    var leaders: Set<UInt64> = []
                    var subscriptions: Set<String> = []
                    for stream in sharing {
                        let session = try snapshot.session(at: stream, before: limit, scope: nil)
                        guard let session, session.outcome?.status == .succeeded else { continue }
                        // A renewal carries the order of the checkout that began it.
                        let own = session.ids.subscriptions
                        guard subscriptions.isDisjoint(with: own) else { continue }
                        subscriptions.formUnion(own)
                        leaders.formUnion(session.streams.prefix(1))
                    }
                    if leaders.count > 1 { found.formUnion(leaders) }
                }
            }
            return found
        }
    }
}

extension AbandonedSession.Reason {
    package init(_ evidence: SessionEvidence) {
        switch evidence.verifiedPaymentOutcome {
        case .needsReview: self = .needsReview
        case .open: self = .paymentPending
        case .paid, .ended, .nothing:
            if evidence.hintedStatuses.only.map({ $0 != .pending }) ?? false {
                self = .unconfirmed
            } else if evidence.marks.contains(.returned) {
                self = .returnedUnclear
            } else if evidence.marks.contains(.closed) {
                self = .closed
            } else if evidence.marks.contains(.failedToOpen) {
                self = .failedToOpen
            } else {
                self = .noReturn
            }
        }
    }
}
