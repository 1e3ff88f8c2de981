/// What the ledger holds true of a session's payment, and how it knows.
public struct SessionOutcome: Sendable, Hashable {
    /// Never `pending`: a session without an outcome has none.
    public let status: CheckoutStatus
    /// `verified` or `operator`; a hint makes no outcome.
    public let evidence: Evidence

    /// Pairs an outcome with its evidence.
    public init(status: CheckoutStatus, evidence: Evidence) {
        self.status = status
        self.evidence = evidence
    }
}

extension SessionEvidence {
    /// What is held true; nil while nothing is known for certain or a person must look first.
    ///
    /// A verified payment decides over everything; failing that an operator's resolution; failing
    /// that what the provider last called the attempt or the session.
    public var outcome: SessionOutcome? { outcome(paid: paid) }

    /// Outcome and paid sum, which change together.
    public var decision: Decision {
        let paid = paid
        return Decision(outcome: outcome(paid: paid), paid: paid)
    }

    /// What a row of the outcomes is made from.
    public struct Decision: Sendable, Hashable {
        /// What is held true.
        public let outcome: SessionOutcome?
        /// What came in on verified evidence.
        public let paid: ExactSum
    }

    private func outcome(paid: ExactSum) -> SessionOutcome? {
        let payment = verifiedPaymentOutcome(paid: paid)
        if payment == .paid { return SessionOutcome(status: .succeeded, evidence: .verified) }
        if !resolutions.isEmpty, let resolution = effectiveResolution {
            return SessionOutcome(status: resolution.outcome, evidence: .operator)
        }
        switch payment {
        case .paid, .needsReview, .open, .nothing: break
        case .ended(let status): return SessionOutcome(status: status, evidence: .verified)
        }
        return nil
    }

    /// What the app may show: the outcome if there is one, else the best hint, else pending.
    public var status: CheckoutStatus {
        if let outcome { return outcome.status }
        switch verifiedPaymentOutcome {
        case .needsReview, .open: return .pending
        case .paid, .ended, .nothing: break
        }
        if let hint = hintedStatuses.only { return hint }
        if !hintedStatuses.isEmpty { return .pending }
        if marks.contains(.expiredByHint) { return .expired }
        return marks.contains(.closed) ? .cancelled : .pending
    }

    /// How far the evidence for what is shown reaches; nil before anything was heard.
    public var evidence: Evidence? {
        if let outcome { return outcome.evidence }
        if payments.contains(where: { !$0.verified.isEmpty }) { return .verified }
        return self == SessionEvidence() ? nil : .hint
    }

    /// The resolution that stands; of several that stand side by side the latest.
    public var effectiveResolution: ResolutionEvidence? {
        standingResolutions.max {
            ($0.decidedAt, $0.reference) < ($1.decidedAt, $1.reference)
        }
    }

    /// What a further resolution takes the place of.
    public var standingResolutionReferences: [EventReference] {
        standingResolutions.map(\.reference)
    }

    /// Resolutions that no other one replaced.
    var standingResolutions: [ResolutionEvidence] {
        if resolutions.isEmpty { return [] }
        return resolutions.filter { !replacedResolutions.contains($0.reference) }
    }

    /// What verified evidence alone says.
    package enum VerifiedPayment: Equatable {
        case paid
        case needsReview
        case ended(CheckoutStatus)
        case open
        case nothing
    }

    package var verifiedPaymentOutcome: VerifiedPayment { verifiedPaymentOutcome(paid: paid) }

    private func verifiedPaymentOutcome(paid: ExactSum) -> VerifiedPayment {
        var seen = PaymentEvidence.States()
        var isOpen = false
        // By index, here and below: the fold asks for each payment event, and an iterator would
        // hold the array and copy its rows.
        for index in payments.indices {
            guard let status = payments[index].status else { continue }
            switch status {
            case .succeeded: seen.insert(.succeeded)
            case .failed: seen.insert(.failed)
            case .cancelled: seen.insert(.cancelled)
            case .pending, .expired: isOpen = true
            }
        }
        if seen.contains(.succeeded) { return amountsFit(paid: paid) ? .paid : .needsReview }
        if subscriptions.contains(where: \.everActive) { return .paid }
        if isOpen { return .open }
        if seen.contains(.failed) { return .ended(.failed) }
        if seen.contains(.cancelled) { return .ended(.cancelled) }
        if marks.contains(.expired) { return .ended(.expired) }
        if subscriptions.contains(where: { $0.state.type == .subscriptionFailed }) {
            return .ended(.failed)
        }
        return .nothing
    }

    /// True unless an exact total is known and neither one payment nor all together make it.
    var amountsFit: Bool { amountsFit(paid: paid) }

    private func amountsFit(paid: ExactSum) -> Bool {
        // Nothing to compare with.
        if expectedTotals.isEmpty { return true }
        // Two different totals are a discrepancy of their own; one of them must be met exactly.
        let isOneTotal = expectedTotals.count == 1
        if isOneTotal && paid.total == expectedTotals[0] { return true }
        for index in payments.indices where payments[index].verified.contains(.succeeded) {
            guard let lowest = payments[index].lowest else {
                // A success without an amount confirms, and contradicts nothing.
                if isOneTotal { return true } else { continue }
            }
            if payments[index].highest == lowest && expectedTotals.contains(lowest) { return true }
        }
        return false
    }

    /// Payments that went through on verified evidence.
    public var succeededPayments: [PaymentEvidence] {
        payments.filter { $0.verified.contains(.succeeded) }
    }
}

extension Fact {
    /// False only for facts that can change neither an outcome nor what was paid: most of them.
    package var mayDecide: Bool {
        switch type {
        case .sessionCreated, .operatorResolved: true
        case .sessionExpired, .paymentPending, .paymentAuthorised, .paymentSucceeded,
            .paymentFailed, .paymentCancelled, .subscriptionActive, .subscriptionRenewed,
            .subscriptionPastDue, .subscriptionPaused, .subscriptionCancelled,
            .subscriptionExpired, .subscriptionFailed:
            evidence > .hint
        default: false
        }
    }
}
