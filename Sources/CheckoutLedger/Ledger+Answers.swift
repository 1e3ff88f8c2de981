public import CheckoutModel
import EventLog
public import ProviderKit

extension Ledger {
    /// Records what a provider answered when it was asked about a checkout.
    ///
    /// A known state is verified evidence; an answer that tells nothing is kept as a check and
    /// changes nothing.
    @discardableResult
    public func record(
        answer report: StatusReport, about target: StatusQueryTarget, scope: AccountScope,
        at now: Instant
    ) async throws(LedgerError) -> RecordedAt {
        var ids = ProviderIDs()
        var checked = CheckoutEvent(
            .statusChecked, source: .query, evidence: .verified, occurredAt: now,
            provider: scope.provider, account: scope.account, mode: scope.mode)
        var meanings: [CheckoutEvent] = []
        switch report {
        case .indeterminate(let reason, _): checked.reason = reason.rawValue
        case .known(let facts):
            ids = facts.ids
            checked.status = facts.status
            checked.rawType = facts.rawStatus
            checked.amount = facts.amount
            // A session that nobody has begun to pay has no payment that could stay open for ever.
            if facts.status != .pending || facts.ids.payment != nil {
                meanings = [meaning(of: facts, scope: scope, at: now)]
            }
        }
        ids.add(target)
        checked.ids = ids
        let redacted = try scribe.redacted(checked)
        var drafts = [try scribe.draft(redacted, in: scope)]
        for var meaning in meanings {
            meaning.ids = redacted.event.ids
            drafts.append(try scribe.draft(meaning, in: scope, cause: .member(0)))
        }
        let identities = IdentityKey.identities(of: [redacted.event], in: scope)
        return try await appendLed(by: [AppendRequest(identities: identities, drafts: drafts)])
    }

    private func meaning(
        of facts: PaymentFacts, scope: AccountScope, at now: Instant
    ) -> CheckoutEvent {
        CheckoutEvent(
            facts.status == .expired && facts.ids.payment == nil
                ? .sessionExpired : .payment(facts.status),
            source: .query, evidence: .verified, occurredAt: now, provider: scope.provider,
            account: scope.account, mode: facts.mode == .unknown ? scope.mode : facts.mode,
            ids: facts.ids, amount: facts.amount, rawType: facts.rawStatus)
    }

    /// Records a person's decision about a session, with the reason.
    ///
    /// It decides only while no payment is verified, and names the earlier decisions that it takes
    /// the place of. Throws `NOT_FOUND`, `AMBIGUOUS_NAME`, `MISSING_VALUE` for an empty reason.
    @discardableResult
    public func resolve(
        _ name: String, as outcome: CheckoutStatus, reason: String, actor: String? = nil,
        at now: Instant
    ) async throws(LedgerError) -> RecordedAt {
        guard !reason.isEmpty else {
            throw LedgerError(
                .missing, "A resolution needs a reason.", hint: "Say why in one sentence.")
        }
        guard outcome != .pending else {
            throw LedgerError(
                .malformedEvent, "A session cannot be resolved as pending.",
                hint: "Use succeeded, failed, cancelled or expired.")
        }
        let session = try session(named: name)
        let event = CheckoutEvent(
            .operatorResolved, source: .operator, evidence: .operator, occurredAt: now,
            provider: session.scope.provider, account: session.scope.account,
            mode: session.scope.mode, ids: session.routingIDs, status: outcome, reason: reason,
            actor: actor,
            replaces: session.state.evidence.standingResolutionReferences)
        return try await record(event, on: session)
    }

    /// Leaves a remark on a session; it changes nothing.
    @discardableResult
    public func note(
        _ text: String, on name: String, actor: String? = nil, at now: Instant
    ) async throws(LedgerError) -> RecordedAt {
        let session = try session(named: name)
        let event = CheckoutEvent(
            .noteAdded, source: .operator, evidence: .hint, occurredAt: now,
            provider: session.scope.provider, account: session.scope.account,
            mode: session.scope.mode, ids: session.routingIDs, reason: text, actor: actor)
        return try await record(event, on: session)
    }

    /// Records what a person says of a session; one that only a delivery names is found by that.
    private func record(
        _ event: CheckoutEvent, on session: Session
    ) async throws(LedgerError) -> RecordedAt {
        var event = event
        if event.ids == ProviderIDs() { event.deliveryID = session.ids.deliveries.first }
        return try await record(event, mode: session.scope.mode)
    }
}

extension ProviderIDs {
    /// Takes in what was asked about, unless an id of that kind is known.
    mutating func add(_ target: StatusQueryTarget) {
        switch target {
        case .session(let id): session = session ?? id
        case .payment(let id): payment = payment ?? id
        case .order(let id), .merchantReference(let id): order = order ?? id
        }
    }
}
