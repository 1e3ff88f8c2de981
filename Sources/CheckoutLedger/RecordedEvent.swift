public import CheckoutModel
public import EventLog

/// An event with its envelope: what was heard, and where and when it was written down.
public struct RecordedEvent: Sendable, Hashable {
    /// Place in the whole log, from 0.
    public let position: UInt64
    /// The session's stream.
    public let stream: UInt64
    /// Place in the stream, from 0.
    public let revision: UInt32
    /// Position of the stream's event before this one.
    public let previous: UInt64?
    /// Position of the event that caused this one, such as the delivery it was read from.
    public let cause: UInt64?
    /// The event's own random name.
    public let id: EventID
    /// When the ledger wrote it; never less than in the event before.
    public let recordedAt: Instant
    /// True when the machine's clock stood before the last recorded time.
    public let clockWasHeld: Bool
    /// Remarks of the recorder.
    public let flags: Fact.Flags
    /// What was heard; private fields stay sealed, see `Ledger.privateFields(of:)`.
    public let event: CheckoutEvent
    /// The payload as stored.
    public let payload: EventPayload
    /// The mode that the account was configured for; part of what its ids are unique in.
    let accountMode: ProviderMode
    /// False when a newer build wrote values that this one does not know: the event is then shown
    /// as far as it can be, as a hint of the ledger's own, and takes no part in any state.
    public let isUnderstood: Bool

    /// Reads a record; throws `PayloadError` when its payload is damaged.
    init(_ record: borrowing RecordView) throws(PayloadError) {
        let known = Fact(record)
        let type = EventType(rawValue: record.type)
        let fact = known ?? Fact(type: type, source: .ledger, evidence: .hint)
        isUnderstood = known != nil && !type.isUnknown
        let bytes = record.payload.withUnsafeBytes { Array($0) }
        let payload = try EventPayload(decoding: bytes)
        position = record.position
        stream = record.stream
        revision = record.revision
        previous = record.previous
        cause = record.cause
        id = record.eventID
        recordedAt = Instant(microseconds: record.recordedAt)
        clockWasHeld = record.flags.contains(.clockHeld)
        flags = fact.flags
        accountMode = fact.accountMode
        self.payload = payload
        event = CheckoutEvent(fact, payload)
    }

    /// True when something of it is sealed.
    public var hasSealedFields: Bool { !payload.sealed.isEmpty }

    /// The classes of its sealed fields, as the blobs state them; a blob that states none has what
    /// it was most likely made of.
    package var sealedClasses: [PrivateClass] {
        payload.sealed.map { SealedBlob.key(of: $0)?.dataClass ?? .contact }
    }

    /// The other stream, when the event joins two.
    public var linkedStream: UInt64? {
        payload.linkedStreamPlusOne == 0 ? nil : payload.linkedStreamPlusOne - 1
    }
}

extension CheckoutEvent {
    /// Puts the fixed part and the payload together again.
    init(_ fact: Fact, _ payload: EventPayload) {
        self.init(
            fact.type, source: fact.source, evidence: fact.evidence,
            occurredAt: fact.occurredAt == .min ? nil : Instant(microseconds: fact.occurredAt),
            provider: ProviderID(rawValue: payload.provider), account: payload.account,
            mode: fact.mode, ids: payload.ids, amount: fact.amount, status: fact.status,
            reason: payload.reason, rawType: payload.rawType, deliveryID: payload.deliveryID,
            actor: payload.actor, replaces: payload.replaces)
        verification = payload.verification
        part = payload.part
    }
}
