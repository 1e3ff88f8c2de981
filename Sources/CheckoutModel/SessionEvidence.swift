/// All that has been heard of one session, joined.
///
/// A join-semilattice: every part is a set of bits, a minimum, a maximum, or a table keyed by id
/// whose rows are such. So the order in which evidence arrives, and how often, cannot matter.
/// Outcome, status and discrepancies are pure functions of this value (`SessionOutcome.swift`,
/// `Discrepancy.swift`). Positions and recorded times are not part of it.
public struct SessionEvidence: Sendable, Hashable {
    /// Exact totals that the host declared or the provider's own session states, ascending.
    public internal(set) var expectedTotals = ShortTable<Money>()
    /// One row a payment, ascending by reference.
    public internal(set) var payments = ShortTable<PaymentEvidence>()
    /// What few sessions have: one element, or none while nothing of it was heard.
    ///
    /// An array, so that all of it costs a session without it one word; the one with it has it in
    /// a single allocation.
    private(set) var rare: [RareEvidence] = []
    // These stand last, beside the trace of `SessionState`: most facts touch nothing else, and so
    // one line of memory.
    /// Facts about the hosted page and the session as a whole.
    public var marks: Marks = []
    /// Statuses that unsigned returns claimed, one bit a status.
    public var hintedStatuses: StatusSet = []
    /// Modes heard, one bit each; live and test together are a discrepancy.
    public var modes: UInt8 = 0

    /// Nothing heard yet.
    public init() {}

    /// What happened to the page and to the session as a whole.
    public struct Marks: OptionSet, Sendable, Hashable {
        /// One bit each.
        public let rawValue: UInt32
        /// Takes the bits as stored.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// The host created it.
        public static let created = Self(rawValue: 1 << 0)
        /// The page was shown.
        public static let opened = Self(rawValue: 1 << 1)
        /// A return arrived.
        public static let returned = Self(rawValue: 1 << 2)
        /// The page was closed.
        public static let closed = Self(rawValue: 1 << 3)
        /// The page could not be shown.
        public static let failedToOpen = Self(rawValue: 1 << 4)
        /// The app says that it expired.
        public static let expiredByHint = Self(rawValue: 1 << 5)
        /// The provider says that it expired.
        public static let expired = Self(rawValue: 1 << 6)
        /// The host put it aside.
        public static let cleared = Self(rawValue: 1 << 7)
        /// A delivery arrived under a known id with other bytes.
        public static let deliveryConflicted = Self(rawValue: 1 << 8)
        /// A genuine delivery could not be applied.
        public static let deliveryQuarantined = Self(rawValue: 1 << 9)
        /// A delivery named, outside its signature, a session that it cannot be of.
        public static let sessionContradicted = Self(rawValue: 1 << 10)
        /// An app was about to show it.
        public static let started = Self(rawValue: 1 << 11)

        /// Any of these: the customer saw the page.
        public static let seen: Self = [.opened, .returned, .closed]
    }
}

extension SessionEvidence {
    /// One row a refund, ascending by reference.
    public var refunds: [ReversalEvidence] { rare.first?.refunds ?? [] }
    /// One row a dispute, ascending by reference.
    public var disputes: [ReversalEvidence] { rare.first?.disputes ?? [] }
    /// One row a subscription, ascending by reference.
    public var subscriptions: [SubscriptionEvidence] { rare.first?.subscriptions ?? [] }
    /// One row an operator's resolution, ascending by reference.
    public var resolutions: [ResolutionEvidence] { rare.first?.resolutions ?? [] }
    /// References of resolutions that a later one took the place of, ascending.
    public var replacedResolutions: [EventReference] { rare.first?.replacedResolutions ?? [] }

    /// Changes what is rare; `change` must leave a row in it, so that "none" has one form.
    mutating func updateRare(_ change: (inout RareEvidence) -> Void) {
        if rare.isEmpty { rare.append(RareEvidence()) }
        change(&rare[0])
    }
}

/// What has been heard of things that most sessions never see.
struct RareEvidence: Sendable, Hashable {
    var refunds: [ReversalEvidence] = []
    var disputes: [ReversalEvidence] = []
    var subscriptions: [SubscriptionEvidence] = []
    var resolutions: [ResolutionEvidence] = []
    var replacedResolutions: [EventReference] = []
}

