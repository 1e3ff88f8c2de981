import CheckoutLedger
import CheckoutModel
import EventLog

/// What lists, counts and plots need of a whole ledger, kept in memory and brought up to date from
/// where it stands.
///
/// Two hundred bytes a stream, so that a page passes over a hundred thousand sessions in
/// milliseconds. It depends on nothing but the log: however often it was brought up to date on the
/// way, at one end it is the same value. Holds no id and nothing private.
struct LedgerDigest: Sendable, Hashable {
    /// One more than the last position that is in it.
    private(set) var end: UInt64 = 0
    /// One for each stream, by its number.
    private(set) var streams: [SessionDigest] = []
    /// Every provider and account, in order of first mention.
    private(set) var scopes: [AccountScope] = []
    /// Every stored webhook, in order.
    private(set) var deliveries: [DeliveryDigest] = []
    private(set) var delays = DelayTally()
    /// Streams whose sums are older than their records.
    private var unsettled: Set<UInt64> = []
    /// Outcome rows before this position are in the streams' decisions.
    private var decidedEnd: UInt64 = 0

    init() {}

    /// Takes in what the log has beyond `end`.
    ///
    /// Reads in slices, so that no snapshot is held for long; what it has taken in stays when it
    /// throws. Throws `DAMAGED`, `LOG_CLOSED`, `STORAGE_FAILED`.
    mutating func catchUp<Store: LogStore>(
        with ledger: Ledger<Store>
    ) throws(LedgerError) {
        var isDone = false
        while !isDone {
            do {
                try ledger.log.read { snapshot in
                    let target = min(snapshot.end, end + Limits.eventsPerDigestSlice)
                    if end < target {
                        try snapshot.forEachRecord(in: end..<target) { record in
                            take(record)
                            return .more
                        }
                    }
                    isDone = target >= snapshot.end
                    if isDone { try settle(snapshot) }
                }
            } catch {
                throw LedgerError(any: error)
            }
        }
    }

    private mutating func take(_ record: borrowing RecordView) {
        let stream = Int(record.stream)
        while streams.count <= stream {
            streams.append(
                SessionDigest(stream: UInt64(streams.count), firstRecordedAt: record.recordedAt))
        }
        unsettled.insert(record.stream)
        if !streams[stream].own.namesCheckout || streams[stream].own.scope == .max {
            streams[stream].own = completed(streams[stream].own, by: record)
        }
        if let fact = Fact(record) { note(fact, record) }
        end = record.position + 1
    }

    /// With provider and kinds of ids from a payload, until they are known.
    private mutating func completed(
        _ known: SessionDigest.Own, by record: borrowing RecordView
    ) -> SessionDigest.Own {
        let payload = record.payload.withUnsafeBytes { try? EventPayload(decoding: $0) }
        guard let payload else { return known }
        var own = known
        let ids = payload.ids
        own.namesCheckout =
            own.namesCheckout || ids.session != nil || ids.payment != nil || ids.refund != nil
            || ids.dispute != nil || ids.subscription != nil
        guard own.scope == .max, !payload.provider.isEmpty else { return own }
        own.scope = index(
            of: AccountScope(ProviderID(rawValue: payload.provider), account: payload.account))
        return own
    }

    private mutating func index(of scope: AccountScope) -> UInt16 {
        if let index = scopes.firstIndex(of: scope) { return UInt16(index) }
        // Beyond the last index a scope stays unnamed in lists; nobody has so many accounts.
        guard scopes.count < Int(UInt16.max) else { return .max }
        scopes.append(scope)
        return UInt16(scopes.count - 1)
    }

    private mutating func note(_ fact: Fact, _ record: borrowing RecordView) {
        if let verdict = DeliveryVerdict(
            fact.type, isUnhandled: fact.flags.contains(.unhandled))
        {
            deliveries.append(
                DeliveryDigest(
                    position: record.position, stream: record.stream,
                    recordedAt: record.recordedAt, verdict: verdict))
            return
        }
        guard fact.source == .webhook, let occurredAt = record.occurredAt,
            fact.type.family != .delivery
        else { return }
        let stream = Int(record.stream)
        let isLate = occurredAt < streams[stream].own.newestTold
        streams[stream].own.newestTold = max(streams[stream].own.newestTold, occurredAt)
        if isLate, let cause = record.cause, let index = delivery(at: cause) {
            deliveries[index].isLate = true
        }
        let (delay, overflow) = record.recordedAt.subtractingReportingOverflow(occurredAt)
        delays.add(
            DelayTally.Point(
                position: record.position, occurredAt: occurredAt,
                delay: overflow ? .max : delay, isLate: isLate))
    }

