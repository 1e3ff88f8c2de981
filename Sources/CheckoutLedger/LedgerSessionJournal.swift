public import CheckoutModel
public import EventLog
import ProviderKit

/// Keeps an app's checkouts in a ledger, so that what the app saw stands beside every other voice.
///
/// Writes one event a fact: `session.created`, `session.opened`, `session.failed_to_open`,
/// `session.returned` with its URL sealed, `session.closed`, `session.cleared`; and a note where
/// nothing happened to the checkout itself: the app stopped waiting, or has the result. None of
/// them makes an outcome. After a restart the same events tell which checkouts are not done with.
///
/// A session leaves the list when the host resolves it, when the host acknowledges an ending, and
/// when the ledger holds its outcome and no unacknowledged return is left to hand over.
///
/// A return that comes after that is an event too, and brings nothing back into the list. The same
/// entry, told again, adds nothing.
public actor LedgerSessionJournal<Store: LogStore>: SessionJournal {
    private let ledger: Ledger<Store>
    private let account: String
    /// What the log told up to `position`, by session; done ones are let go.
    private var kept: [SessionKey: Kept] = [:]
    private var position: UInt64 = 0

    private struct Kept {
        var session: JournaledSession
        let stream: UInt64
        /// Position of its start, by which the list is ordered.
        let start: UInt64
        /// True once it is noted that the process which opened it is gone.
        var isInterrupted = false
    }

    /// Takes an open ledger, and the merchant's name for the account if there are several.
    public init(_ ledger: Ledger<Store>, account: String = "") {
        self.ledger = ledger
        self.account = account
    }

    /// Records the entry, durably.
    public func append(_ entry: JournalEntry) async throws(JournalError) {
        do throws(LedgerError) {
            try follow()
            let held = kept[entry.session]?.session
            if case .started = entry.fact {
                guard held == nil else { return }
            } else if case .returned = entry.fact {
                // A voice, also when another process is done with the session.
                let isKnown = held != nil ? true : try wasStarted(entry.session)
                guard isKnown else { return }
            } else {
                guard held != nil else { return }
            }
            try await record(entry, mode: held?.started.mode)
        } catch {
            throw .write(error.reason)
        }
    }

    /// Every checkout that is not done with, the oldest first.
    public func sessions() throws(JournalError) -> [JournaledSession] {
        do throws(LedgerError) {
            try follow()
            var open: [Kept] = []
            for row in kept.values where try !isDecided(row) { open.append(row) }
            return open.sorted { $0.start < $1.start }.map(\.session)
        } catch {
            throw .read(error.reason)
        }
    }

    /// Notes of every checkout without a return and without an end that the app which opened it is
    /// gone; to be called when an app starts, before its first checkout.
    ///
    /// Each is noted once, and stays in the list. Not for ledgers in which other processes may be
    /// running checkouts of the same account: theirs would be noted too. Throws
    /// `JOURNAL_WRITE_FAILED`.
    public func noteInterrupted(at time: Instant) async throws(JournalError) {
        do throws(LedgerError) {
            try follow()
            let left = kept.values.filter {
                !$0.isInterrupted && $0.session.returned == nil && $0.session.ending == nil
            }
            for row in left.sorted(by: { $0.start < $1.start }) {
                try await ledger.record(
                    FlowEventCode.interruption(
                        of: row.session, at: time, account: account),
                    name: "flow/v1\u{0}\(row.session.key)\u{0}\(account)\u{0}\(row.start)")
            }
        } catch {
            throw .write(error.reason)
        }
    }

    /// True when an app has started it, however long ago it was done with.
    private func wasStarted(_ key: SessionKey) throws(LedgerError) -> Bool {
        try ledger.read { (snapshot) throws(LedgerError) in
            let scope = AccountScope(key.provider, account: account)
            guard let stream = try snapshot.resolve(.session, key.id, scope) else { return false }
            let session = try snapshot.session(at: stream, before: snapshot.end, scope: scope)
            return session?.state.evidence.marks.contains(.started) ?? false
        }
    }

    /// True when the ledger knows the outcome and the host waits for nothing.
    private func isDecided(_ row: Kept) throws(LedgerError) -> Bool {
        guard row.session.isAcknowledged || row.session.returned == nil else { return false }
        return try ledger.read { (snapshot) throws(LedgerError) in
            try snapshot.session(at: row.stream, before: snapshot.end, scope: nil)?.outcome != nil
        }
    }
}

