/// How a checkout stands.
package enum CheckoutWord: String, Sendable, CaseIterable {
    /// It can be paid.
    case open
    /// It was paid, for ever.
    case paid
    /// It was not paid in time.
    case expired
}

/// How a payment stands.
package enum PaymentWord: String, Sendable, CaseIterable {
    case pending, succeeded, failed, cancelled
}

/// How a refund stands.
package enum RefundWord: String, Sendable, CaseIterable {
    case pending, succeeded, failed
}

/// How a dispute stands.
package enum DisputeWord: String, Sendable, CaseIterable {
    case opened, won, lost, closed
    case underReview = "under_review"

    /// True when nothing changes any more.
    package var isFinal: Bool { self == .won || self == .lost || self == .closed }
}

/// What the customer's bank says to a card.
package enum CardAnswer: String, Sendable, CaseIterable {
    case approve, decline
}

/// What the customer does on the page of a made-up bank.
package enum BankAnswer: String, Sendable, CaseIterable {
    case approve, refuse, abandon
}

/// Whether webhooks get lost on their way.
package enum DeliveryLoss: String, Sendable, CaseIterable {
    /// None on purpose.
    case none
    /// The first attempt of each; it is tried again.
    case first
    /// All of them: the shop never hears.
    case all
}

/// What webhooks of one checkout go through on purpose.
package struct DeliveryBehaviour: Sendable, Hashable {
    /// Seconds before the first attempt.
    package var delaySeconds: Int64 = 0
    /// How often a webhook comes again after it was accepted.
    package var duplicates = 0
    /// True when every other webhook is held back, so that later ones overtake it.
    package var isDisordered = false
    /// What gets lost.
    package var loss: DeliveryLoss = .none

    package init() {}
}
