public import CheckoutModel
public import EventLog

/// What became of one event.
public struct RecordedAt: Sendable, Hashable {
    /// Position of the event; of the earlier one when it was there already.
    public let position: UInt64
    /// The session's stream.
    public let stream: UInt64
    /// Place in the stream.
    public let revision: UInt32
    /// True when the same event had been recorded before and nothing was added.
    public let wasThere: Bool

    init(_ event: AppendedEvent, in stream: UInt64) {
        position = event.position
        self.stream = stream
        revision = event.revision
        wasThere = event.wasThere
    }
}

/// One event to record, and the promises that go with it.
public struct EventEntry: Sendable {
    /// What was heard.
    public var event: CheckoutEvent
    /// The caller's own name for the event; telling it again under this name adds nothing.
    public var name: String?
    /// How many events the caller believes the session to have.
    public var expected: ExpectedRevision
    /// The mode that the account is configured for.
    public var mode: ProviderMode

    /// No name, no belief and no configured mode unless given.
    public init(
        _ event: CheckoutEvent, name: String? = nil, expected: ExpectedRevision = .any,
        mode: ProviderMode = .unknown
    ) {
        self.event = event
        self.name = name
        self.expected = expected
        self.mode = mode
    }

    var scope: AccountScope {
        AccountScope(event.provider, account: event.account, mode: mode)
    }
}

extension Ledger {
    /// Records one event, durably.
    ///
    /// Throws `REVISION_CONFLICT`, `EVENT_ID_REUSED` when the name was used for another event,
    /// `TOO_LONG`, `STORAGE_FULL`, `OUTCOME_UNKNOWN` and what else the log says.
    @discardableResult
    public func record(
        _ event: CheckoutEvent, name: String? = nil, expected: ExpectedRevision = .any,
        mode: ProviderMode = .unknown
    ) async throws(LedgerError) -> RecordedAt {
        try await record([EventEntry(event, name: name, expected: expected, mode: mode)])[0]
    }

    /// Records several events in one transaction: all of them, or none.
    public func record(_ entries: [EventEntry]) async throws(LedgerError) -> [RecordedAt] {
        try await notingRefusals { () throws(LedgerError) in try await recordAll(entries) }
    }

    /// The same without a record of what was turned away, for callers that try again.
    func recordAll(_ entries: [EventEntry]) async throws(LedgerError) -> [RecordedAt] {
        var requests: [AppendRequest] = []
        requests.reserveCapacity(entries.count)
        // Lent from the array: an entry has thirty texts, each of which a copy would retain.
        try entries.withUnsafeBufferPointer { (entries) throws(LedgerError) in
            for index in entries.indices { requests.append(try request(for: entries[index])) }
        }
        let results = try await append(requests)
        var recorded: [RecordedAt] = []
        recorded.reserveCapacity(results.count)
        for (index, result) in results.enumerated() {
            guard let event = result.entries.first else { continue }
            if event.wasThere { try checkSame(entries[index], at: event.position) }
            recorded.append(RecordedAt(event, in: result.stream))
        }
        return recorded
    }

    /// Appends in the ledger's own error words.
    func append(_ requests: [AppendRequest]) async throws(LedgerError) -> [AppendResult] {
        do throws(LogError) {
            let results = try await log.append(requests)
            // An erasure that came between sealing and this may have missed the keys.
            _ = try? keystore.notice()
            return results
        } catch {
            throw LedgerError(error)
        }
    }

    /// Appends requests of which the first one's first event is what the caller asks about.
    func appendLed(by requests: [AppendRequest]) async throws(LedgerError) -> RecordedAt {
        let results = try await append(requests)
        guard let result = results.first, let event = result.entries.first else {
            preconditionFailure("a result for each request, and an entry for each of its drafts")
        }
        return RecordedAt(event, in: result.stream)
    }

    package func request(for entry: EventEntry) throws(LedgerError) -> AppendRequest {
        let dedupe = entry.name.flatMap {
            DedupeHash("ledger/event-name/v1", scribe.redactor.hashable($0))
        }
        let scope = entry.scope
        let draft: EventDraft
        let identities: [StreamIdentity]
        if scribe.redactor.isClean(entry.event) {
            draft = try scribe.draft(clean: entry.event, in: scope, dedupe: dedupe)
            identities = IdentityKey.identities(of: entry.event, in: scope)
        } else {
            let redacted = try scribe.redactor.redacted(entry.event)
            draft = try scribe.draft(redacted, in: scope, dedupe: dedupe)
            identities = IdentityKey.identities(of: redacted.event, in: scope)
        }
        return AppendRequest(identities: identities, drafts: [draft], expected: entry.expected)
    }

    /// Runs what makes and appends events; where one of them is turned away for what it holds, that
    /// is recorded before the error goes on.
    ///
    /// The record is of its own: an error on the way to it must not hide why the event was refused.
    func notingRefusals<R>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws(LedgerError) -> R
    ) async throws(LedgerError) -> R {
        do throws(LedgerError) {
            return try await body()
        } catch {
            if let refusal = error.refusal { await record(refusal) }
            throw error
        }
    }

    private func record(_ refusal: RedactionRefusal) async {
        let note = refusal.note
        let event = CheckoutEvent(
            .redactionRefused, source: refusal.source, provider: refusal.provider,
            mode: refusal.mode, reason: "\(note.rule) in \(note.field)")
        let scope = AccountScope(refusal.provider, mode: refusal.mode)
        guard
            let draft = try? scribe.draft(
                RedactedEvent(event: event, notes: [note]), in: scope)
        else { return }
        _ = try? await append([AppendRequest(identities: [], drafts: [draft])])
    }

    /// One name, one event: the same name for something else is a mistake of the caller's that
    /// must not be taken for a retry.
    private func checkSame(_ entry: EventEntry, at position: UInt64) throws(LedgerError) {
        let held = try event(at: position).event
        let ids = try scribe.redacted(entry.event).event.ids
        guard held.type == entry.event.type, held.ids == ids,
            held.amount == entry.event.amount
        else {
            throw LedgerError(
                .eventIDReused,
                "The event name stands at position \(position) for another event.",
                hint: "Use a new name for a new event.")
        }
    }
}

extension AccountScope {
    /// Whose data keys seal an event: the session if it is known, else what stands for it; the
    /// customer where nothing but the customer is named.
    func subject(of event: CheckoutEvent) -> String {
        let ids = event.ids
        let (kind, id): (String, String?) =
            if ids.session != nil {
                ("s", ids.session)
            } else if ids.payment != nil {
                ("p", ids.payment)
            } else if ids.refund != nil {
                ("r", ids.refund)
            } else if ids.dispute != nil {
                ("d", ids.dispute)
            } else if ids.subscription != nil {
                ("u", ids.subscription)
            } else if ids.customer != nil {
                ("c", ids.customer)
            } else {
                (event.deliveryID == nil ? "" : "w", event.deliveryID)
            }
        return subject(kind, id)
    }

    /// Who that kind of id is of.
    func subject(_ kind: String, _ id: String?) -> String {
        // Every event asks for it: written in one piece.
        let parts = [provider.rawValue, account, String(mode.rawValue), kind, id ?? ""]
        let count = parts.reduce(parts.count - 1) { $0 + $1.utf8.count }
        return String(unsafeUninitializedCapacity: count) { bytes in
            var end = 0
            for index in parts.indices {
                if index > 0 {
                    bytes[end] = 0
                    end += 1
                }
                for byte in parts[index].utf8 {
                    bytes[end] = byte
                    end += 1
                }
            }
            return end
        }
    }
}
