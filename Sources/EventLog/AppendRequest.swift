/// An event that is to be appended; the log adds position, stream, revision, time and hash.
public struct EventDraft: Sendable {
    /// What made the event happen.
    public enum Cause: Sendable, Hashable {
        /// Nothing that the log knows.
        case none
        /// The record at a position.
        case position(UInt64)
        /// An earlier draft of the same request, by its index.
        case member(Int)
    }

    /// What kind of event the schema says it is.
    public var type: UInt16
    /// The event's own name, random.
    public var eventID: EventID
    /// When it happened by the source's clock, µs since 1970.
    public var occurredAt: Int64?
    /// Equal for two tellings of one fact; the second one is not appended.
    public var dedupe: DedupeHash?
    /// What made it happen.
    public var cause: Cause
    /// Only the schema's own bits, ``RecordFlags/domainMask``, are taken over.
    public var flags: RecordFlags
    /// The schema's part of the header.
    public var domain: DomainArea
    /// At most ``Limits/payloadBytes``.
    public var payload: [UInt8]

    /// A draft with the given parts.
    public init(
        type: UInt16, eventID: EventID, occurredAt: Int64? = nil, dedupe: DedupeHash? = nil,
        cause: Cause = .none, flags: RecordFlags = [], domain: DomainArea = DomainArea(),
        payload: [UInt8] = []
    ) {
        self.type = type
        self.eventID = eventID
        self.occurredAt = occurredAt
        self.dedupe = dedupe
        self.cause = cause
        self.flags = flags
        self.domain = domain
        self.payload = payload
    }
}

/// A key by which a stream is found again.
public struct StreamIdentity: Sendable, Hashable {
    /// What a key does.
    public enum Role: Sendable, Hashable {
        /// Routes; two known ones on different groups have the groups linked.
        case joins
        /// Routes where nothing earlier in the list did; never links.
        case routes
        /// Finds the streams that share it; never routes.
        case finds
    }

    /// 1 to ``Limits/identityKeyBytes`` bytes that mean nothing to the log.
    public var key: [UInt8]
    /// What the key does.
    public var role: Role

    /// An identity with the given parts.
    public init(key: [UInt8], role: Role) {
        self.key = key
        self.role = role
    }
}

/// How many events the caller believes its stream to have.
public enum ExpectedRevision: Sendable, Hashable {
    /// No belief.
    case any
    /// None: the stream must be new.
    case none
    /// Exactly as many.
    case exactly(UInt32)
}

/// Events for one stream, which the identities name.
public struct AppendRequest: Sendable {
    /// In the order in which they are asked for the stream; when none is known a new one begins.
    public var identities: [StreamIdentity]
    /// At least one.
    public var drafts: [EventDraft]
    /// Checked unless every draft was already there.
    public var expected: ExpectedRevision

    /// A request with the given parts.
    public init(
        identities: [StreamIdentity], drafts: [EventDraft], expected: ExpectedRevision = .any
    ) {
        self.identities = identities
        self.drafts = drafts
        self.expected = expected
    }
}

/// What became of one draft.
public struct AppendedEvent: Sendable, Hashable {
    /// The ways a draft ends.
    public enum Outcome: Sendable, Hashable {
        /// It is a new record.
        case appended
        /// Its dedupe hash was found; position and revision are the earlier record's.
        case alreadyThere
        /// What caused it was already there; position and revision are that record's.
        case causeAlreadyThere
    }

    /// Position in the log of the record meant by `outcome`.
    public let position: UInt64
    /// Revision of that record in its stream.
    public let revision: UInt32
    /// What became of the draft.
    public let outcome: Outcome

    /// True when nothing was appended for the draft.
    public var wasThere: Bool { outcome != .appended }
}

/// A record that the log wrote to join two streams.
public struct AppendedLink: Sendable, Hashable {
    /// Position of the record.
    public let position: UInt64
    /// The stream it stands in.
    public let stream: UInt64
    /// The stream it names.
    public let other: UInt64

    @usableFromInline
    init(position: UInt64, stream: UInt64, other: UInt64) {
        self.position = position
        self.stream = stream
        self.other = other
    }
}

/// What became of one request.
public struct AppendResult: Sendable, Hashable {
    /// The stream the identities led to.
    public let stream: UInt64
    /// One for each draft, in their order.
    public let entries: [AppendedEvent]
    /// Two for each pair of streams that were joined.
    public let links: [AppendedLink]

    @usableFromInline
    init(stream: UInt64, entries: [AppendedEvent], links: [AppendedLink]) {
        self.stream = stream
        self.entries = entries
        self.links = links
    }
}
