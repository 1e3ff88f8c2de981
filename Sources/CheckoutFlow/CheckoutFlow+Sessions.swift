public import CheckoutModel
import ProviderKit

/// What is left of earlier checkouts, and how the host settles them.
extension CheckoutFlow {
    /// The checkouts whose end is not known, the oldest first: ask the server about each.
    ///
    /// Leaves out the running ones. A session that is too old to be paid stays in the list and says
    /// so: it may have been paid before. Throws `JOURNAL_READ_FAILED`.
    public func abandonedSessions() async throws(JournalError) -> [AbandonedCheckout] {
        let life = type(of: provider).descriptor.sessionLifeSeconds
        return try await ownSessions().filter { !$0.isSettled }.map {
            AbandonedCheckout($0, lifeSeconds: life, at: clock.now())
        }
    }

    /// The results that the host has not acknowledged, of this process and of earlier ones.
    ///
    /// Without the private parts of a return, which no journal keeps. Throws
    /// `JOURNAL_READ_FAILED`.
    public func results() async throws(JournalError) -> [CheckoutResult] {
        try await ownSessions().filter { session in
            !session.isAcknowledged && (session.returned != nil || session.ending != nil)
        }.map { CheckoutResult($0) }
    }

    /// What the journal has of this provider, without what runs in this process.
    private func ownSessions() async throws(JournalError) -> [JournaledSession] {
        try await journal.sessions().filter { session in
            session.key.provider == type(of: provider).descriptor.id
                && !neighbours.contains { $0.request.session == session.key }
        }
    }

    /// Says that the host has a session's result in safe hands.
    ///
    /// A session that succeeded, failed or expired is forgotten then; any other stays abandoned
    /// until it is resolved. Throws `JOURNAL_WRITE_FAILED`.
    public func acknowledge(_ session: SessionKey) async throws(JournalError) {
        try await journal.append(JournalEntry(session, at: clock.now(), .acknowledged))
    }

    /// Forgets a session, because the server has told how it ended.
    ///
    /// Touches no other session, whatever is running. Throws `JOURNAL_WRITE_FAILED`.
    public func resolve(
        _ session: SessionKey, with status: CheckoutStatus
    ) async throws(JournalError) {
        try await journal.append(JournalEntry(session, at: clock.now(), .resolved(status)))
    }

    /// Gives a return that came to no running checkout to the one that it belongs to, and says what
    /// became of that; nil when it is nobody's, or was taken before.
    ///
    /// What ``handle(openURL:)`` does by itself; for programs that only pass URLs on and want to
    /// know when that is done.
    public func receiveLate(openURL text: String) async -> CheckoutResult? {
        await takeLate(text)
    }

    /// Gives a return that no checkout waits for to the one that it belongs to.
    ///
    /// To the session that it names, else to the only one that waits at its URL; to none when two
    /// do, because guessing would credit the wrong order.
    ///
    /// One after the other for each journal, so that a return that is told twice at once is taken
    /// once.
    @discardableResult
    func takeLate(_ text: String) async -> CheckoutResult? {
        let place = ObjectIdentifier(journalObject)
        let before = Self.lateWork[place]
        let work = Task { @MainActor in
            _ = await before?.value
            return await self.credit(text)
        }
        Self.lateWork[place] = work
        defer { if Self.lateWork[place] == work { Self.lateWork[place] = nil } }
        return await work.value
    }

    /// The last late return that is being taken, by journal.
    private static var lateWork: [ObjectIdentifier: Task<CheckoutResult?, Never>] = [:]

    private func credit(_ text: String) async -> CheckoutResult? {
        guard !wasTaken(text), let url = try? ReturnURL(parsing: text),
            let sessions = try? await journal.sessions(),
            let (session, claim) = owner(of: url, among: sessions)
        else { return nil }
        let returned = ReturnedCheckout(
            status: claim.status, payment: claim.ids.payment,
            subscription: claim.ids.subscription, isLate: true, url: text)
        let time = clock.now()
        guard
            (try? await journal.append(JournalEntry(session.key, at: time, .returned(returned))))
                != nil
        else { return nil }
        remember(text, of: session.key)
        let result = CheckoutResult(
            session.key, ending: .returned, returned: returned, reading: claim.reading)
        tell(FlowEvent(kind: .lateReturn, session: session.key, time: time))
        onLateReturn?(result)
        delegate?.checkoutFlow(self, didReceiveLate: result)
        return result
    }

    /// The one session that a return can belong to, and what it claims there.
    private func owner(
        of url: ReturnURL, among sessions: [JournaledSession]
    ) -> (JournaledSession, ReturnClaim)? {
        let busy = Set(neighbours.filter(\.ownsReturns).map(\.request.session))
        var found: [(JournaledSession, ReturnClaim)] = []
        for session in sessions
        where session.key.provider == type(of: provider).descriptor.id
            && !busy.contains(session.key)
        {
            if let claim = claim(of: url, on: session) { found.append((session, claim)) }
        }
        let named = found.filter { $0.1.ids.session == $0.0.key.id }
        var waiting = (named.isEmpty ? found : named).filter { $0.0.returned == nil }
        if waiting.count > 1 {
            // One that nobody ever settled must not keep the returns of all later ones away.
            let life = type(of: provider).descriptor.sessionLifeSeconds
            waiting.removeAll {
                AbandonedCheckout($0.0, lifeSeconds: life, at: clock.now()).isPastLife
            }
        }
        guard waiting.count == 1, let (session, claim) = waiting.first else { return nil }
        // A payment that another session's return has named is that one's, told again.
        let isTold = sessions.contains {
            $0.key != session.key && claim.ids.payment != nil
                && $0.returned?.payment == claim.ids.payment
        }
        return isTold && named.isEmpty ? nil : (session, claim)
    }

    /// What the URL claims, when it is a return URL of the session and not of another one.
    private func claim(of url: ReturnURL, on session: JournaledSession) -> ReturnClaim? {
        let urls = session.started.returnURLs
        let patterns = urls.compactMap { try? ReturnURLPattern(registered: $0) }
        guard patterns.count == urls.count else { return nil }
        for (pattern, landing) in CheckedRequest.withLandings(patterns, urls)
        where pattern.match(url).isMatch {
            return try? provider.parseReturn(
                ReturnRequest(url: url, landing: landing, expectedSession: session.key.id))
        }
        return nil
    }
}
