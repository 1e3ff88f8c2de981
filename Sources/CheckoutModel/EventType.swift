/// What kind of fact an event is, past tense; an open vocabulary, so a struct and not an enum.
///
/// The number is what records store and never changes meaning; the name is what people and JSON
/// see. A number this build does not know keeps its place and reads as `unknown.<number>`.
@frozen public struct EventType: RawRepresentable, Sendable, Hashable {
    /// The number stored in a record's header.
    public let rawValue: UInt16

    /// Takes any number; unknown ones stay as they are.
    @inlinable
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
        (.epochBegan, "ledger.epoch_began", .other),
        (.eraseRequested, "privacy.erase_requested", .other),
        (.subjectErased, "privacy.subject_erased", .other),
        (.holdPlaced, "privacy.hold_placed", .other),
        (.holdReleased, "privacy.hold_released", .other),
        (.subjectLinked, "privacy.subject_linked", .other),
        (.keysRotated, "privacy.keys_rotated", .other),
        (.eraseRefused, "privacy.erase_refused", .other),
        (.auditRead, "audit.read", .other),
        (.auditExported, "audit.exported", .other),
        (.auditVerified, "audit.verified", .other),
        (.redactionRefused, "redaction.refused", .other),
    ]

    /// The host's back end created a checkout and said what it is for.
    @inlinable public static var sessionCreated: Self { Self(rawValue: 1) }
    /// The hosted page was shown to the customer.
    @inlinable public static var sessionOpened: Self { Self(rawValue: 2) }
    /// The browser came back with the return URL.
    @inlinable public static var sessionReturned: Self { Self(rawValue: 3) }
    /// The page was closed before a return arrived.
    @inlinable public static var sessionClosed: Self { Self(rawValue: 4) }
    /// The page could not be shown.
    @inlinable public static var sessionFailedToOpen: Self { Self(rawValue: 5) }
    /// The checkout can no longer be paid.
    @inlinable public static var sessionExpired: Self { Self(rawValue: 6) }
    /// The host put the session aside; it stays in the log.
    @inlinable public static var sessionCleared: Self { Self(rawValue: 7) }
    /// Two streams turned out to be one checkout.
    @inlinable public static var sessionLinked: Self { Self(rawValue: 8) }
    /// A payment is under way.
    @inlinable public static var paymentPending: Self { Self(rawValue: 16) }
    /// A payment is approved and not yet captured.
    @inlinable public static var paymentAuthorised: Self { Self(rawValue: 17) }
    /// A payment went through.
    @inlinable public static var paymentSucceeded: Self { Self(rawValue: 18) }
    /// A payment was declined; the customer may try again.
    @inlinable public static var paymentFailed: Self { Self(rawValue: 19) }
    /// A payment was called off.
    @inlinable public static var paymentCancelled: Self { Self(rawValue: 20) }
    /// A refund is under way.
    @inlinable public static var refundPending: Self { Self(rawValue: 24) }
    /// A refund went through.
    @inlinable public static var refundSucceeded: Self { Self(rawValue: 25) }
    /// A refund did not go through.
    @inlinable public static var refundFailed: Self { Self(rawValue: 26) }
    /// A refund that had gone through came back.
    @inlinable public static var refundReversed: Self { Self(rawValue: 27) }
    /// The customer's bank disputes a payment.
    @inlinable public static var disputeOpened: Self { Self(rawValue: 32) }
    /// Evidence was handed in.
    @inlinable public static var disputeUnderReview: Self { Self(rawValue: 33) }
    /// The merchant keeps the money.
    @inlinable public static var disputeWon: Self { Self(rawValue: 34) }
    /// The customer keeps the money.
    @inlinable public static var disputeLost: Self { Self(rawValue: 35) }
    /// The dispute ended without the provider saying for whom.
    @inlinable public static var disputeClosed: Self { Self(rawValue: 36) }
    /// A subscription runs.
    @inlinable public static var subscriptionActive: Self { Self(rawValue: 40) }
    /// A further period was paid.
    @inlinable public static var subscriptionRenewed: Self { Self(rawValue: 41) }
    /// A renewal was not paid.
    @inlinable public static var subscriptionPastDue: Self { Self(rawValue: 42) }
    /// A subscription is suspended.
    @inlinable public static var subscriptionPaused: Self { Self(rawValue: 43) }
    /// A subscription was called off.
    @inlinable public static var subscriptionCancelled: Self { Self(rawValue: 44) }
    /// A subscription ran out.
    @inlinable public static var subscriptionExpired: Self { Self(rawValue: 45) }
    /// A subscription never started.
    @inlinable public static var subscriptionFailed: Self { Self(rawValue: 46) }
    /// A webhook whose signature held arrived; its bytes are kept, sealed.
    @inlinable public static var deliveryReceived: Self { Self(rawValue: 56) }
    /// A further piece of a body too long for one record.
    @inlinable public static var deliveryPart: Self { Self(rawValue: 57) }
    /// A webhook whose signature did not hold arrived.
    @inlinable public static var deliveryRefused: Self { Self(rawValue: 58) }
    /// A known delivery id came with other bytes; recorded, not applied.
    @inlinable public static var deliveryConflicted: Self { Self(rawValue: 59) }
    /// A genuine webhook that must not be applied: foreign account, unreadable amount.
    @inlinable public static var deliveryQuarantined: Self { Self(rawValue: 60) }
    /// The provider was asked about a session and answered.
    @inlinable public static var statusChecked: Self { Self(rawValue: 64) }
    /// A person decided, with a reason.
    @inlinable public static var operatorResolved: Self { Self(rawValue: 72) }
    /// A person left a remark; it changes nothing.
    @inlinable public static var noteAdded: Self { Self(rawValue: 80) }
    /// The ledger was put back from a copy and goes on; the reason names what was lost.
    @inlinable public static var epochBegan: Self { Self(rawValue: 88) }
    /// Destroying the keys of a subject was asked for.
    @inlinable public static var eraseRequested: Self { Self(rawValue: 96) }
    /// They are destroyed; this is the receipt.
    @inlinable public static var subjectErased: Self { Self(rawValue: 97) }
    /// The law wants a subject's private fields kept: nothing may destroy their keys.
    @inlinable public static var holdPlaced: Self { Self(rawValue: 98) }
    /// A hold came to its end.
    @inlinable public static var holdReleased: Self { Self(rawValue: 99) }
    /// A session turned out to be a customer's.
    @inlinable public static var subjectLinked: Self { Self(rawValue: 100) }
    /// The keystore was written anew under new keys.
    @inlinable public static var keysRotated: Self { Self(rawValue: 101) }
    /// Destroying the keys of a subject was asked for and refused: they are held.
    @inlinable public static var eraseRefused: Self { Self(rawValue: 102) }
    /// Somebody read a report about the log, or what is sealed in it.
    @inlinable public static var auditRead: Self { Self(rawValue: 112) }
    /// Somebody took a copy of events out of the ledger.
    @inlinable public static var auditExported: Self { Self(rawValue: 113) }
    /// The log was verified and found sound.
    @inlinable public static var auditVerified: Self { Self(rawValue: 114) }
    /// An event held what may not be stored, and was turned away.
    @inlinable public static var redactionRefused: Self { Self(rawValue: 115) }
}
