import CheckoutLedger
import CheckoutModel
import Cryptography
import EventLog
import LedgerViews
import ProviderKit

extension LedgerReader {
    func abandoned(before cursor: UInt64?) throws(LedgerError) -> AbandonedList {
        let digest = try cache.current()
        var list = AbandonedList(digest, now: now)
        var streams: [UInt64] = []
        for index in digest.streams.indices.reversed() where list.next == nil {
            let stream = UInt64(index)
            guard let sum = digest.streams[index].sum, sum.isCheckout, sum.reason != nil,
                cursor.map({ stream < $0 }) ?? true
            else { continue }
            if streams.count < Limits.rowsPerPage {
                streams.append(stream)
            } else {
                list.next = streams.last
            }
        }
        let now = now
        list.rows = try ledger.sessions(at: streams).compactMap { session in
            guard session.state.isAwaitingOutcome,
                let openedAt = Instant(known: session.state.trace.openedAt)
            else { return nil }
            return AbandonedRow(
                abandoned: AbandonedSession(
                    session: session, openedAt: openedAt,
                    reason: .init(session.state.evidence)),
                instant: now)
        }
        return list
    }

    func discrepancies(_ filter: DiscrepancyFilter) throws(LedgerError) -> DiscrepancyList {
        let digest = try cache.current()
        let twice = try cache.ordersPaidTwice(at: digest.end)
        var list = DiscrepancyList(
            filter: filter, rows: [], counts: [], sessions: 0, needsReview: 0)
        var counts: [Discrepancy.Code: Int] = [:]
        var streams: [UInt64] = []
        for index in digest.streams.indices.reversed() {
            let stream = UInt64(index)
            // Streams that tell of no checkout have them too: a delivery that was set aside.
            guard let sum = digest.streams[index].sum else { continue }
            let codes =
                twice.contains(stream) ? sum.codes.union(CodeSet(.orderPaidTwice)) : sum.codes
            guard !codes.isEmpty else { continue }
            list.sessions += 1
            if codes.needsReview { list.needsReview += 1 }
            for code in Discrepancy.Code.all where codes.contains(CodeSet(code)) {
                counts[code, default: 0] += 1
            }
            guard filter.holds(codes), filter.cursor.map({ stream < $0 }) ?? true else { continue }
            if streams.count < Limits.rowsPerPage {
                streams.append(stream)
            } else if list.next == nil {
                list.next = streams.last
            }
        }
        list.counts = Discrepancy.Code.all.compactMap { code in
            counts[code].map { (code: code, count: $0) }
        }
        list.rows = try ledger.sessions(at: streams).map { session in
            var found = session.state.evidence.discrepancies
            if session.streams.contains(where: twice.contains) {
                found.append(
                    Discrepancy(
                        .orderPaidTwice, "Another session of the same order was paid too."))
            }
            return (session: session, found: found)
        }
        return list
    }

    func webhooks(_ filter: DeliveryFilter) throws(LedgerError) -> DeliveryList {
        let digest = try cache.current()
        var list = DeliveryList(
            filter: filter, rows: [], matching: 0, counts: [:], late: 0, delays: digest.delays,
            providers: Set(digest.scopes.map(\.provider.rawValue)).sorted())
        var shown: [DeliveryDigest] = []
        for delivery in digest.deliveries.reversed() {
            list.counts[delivery.verdict, default: 0] += 1
            if delivery.isLate { list.late += 1 }
            let own = digest.streams[Int(delivery.stream)].own
            guard filter.holds(delivery, digest.scope(of: own)) else { continue }
            list.matching += 1
            guard filter.cursor.map({ delivery.position < $0 }) ?? true else { continue }
            if shown.count < Limits.rowsPerPage {
                shown.append(delivery)
            } else if list.next == nil {
                list.next = shown.last?.position
            }
        }
        let events = try ledger.events(at: shown.map(\.position))
        list.rows = zip(shown, events).map { (digest: $0, event: $1) }
        return list
    }

