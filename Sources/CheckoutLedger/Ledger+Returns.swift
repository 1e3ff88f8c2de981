public import CheckoutModel
import EventLog
public import ProviderKit

/// What became of a return URL.
public struct ReturnReceipt: Sendable {
    /// What the return claims; a hint unless it was signed.
    public let claim: ReturnClaim
    /// Where it is recorded.
    public let recorded: RecordedAt
}

extension Ledger {
    /// Records that the browser came back.
    ///
    /// However it reads, it makes no outcome.
    ///
    /// - `session`: the checkout that was open, if the caller knows; most returns do not say.
    /// - The same return of the same session, told again, adds nothing.
    ///
    /// Throws `MALFORMED_EVENT` when the URL is no return of this provider.
    public func record(
        returnURL text: String, readBy provider: any ReturnURLParsing, scope: AccountScope,
        session: String? = nil, landing: ReturnRequest.Landing = .unspecified,
        occurredAt: Instant? = nil
    ) async throws(LedgerError) -> ReturnReceipt {
        let claim: ReturnClaim
        do {
            let request = ReturnRequest(
                url: try ReturnURL(parsing: text), landing: landing, expectedSession: session)
            claim = try provider.parseReturn(request)
        } catch let error as URLTextError {
            throw LedgerError(
                .malformedEvent,
                "The URL cannot be read as a return (\(error.code)): "
                    + error.message,
                hint: error.hint)
        } catch {
            throw LedgerError(
                .malformedEvent, "The URL cannot be read as a return (\(error)).",
                hint: "Nothing was recorded; the checkout stays open.")
        }
        return try await record(
            claim, text: text, scope: scope, session: session, evidence: .hint,
            verification: nil, occurredAt: occurredAt)
    }

    /// Records a return whose signature held: verified evidence, unlike every other return.
    public func record(
        returnURL text: String, verified: VerifiedReturn, scope: AccountScope,
        session: String? = nil, occurredAt: Instant? = nil
    ) async throws(LedgerError) -> ReturnReceipt {
        try await record(
            verified.claim, text: text, scope: scope, session: session, evidence: .verified,
            verification: .init(
                scheme: verified.scheme, keyFingerprint: verified.keyFingerprint,
                adapterVersion: ""),
            occurredAt: occurredAt)
    }

    private func record(
        _ claim: ReturnClaim, text: String, scope: AccountScope, session: String?,
        evidence: Evidence, verification: CheckoutEvent.Verification?, occurredAt: Instant?
    ) async throws(LedgerError) -> ReturnReceipt {
        var returned = CheckoutEvent(
            .sessionReturned, source: .browser, evidence: evidence, occurredAt: occurredAt,
            provider: scope.provider, account: scope.account, mode: scope.mode, ids: claim.ids,
            status: claim.status, privateFields: claim.privateFields)
        returned.ids.session = session ?? claim.ids.session
        returned.privateFields.returnURL = text
        returned.verification = verification
        let event = returned
        let recorded = try await notingRefusals { () throws(LedgerError) in
            try await appendLed(by: [request(return: event, in: scope)])
        }
        return ReturnReceipt(claim: claim, recorded: recorded)
    }

    private func request(
        return event: CheckoutEvent, in scope: AccountScope
    ) throws(LedgerError) -> AppendRequest {
        let returned = try scribe.redacted(event)
        var drafts = [try draft(return: returned, in: scope)]
        if event.evidence > .hint, let status = event.status {
            var meaning = returned
            meaning.event.type = .payment(status)
            meaning.event.status = nil
            meaning.event.privateFields = PrivateFields()
            meaning.notes = []
            drafts.append(try scribe.draft(meaning, in: scope, cause: .member(0)))
        }
        let identities = IdentityKey.identities(of: [returned.event], in: scope)
        return AppendRequest(identities: identities, drafts: drafts)
    }

    /// One return fact, however often the page is loaded; the session is part of it, so that the
    /// same bare URL can come back for two checkouts.
    ///
    /// By the URL as it is kept: the hash of a card number in it could be reversed.
    func draft(
        return returned: RedactedEvent, in scope: AccountScope
    ) throws(LedgerError) -> EventDraft {
        let event = returned.event
        let text = event.privateFields.returnURL ?? ""
        let dedupe = DedupeHash(
            "ledger/return/v1", Array(scope.subject(of: event).utf8) + [0] + Array(text.utf8))
        return try scribe.draft(returned, in: scope, dedupe: dedupe)
    }
}
