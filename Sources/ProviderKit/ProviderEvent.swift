public import CheckoutModel

/// One thing that a verified delivery says, in the ledger's words.
///
/// A report, not a decision: amounts are not compared with the session here, nothing is deduped.
public struct ProviderEvent: Sendable, Hashable, CustomStringConvertible {
    /// The same over all retries of the delivery, different for different events.
    public let key: DedupeKey
    /// What happened.
    public let kind: Kind
    /// The provider's time of it; nil when not told or not readable.
    ///
    /// Data, never an order.
    public let occurredAt: Instant?
    /// Live or test, as far as the provider's words or the endpoint's configuration tell.
    public let mode: ProviderMode
    /// Every id named.
    public let ids: ProviderIDs
    /// Those of them that the delivery's signature does not cover, so that anyone who has seen the
    /// delivery can have changed them; the ledger compares them with what it knows.
    public let unsignedIDs: UnsignedIDs
    /// The account that the event names; nil when it names none.
    public let account: String?
    /// The provider's own name of the event, unchanged.
    public let rawType: String
    /// The object's own status in the body, unchanged.
    ///
    /// The body may be newer than the event, so nothing is decided by it except doubt.
    public let rawStatus: String?
    /// What must be sealed before it is stored.
    public let privateFields: PrivateFields

    /// Everything but the key and the kind may be absent.
    public init(
        key: DedupeKey, kind: Kind, occurredAt: Instant? = nil, mode: ProviderMode = .unknown,
        ids: ProviderIDs = ProviderIDs(), unsignedIDs: UnsignedIDs = [], account: String? = nil,
        rawType: String, rawStatus: String? = nil, privateFields: PrivateFields = PrivateFields()
    ) {
        self.unsignedIDs = unsignedIDs
        self.key = key
        self.kind = kind
        self.occurredAt = occurredAt
        self.mode = mode
        self.ids = ids
        self.account = account
        self.rawType = rawType
        self.rawStatus = rawStatus
        self.privateFields = privateFields
    }

    /// The same event, without the session that it names.
    package var withoutSession: ProviderEvent {
        var ids = ids
        ids.session = nil
        return ProviderEvent(
            key: key, kind: kind, occurredAt: occurredAt, mode: mode, ids: ids,
            unsignedIDs: unsignedIDs, account: account, rawType: rawType, rawStatus: rawStatus,
            privateFields: privateFields)
    }

    /// The event without its private fields.
    public var description: String { "\(rawType) → \(kind)" }

    /// What can happen to a checkout.
    ///
    /// New kinds come with a major version of the kit only; everything else is ``ignored``.
    public enum Kind: Sendable, Hashable {
        /// A payment stands thus. The amount is what was paid or asked for; `failure` is the
        /// provider's code, not a sentence.
        case payment(CheckoutStatus, Money?, failure: String?)
        /// Money is reserved, not taken.
        case authorized(Money?)
        /// Reserved money was taken.
        case captured(Money?)
        /// A refund, named by `ids.refund`.
        case refund(RefundState, Money?)
        /// A dispute, named by `ids.dispute`.
        case dispute(DisputeState, Money?)
        /// A subscription, named by `ids.subscription`.
        case subscription(SubscriptionState)
        /// The hosted checkout can no longer be paid.
        case sessionExpired
        /// Unknown or of no meaning for a checkout: kept, acknowledged, changes nothing.
        case ignored
    }
}

/// Which ids of an event its signature leaves out.
///
/// Only the session may be: what a payment is, and what it is for, must be signed.
public struct UnsignedIDs: OptionSet, Sendable, Hashable {
    /// One bit each.
    public let rawValue: UInt8

    /// Takes the bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The session's id.
    public static let session = Self(rawValue: 1)
}

/// Names an event for ever: providers retry for days.
public struct DedupeKey: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The provider's event id where there is one.
    public let rawValue: String

    /// Takes the id, unchanged.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The id.
    public var description: String { rawValue }
}

/// Where a refund stands.
public enum RefundState: String, Sendable, Hashable, CaseIterable {
    /// Asked for or under review.
    case pending
    /// The money went back.
    case succeeded
    /// It did not go back.
    case failed
    /// It went back and came again.
    case reversed
}

/// Where a dispute stands.
public enum DisputeState: String, Sendable, Hashable, CaseIterable {
    /// The customer's bank asks; an answer is due.
    case opened
    /// Answered; the bank decides.
    case underReview = "under_review"
    /// The merchant keeps the money.
    case won
    /// The customer has it back.
    case lost
    /// Ended without a decision: withdrawn, or only a warning.
    case closed
}

/// Where a subscription stands.
public enum SubscriptionState: String, Sendable, Hashable, CaseIterable {
    /// Begun, not yet paid.
    case pending
    /// Paid for or in a free trial.
    case active
    /// Paid for another period.
    case renewed
    /// A payment failed; it will be tried again.
    case pastDue = "past_due"
    /// Resting.
    case paused
    /// Ended by somebody.
    case cancelled
    /// Ran out.
    case expired
    /// Never began.
    case failed
}