    func webhook(at position: UInt64, explains: Bool) throws(LedgerError) -> StoredDelivery {
        let digest = try cache.current()
        guard let index = digest.delivery(at: position) else {
            throw LedgerError(
                .notFound, "Position \(position) holds no webhook.",
                hint: "See the event there, or the list of webhooks.")
        }
        let event = try ledger.event(at: position)
        return StoredDelivery(
            digest: digest.deliveries[index], event: event,
            meanings: try effects(of: position).filter { $0.event.type != .deliveryPart },
            raw: masked(event), privateStates: PrivateStates(of: event, in: ledger),
            explanation: try explanation(of: event, explains: explains))
    }

    /// The events that name a position as their cause: they were written right behind it.
    func effects(of position: UInt64) throws(LedgerError) -> [RecordedEvent] {
        let end = try ledger.endPosition()
        var found: [RecordedEvent] = []
        var next = position + 1
        while next < end, found.count < Limits.effectsShown {
            let event = try ledger.event(at: next)
            guard event.cause == position else { break }
            found.append(event)
            next += 1
        }
        return found
    }

    /// Verifies the stored bytes once more, by the clock of their arrival, and names the cause.
    private func explanation(
        of event: RecordedEvent, explains: Bool
    ) throws(LedgerError) -> StoredDelivery.Explanation {
        let said = event.event
        guard said.type == .deliveryRefused else { return .notNeeded }
        guard explains else { return .notAllowed }
        let scope = AccountScope(said.provider, account: said.account, mode: said.mode)
        guard let verifier = host.verifier(for: scope) else {
            return .notPossible("No secret is set for \(scope); nothing can be compared.")
        }
        guard case .fields(let fields) = try ledger.privateFields(of: event) else {
            return .notPossible("Its sealed bytes cannot be opened here.")
        }
        let delivery = WebhookDelivery(
            configuredURL: host.webhookURL(of: scope),
            headers: HeaderList(fields.headers.map { (name: $0.name, value: $0.value) }),
            body: fields.body)
        guard !event.flags.contains(.redacted) else {
            return .notPossible(
                "Something in it was masked before it was stored, so its signature cannot hold "
                    + "any more.")
        }
        guard SHA256.hash(fields.body).bytes == fields.bodyDigest else {
            return .notPossible(
                "Only the beginning of its long body was kept, so its signature cannot be "
                    + "looked at again.")
        }
        do throws(WebhookRejection) {
            _ = try verifier.verify(delivery, at: event.recordedAt)
            return .holdsNow
        } catch {
            return .refused(
                error,
                verifier.diagnosis(of: delivery, refusedBy: error, at: event.recordedAt))
        }
    }

    func event(at position: UInt64) throws(LedgerError) -> StoredEvent {
        let recorded = try ledger.event(at: position)
        let session = try ledger.sessions(at: [recorded.stream]).first
        let (record, next) = try inLedgerWords { () throws in
            try ledger.log.read { snapshot in
                let positions = try (session?.streams ?? [recorded.stream]).flatMap {
                    try snapshot.positions(of: $0)
                }
                return (
                    try snapshot.record(at: position), positions.filter { $0 > position }.min()
                )
            }
        }
        return StoredEvent(
            recorded: recorded, record: record,
            effects: try effects(of: position).map(\.position), next: next,
            end: try ledger.endPosition(), session: session,
            privateStates: PrivateStates(of: recorded, in: ledger))
    }

    func verification() throws(LedgerError) -> Verification {
        let head = try inLedgerWords { () throws in
            try ledger.log.read { snapshot in
                let frontier = try snapshot.frontier()
                return (size: frontier.size, root: Hex.encode(frontier.root().bytes))
            }
        }
        return Verification(runs: host.verifications, seals: host.seals, head: head)
    }

    func projections(_ watch: ProjectionWatch) throws(LedgerError) -> Projections {
        let digest = try cache.current()
        let now = now
        return try inLedgerWords { () throws in
            try ledger.log.read { snapshot in
                let statistics = try snapshot.statistics()
                return Projections(
                    statistics: statistics,
                    movement: watch.look(statistics.watermark, at: now),
                    rebuild: try snapshot.rebuildProgress(),
                    own: try snapshot.userProjections(), digestEnd: digest.end)
            }
        }
    }
}
