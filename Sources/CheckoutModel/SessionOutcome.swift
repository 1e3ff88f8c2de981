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
    public var outcome: SessionOutcome? {
        let payment = verifiedPaymentOutcome
        if payment == .paid { return SessionOutcome(status: .succeeded, evidence: .verified) }
        if let resolution = effectiveResolution {
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

    package var verifiedPaymentOutcome: VerifiedPayment {
        var seen = PaymentEvidence.States()
        var isOpen = false
        for payment in payments {
            guard let status = payment.status else { continue }
            switch status {
            case .succeeded: seen.insert(.succeeded)
            case .failed: seen.insert(.failed)
            case .cancelled: seen.insert(.cancelled)
            case .pending, .expired: isOpen = true
            }
        }
        if seen.contains(.succeeded) { return amountsFit ? .paid : .needsReview }
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
    var amountsFit: Bool {
        guard let total = expectedTotals.first, expectedTotals.count == 1 else {
            // Nothing to compare with; two different totals are a discrepancy of their own.
            return expectedTotals.isEmpty
                || succeededPayments.contains { payment in
                    payment.lowest == payment.highest
                        && expectedTotals.contains { $0 == payment.lowest }
                }
        }
        let paid = succeededPayments
        // A success without an amount confirms, and contradicts nothing.
        if paid.contains(where: { $0.lowest == nil }) { return true }
        return paid.contains { $0.lowest == total && $0.highest == total }
            || self.paid.total == total
    }

    /// Payments that went through on verified evidence.
    public var succeededPayments: [PaymentEvidence] {
        payments.filter { $0.verified.contains(.succeeded) }
    }
}
