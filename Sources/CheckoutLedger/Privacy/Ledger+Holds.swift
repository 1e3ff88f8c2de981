public import CheckoutModel
import Cryptography
import EventLog

/// A subject whose keys the law wants kept.
public struct LegalHold: Sendable, Hashable {
    /// The event that placed it.
    public let placed: RecordedEvent
    /// What is held, as a person would name it.
    public let subject: String
}

/// The holds that stand, as the log has them.
struct Holds {
    /// By stream of the session that is held.
    private(set) var sessions: [UInt64: RecordedEvent] = [:]
    /// By provider, account and the customer's id.
    private(set) var customers: [String: RecordedEvent] = [:]

    private static func key(_ provider: ProviderID, _ account: String, _ id: String) -> String {
        "\(AccountScope(provider, account: account))/\(id)"
    }

    /// Takes in the events about holds in the order of the log.
    mutating func take(_ recorded: RecordedEvent) {
        let event = recorded.event
        let isPlaced = event.type == .holdPlaced
        if recorded.payload.privacy?.target == "customer", let id = event.ids.customer {
            customers[Self.key(event.provider, event.account, id)] = isPlaced ? recorded : nil
        } else {
            sessions[recorded.stream] = isPlaced ? recorded : nil
        }
    }

    func hold(on session: Session) -> RecordedEvent? {
        for stream in session.streams {
            if let hold = sessions[stream] { return hold }
        }
        for id in session.ids.customers {
            let key = Self.key(session.scope.provider, session.scope.account, id)
            if let hold = customers[key] { return hold }
        }
        return nil
    }

    func contains(_ session: Session) -> Bool { hold(on: session) != nil }

    func refuse(_ session: Session) throws(LedgerError) {
        if let hold = hold(on: session) { throw Self.refusal(session.qualifiedName, hold) }
    }

    func refuse(customer id: String, _ scopes: [AccountScope]) throws(LedgerError) {
        for scope in scopes {
            let key = Self.key(scope.provider, scope.account, id)
            if let hold = customers[key] { throw Self.refusal(key, hold) }
        }
    }

    /// A session may be held for its customer: then that hold is the one to release.
    private static func refusal(_ name: String, _ hold: RecordedEvent) -> LedgerError {
        let event = hold.event
        let customer = hold.payload.privacy?.target == "customer" ? event.ids.customer : nil
        let held = customer.map { "\(key(event.provider, event.account, $0)) --customer" } ?? name
        return LedgerError(
            .legalHold, "\(name) is under a legal hold since position \(hold.position).",
            hint: "Release it first: checkout-ledger privacy hold \(held) --release --reason WHY.",
            refusal: nil, hold: hold.position)
    }
}

extension Ledger {
    /// Forbids to destroy the keys of a session, or of all of a customer's sessions, from now on.
    ///
    /// The hold is an event, as is its release. An erasure that is under way comes first, so a hold
    /// that was placed is never overtaken by one. Throws `NOT_FOUND`, `MISSING_VALUE` for an empty
    /// reason. Blocks its caller.
    @discardableResult
    public func hold(
        _ target: ErasureTarget, reason: String, actor: String? = nil, at now: Instant
    ) throws(LedgerError) -> RecordedEvent {
        try state(.holdPlaced, of: target, reason: reason, actor: actor, at: now)
    }

    /// Ends the hold on a session or a customer.
    ///
    /// Throws `NOT_FOUND` where there is none, and as `hold(_:reason:actor:at:)`.
    @discardableResult
    public func release(
        _ target: ErasureTarget, reason: String, actor: String? = nil, at now: Instant
    ) throws(LedgerError) -> RecordedEvent {
        try state(.holdReleased, of: target, reason: reason, actor: actor, at: now)
    }

    private func state(
        _ type: EventType, of target: ErasureTarget, reason: String, actor: String?,
        at now: Instant
    ) throws(LedgerError) -> RecordedEvent {
        guard !reason.isEmpty else {
            throw LedgerError(
                .missing, "A hold and its release need a reason.",
                hint: "Say why in one sentence, without naming anybody.")
        }
        let lock = try keystoreLock(waits: true)
        defer { lock?.end() }
        // What was asked for before goes first; where the root key is away, at a later opening.
        _ = try? resumeUnderLock()
        var event = CheckoutEvent(
            type, source: .operator, evidence: .operator, occurredAt: now, provider: "ledger",
            reason: reason, actor: actor)
        event.deliveryID = "hold-\(Hex.encode(SecureRandom.bytes(16)))"
        var record = PrivacyRecord()
        record.target = target.word
        let placed: (event: CheckoutEvent, mode: ProviderMode)
        var isHeld = false
        let holds = try holds()
        switch target {
        case .session(let name):
            let session = try session(named: name)
            placed = try self.placed(event, on: session)
            isHeld = session.streams.contains { holds.sessions[$0] != nil }
        case .customer(let name):
            placed = try self.placed(event, onCustomer: name)
            let scope = AccountScope(placed.event.provider, account: placed.event.account)
            isHeld = holds.customers["\(scope)/\(placed.event.ids.customer ?? "")"] != nil
        case .retention:
            throw LedgerError(
                .missing, "A hold is on a session or a customer.", hint: "Name one.")
        }
        guard type == .holdPlaced || isHeld else {
            throw LedgerError(
                .notFound, "There is no such hold.",
                hint: "List them with: checkout-ledger privacy status")
        }
        return try append(placed, stating: record)
    }

    /// The holds that stand, the oldest first.
    public func legalHolds() throws(LedgerError) -> [LegalHold] {
        let holds = try holds()
        var found: [LegalHold] = []
        for (stream, event) in holds.sessions {
            let session = try read { (snapshot) throws(LedgerError) in
                try snapshot.session(at: stream, before: snapshot.end, scope: nil)
            }
            found.append(LegalHold(placed: event, subject: session?.qualifiedName ?? ""))
        }
        for (name, event) in holds.customers {
            found.append(LegalHold(placed: event, subject: "customer \(name)"))
        }
        return found.sorted { $0.placed.position < $1.placed.position }
    }

    func holds() throws(LedgerError) -> Holds {
        var holds = Holds()
        var query = AuditQuery()
        query.types = [.holdPlaced, .holdReleased]
        try forEachEvent(matching: query) { event in
            holds.take(event)
            return .more
        }
        return holds
    }

    /// Notes that a session is a customer's, where no voice of the provider said so: erasing or
    /// holding the customer then reaches it.
    @discardableResult
    public func link(
        _ name: String, toCustomer id: String, reason: String, actor: String? = nil,
        at now: Instant
    ) throws(LedgerError) -> RecordedEvent {
        let session = try session(named: name)
        let event = CheckoutEvent(
            .subjectLinked, source: .operator, evidence: .operator, occurredAt: now,
            provider: session.scope.provider, reason: reason, actor: actor)
        var placed = try placed(event, on: session)
        placed.event.ids.customer = id
        var record = PrivacyRecord()
        record.target = "session"
        if let subject = session.ids.sessions.first {
            record.subject = try keystore.name(of: session.scope.subject("s", subject))
        }
        return try append(placed, stating: record)
    }
}