// MARK: - Writing

extension LedgerSessionJournal {
    private func record(
        _ entry: JournalEntry, mode: ProviderMode?
    ) async throws(LedgerError) {
        guard let event = FlowEventCode.event(entry, mode: mode ?? .unknown, account: account)
        else { return }
        if case .returned(let claim) = entry.fact, !claim.url.isEmpty {
            return try await record(event, returnURL: claim.url)
        }
        let name = [
            "flow/v1", entry.session.description, account, event.type.name, event.reason ?? "",
            String(entry.time.microseconds),
        ].joined(separator: "\u{0}")
        try await ledger.record(event, name: name)
    }

    /// As the ledger records any return: once, however it is told.
    private func record(
        _ event: CheckoutEvent, returnURL text: String
    ) async throws(LedgerError) {
        var event = event
        if let provider = ledger.providers.returns(event.provider),
            let url = try? ReturnURL(parsing: text),
            let claim = try? provider.parseReturn(ReturnRequest(url: url))
        {
            event.privateFields = claim.privateFields
        }
        event.privateFields.returnURL = text
        let scope = AccountScope(event.provider, account: account)
        let returned = event
        try await ledger.notingRefusals { () throws(LedgerError) in
            let redacted = try ledger.scribe.redacted(returned)
            let identities = IdentityKey.identities(of: [redacted.event], in: scope)
            let draft = try ledger.draft(return: redacted, in: scope)
            _ = try await ledger.append([AppendRequest(identities: identities, drafts: [draft])])
        }
    }
}

// MARK: - Reading

extension LedgerSessionJournal {
    /// Takes in what was recorded since, by this process or another one.
    private func follow() throws(LedgerError) {
        let end = try ledger.endPosition()
        while position < end {
            var query = AuditQuery()
            query.types = FlowEventCode.types
            query.positions = position..<end
            var page: [RecordedEvent] = []
            try ledger.forEachEvent(matching: query) { (event) throws(LedgerError) in
                page.append(event)
                return page.count < Limits.eventsPerJournalPage ? .more : .stop
            }
            for event in page { take(event) }
            let isLast = page.count < Limits.eventsPerJournalPage
            position = isLast ? end : (page.last?.position ?? end) + 1
        }
    }

    private func take(_ recorded: RecordedEvent) {
        let event = recorded.event
        guard recorded.isUnderstood, event.account == account, let id = event.ids.session else {
            return
        }
        let key = SessionKey(event.provider, id)
        if event.type == .sessionCreated, event.source == .app {
            guard kept[key] == nil else { return }
            var started = StartedCheckout(mode: event.mode, returnURLs: [])
            // Without its key a session is still found, by its name.
            if case .fields(let fields)? = try? ledger.privateFields(of: recorded) {
                started.returnURLs = fields.registeredURLs
                started.expiresAt = fields.expiresAt
            }
            let entry = JournalEntry(
                key, at: event.occurredAt ?? recorded.recordedAt, .started(started))
            guard let session = JournaledSession(entry) else { return }
            kept[key] = Kept(
                session: session, stream: recorded.stream, start: recorded.position)
            return
        }
        if FlowEventCode.isInterruption(event) { kept[key]?.isInterrupted = true }
        for fact in FlowEventCode.facts(event) { kept[key]?.session.apply(fact) }
        if kept[key]?.session.isDone ?? false { kept[key] = nil }
    }
}

extension LedgerError {
    /// The sentence without its period, to stand inside another one.
    fileprivate var reason: String {
        let sentence = message.hasSuffix(".") ? String(message.dropLast()) : message
        return "\(code), \(sentence)"
    }
}
