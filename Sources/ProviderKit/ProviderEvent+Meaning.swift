package import CheckoutModel

extension ProviderEvent.Kind {
    /// The event that the ledger records for this kind; nil when it says nothing about a checkout.
    package var meaning: (type: EventType, amount: Money?, reason: String?)? {
        switch self {
        case .payment(let status, let money, let failure): (.payment(status), money, failure)
        case .authorized(let money): (.paymentAuthorised, money, nil)
        case .captured(let money): (.paymentSucceeded, money, nil)
        case .refund(let state, let money): (.refund(state), money, nil)
        case .dispute(let state, let money): (.dispute(state), money, nil)
        case .subscription(let state): EventType.subscription(state).map { ($0, nil, nil) }
        case .sessionExpired: (.sessionExpired, nil, nil)
        case .ignored: nil
        }
    }
}

extension EventType {
    /// The payment event of a status.
    ///
    /// A payment that expired was called off by time.
    package static func payment(_ status: CheckoutStatus) -> EventType {
        switch status {
        case .succeeded: .paymentSucceeded
        case .failed: .paymentFailed
        case .cancelled, .expired: .paymentCancelled
        case .pending: .paymentPending
        }
    }

    /// The refund event of a state.
    package static func refund(_ state: RefundState) -> EventType {
        switch state {
        case .pending: .refundPending
        case .succeeded: .refundSucceeded
        case .failed: .refundFailed
        case .reversed: .refundReversed
        }
    }

    /// The dispute event of a state.
    package static func dispute(_ state: DisputeState) -> EventType {
        switch state {
        case .opened: .disputeOpened
        case .underReview: .disputeUnderReview
        case .won: .disputeWon
        case .lost: .disputeLost
        case .closed: .disputeClosed
        }
    }

    /// Nil for a subscription that has begun and says no more than that.
    package static func subscription(_ state: SubscriptionState) -> EventType? {
        switch state {
        case .pending: nil
        case .active: .subscriptionActive
        case .renewed: .subscriptionRenewed
        case .pastDue: .subscriptionPastDue
        case .paused: .subscriptionPaused
        case .cancelled: .subscriptionCancelled
        case .expired: .subscriptionExpired
        case .failed: .subscriptionFailed
        }
    }
}
