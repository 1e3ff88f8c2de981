package import CheckoutModel
package import ProviderKit

extension CheckoutEvent {
    /// A provider's event in the ledger's words; nil when it says nothing about a checkout.
    package init?(
        _ event: ProviderEvent, source: EventSource, scope: AccountScope, deliveryID: String?
    ) {
        let type: EventType
        var amount: Money?
        var reason: String?
        switch event.kind {
        case .payment(let status, let money, let failure):
            type = .payment(status)
            amount = money
            reason = failure
        case .authorized(let money):
            type = .paymentAuthorised
            amount = money
        case .captured(let money):
            type = .paymentSucceeded
            amount = money
        case .refund(let state, let money):
            type = .refund(state)
            amount = money
        case .dispute(let state, let money):
            type = .dispute(state)
            amount = money
        case .subscription(let state):
            guard let named = EventType.subscription(state) else { return nil }
            type = named
        case .sessionExpired: type = .sessionExpired
        case .ignored: return nil
        }
        self.init(
            type, source: source, evidence: .verified, occurredAt: event.occurredAt,
            provider: scope.provider, account: scope.account,
            mode: event.mode == .unknown ? scope.mode : event.mode, ids: event.ids,
            amount: amount, reason: reason, rawType: event.rawType, deliveryID: deliveryID,
            privateFields: event.privateFields)
    }
}

extension EventType {
    /// The payment event of a status.
    ///
    /// A payment that expired was called off by time.
    static func payment(_ status: CheckoutStatus) -> EventType {
        switch status {
        case .succeeded: .paymentSucceeded
        case .failed: .paymentFailed
        case .cancelled, .expired: .paymentCancelled
        case .pending: .paymentPending
        }
    }

    static func refund(_ state: RefundState) -> EventType {
        switch state {
        case .pending: .refundPending
        case .succeeded: .refundSucceeded
        case .failed: .refundFailed
        case .reversed: .refundReversed
        }
    }

    static func dispute(_ state: DisputeState) -> EventType {
        switch state {
        case .opened: .disputeOpened
        case .underReview: .disputeUnderReview
        case .won: .disputeWon
        case .lost: .disputeLost
        case .closed: .disputeClosed
        }
    }

    /// Nil for a subscription that has begun and says no more than that.
    static func subscription(_ state: SubscriptionState) -> EventType? {
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
