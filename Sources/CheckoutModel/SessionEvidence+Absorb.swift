extension SessionEvidence {
    /// Takes in one fact; `replaced` names the resolutions that an operator's resolution takes
    /// the place of, which stand in its payload and not in the fact.
    ///
    /// Pure: no clock, no look-up, no payload.
    ///
    /// The same as joining the evidence that the fact alone makes, without building it.
    @inlinable
    public mutating func absorb(_ fact: Fact, replacing replaced: [EventReference] = []) {
        switch fact.mode {
        case .unknown: break
        case .live: modes |= 1 << 1
        case .test: modes |= 1 << 2
        }
        // Most records are of these; the rest is too large to stand in its caller.
        switch fact.type {
        case .deliveryReceived, .deliveryPart, .statusChecked, .noteAdded: return
        default: absorbStatement(fact, replaced)
        }
    }

    @usableFromInline
    mutating func absorbStatement(_ fact: Fact, _ replaced: [EventReference]) {
        if fact.flags.contains(.contradicted) { marks.insert(.sessionContradicted) }
        switch fact.type {
        case .sessionCreated, .sessionOpened, .sessionReturned, .sessionClosed,
            .sessionFailedToOpen, .sessionExpired, .sessionCleared:
            absorbSession(fact)
        case .paymentPending: absorbPayment(fact, .pending)
        case .paymentAuthorised: absorbPayment(fact, .authorised)
        case .paymentSucceeded: absorbPayment(fact, .succeeded)
        case .paymentFailed: absorbPayment(fact, .failed)
        case .paymentCancelled: absorbPayment(fact, .cancelled)
        case .refundPending, .refundSucceeded, .refundFailed, .refundReversed:
            guard fact.evidence >= .verified else { return }
            updateRare { $0.refunds.update(fact.subject) { $0.absorb(fact) } }
        case .disputeOpened, .disputeUnderReview, .disputeWon, .disputeLost, .disputeClosed:
            guard fact.evidence >= .verified else { return }
            updateRare { $0.disputes.update(fact.subject) { $0.absorb(fact) } }
        case .subscriptionActive, .subscriptionRenewed, .subscriptionPastDue,
            .subscriptionPaused, .subscriptionCancelled, .subscriptionExpired,
            .subscriptionFailed:
            guard fact.evidence >= .verified else { return }
            updateRare { $0.subscriptions.update(fact.subject) { $0.absorb(fact) } }
        case .operatorResolved: absorbResolution(fact, replaced)
        case .deliveryConflicted: marks.insert(.deliveryConflicted)
        case .deliveryQuarantined: marks.insert(.deliveryQuarantined)
        default: break  // deliveries, checks, notes, links and unknown types state nothing
        }
    }

    private mutating func absorbSession(_ fact: Fact) {
        switch fact.type {
        case .sessionCreated:
            marks.insert(.created)
            // An app notes it and opens the page: when it dies in between, nobody can tell whether
            // the customer saw it.
            if fact.source == .app { marks.insert(.started) }
        case .sessionOpened: marks.insert(.opened)
        case .sessionClosed: marks.insert(.closed)
        case .sessionFailedToOpen: marks.insert(.failedToOpen)
        case .sessionCleared: marks.insert(.cleared)
        case .sessionExpired:
            marks.insert(fact.evidence >= .verified ? .expired : .expiredByHint)
        case .sessionReturned:
            marks.insert(.returned)
            if let status = fact.status { hintedStatuses.insert(StatusSet(status)) }
        default: break
        }
        // An exact total comes from the host that asked for it or from the provider's own
        // session; what an app or a return says about amounts is not compared with anything.
        if fact.type == .sessionCreated, let total = fact.amount,
            fact.source == .host || fact.evidence >= .verified
        {
            expectedTotals.insertSorted(total)
        }
    }

    private mutating func absorbPayment(_ fact: Fact, _ state: PaymentEvidence.States) {
        payments.update(fact.subject) { payment in
            guard fact.evidence >= .verified else {
                payment.hinted.insert(state)
                return
            }
            payment.verified.insert(state)
            if state == .succeeded {
                payment.confirmedBy |= 1 << fact.source.rawValue
                payment.lowest = Money.lower(payment.lowest, fact.amount)
                payment.highest = Money.higher(payment.highest, fact.amount)
                // An unsaid time must not read as the earliest of all.
                if fact.occurredAt != .min {
                    payment.succeededAt = min(payment.succeededAt, fact.occurredAt)
                }
            } else if state == .failed {
                payment.failedAt = max(payment.failedAt, fact.occurredAt)
            }
        }
    }

    private mutating func absorbResolution(_ fact: Fact, _ replaced: [EventReference]) {
        guard fact.evidence == .operator, let outcome = fact.status else { return }
        updateRare { rare in
            rare.resolutions.keep(
                ResolutionEvidence(
                    reference: fact.subject, outcome: outcome, decidedAt: fact.occurredAt))
            for reference in replaced { rare.replacedResolutions.insertSorted(reference) }
        }
    }
}

extension ReversalEvidence {
    fileprivate mutating func absorb(_ fact: Fact) {
        payment = max(payment, fact.object)
        state.join(Register(at: fact.occurredAt, state: fact.type.rawValue))
        lowest = Money.lower(lowest, fact.amount)
        highest = Money.higher(highest, fact.amount)
    }
}

extension SubscriptionEvidence {
    fileprivate mutating func absorb(_ fact: Fact) {
        state.join(Register(at: fact.occurredAt, state: fact.type.rawValue))
        if fact.type == .subscriptionActive || fact.type == .subscriptionRenewed {
            everActive = true
        }
    }
}
