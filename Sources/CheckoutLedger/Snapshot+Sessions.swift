import CheckoutModel
package import EventLog

extension Snapshot where Schema == CheckoutSchema {
    /// Runs a body that throws anything, and gives its errors in the ledger's words.
    func each(_ body: (borrowing Self) throws -> Void) throws(LedgerError) {
        do {
            try body(self)
        } catch {
            throw LedgerError(any: error)
        }
    }

    /// The first position that does not count any more at a moment.
    func limit(of moment: LedgerMoment) throws(LedgerError) -> UInt64 {
        switch moment {
        case .now: return end
        case .position(let position): return min(position, end)
        case .time(let time):
            do throws(LogError) {
                // Everything recorded at that very microsecond counts.
                return try position(atOrAfter: time.microseconds + 1)
            } catch {
                throw LedgerError(error)
            }
        }
    }

    func event(at position: UInt64) throws(LedgerError) -> RecordedEvent {
        do {
            return try record(at: position) { try RecordedEvent($0) }
        } catch {
            throw LedgerError(any: error, at: position)
        }
    }

    /// Every event of these streams before a limit, in order of recording.
    func events(of streams: [UInt64], before limit: UInt64) throws(LedgerError) -> [RecordedEvent] {
        var positions: [UInt64] = []
        do throws(LogError) {
            for stream in streams {
                positions += try self.positions(of: stream, before: limit)
            }
        } catch {
            throw LedgerError(error)
        }
        var events: [RecordedEvent] = []
        for position in positions.sorted() { events.append(try event(at: position)) }
        return events
    }

    /// The session that a stream belongs to; nil when it had no event before the limit.
    package func session(
        at stream: UInt64, before limit: UInt64, scope: AccountScope?
    ) throws(LedgerError) -> Session? {
        do throws(LogError) {
            let group = try self.group(of: stream, before: limit)
            guard let session = try joined(group, before: limit, scope: scope) else { return nil }
            return session
        } catch {
            throw LedgerError(error)
        }
    }

    /// The session that this stream leads; nil for a stream that another one of its group leads,
    /// so that each session comes up once.
    func session(
        leadBy stream: UInt64, _ state: SessionState, before limit: UInt64
    ) throws -> Session? {
        if state.trace.links.isEmpty, limit >= end {
            return try session(of: [stream], state, before: limit, scope: nil)
        }
        let group = try group(of: stream, before: limit)
        guard let session = try joined(group, before: limit, scope: nil),
            session.streams.first == stream
        else { return nil }
        return session
    }

    /// The session of a stream at this snapshot's end; nil when it has no events.
    func session(leadingOrWith stream: UInt64) throws -> Session? {
        try session(at: stream, before: end, scope: nil)
    }

    /// The first of a session's streams that stands among the open ones.
    func firstOpen(of session: Session) throws(LogError) -> UInt64? {
        if session.streams.count == 1 { return session.streams[0] }
        for stream in session.streams.sorted() {
            if let state = try state(of: stream), CheckoutSchema.openedAt(state) != nil {
                return stream
            }
        }
        return nil
    }

    /// Joins the states of a group; the named stream that began first leads it.
    private func joined(
        _ group: [UInt64], before limit: UInt64, scope: AccountScope?
    ) throws(LogError) -> Session? {
        var parts: [(stream: UInt64, state: SessionState)] = []
        for stream in group {
            guard let state = try state(of: stream, before: limit) else { continue }
            parts.append((stream, state))
        }
        parts.sort { ($0.state.trace.namedAt, $0.stream) < ($1.state.trace.namedAt, $1.stream) }
        guard var whole = parts.first?.state else { return nil }
        for part in parts.dropFirst() {
            whole.evidence.join(part.state.evidence)
            whole.trace.merge(part.state.trace)
        }
        // Each stream has its own row of the outcomes; the latest is the session's.
        let decided = parts.map(\.state.trace.outcomeAt).filter { $0 != .max }
        whole.trace.outcomeAt = decided.max() ?? .max
        return try session(of: parts.map(\.stream), whole, before: limit, scope: scope)
    }

    private func session(
        of streams: [UInt64], _ state: SessionState, before limit: UInt64, scope: AccountScope?
    ) throws(LogError) -> Session {
        var ids = SessionIDs()
        var found = scope
        for stream in streams {
            for position in try positions(of: stream, before: limit) {
                let named = try namedParts(at: position)
                if found == nil, !named.provider.rawValue.isEmpty {
                    found = AccountScope(named.provider, account: named.account)
                }
                ids.add(named.ids, delivery: named.deliveryID)
            }
        }
        return Session(
            streams: streams, scope: found ?? AccountScope(""), ids: ids, state: state)
    }

    /// Ids and provider of the event at a position, without the rest; nothing of a payload that
    /// cannot be read, which `verify` reports.
    private func namedParts(
        at position: UInt64
    ) throws(LogError) -> (
        provider: ProviderID, account: String, ids: ProviderIDs, deliveryID: String?
    ) {
        do {
            return try record(at: position) { record in
                let payload = record.payload.withUnsafeBytes { try? EventPayload(decoding: $0) }
                return (
                    ProviderID(rawValue: payload?.provider ?? ""), payload?.account ?? "",
                    payload?.ids ?? ProviderIDs(), payload?.deliveryID
                )
            }
        } catch let error as LogError {
            throw error
        } catch {
            preconditionFailure("the body throws nothing of its own")
        }
    }
}

extension LedgerError {
    /// Any error of the layers below, in the ledger's words.
    package init(any error: any Error, at position: UInt64? = nil) {
        switch error {
        case let error as LedgerError: self = error
        case let error as LogError: self.init(error)
        case is PayloadError:
            self.init(
                Code(rawValue: "DAMAGED"),
                "The event\(position.map { " at position \($0)" } ?? "") cannot be read.",
                hint: "Verify the ledger; a newer version may have written it.")
        default: self.init(Code(rawValue: "UNEXPECTED"), "\(error)")
        }
    }
}
