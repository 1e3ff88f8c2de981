public import CheckoutModel
import ProviderKit

/// What is left of earlier checkouts, and how the host settles them.
extension CheckoutFlow {
    /// The checkouts whose end is not known, the oldest first: ask the server about each.
    ///
    /// Leaves out the running one. A session past its expiry stays in the list: it may have been
    /// paid before. Throws `JOURNAL_READ_FAILED`.
    public func abandonedSessions() async throws(JournalError) -> [JournaledSession] {
        try await journal.sessions().filter { session in
            session.key.provider == type(of: provider).descriptor.id && !session.isSettled
                && session.key != activeSession
        }
    }

    /// The results that the host has not acknowledged, of this process and of earlier ones.
    ///
    /// Without the private parts of a return, which no journal keeps. Throws
    /// `JOURNAL_READ_FAILED`.
    public func results() async throws(JournalError) -> [CheckoutResult] {
        try await journal.sessions().filter { session in
            session.key.provider == type(of: provider).descriptor.id && !session.isAcknowledged
                && session.key != activeSession
                && (session.returned != nil || session.ending != nil)
        }.map { CheckoutResult($0) }
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
    @discardableResult
    func takeLate(_ text: String) async -> CheckoutResult? {
        guard let url = try? ReturnURL(parsing: text), let sessions = try? await journal.sessions()
        else { return nil }
        var found: [(JournaledSession, ReturnClaim)] = []
        for session in sessions where session.key != activeSession {
            guard session.key.provider == type(of: provider).descriptor.id,
                let claim = claim(of: url, on: session)
            else { continue }
            found.append((session, claim))
        }
        let named = found.filter { $0.1.ids.session == $0.0.key.id }
        let waiting = (named.isEmpty ? found : named).filter { $0.0.returned == nil }
        guard waiting.count == 1, let (session, claim) = waiting.first else { return nil }
        let returned = ReturnedCheckout(
            status: claim.status, payment: claim.ids.payment,
            subscription: claim.ids.subscription, isLate: true, url: text)
        let time = clock.now()
        guard
            (try? await journal.append(JournalEntry(session.key, at: time, .returned(returned))))
                != nil
        else { return nil }
        remember(text)
        let result = CheckoutResult(
            session.key, ending: .returned, returned: returned, reading: claim.reading)
        tell(FlowEvent(kind: .lateReturn, session: session.key, time: time))
        onLateReturn?(result)
        delegate?.checkoutFlow(self, didReceiveLate: result)
        return result
    }

    /// What the URL claims, when it is a return URL of the session and not of another one.
    private func claim(of url: ReturnURL, on session: JournaledSession) -> ReturnClaim? {
        let registered = session.started.returnURLs
        for (index, text) in registered.enumerated() {
            guard let pattern = try? ReturnURLPattern(registered: text),
                pattern.match(url).isMatch
            else { continue }
            return try? provider.parseReturn(
                ReturnRequest(
                    url: url, landing: CheckedRequest.landing(index, of: registered.count),
                    expectedSession: session.key.id))
        }
        return nil
    }
}
