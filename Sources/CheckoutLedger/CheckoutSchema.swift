public import CheckoutModel
public import EventLog

/// What a checkout ledger's log means: a stream is a session, its state is `SessionState`.
///
/// Pure, as the log demands: it reads the fixed part of a record, and a payload only for the two
/// rare types whose meaning does not fit there.
public enum CheckoutSchema: LogSchema {
    /// Bump when the fold or a row changes; every ledger is then folded anew at its next opening.
    public static let foldVersion: UInt32 = 2

    /// A session of which nothing has been heard.
    public static var initialState: SessionState { SessionState() }

    /// Takes one record into its session, and notes a changed outcome.
    public static func fold(
        _ record: borrowing RecordView, into state: inout SessionState,
        changes: inout ProjectionChanges
    ) {
        state.trace.follow(record)
        // What a newer build wrote is kept, counted, and reported by `verify` and `replay`.
        guard let fact = Fact(record) else { return }
        state.trace.note(fact, record)
        guard fact.mayDecide else { return state.evidence.absorb(fact) }
        // Where there is no outcome yet, the one before need not be worked out.
        let before = state.trace.outcomeAt == .max ? nil : state.evidence.decision
        state.evidence.absorb(
            fact, replacing: fact.type == .operatorResolved ? replacedResolutions(record) : [])
        let after = state.evidence.decision
        guard after != before, after.outcome != nil || before != nil else { return }
        changes.addOutcome(at: record.position) {
            OutcomeRow(
                stream: record.stream, outcome: after.outcome, amount: after.paid.total,
                replaces: before == nil ? nil : state.trace.outcomeAt
            ).encode(into: &$0)
        }
        state.trace.outcomeAt = after.outcome == nil ? .max : record.position
    }

    private static func replacedResolutions(
        _ record: borrowing RecordView
    ) -> [EventReference] {
        record.payload.withUnsafeBytes { try? EventPayload(decoding: $0) }?.replaces ?? []
    }

    /// Joins a later range of the same stream.
    ///
    /// The evidence of both is joined in any case; at which position the outcome last changed is
    /// known only where the later range left it alone.
    public static func merge(
        _ later: SessionState, into earlier: inout SessionState
    ) -> Bool {
        guard later.trace.outcomeAt == .max else { return false }
        var evidence = earlier.evidence
        evidence.join(later.evidence)
        let decision = evidence.decision
        let isUntouched =
            earlier.trace.outcomeAt == .max
            ? decision.outcome == nil : decision == earlier.evidence.decision
        guard isUntouched else { return false }
        earlier.evidence = evidence
        earlier.trace.merge(later.trace)
        return true
    }

    /// Adds the session's row.
    public static func encode(_ state: SessionState, into bytes: inout [UInt8]) {
        state.encode(into: &bytes)
    }

    /// Reads the session's row.
    public static func decode(_ bytes: UnsafeRawBufferPointer) throws -> SessionState {
        try SessionState(decoding: bytes)
    }

    /// When the session was shown, or about to be, while nothing final is known of it.
    public static func openedAt(_ state: SessionState) -> Int64? {
        state.isAwaitingOutcome ? state.trace.openedAt : nil
    }

    /// Streams that turned out to be the same checkout.
    public static func links(_ state: SessionState) -> [UInt64] { state.trace.links }

    /// The record that says so.
    public static func linkDraft(to other: UInt64) -> EventDraft {
        var payload = EventPayload()
        payload.linkedStreamPlusOne = other + 1
        let fact = Fact(
            type: .sessionLinked, source: .ledger, evidence: .verified,
            object: EventReference(rawValue: other + 1))
        return EventDraft(
            type: EventType.sessionLinked.rawValue, eventID: EventID(value: 0),
            domain: DomainArea(fact), payload: payload.encoded())
    }

    /// The ids that a record names, as they were given when it was appended.
    public static func identities(of record: borrowing RecordView) -> [StreamIdentity] {
        guard let fact = Fact(record), fact.type != .deliveryPart, fact.type != .sessionLinked,
            let payload = record.payload.withUnsafeBytes({ try? EventPayload(decoding: $0) })
        else { return [] }
        let scope = AccountScope(
            ProviderID(rawValue: payload.provider), account: payload.account,
            mode: fact.accountMode)
        return IdentityKey.identities(of: [CheckoutEvent(fact, payload)], in: scope)
    }

    /// Whether two folds of a session say the same.
    public static func statesAreEqual(_ first: SessionState, _ second: SessionState) -> Bool {
        first == second
    }
}

extension Fact {
    /// Reads a record's fixed part; nil when a newer build wrote values unknown here.
    @inline(__always)
    package init?(_ record: borrowing RecordView) {
        let type = EventType(rawValue: record.type)
        let occurredAt = record.occurredAt ?? .min
        let fact = record.domainBytes.withUnsafeBytes { area in
            Fact(type: type, occurredAt: occurredAt, area: area)
        }
        guard let fact else { return nil }
        self = fact
    }
}

extension DomainArea {
    /// The area that carries a fact.
    init(_ fact: Fact) {
        self.init()
        var bytes = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        withUnsafeMutableBytes(of: &bytes) { fact.encode(into: $0) }
        store(UInt64(littleEndian: bytes.0), at: 0)
        store(UInt64(littleEndian: bytes.1), at: 8)
        store(UInt64(littleEndian: bytes.2), at: 16)
        store(UInt64(littleEndian: bytes.3), at: 24)
        store(UInt64(littleEndian: bytes.4), at: 32)
        store(UInt64(littleEndian: bytes.5), at: 40)
    }
}

extension SessionTrace {
    /// Notes where a record stands.
    @inline(__always)
    fileprivate mutating func follow(_ record: borrowing RecordView) {
        // Wraps: a damaged row may say any count, and a fold never traps.
        eventCount &+= 1
        let position = record.position
        firstPosition = min(firstPosition, position)
        lastPosition = max(lastPosition, position)
        lastRecordedAt = max(lastRecordedAt, record.recordedAt)
    }

    /// Notes what a fact says about the stream itself.
    @inline(__always)
    fileprivate mutating func note(_ fact: Fact, _ record: borrowing RecordView) {
        switch fact.type {
        case .sessionCreated where fact.source != .app: break
        case .sessionCreated, .sessionOpened, .sessionReturned, .sessionClosed,
            .sessionFailedToOpen:
            openedAt = min(openedAt, record.occurredAt ?? record.recordedAt)
        case .sessionLinked where fact.object != .none:
            insert(link: fact.object.rawValue - 1)
        default: break
        }
        if record.flags.contains(.namesSession) { namedAt = min(namedAt, record.position) }
    }
}

extension RecordFlags {
    /// The payload gives the session's own id, so that a list can show the name by one look-up.
    static let namesSession = RecordFlags(rawValue: 1 << 4)
}
