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
    public var outcome: SessionOutcome? { outcome(of: tally) }

    /// Outcome and paid sum, which change together.
    public var decision: Decision {
        let tally = tally
        return Decision(outcome: outcome(of: tally), paid: tally.paid)
    }

    /// What a row of the outcomes is made from.
    public struct Decision: Sendable, Hashable {
        /// What is held true.
        public let outcome: SessionOutcome?
        /// What came in on verified evidence.
        public let paid: ExactSum
    }

    private func outcome(of tally: PaymentTally) -> SessionOutcome? {
        let payment = verifiedPaymentOutcome(of: tally)
        if payment == .paid { return SessionOutcome(status: .succeeded, evidence: .verified) }
        if !rare.isEmpty, let resolution = effectiveResolution {
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

    package var verifiedPaymentOutcome: VerifiedPayment { verifiedPaymentOutcome(of: tally) }

    private func verifiedPaymentOutcome(of tally: PaymentTally) -> VerifiedPayment {
        let (seen, paid) = (tally.seen, tally.paid)
        if seen.contains(.succeeded) { return amountsFit(paid: paid) ? .paid : .needsReview }
        if !rare.isEmpty, subscriptions.contains(where: \.everActive) { return .paid }
        if tally.isOpen { return .open }
        if seen.contains(.failed) { return .ended(.failed) }
        if seen.contains(.cancelled) { return .ended(.cancelled) }
        if marks.contains(.expired) { return .ended(.expired) }
        if !rare.isEmpty,
            subscriptions.contains(where: { $0.state.type == .subscriptionFailed })
        {
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
        for payment in succeededPayments {
            guard let lowest = payment.lowest else {
                // A success without an amount confirms, and contradicts nothing.
                if isOneTotal { return true } else { continue }
            }
            if payment.highest == lowest && expectedTotals.contains(lowest) { return true }
        }
        return false
    }

    /// Payments that went through on verified evidence.
    ///
    /// A success without a payment's name is the success of a named one, where there is one.
    public var succeededPayments: [PaymentEvidence] {
        let succeeded = payments.filter { $0.verified.contains(.succeeded) }
        let named = succeeded.filter { $0.reference != .none }
        return named.isEmpty ? succeeded : named
    }
}

/// What a session's payments come to, found in one pass: the fold asks for each payment's event.
struct PaymentTally {
    /// The strongest verified states, each payment's own.
    private(set) var seen = PaymentEvidence.States()
    /// True when the strongest state of one of them is neither success nor an end.
    private(set) var isOpen = false
    /// What came in on verified evidence, each payment once.
    private(set) var paid = ExactSum()

    /// Takes what was heard without a payment's name, after all that have one.
    ///
    /// A success of theirs is this success, not a second one; and a page that can no longer be paid
    /// has no payment left to wait for.
    fileprivate mutating func add(unnamed payment: PaymentEvidence, isPageOver: Bool) {
        switch payment.status {
        case .succeeded where seen.contains(.succeeded): break
        case .pending where isPageOver: break
        default: add(payment)
        }
    }

    fileprivate mutating func add(_ payment: PaymentEvidence) {
        switch payment.status {
        case .succeeded:
            seen.insert(.succeeded)
            paid.add(payment.highest)
        case .failed: seen.insert(.failed)
        case .cancelled: seen.insert(.cancelled)
        case .pending, .expired: isOpen = true
        case nil: break
        }
    }
}

extension SessionEvidence {
    var tally: PaymentTally {
        var tally = PaymentTally()
        // Rows ascend by reference, so the one without a name is the first.
        guard let first = payments.first, first.reference == .none else {
            payments.forEach { tally.add($0) }
            return tally
        }
        for payment in payments.dropFirst() { tally.add(payment) }
        tally.add(unnamed: first, isPageOver: marks.contains(.expired))
        return tally
    }
}

extension Fact {
    /// False only for facts that can change neither an outcome nor what was paid: most of them.
    @inlinable
    @inline(__always)
    package var mayDecide: Bool {
        switch type {
        case .sessionCreated, .operatorResolved: true
        case .sessionExpired, .paymentPending, .paymentAuthorised, .paymentSucceeded,
            .paymentFailed, .paymentCancelled, .subscriptionActive, .subscriptionRenewed,
            .subscriptionPastDue, .subscriptionPaused, .subscriptionCancelled,
            .subscriptionExpired, .subscriptionFailed:
            evidence != .hint
        default: false
        }
    }
}
