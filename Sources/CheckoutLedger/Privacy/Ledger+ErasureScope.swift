import CheckoutModel
import Cryptography
import EventLog

extension Ledger {
    /// Resolves a target as it is now; throws `LEGAL_HOLD` where something of it is held.
    ///
    /// Sessions that are held are left out of a retention sweep, which no one of them can stop.
    func scope(of target: ErasureTarget) throws(LedgerError) -> ErasureScope {
        switch target {
        case .session(let name): return try scope(of: try session(named: name))
        case .customer(let name):
            let found = try read { (snapshot) throws(LedgerError) in
                try snapshot.streams(ofCustomer: name)
            }
            return try scope(ofCustomer: found.id, found.scopes, found.streams)
        case .retention(let cutoff): return try scope(olderThan: cutoff)
        }
    }

    /// The same for a request that was written down: what belonged to it then, and since.
    func scope(
        of request: RecordedEvent, _ record: PrivacyRecord
    ) throws(LedgerError) -> ErasureScope {
        let event = request.event
        switch record.target {
        case "session":
            let session = try read { (snapshot) throws(LedgerError) in
                try snapshot.session(at: request.stream, before: snapshot.end, scope: nil)
            }
            guard let session else { return ErasureScope() }
            return try scope(of: session, isHeld: false)
        case "customer":
            let scope = AccountScope(
                event.provider, account: event.account, mode: request.accountMode)
            let name = "\(scope)/\(event.ids.customer ?? "")"
            // Streams are numbered as they begin: a checkout of the customer's that began after the
            // request is a new one, and is kept.
            let found = try read { (snapshot) throws(LedgerError) in
                try snapshot.streams(ofCustomer: name, before: request.stream)
            }
            return try self.scope(
                ofCustomer: found.id, found.scopes, found.streams, isHeld: false)
        default:
            guard let cutoff = record.olderThan else { return ErasureScope() }
            return try scope(olderThan: cutoff)
        }
    }

    private func scope(
        of session: Session, isHeld check: Bool = true
    ) throws(LedgerError) -> ErasureScope {
        if check { try holds().refuse(session) }
        let subjects = try read { (snapshot) throws(LedgerError) in
            try snapshot.subjects(of: session.streams)
        }
        return ErasureScope(
            streams: session.streams, sessions: [session], subjects: subjects)
    }

    private func scope(
        ofCustomer id: String, _ scopes: [AccountScope], _ streams: [UInt64],
        isHeld check: Bool = true
    ) throws(LedgerError) -> ErasureScope {
        var found = ErasureScope(streams: streams)
        found.subjects = scopes.map { $0.subject("c", id) }
        let holds = check ? try holds() : nil
        try holds?.refuse(customer: id, scopes)
        var named: Set<UInt64> = []
        try read { (snapshot) throws(LedgerError) in
            for stream in streams where !named.contains(stream) {
                guard
                    let session = try snapshot.session(
                        at: stream, before: snapshot.end, scope: nil)
                else { continue }
                named.formUnion(session.streams)
                try holds?.refuse(session)
                if session.isCheckout { found.sessions.append(session) }
            }
            found.subjects += try snapshot.subjects(of: streams)
        }
        return found
    }

    /// No subject is marked: news of an old session is kept, for as long as any other.
    private func scope(olderThan cutoff: Instant) throws(LedgerError) -> ErasureScope {
        let holds = try holds()
        var found = ErasureScope()
        try forEachStream { (session) throws(LedgerError) in
            guard session.state.trace.lastRecordedAt < cutoff.microseconds else { return .more }
            if holds.contains(session) {
                found.held += 1
            } else {
                found.streams += session.streams
                found.sessions.append(session)
            }
            return .more
        }
        return found
    }

    /// The event that holds a request, or its refusal: in the session's own stream, or in one of
    /// the request's.
    func event(
        _ type: EventType, of order: ErasureOrder, _ record: PrivacyRecord, at now: Instant
    ) throws(LedgerError) -> (event: CheckoutEvent, mode: ProviderMode) {
        var event = CheckoutEvent(
            type, source: .operator, evidence: .operator, occurredAt: now,
            provider: "ledger", reason: order.reason, actor: order.actor)
        event.deliveryID = "erase-\(Hex.encode(record.requestID))"
        switch order.target {
        case .retention: return (event, .unknown)
        case .session(let name): return try placed(event, on: try session(named: name))
        case .customer(let name): return try placed(event, onCustomer: name)
        }
    }

    /// The event in a session's own stream.
    func placed(
        _ event: CheckoutEvent, on session: Session
    ) throws(LedgerError) -> (event: CheckoutEvent, mode: ProviderMode) {
        var event = event
        event.provider = session.scope.provider
        event.account = session.scope.account
        event.ids = session.routingIDs
        event.deliveryID =
            event.ids == ProviderIDs() ? session.ids.deliveries.first : nil
        return (event, session.scope.mode)
    }

    /// The event in a stream of its own that the customer's id finds.
    func placed(
        _ event: CheckoutEvent, onCustomer name: String
    ) throws(LedgerError) -> (event: CheckoutEvent, mode: ProviderMode) {
        let found = try read { (snapshot) throws(LedgerError) in
            try snapshot.streams(ofCustomer: name)
        }
        var event = event
        event.provider = found.scopes[0].provider
        event.account = found.scopes[0].account
        event.ids = ProviderIDs(customer: found.id)
        return (event, found.scopes[0].mode)
    }

    /// Writes an event about privacy, once.
    @discardableResult
    func append(
        _ placed: (event: CheckoutEvent, mode: ProviderMode), stating record: PrivacyRecord,
        once label: String? = nil
    ) throws(LedgerError) -> RecordedEvent {
        let scope = AccountScope(
            placed.event.provider, account: placed.event.account, mode: placed.mode)
        let dedupe = label.flatMap { DedupeHash("ledger/privacy/v1", Array($0.utf8)) }
        let draft = try scribe.draft(placed.event, stating: record, in: scope, dedupe: dedupe)
        let identities = IdentityKey.identities(of: [placed.event], in: scope)
        let results: [AppendResult]
        do throws(LogError) {
            results = try log.appendBlocking([
                AppendRequest(identities: identities, drafts: [draft])
            ])
        } catch {
            throw LedgerError(error)
        }
        return try event(at: results[0].entries[0].position)
    }

    /// Writes the receipt, in as many events as its keys need; each counts once.
    func appendReceipts(
        _ receipt: PrivacyRecord, for request: RecordedEvent
    ) throws(LedgerError) {
        let slices = receipt.keys.isEmpty ? [[]] : receipt.keys.slices(of: Limits.keysPerReceipt)
        for (index, keys) in slices.enumerated() {
            var part = receipt
            part.keys = Array(keys)
            var event = request.event
            event.type = receipt.target == PrivacyRecord.rotation ? .keysRotated : .subjectErased
            event.occurredAt = nil
            if slices.count > 1 {
                event.part = .init(index: UInt32(index), count: UInt32(slices.count))
            }
            // With the number of keys, since more of them may come to light.
            let name = "receipt-\(Hex.encode(receipt.requestID))-\(receipt.keyCount)-\(index)"
            try append((event, request.accountMode), stating: part, once: name)
        }
    }
}
