public import CheckoutModel
import EventLog

extension Ledger {
    /// Records that somebody read, exported or verified, durably: such acts belong to the log too.
    ///
    /// - `type`: `audit.read`, `audit.exported` or `audit.verified`.
    /// - `actor`: who; an account of the machine, a role or a name.
    @discardableResult
    public func record(
        _ type: EventType, _ note: AuditNote, actor: String?, reason: String?, at now: Instant
    ) async throws(LedgerError) -> RecordedAt {
        let event = CheckoutEvent(
            type, source: .operator, occurredAt: now, provider: "ledger", reason: reason,
            actor: actor)
        let scope = AccountScope("ledger")
        return try await notingRefusals { () throws(LedgerError) in
            let draft = try scribe.draft(scribe.redacted(event), in: scope, stating: cleaned(note))
            return try await appendLed(by: [AppendRequest(identities: [], drafts: [draft])])
        }
    }

    /// The conditions are a person's words too.
    private func cleaned(_ note: AuditNote) -> AuditNote {
        var note = note
        note.query = cleaned(note.query)
        return note
    }

    /// What a person wrote, as it may stand in clear in the log or in a file beside it.
    package func cleaned(_ text: String) -> String {
        String(decoding: scribe.redactor.hashable(text), as: UTF8.self)
    }
}
