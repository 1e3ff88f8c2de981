import CheckoutLedger
import CheckoutModel
import EventLog

/// What the ledger says about the pretend shop: every number is the answer to a query.
struct DemoFindings: Sendable {
    /// How a checkout ended, as far as the ledger knows.
    enum Ending: String, Sendable, CaseIterable {
        case paid
        case failed
        case expired
        case cancelled
        case needsReview = "needs a look"
        case underWay = "under way"
        case unknown = "not known"
    }

    /// Checkouts whose end was not known at a moment, and how many of them were paid in the end.
    struct Doubt: Sendable, Hashable {
        var count = 0
        var paid = 0
    }

    var endings: [Ending: Int] = [:]
    /// Of them those that a person decided.
    var byPerson: [Ending: Int] = [:]
    var renewals = 0
    /// Shown, and without an outcome ten minutes later.
    var silent = Doubt()
    /// Closed by the customer before the browser came back.
    var closed = Doubt()
    /// Without an outcome now.
    var abandoned = 0
    var discrepancies: [Discrepancy.Code: Int] = [:]
    var events = 0
    var eventsByFamily: [EventType.Family: Int] = [:]
    /// Webhooks with a meaning that came more than an hour after what they tell of.
    var late = 0
    /// Webhooks that tell of something older than what the session had heard already.
    var outOfOrder = 0
    var unhandled = 0
    var refused: [String: Int] = [:]
    var quarantined: [String: Int] = [:]
    var conflicting = 0
    /// What came in and went back, by currency, in its order.
    var paid: [Currency: Int64] = [:]
    var refunded: [Currency: Int64] = [:]
    /// A checkout that was closed and paid, by a short name that leads to it.
    var looksCancelled: String?
    var replayed: (events: UInt64, streams: Int, isEqual: Bool) = (0, 0, false)
    var verification: VerificationReport?

    var checkouts: Int { endings.values.reduce(0, +) }
    var refusedCount: Int { refused.values.reduce(0, +) }
    var quarantinedCount: Int { quarantined.values.reduce(0, +) }

    static let patience: Int64 = 600 * 1_000_000
    static let lateness: Int64 = 3_600 * 1_000_000

    init(_ ledger: Ledger<LMDBStore>, asOf now: Instant) throws {
        events = Int(try ledger.endPosition())
        var sessions: [Session] = []
        try ledger.forEachSession { (session) throws(LedgerError) in
            sessions.append(session)
            return .more
        }
        for session in sessions { try look(at: session, in: ledger) }
        try ledger.forEachAbandonedSession(asOf: now) { _ in
            abandoned += 1
            return .more
        }
        try ledger.forEachDiscrepancy { _, found in
            for code in Set(found.map(\.code)) { discrepancies[code, default: 0] += 1 }
            return .more
        }
        try countDeliveries(ledger)
        replayed = try Self.replay(ledger)
        verification = try ledger.log.verify()
    }

    private mutating func look(at session: Session, in ledger: Ledger<LMDBStore>) throws {
        let evidence = session.state.evidence
        add(evidence.paid.total, to: \.paid)
        add(evidence.refunded.total, to: \.refunded)
        guard !session.ids.sessions.isEmpty else {
            if session.outcome?.status == .succeeded { renewals += 1 }
            return
        }
        let ending = Self.ending(of: session)
        endings[ending, default: 0] += 1
        if session.outcome?.evidence == .operator { byPerson[ending, default: 0] += 1 }
        if try isSilent(session, in: ledger) { silent.add(ending) }
        let marks = evidence.marks
        if marks.contains(.closed), !marks.contains(.returned) {
            closed.add(ending)
            if ending == .paid {
                let name = try Self.shortName(of: session, in: ledger)
                if name.count < looksCancelled?.count ?? .max { looksCancelled = name }
            }
        }
        try lookForDisorder(ledger.timeline(of: session.qualifiedName).events)
    }

    static func ending(of session: Session) -> Ending {
        switch session.outcome?.status {
        case .succeeded: return .paid
        case .failed: return .failed
        case .cancelled: return .cancelled
        case .expired: return .expired
        case .pending, nil: break
        }
        switch session.state.evidence.verifiedPaymentOutcome {
        case .needsReview: return .needsReview
        case .open: return .underWay
        case .paid, .ended, .nothing: return .unknown
        }
    }

    /// What the ledger believed ten minutes after the page was shown.
    private func isSilent(_ session: Session, in ledger: Ledger<LMDBStore>) throws -> Bool {
        let openedAt = session.state.trace.openedAt
        guard openedAt != .max else { return false }
        let then = Instant(microseconds: openedAt + Self.patience)
        let before = try ledger.session(named: session.qualifiedName, asOf: .time(then))
        return before.state.isAwaitingOutcome
    }

    private mutating func lookForDisorder(_ events: [RecordedEvent]) {
        var newest = Instant(microseconds: .min)
        for recorded in events where recorded.event.tellsNews {
            guard let happened = recorded.event.occurredAt else { continue }
            if happened < newest { outOfOrder += 1 }
            newest = max(newest, happened)
            let delay = recorded.recordedAt.microseconds - happened.microseconds
            if delay > Self.lateness { late += 1 }
        }
    }

    private mutating func countDeliveries(_ ledger: Ledger<LMDBStore>) throws {
        try ledger.forEachEvent { recorded in
            let event = recorded.event
            eventsByFamily[event.type.family, default: 0] += 1
            switch event.type {
            case .deliveryReceived where recorded.flags.contains(.unhandled): unhandled += 1
            case .deliveryRefused: refused[event.reason ?? "", default: 0] += 1
            case .deliveryQuarantined: quarantined[event.reason ?? "", default: 0] += 1
            case .deliveryConflicted: conflicting += 1
            default: break
            }
            return .more
        }
    }

    private mutating func add(
        _ money: Money?, to total: WritableKeyPath<DemoFindings, [Currency: Int64]>
    ) {
        guard let money else { return }
        self[keyPath: total][money.currency, default: 0] += money.minorUnits
    }

    /// Folds every event again from the first and compares with the rows that answer queries.
    private static func replay(
        _ ledger: Ledger<LMDBStore>
    ) throws -> (events: UInt64, streams: Int, isEqual: Bool) {
        let fresh = try ledger.log.replay()
        var isEqual = true
        var count = 0
        try ledger.log.read { snapshot in
            try snapshot.forEachState { stream, state in
                count += 1
                isEqual =
                    isEqual && stream < UInt64(fresh.states.count)
                    && fresh.states[Int(stream)] == state
                return .more
            }
        }
        return (fresh.end, count, isEqual && count == fresh.states.count)
    }

    /// The shortest beginning, of at least seven letters, that leads to the session alone.
    private static func shortName(
        of session: Session, in ledger: Ledger<LMDBStore>
    ) throws -> String {
        let name = session.name
        for length in 7..<max(7, name.count) {
            let prefix = String(name.prefix(length))
            let found = try? ledger.session(named: prefix)
            if found?.streams == session.streams { return prefix }
        }
        return name
    }
}

extension DemoFindings.Doubt {
    mutating func add(_ ending: DemoFindings.Ending) {
        count += 1
        if ending == .paid { paid += 1 }
    }
}

extension CheckoutEvent {
    /// True for what a webhook means, false for its arrival and for all other voices.
    fileprivate var tellsNews: Bool { source == .webhook && type.family != .delivery }
}
