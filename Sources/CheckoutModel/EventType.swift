/// What kind of fact an event is, past tense; an open vocabulary, so a struct and not an enum.
///
/// The number is what records store and never changes meaning; the name is what people and JSON
/// see. A number this build does not know keeps its place and reads as `unknown.<number>`.
public struct EventType: RawRepresentable, Sendable, Hashable {
    /// The number stored in a record's header.
    public let rawValue: UInt16

    /// Takes any number; unknown ones stay as they are.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The dotted name, such as `payment.succeeded`.
    public var name: String {
        Self.vocabulary.first { $0.type == self }?.name ?? "unknown.\(rawValue)"
    }

    /// Reads an exact dotted name this build knows; nil otherwise.
    public init?(name: some StringProtocol) {
        guard let entry = Self.vocabulary.first(where: { $0.name == name }) else { return nil }
        self = entry.type
    }

    /// The payment family this type belongs to, which decides how it folds.
    public var family: Family {
        Self.vocabulary.first { $0.type == self }?.family ?? .other
    }

    /// A group of types that fold alike.
    public enum Family: Sendable, Hashable {
        /// What happened to the hosted page.
        case session
        /// One attempt to pay.
        case payment
        /// Money going back.
        case refund
        /// A chargeback and its course.
        case dispute
        /// A recurring agreement.
        case subscription
        /// One arrival of a webhook.
        case delivery
        /// Everything else: notes, checks, links, unknown types.
        case other
    }

    /// Every type this build writes, with its name and family; numbers are never reused.
    public static let vocabulary: [(type: EventType, name: String, family: Family)] = [
        (.sessionCreated, "session.created", .session),
        (.sessionOpened, "session.opened", .session),
        (.sessionReturned, "session.returned", .session),
        (.sessionClosed, "session.closed", .session),
        (.sessionFailedToOpen, "session.failed_to_open", .session),
        (.sessionExpired, "session.expired", .session),
        (.sessionCleared, "session.cleared", .session),
        (.sessionLinked, "session.linked", .other),
        (.paymentPending, "payment.pending", .payment),
        (.paymentAuthorised, "payment.authorised", .payment),
        (.paymentSucceeded, "payment.succeeded", .payment),
        (.paymentFailed, "payment.failed", .payment),
        (.paymentCancelled, "payment.cancelled", .payment),
        (.refundPending, "refund.pending", .refund),
        (.refundSucceeded, "refund.succeeded", .refund),
        (.refundFailed, "refund.failed", .refund),
        (.refundReversed, "refund.reversed", .refund),
        (.disputeOpened, "dispute.opened", .dispute),
        (.disputeUnderReview, "dispute.under_review", .dispute),
        (.disputeWon, "dispute.won", .dispute),
        (.disputeLost, "dispute.lost", .dispute),
        (.disputeClosed, "dispute.closed", .dispute),
        (.subscriptionActive, "subscription.active", .subscription),
        (.subscriptionRenewed, "subscription.renewed", .subscription),
        (.subscriptionPastDue, "subscription.past_due", .subscription),
        (.subscriptionPaused, "subscription.paused", .subscription),
        (.subscriptionCancelled, "subscription.cancelled", .subscription),
        (.subscriptionExpired, "subscription.expired", .subscription),
        (.subscriptionFailed, "subscription.failed", .subscription),
        (.deliveryReceived, "delivery.received", .delivery),
        (.deliveryPart, "delivery.part", .delivery),
        (.deliveryRefused, "delivery.refused", .delivery),
        (.deliveryConflicted, "delivery.conflicted", .delivery),
        (.deliveryQuarantined, "delivery.quarantined", .delivery),
        (.statusChecked, "status.checked", .other),
        (.operatorResolved, "operator.resolved", .other),
        (.noteAdded, "note.added", .other),
    ]

    /// The host's back end created a checkout and said what it is for.
    public static let sessionCreated = Self(rawValue: 1)
    /// The hosted page was shown to the customer.
    public static let sessionOpened = Self(rawValue: 2)
    /// The browser came back with the return URL.
    public static let sessionReturned = Self(rawValue: 3)
    /// The page was closed before a return arrived.
    public static let sessionClosed = Self(rawValue: 4)
    /// The page could not be shown.
    public static let sessionFailedToOpen = Self(rawValue: 5)
    /// The checkout can no longer be paid.
    public static let sessionExpired = Self(rawValue: 6)
    /// The host put the session aside; it stays in the log.
    public static let sessionCleared = Self(rawValue: 7)
    /// Two streams turned out to be one checkout.
    public static let sessionLinked = Self(rawValue: 8)
    /// A payment is under way.
    public static let paymentPending = Self(rawValue: 16)
    /// A payment is approved and not yet captured.
    public static let paymentAuthorised = Self(rawValue: 17)
    /// A payment went through.
    public static let paymentSucceeded = Self(rawValue: 18)
    /// A payment was declined; the customer may try again.
    public static let paymentFailed = Self(rawValue: 19)
    /// A payment was called off.
    public static let paymentCancelled = Self(rawValue: 20)
    /// A refund is under way.
    public static let refundPending = Self(rawValue: 24)
    /// A refund went through.
    public static let refundSucceeded = Self(rawValue: 25)
    /// A refund did not go through.
    public static let refundFailed = Self(rawValue: 26)
    /// A refund that had gone through came back.
    public static let refundReversed = Self(rawValue: 27)
    /// The customer's bank disputes a payment.
    public static let disputeOpened = Self(rawValue: 32)
    /// Evidence was handed in.
    public static let disputeUnderReview = Self(rawValue: 33)
    /// The merchant keeps the money.
    public static let disputeWon = Self(rawValue: 34)
    /// The customer keeps the money.
    public static let disputeLost = Self(rawValue: 35)
    /// The dispute ended without the provider saying for whom.
    public static let disputeClosed = Self(rawValue: 36)
    /// A subscription runs.
    public static let subscriptionActive = Self(rawValue: 40)
    /// A further period was paid.
    public static let subscriptionRenewed = Self(rawValue: 41)
    /// A renewal was not paid.
    public static let subscriptionPastDue = Self(rawValue: 42)
    /// A subscription is suspended.
    public static let subscriptionPaused = Self(rawValue: 43)
    /// A subscription was called off.
    public static let subscriptionCancelled = Self(rawValue: 44)
    /// A subscription ran out.
    public static let subscriptionExpired = Self(rawValue: 45)
    /// A subscription never started.
    public static let subscriptionFailed = Self(rawValue: 46)
    /// A webhook whose signature held arrived; its bytes are kept, sealed.
    public static let deliveryReceived = Self(rawValue: 56)
    /// A further piece of a body too long for one record.
    public static let deliveryPart = Self(rawValue: 57)
    /// A webhook whose signature did not hold arrived.
    public static let deliveryRefused = Self(rawValue: 58)
    /// A known delivery id came with other bytes; recorded, not applied.
    public static let deliveryConflicted = Self(rawValue: 59)
    /// A genuine webhook that must not be applied: foreign account, unreadable amount.
    public static let deliveryQuarantined = Self(rawValue: 60)
    /// The provider was asked about a session and answered.
    public static let statusChecked = Self(rawValue: 64)
    /// A person decided, with a reason.
    public static let operatorResolved = Self(rawValue: 72)
    /// A person left a remark; it changes nothing.
    public static let noteAdded = Self(rawValue: 80)
}
