import CheckoutFlow
import CheckoutModel
import DodoPayments
import Foundation
import ProviderKit

/// The journal as code without `async` sees it, from any thread.
final class SessionShelf: Sendable {
    private struct State: Sendable {
        /// The checkout that is on the screen, or about to be.
        var running: String?
        /// What `getAbandonedSession` gave last: the record that a clear without a name is about.
        var given: String?
    }

    let journal: FileJournal
    private let clock: any FlowClock
    private let state = Guarded(State())

    init(
        journal: FileJournal, clock: any FlowClock, legacy: (any LegacyRecordStore)?
    ) {
        self.journal = journal
        self.clock = clock
        if let legacy { LegacyRecord.move(from: legacy, to: journal) }
    }

    func run(_ session: String?) { state.with { $0.running = session } }

    /// The running checkout, else the one started last whose end is not known.
    func current() -> AbandonedSession? {
        let open = (try? unfinished()) ?? []
        let running = state.with { $0.running }
        let session = open.last { $0.key.id == running } ?? open.last
        state.with { $0.given = session?.key.id }
        return session.map(record)
    }

    private func record(_ session: JournaledSession) -> AbandonedSession {
        AbandonedSession(
            AbandonedCheckout(
                session, lifeSeconds: DodoPaymentsProvider.descriptor.sessionLifeSeconds,
                at: clock.now()))
    }

    /// Every checkout whose end is not known, the oldest first, without the running one.
    func abandoned() throws(JournalError) -> [AbandonedSession] {
        let running = state.with { $0.running }
        return try unfinished().filter { $0.key.id != running }.map(record)
    }

    /// Forgets the checkout that was asked about last, else the last one; never the running one.
    func clear() {
        let (running, given) = state.with { ($0.running, $0.given) }
        let open = (try? unfinished()) ?? []
        guard let id = given ?? open.last(where: { $0.key.id != running })?.key.id else { return }
        if clear(id) { state.with { if $0.given == id { $0.given = nil } } }
    }

    /// Forgets one checkout; false when it is running, unknown, or the journal cannot be written.
    @discardableResult
    func clear(_ id: String) -> Bool {
        guard id != state.with({ $0.running }),
            let session = (try? journal.sessionsNow())?.first(where: { $0.key.id == id })
        else { return false }
        let entry = JournalEntry(session.key, at: clock.now(), .resolved(session.status))
        return (try? journal.appendNow(entry)) != nil
    }

    /// Whether a URL is the return URL of any checkout that is kept.
    func knows(returnURL text: String) -> Bool {
        let sessions = (try? journal.sessionsNow()) ?? []
        return sessions.lazy.flatMap(\.started.returnURLs).contains { registered in
            (try? ReturnURLPattern(registered: registered))?.match(text).isMatch ?? false
        }
    }

    /// Lets go of settled results that nobody acknowledges, the oldest first.
    func prune() {
        let settled = ((try? journal.sessionsNow()) ?? []).filter {
            $0.isSettled && $0.ending != nil
        }
        for session in settled.dropLast(Limits.unacknowledgedResults) {
            try? journal.appendNow(JournalEntry(session.key, at: clock.now(), .acknowledged))
        }
    }

    /// A checkout is finished when its return said how it ended and the flow could tell the host:
    /// when the process ended in between, the host knows nothing.
    private func unfinished() throws(JournalError) -> [JournaledSession] {
        try journal.sessionsNow().filter { !($0.isSettled && $0.ending != nil) }
    }
}

extension AbandonedSession {
    init(_ left: AbandonedCheckout) {
        let session = left.session
        self.init(
            sessionId: session.key.id, createdAt: session.startedAt.date,
            wasShown: session.wasShown || session.returned != nil,
            expiresAt: left.payableUntil?.date, isExpired: left.isPastLife)
    }
}

/// A value behind a lock.
// Every access to the value happens between lock and unlock.
final class Guarded<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func with<Answer>(_ body: (inout Value) -> Answer) -> Answer {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}