/// A set of checkout statuses, one bit each.
public struct StatusSet: OptionSet, Sendable, Hashable {
    /// Bit n stands for the status whose raw value is n.
    public let rawValue: UInt8
    /// Takes the bits as stored.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The set of one status.
    public init(_ status: CheckoutStatus) { rawValue = 1 << status.rawValue }
    /// The only member; nil when there is none or more than one.
    public var only: CheckoutStatus? {
        rawValue.nonzeroBitCount == 1
            ? CheckoutStatus(rawValue: UInt8(rawValue.trailingZeroBitCount)) : nil
    }
}

/// What has been heard of one payment.
public struct PaymentEvidence: Sendable, Hashable {
    /// Reference of the provider's payment id; none for what was heard of the session's payment
    /// without its name.
    public var reference: EventReference
    /// States heard on verified evidence.
    public var verified: States = []
    /// States heard on hints alone.
    public var hinted: States = []
    /// Voices that confirmed success on verified evidence, one bit a source.
    public var confirmedBy: UInt8 = 0
    /// The least amount that a verified success named.
    public var lowest: Money?
    /// The greatest; another value than `lowest` is a contradiction.
    public var highest: Money?
    /// Earliest time of a verified success, by the provider's clock; `Int64.max` before one.
    public var succeededAt: Int64 = .max
    /// Latest time of a verified failure; `Int64.min` before one.
    public var failedAt: Int64 = .min

    /// Nothing heard but the name.
    public init(reference: EventReference) { self.reference = reference }

    /// States a payment has been said to be in.
    public struct States: OptionSet, Sendable, Hashable {
        /// One bit each.
        public let rawValue: UInt8
        /// Takes the bits as stored.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Under way.
        public static let pending = Self(rawValue: 1)
        /// Approved, not yet captured.
        public static let authorised = Self(rawValue: 2)
        /// Went through.
        public static let succeeded = Self(rawValue: 4)
        /// Declined.
        public static let failed = Self(rawValue: 8)
        /// Called off.
        public static let cancelled = Self(rawValue: 16)
    }

    /// The strongest verified state: paid beats everything; failed may still become paid.
    public var status: CheckoutStatus? {
        if verified.contains(.succeeded) { return .succeeded }
        if verified.contains(.failed) { return .failed }
        if verified.contains(.cancelled) { return .cancelled }
        return verified.isEmpty ? nil : .pending
    }
}

/// What has been heard of one refund or one dispute: money going back, or threatened to.
public struct ReversalEvidence: Sendable, Hashable {
    /// Reference of the provider's refund or dispute id.
    public var reference: EventReference
    /// Reference of the payment it concerns; the greatest heard, zero while unsaid.
    public var payment: EventReference = .none
    /// The latest state, by the provider's clock.
    public var state: Register = Register()
    /// The least amount named by a verified voice.
    public var lowest: Money?
    /// The greatest.
    public var highest: Money?

    /// Nothing heard but the name.
    public init(reference: EventReference) { self.reference = reference }
}

/// What has been heard of one subscription.
public struct SubscriptionEvidence: Sendable, Hashable {
    /// Reference of the provider's subscription id.
    public var reference: EventReference
    /// The latest verified state, by the provider's clock.
    public var state: Register = Register()
    /// True once a verified voice called it active or renewed.
    public var everActive = false

    /// Nothing heard but the name.
    public init(reference: EventReference) { self.reference = reference }
}

/// One operator's resolution.
public struct ResolutionEvidence: Sendable, Hashable {
    /// Reference of the resolution event.
    public var reference: EventReference
    /// What the person decided.
    public var outcome: CheckoutStatus
    /// When, by the person's clock.
    public var decidedAt: Int64

    /// One decision.
    public init(reference: EventReference, outcome: CheckoutStatus, decidedAt: Int64) {
        self.reference = reference
        self.outcome = outcome
        self.decidedAt = decidedAt
    }
}

/// A last-writer register for states that can go round: the latest time wins, then the greater
/// event type, which is the state itself, so two equal keys hold equal values.
public struct Register: Sendable, Hashable {
    /// When, by the provider's clock; `Int64.min` before anything was heard or when unsaid.
    public var at: Int64 = .min
    /// The raw value of the event type that stated it; 0 before anything was heard.
    public var state: UInt16 = 0

    /// Nothing heard yet.
    public init() {}

    /// One statement.
    public init(at: Int64, state: UInt16) {
        self.at = at
        self.state = state
    }

    /// The stated event type; nil before anything was heard.
    public var type: EventType? { state == 0 ? nil : EventType(rawValue: state) }

    /// Keeps the later of both.
    public mutating func join(_ other: Register) {
        if (other.at, other.state) > (at, state) { self = other }
    }
}
