public import CheckoutModel
public import EventLog

/// A moment in the ledger's own history.
public enum LedgerMoment: Sendable, Hashable {
    /// Everything recorded so far.
    case now
    /// What was believed before this position was written; later joins of streams do not count.
    case position(UInt64)
    /// What was believed at this recorded time.
    case time(Instant)
}

extension Ledger {
    /// The session of that name: its id, `provider/id`, any other id that leads to one session,
    /// or an unambiguous beginning of a session's id.
    ///
    /// Throws `NOT_FOUND` and `AMBIGUOUS_NAME`.
    public func session(
        named name: String, asOf moment: LedgerMoment = .now
    ) throws(LedgerError) -> Session {
        try read { (snapshot) throws(LedgerError) in
            let found = try snapshot.find(name)
            let limit = try snapshot.limit(of: moment)
            guard
                let session = try snapshot.session(
                    at: found.stream, before: limit, scope: found.scope)
            else {
                throw LedgerError(
                    .notFound, "The session \(name) was not known at that moment.",
                    hint: "Ask for a later position or time.")
            }
            return session
        }
    }

    /// Every event of a session in order of recording, joined streams together.
    public func timeline(
        of name: String, asOf moment: LedgerMoment = .now
    ) throws(LedgerError) -> (session: Session, events: [RecordedEvent]) {
        let session = try session(named: name, asOf: moment)
        let events = try read { (snapshot) throws(LedgerError) in
            let limit = try snapshot.limit(of: moment)
            return try snapshot.events(of: session.streams, before: limit)
        }
        return (session, events)
    }

    /// Lends every session, in order of arrival: the projection `CurrentSessions`.
    ///
    /// Streams that tell of no checkout (refused deliveries, lone notes) are left out; see
    /// `Session.isCheckout`. Bounded memory: a page of sessions is read on a snapshot of its own
    /// and lent outside of it, so a slow reader holds nothing up; each session is exact at the
    /// time its page is read. With a past moment every session is folded anew up to it.
    public func forEachSession(
        asOf moment: LedgerMoment = .now,
        _ body: (Session) throws(LedgerError) -> ScanStep
    ) throws(LedgerError) {
        try forEachStream(asOf: moment) { (session) throws(LedgerError) in
            session.isCheckout ? try body(session) : .more
        }
    }

    /// The same with the streams that tell of no checkout.
    func forEachStream(
        asOf moment: LedgerMoment = .now,
        _ body: (Session) throws(LedgerError) -> ScanStep
    ) throws(LedgerError) {
        try forEachPage { (snapshot, from, page) throws in
            let limit = try snapshot.limit(of: moment)
            var next: UInt64?
            try snapshot.forEachState(from: from) { stream, state in
                guard page.count < Limits.sessionsPerPage else {
                    next = stream
                    return .stop
                }
                if state.trace.firstPosition < limit,
                    let session = try snapshot.session(leadBy: stream, state, before: limit)
                {
                    page.append(session)
                }
                return .more
            }
            return next
        } _: { (session) throws(LedgerError) in
            try body(session)
        }
    }

    /// Reads pages on short snapshots and lends their rows outside of them.
    ///
    /// `read` fills a page from a key on, and gives the key of the next one; nil at the end.
    func forEachPage<Row>(
        _ read: (borrowing Snapshot<CheckoutSchema, Store>, UInt64, inout [Row]) throws -> UInt64?,
        _ body: (Row) throws(LedgerError) -> ScanStep
    ) throws(LedgerError) {
        var next: UInt64? = 0
        while let from = next {
            var page: [Row] = []
            do {
                next = try log.read { try read($0, from, &page) }
            } catch {
                throw LedgerError(any: error)
            }
            for row in page where try body(row) == .stop { return }
        }
    }

    /// The event at a position; throws `NOT_FOUND` beyond the end.
    public func event(at position: UInt64) throws(LedgerError) -> RecordedEvent {
        try read { (snapshot) throws(LedgerError) in
            guard position < snapshot.end else {
                throw LedgerError(
                    .notFound, "There is no event at position \(position).",
                    hint: "The log ends before position \(snapshot.end).")
            }
            return try snapshot.event(at: position)
        }
    }

    /// One more than the last position: how many events there are.
    public func endPosition() throws(LedgerError) -> UInt64 {
        try read { (snapshot) throws(LedgerError) in snapshot.end }
    }

    /// The sessions that some streams belong to, in the streams' order, from one snapshot.
    ///
    /// A stream without events has none and is passed over.
    package func sessions(at streams: [UInt64]) throws(LedgerError) -> [Session] {
        try read { (snapshot) throws(LedgerError) in
            var found: [Session] = []
            for stream in streams {
                guard
                    let session = try snapshot.session(
                        at: stream, before: snapshot.end, scope: nil)
                else { continue }
                found.append(session)
            }
            return found
        }
    }

    /// The events at some positions, in that order, from one snapshot; throws `DAMAGED`.
    package func events(at positions: [UInt64]) throws(LedgerError) -> [RecordedEvent] {
        try read { (snapshot) throws(LedgerError) in
            var events: [RecordedEvent] = []
            for position in positions { events.append(try snapshot.event(at: position)) }
            return events
        }
    }

    /// Streams of sessions, payments, refunds, disputes, subscriptions and deliveries whose id
    /// begins with a text, the first of each kind first.
    package func streams(beginning text: String, limit: Int) throws(LedgerError) -> [UInt64] {
        try read { (snapshot) throws(LedgerError) in
            try snapshot.streams(beginning: text, limit: limit)
        }
    }
}
