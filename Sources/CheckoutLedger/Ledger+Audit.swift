import CheckoutModel
public import EventLog

extension Ledger {
    /// Lends the events that a query asks for, in order of recording.
    ///
    /// Any number of results in constant memory: an event is lent and let go. A query by session,
    /// order or payment reads those streams only; one by type passes over blocks of events that
    /// have none of them; a time is found by bisection.
    public func forEachEvent(
        matching query: AuditQuery = AuditQuery(),
        _ body: (RecordedEvent) throws(LedgerError) -> ScanStep
    ) throws(LedgerError) {
        try read { (snapshot) throws(LedgerError) in
            let range = try snapshot.range(of: query)
            if let streams = try snapshot.streams(of: query) {
                let events = try snapshot.events(of: streams, before: range.upperBound)
                for event in events
                where event.position >= range.lowerBound && query.holds(event) {
                    if try body(event) == .stop { return }
                }
                return
            }
            let types = query.types.isEmpty ? nil : TypeSet(query.types.map(\.rawValue))
            try snapshot.each { snapshot in
                try snapshot.forEachRecord(in: range, matching: types) { record in
                    let event: RecordedEvent
                    do {
                        event = try RecordedEvent(record)
                    } catch {
                        throw LedgerError(any: error, at: record.position)
                    }
                    return query.holds(event) ? try body(event) : .more
                }
            }
        }
    }

    /// Positions of events that this build does not understand: written by a newer one, or damaged.
    ///
    /// They are kept and counted, and take no part in any state.
    public func positionsNotUnderstood() throws(LedgerError) -> [UInt64] {
        try read { (snapshot) throws(LedgerError) in
            var found: [UInt64] = []
            try snapshot.each { snapshot in
                try snapshot.forEachRecord(in: 0..<snapshot.end) { record in
                    if Fact(record) == nil || EventType(rawValue: record.type).isUnknown {
                        found.append(record.position)
                    }
                    return .more
                }
            }
            return found
        }
    }
}

extension EventType {
    var isUnknown: Bool { !Self.vocabulary.contains { $0.type == self } }
}

extension Snapshot where Schema == CheckoutSchema {
    func range(of query: AuditQuery) throws(LedgerError) -> Range<UInt64> {
        do throws(LogError) {
            var lower = query.positions?.lowerBound ?? 0
            var upper = min(query.positions?.upperBound ?? end, end)
            if let since = query.since {
                lower = max(lower, try position(atOrAfter: since.microseconds))
            }
            if let until = query.until {
                upper = min(upper, try position(atOrAfter: until.microseconds))
            }
            return lower < upper ? lower..<upper : 0..<0
        } catch {
            throw LedgerError(error)
        }
    }

    /// The streams that a query is about; nil when it is about all of them.
    fileprivate func streams(of query: AuditQuery) throws(LedgerError) -> [UInt64]? {
        var sets: [Set<UInt64>] = []
        do {
            if let name = query.session {
                sets.append(Set(try groups(of: [try find(name).stream])))
            }
            if let order = query.order {
                sets.append(Set(try groups(of: try sharing(.order, order))))
            }
            if let payment = query.payment {
                var streams = try sharing(.mention, payment)
                for scope in try scopes() {
                    if let stream = try resolve(.payment, payment, scope) { streams.append(stream) }
                }
                sets.append(Set(try groups(of: streams)))
            }
        } catch {
            throw LedgerError(any: error)
        }
        guard var streams = sets.first else { return nil }
        for set in sets.dropFirst() { streams.formIntersection(set) }
        return streams.sorted()
    }

    private func groups(of streams: [UInt64]) throws -> [UInt64] {
        try streams.flatMap { try group(of: $0) }
    }

    private func sharing(_ kind: IdentityKey.Kind, _ id: String) throws -> [UInt64] {
        try scopes().flatMap { try streams(finding: IdentityKey(kind, id, in: $0).bytes) }
    }
}
