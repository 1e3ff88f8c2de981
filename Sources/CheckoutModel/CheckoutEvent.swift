/// A fact that happened to a checkout, past tense, never edited.
///
/// Says what was heard and from whom; whether it is true is the fold's business. Times are the
/// speaker's claim (`occurredAt`); when it was written down is the record's.
public struct CheckoutEvent: Sendable, Hashable {
    /// What kind of fact.
    public var type: EventType
    /// Whose voice.
    public var source: EventSource
    /// How well we know it.
    public var evidence: Evidence
    /// When it happened, by the speaker's clock; nil when the speaker did not say.
    public var occurredAt: Instant?
    /// The payment provider it concerns.
    public var provider: ProviderID
    /// Which of the merchant's accounts there; empty for the only one.
    public var account: String
    /// Whether money can move.
    public var mode: ProviderMode
    /// Every id the speaker gave.
    public var ids: ProviderIDs
    /// The amount the fact is about; for `session.created` the exact total asked for.
    public var amount: Money?
    /// What the customer was told, or what an operator decided; nil where the type says it all.
    public var status: CheckoutStatus?
    /// The speaker's reason or an operator's, free text, redacted before it is stored.
    public var reason: String?
    /// The provider's own word for this fact.
    public var rawType: String?
    /// The provider's id of the webhook delivery this came with.
    public var deliveryID: String?
    /// How the delivery was verified: scheme, key fingerprint, adapter version.
    public var verification: Verification?
    /// Place and number of pieces when a body spans several records; nil for a whole one.
    public var part: Part?
    /// The person who acted, for operator events; a role or a name the host chose.
    public var actor: String?
    /// The earlier resolutions that this one takes the place of.
    public var replaces: [EventReference]
    /// What must be sealed.
    public var privateFields: PrivateFields

    /// Everything but type, voice, evidence and provider is absent unless given.
    public init(
        _ type: EventType, source: EventSource, evidence: Evidence = .hint,
        occurredAt: Instant? = nil, provider: ProviderID, account: String = "",
        mode: ProviderMode = .unknown, ids: ProviderIDs = ProviderIDs(), amount: Money? = nil,
        status: CheckoutStatus? = nil, reason: String? = nil, rawType: String? = nil,
        deliveryID: String? = nil, actor: String? = nil, replaces: [EventReference] = [],
        privateFields: PrivateFields = PrivateFields()
    ) {
        self.type = type
        self.source = source
        self.evidence = evidence
        self.occurredAt = occurredAt
        self.provider = provider
        self.account = account
        self.mode = mode
        self.ids = ids
        self.amount = amount
        self.status = status
        self.reason = reason
        self.rawType = rawType
        self.deliveryID = deliveryID
        self.actor = actor
        self.replaces = replaces
        self.privateFields = privateFields
    }

    /// How a delivery's signature held.
    public struct Verification: Sendable, Hashable {
        /// The signature scheme's name.
        public var scheme: String
        /// Eight hexadecimal digits that name the key without showing it.
        public var keyFingerprint: String
        /// The adapter's version, so that a later reading can be explained.
        public var adapterVersion: String

        /// Keeps the three words together.
        public init(scheme: String, keyFingerprint: String, adapterVersion: String) {
            self.scheme = scheme
            self.keyFingerprint = keyFingerprint
            self.adapterVersion = adapterVersion
        }
    }

    /// Place of one piece of a long body, from 0, and how many there are.
    public struct Part: Sendable, Hashable {
        /// From 0.
        public var index: UInt32
        /// At least 1.
        public var count: UInt32

        /// Pairs place and number.
        public init(index: UInt32, count: UInt32) {
            self.index = index
            self.count = count
        }
    }
}

/// A short stable name of an event or id inside one session; see `Fact`.
@frozen public struct EventReference: RawRepresentable, Sendable, Hashable, Comparable {
    /// Never zero for a real reference.
    public let rawValue: UInt64

    /// Takes the number as stored.
    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// No reference.
    @inlinable public static var none: Self { Self(rawValue: 0) }

    /// Derives the reference of an id's text.
    ///
    /// FNV-1a with a final mix: stable for ever, and enough to tell apart the few ids of one
    /// session. It names nothing across sessions and protects nothing; the text itself is in the
    /// event's payload.
    public init(of id: some StringProtocol) {
        self.init(mixing: Self.hash(id, after: Self.startOfHash))
    }

    /// Derives the reference of a provider and an account there: that of `provider NUL account`.
    public init(provider: String, account: String) {
        let start = Self.hash("\0", after: Self.hash(provider, after: Self.startOfHash))
        self.init(mixing: Self.hash(account, after: start))
    }

    private static var startOfHash: UInt64 { 0xCBF2_9CE4_8422_2325 }

    @inline(__always)
    private static func hash(_ text: some StringProtocol, after start: UInt64) -> UInt64 {
        func add(_ bytes: some Sequence<UInt8>) -> UInt64 {
            bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        }
        return text.utf8.withContiguousStorageIfAvailable { add($0) } ?? add(text.utf8)
    }

    /// Derives the reference of an event from its random id, given as two halves.
    public init(high: UInt64, low: UInt64) {
        self.init(mixing: high ^ (low &* 0x9E37_79B9_7F4A_7C15))
    }

    private init(mixing value: UInt64) {
        var hash = value
        hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ (hash >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        hash ^= hash >> 33
        rawValue = hash == 0 ? 1 : hash
    }

    /// Orders by number; the order means nothing but is the same everywhere.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
