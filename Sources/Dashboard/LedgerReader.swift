import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog
import LedgerViews
import ProviderKit

/// Reads from a ledger what each page shows.
///
/// Lists and counts come from the digest in memory; what is shown of a row is read by its stream or
/// position. Nothing here folds the whole log.
struct LedgerReader<Store: LogStore>: Sendable {
    let ledger: Ledger<Store>
    let cache: DigestCache<Store>
    let host: any DashboardHost

    var now: Instant { host.now }

    func statistics() throws(LedgerError) -> LogStatistics {
        try inLedgerWords { () throws in try ledger.log.read { try $0.statistics() } }
    }

    func inLedgerWords<R>(_ body: () throws -> R) throws(LedgerError) -> R {
        do {
            return try body()
        } catch {
            throw LedgerError(any: error)
        }
    }

    // MARK: Overview

    func overview() throws(LedgerError) -> Overview {
        let digest = try cache.current()
        let dayAgo = now.microseconds &- 86_400_000_000
        let refused = digest.deliveries.reversed().prefix { $0.recordedAt >= dayAgo }
            .count { $0.verdict == .refused }
        return Overview(
            counts: StatusCounts(
                digest, twice: try cache.ordersPaidTwice(at: digest.end), now: now),
            refusedLastDay: refused, statistics: try statistics(),
            lastVerification: host.verifications.first { $0.report != nil },
            lastSeal: host.seals.first, recent: try recent(),
            sizes: (digest.deliveries.count, digest.delays.late))
    }

    /// The newest events that tell something: a delivery's own record does not where its meaning
    /// stands behind it, nor do the pieces of its body.
    private func recent() throws(LedgerError) -> [RecordedEvent] {
        let end = try ledger.endPosition()
        let first = end - min(end, Limits.recentEventsScanned)
        var found: [RecordedEvent] = []
        var causes: Set<UInt64> = []
        for position in (first..<end).reversed() {
            let event = try ledger.event(at: position)
            guard event.event.type != .deliveryPart else { continue }
            if let cause = event.cause { causes.insert(cause) }
            if !causes.contains(position) { found.append(event) }
            if found.count == Limits.recentEvents { break }
        }
        return found
    }

    // MARK: Sessions

    func sessions(_ filter: SessionFilter) throws(LedgerError) -> SessionList {
        let digest = try cache.current()
        let twice = try cache.ordersPaidTwice(at: digest.end)
        var list = SessionList(
            filter: filter, rows: [], total: 0,
            providers: Set(digest.scopes.map(\.provider.rawValue)).sorted())
        if let text = filter.text {
            list.total = digest.checkouts.count { _ in true }
            let found = try self.search(text)
            list.rows = found.prefix(filter.limit).map {
                SessionRow($0, ordersPaidTwice: twice)
            }
            return list
        }
        var matching = 0
        var streams: [UInt64] = []
        for index in digest.streams.indices.reversed() {
            let stream = UInt64(index)
            guard let sum = digest.streams[index].sum, sum.isCheckout else { continue }
            list.total += 1
            let own = digest.streams[index].own
            guard
                filter.holds(
                    sum, digest.scope(of: own), isTwice: twice.contains(stream), now: now)
            else { continue }
            matching += 1
            guard filter.cursor.map({ stream < $0 }) ?? true else { continue }
            if streams.count < filter.limit {
                streams.append(stream)
            } else if list.next == nil {
                list.next = streams.last
            }
        }
        list.matching = matching
        list.rows = try ledger.sessions(at: streams).map {
            SessionRow($0, ordersPaidTwice: twice)
        }
        return list
    }

    /// Sessions that a text names: by any id of theirs, its beginning, or an order.
    func search(_ text: String) throws(LedgerError) -> [Session] {
        guard text.utf8.count <= Limits.jumpBytes else { return [] }
        var found: [Session] = []
        do throws(LedgerError) {
            found.append(try ledger.session(named: text))
        } catch {
            switch error.code {
            case .ambiguous: found += try sessions(beginning: text)
            case .notFound: break
            default: throw error
            }
        }
        var query = AuditQuery()
        query.order = text
        var streams: [UInt64] = []
        try ledger.forEachEvent(matching: query) { (event) throws(LedgerError) in
            if !streams.contains(event.stream) { streams.append(event.stream) }
            return streams.count < Limits.rowsPerPage ? .more : .stop
        }
        for session in try ledger.sessions(at: streams)
        where !found.contains(where: { $0.streams == session.streams }) {
            found.append(session)
        }
        return found
    }

    /// Sessions that an ambiguous beginning fits.
    private func sessions(beginning text: String) throws(LedgerError) -> [Session] {
        let streams = try ledger.streams(beginning: text, limit: Limits.rowsPerPage)
        var found: [Session] = []
        for session in try ledger.sessions(at: streams)
        where !found.contains(where: { $0.streams == session.streams }) {
            found.append(session)
        }
        return found
    }

    /// A session by its name or, for one that only its stream names, by the stream.
    func timeline(_ session: Session) throws(LedgerError) -> Timeline {
        let events = try inLedgerWords { () throws in
            try ledger.log.read { snapshot in
                try session.streams.flatMap { try snapshot.positions(of: $0) }.sorted()
            }
        }
        let recorded = try ledger.events(at: events)
        var found = session.state.evidence.discrepancies
        let twice = try cache.ordersPaidTwice(at: try cache.current().end)
        if session.streams.contains(where: twice.contains) {
            found.append(
                Discrepancy(.orderPaidTwice, "Another session of the same order was paid too."))
        }
        var bodies: [UInt64: MaskedDelivery] = [:]
        for event in recorded
        where DeliveryVerdict(event.event.type, isUnhandled: false) != nil
            && bodies.count < Limits.deliveriesOpened
        {
            bodies[event.position] = masked(event)
        }
        var states: [UInt64: PrivateStates] = [:]
        for event in recorded { states[event.position] = PrivateStates(of: event, in: ledger) }
        return Timeline(
            session: session, events: recorded, discrepancies: found, bodies: bodies,
            privateStates: states)
    }

    func session(atStream stream: UInt64) throws(LedgerError) -> Session {
        guard let session = try ledger.sessions(at: [stream]).first else {
            throw LedgerError(.notFound, "There is no stream \(stream).")
        }
        return session
    }

    /// The sealed fields of a delivery, masked; says why where they cannot be opened.
    func masked(_ event: RecordedEvent) -> MaskedDelivery {
        do throws(LedgerError) {
            switch try ledger.privateFields(of: event) {
            case .none: return MaskedDelivery(refusal: "Nothing of it was kept.")
            case .erased(let erased) where erased.cameLater:
                return MaskedDelivery(refusal: "It was not kept: its subject had been erased.")
            case .erased:
                return MaskedDelivery(refusal: "It was erased: its key was destroyed on purpose.")
            case .keyMissing:
                return MaskedDelivery(
                    refusal: "Its key is not here, and was not destroyed: kept elsewhere, or lost.")
            case .tampered:
                return MaskedDelivery(
                    refusal: "The bytes are not what was sealed, or their key was changed.")
            case .fields(let fields):
                return MaskedDelivery(
                    headers: fields.headers, body: try ledger.body(of: event) ?? fields.body)
            }
        } catch {
            return MaskedDelivery(refusal: error.message)
        }
    }
}