    /// The index of the delivery that a position holds.
    func delivery(at position: UInt64) -> Int? {
        var low = 0
        var high = deliveries.count
        while low < high {
            let middle = (low + high) / 2
            if deliveries[middle].position < position { low = middle + 1 } else { high = middle }
        }
        return low < deliveries.count && deliveries[low].position == position ? low : nil
    }
}

extension LedgerDigest {
    /// Sums up the streams that changed.
    private mutating func settle<Store: LogStore>(
        _ snapshot: borrowing Snapshot<CheckoutSchema, Store>
    ) throws {
        try decide(snapshot)
        if unsettled.count > streams.count / 4 {
            try snapshot.forEachState { stream, state in
                if unsettled.contains(stream) { try settle(stream, state, snapshot) }
                return .more
            }
        } else {
            for stream in unsettled {
                guard let state = try snapshot.state(of: stream) else { continue }
                try settle(stream, state, snapshot)
            }
        }
        unsettled.removeAll(keepingCapacity: unsettled.count < Limits.unsettledKept)
    }

    private mutating func settle<Store: LogStore>(
        _ stream: UInt64, _ state: SessionState,
        _ snapshot: borrowing Snapshot<CheckoutSchema, Store>
    ) throws {
        guard !state.trace.links.isEmpty else {
            let own = streams[Int(stream)].own
            streams[Int(stream)].lead = stream
            streams[Int(stream)].sum = SessionDigest.Sum(
                state, isCheckout: own.namesCheckout, firstRecordedAt: own.firstRecordedAt,
                decision: own.decision)
            return
        }
        guard let session = try snapshot.session(at: stream, before: snapshot.end, scope: nil),
            let lead = session.streams.first
        else { return }
        var first = Int64.max
        var decision: SessionDigest.Decision?
        for member in session.streams where member < UInt64(streams.count) {
            first = min(first, streams[Int(member)].own.firstRecordedAt)
            if let own = streams[Int(member)].own.decision, own.outcome == session.outcome,
                own.at < decision?.at ?? .max
            {
                decision = own
            }
            streams[Int(member)].lead = lead
            streams[Int(member)].sum = nil
        }
        guard lead < UInt64(streams.count) else { return }
        streams[Int(lead)].sum = SessionDigest.Sum(
            session.state, isCheckout: session.isCheckout, firstRecordedAt: first,
            decision: decision)
    }

    /// Follows the rows of outcomes: an outcome counts from the first row that says it, not from a
    /// later one that only changes what was paid.
    private mutating func decide<Store: LogStore>(
        _ snapshot: borrowing Snapshot<CheckoutSchema, Store>
    ) throws {
        var known: [UInt64: SessionDigest.Decision?] = [:]
        try snapshot.forEachOutcome(from: decidedEnd) { position, bytes in
            let row = try bytes.withUnsafeBytes { try OutcomeRow(decoding: $0) }
            guard row.stream < UInt64(streams.count) else { return .more }
            let before = known[row.stream] ?? streams[Int(row.stream)].own.decision
            guard let outcome = row.outcome else {
                known[row.stream] = .some(nil)
                return .more
            }
            guard before?.outcome != outcome else { return .more }
            known[row.stream] = try snapshot.record(at: position) { record in
                SessionDigest.Decision(
                    outcome: outcome, at: record.recordedAt,
                    by: Fact(record)?.source ?? .ledger)
            }
            return .more
        }
        for (stream, decision) in known { streams[Int(stream)].own.decision = decision }
        decidedEnd = snapshot.end
    }
}

extension LedgerDigest {
    /// Every checkout with the stream that leads it, in order of arrival.
    var checkouts: some Sequence<(stream: UInt64, own: SessionDigest.Own, sum: SessionDigest.Sum)> {
        streams.lazy.enumerated().compactMap { index, digest in
            guard let sum = digest.sum, sum.isCheckout else { return nil }
            return (UInt64(index), digest.own, sum)
        }
    }

    /// The provider and account of a stream; nil when no record said it.
    func scope(of own: SessionDigest.Own) -> AccountScope? {
        Int(own.scope) < scopes.count ? scopes[Int(own.scope)] : nil
    }
}
