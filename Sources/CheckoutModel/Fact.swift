/// The part of an event that the fold needs: fixed in size, readable without decoding a payload.
///
/// A record's header carries it in its 48-byte domain area (`byteCount`), little-endian:
///
/// | offset | width | field |
/// |---|---|---|
/// | 0 | 1 | source |
/// | 1 | 1 | evidence |
/// | 2 | 1 | status, 0xFF when absent |
/// | 3 | 1 | mode |
/// | 4 | 4 | currency, three letters packed; 0 when there is no amount |
/// | 8 | 8 | amount in minor units, signed |
/// | 16 | 8 | subject: reference of the payment, refund, dispute, subscription or resolution |
/// | 24 | 8 | object: payment a refund or dispute is about; stream a link leads to |
/// | 32 | 8 | provider tag: reference of `provider account` |
/// | 40 | 1 | flags |
/// | 41 | 1 | mode that the account is configured for; part of what its ids are unique in |
/// | 42 | 6 | zero |
@frozen public struct Fact: Sendable, Hashable {
    /// What kind of fact.
    public var type: EventType
    /// Whose voice.
    public var source: EventSource
    /// How well we know it.
    public var evidence: Evidence
    /// What the customer was told, or what an operator decided.
    public var status: CheckoutStatus?
    /// Whether money can move.
    public var mode: ProviderMode
    /// The amount, if the fact has one.
    public var amount: Money?
    /// What the fact is about, inside its session.
    public var subject: EventReference
    /// What the subject belongs to.
    public var object: EventReference
    /// Tells providers and accounts apart inside one session.
    public var providerTag: EventReference
    /// Remarks of the recorder.
    public var flags: Flags
    /// The mode that the account is configured for; the event's own is `mode`.
    public var accountMode: ProviderMode = .unknown
    /// When it happened by the speaker's clock, microseconds since 1970; `Int64.min` if unsaid.
    ///
    /// Kept by the record itself, outside the domain area.
    public var occurredAt: Int64

    /// Bytes of the domain area.
    public static let byteCount = 48

    /// Remarks of the recorder.
    @frozen public struct Flags: OptionSet, Sendable, Hashable {
        /// One bit each.
        public let rawValue: UInt8
        /// Takes the bits as stored.
        @inlinable
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The payload has a sealed part.
        public static let sealed = Self(rawValue: 1)
        /// Something was masked or dropped before it was stored.
        public static let redacted = Self(rawValue: 2)
        /// The adapter did not know the delivery's type; it was kept and acknowledged.
        public static let unhandled = Self(rawValue: 4)
        /// It named, outside the signature, a session that it cannot be of; it was kept apart.
        public static let contradicted = Self(rawValue: 8)
        /// Private fields were thrown away, since their subject had been erased before.
        public static let discarded = Self(rawValue: 16)
    }

    /// Everything absent unless given.
    @inlinable
    public init(
        type: EventType, source: EventSource, evidence: Evidence, status: CheckoutStatus? = nil,
        mode: ProviderMode = .unknown, amount: Money? = nil, subject: EventReference = .none,
        object: EventReference = .none, providerTag: EventReference = .none, flags: Flags = [],
        occurredAt: Int64 = .min
    ) {
        self.type = type
        self.source = source
        self.evidence = evidence
        self.status = status
        self.mode = mode
        self.amount = amount
        self.subject = subject
        self.object = object
        self.providerTag = providerTag
        self.flags = flags
        self.occurredAt = occurredAt
    }

    /// Derives the fact of an event; `selfReference` names the event itself, for resolutions.
    public init(_ event: __shared CheckoutEvent, selfReference: EventReference) {
        self.init(
            type: event.type, source: event.source, evidence: event.evidence,
            status: event.status, mode: event.mode, amount: event.amount,
            providerTag: EventReference(
                provider: event.provider.rawValue, account: event.account),
            occurredAt: event.occurredAt?.microseconds ?? .min)
        func reference(_ id: String?) -> EventReference {
            id.map { EventReference(of: $0) } ?? .none
        }
        switch event.type.family {
        case .refund:
            subject = reference(event.ids.refund ?? event.ids.payment)
            object = reference(event.ids.payment)
        case .dispute:
            subject = reference(event.ids.dispute ?? event.ids.payment)
            object = reference(event.ids.payment)
        case .subscription:
            subject = reference(event.ids.subscription ?? event.ids.session)
            object = reference(event.ids.payment)
        case .payment:
            // One that is named by its session alone is whichever payment the session has.
            subject = reference(event.ids.payment)
            object = reference(event.ids.subscription)
        case .session, .delivery, .other:
            subject =
                event.type == .operatorResolved ? selfReference : reference(event.ids.payment)
        }
        if !event.privateFields.isEmpty { flags.insert(.sealed) }
    }
}

extension Fact {
    /// Writes the domain area; `area` must have `byteCount` bytes.
    public func encode(into area: UnsafeMutableRawBufferPointer) {
        precondition(area.count >= Self.byteCount)
        area.storeBytes(of: 0, toByteOffset: 40, as: UInt64.self)
        area.storeBytes(of: source.rawValue, toByteOffset: 0, as: UInt8.self)
        area.storeBytes(of: evidence.rawValue, toByteOffset: 1, as: UInt8.self)
        area.storeBytes(of: status?.rawValue ?? 0xFF, toByteOffset: 2, as: UInt8.self)
        area.storeBytes(of: mode.rawValue, toByteOffset: 3, as: UInt8.self)
        let packed = amount?.currency.packed ?? 0
        area.storeBytes(of: packed.littleEndian, toByteOffset: 4, as: UInt32.self)
        let minorUnits = amount?.minorUnits ?? 0
        area.storeBytes(of: minorUnits.littleEndian, toByteOffset: 8, as: Int64.self)
        area.storeBytes(of: subject.rawValue.littleEndian, toByteOffset: 16, as: UInt64.self)
        area.storeBytes(of: object.rawValue.littleEndian, toByteOffset: 24, as: UInt64.self)
        area.storeBytes(of: providerTag.rawValue.littleEndian, toByteOffset: 32, as: UInt64.self)
        area.storeBytes(of: flags.rawValue, toByteOffset: 40, as: UInt8.self)
        area.storeBytes(of: accountMode.rawValue, toByteOffset: 41, as: UInt8.self)
    }

    /// Reads a domain area back; nil when it holds values this build cannot know.
    @inlinable
    @inline(__always)
    public init?(type: EventType, occurredAt: Int64, area: UnsafeRawBufferPointer) {
        guard area.count >= Self.byteCount,
            let source = EventSource(rawValue: area[0]),
            let evidence = Evidence(rawValue: area[1]),
            let mode = ProviderMode(rawValue: area[3]),
            let accountMode = ProviderMode(rawValue: area[41])
        else { return nil }
        func word(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: area.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        let packed = UInt32(littleEndian: area.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        var amount: Money?
        if packed != 0 {
            guard let currency = Currency(packed: packed) else { return nil }
            amount = Money(minorUnits: Int64(bitPattern: word(8)), currency: currency)
        }
        var status: CheckoutStatus?
        if area[2] != 0xFF {
            guard let known = CheckoutStatus(rawValue: area[2]) else { return nil }
            status = known
        }
        self.init(
            type: type, source: source, evidence: evidence, status: status, mode: mode,
            amount: amount, subject: EventReference(rawValue: word(16)),
            object: EventReference(rawValue: word(24)),
            providerTag: EventReference(rawValue: word(32)), flags: Flags(rawValue: area[40]),
            occurredAt: occurredAt)
        self.accountMode = accountMode
    }
}
