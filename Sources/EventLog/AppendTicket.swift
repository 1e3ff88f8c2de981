import Synchronization

/// One caller's batch on its way through the writer, and how the caller hears of the end.
final class AppendTicket: Sendable {
    typealias Outcome = Result<[AppendResult], LogError>

    private enum Waiter {
        case nobody
        case task(UnsafeContinuation<Outcome, Never>)
        case thread(ThreadGate)
        case done(Outcome)
    }

    let requests: [AppendRequest]
    let events: Int
    let bytes: Int
    private let waiter = Mutex(Waiter.nobody)

    /// Refuses what breaks a limit, before it waits for anything.
    init(_ requests: [AppendRequest]) throws(LogError) {
        var events = 0
        var bytes = 0
        for request in requests {
            try request.check()
            events += request.drafts.count
            for draft in request.drafts {
                bytes += StorageLayout.recordHeaderByteCount + draft.payload.count
            }
        }
        guard events <= Limits.eventsPerAppend, bytes <= Limits.bytesPerAppend else {
            throw .invalid(
                "One append takes at most \(Limits.eventsPerAppend) events and "
                    + "\(Limits.bytesPerAppend) bytes.")
        }
        self.requests = requests
        self.events = events
        self.bytes = bytes
    }

    /// Says how it ended; called once.
    func finish(_ outcome: Outcome) {
        let waiter = waiter.withLock { waiter in
            defer { waiter = .done(outcome) }
            return waiter
        }
        switch waiter {
        case .task(let continuation): continuation.resume(returning: outcome)
        case .thread(let gate): gate.open()
        case .nobody, .done: break
        }
    }

    /// Has the continuation resumed at the end, or at once when that has come.
    func wait(_ continuation: UnsafeContinuation<Outcome, Never>) {
        let outcome = waiter.withLock { waiter -> Outcome? in
            if case .done(let outcome) = waiter { return outcome }
            waiter = .task(continuation)
            return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    /// Holds the calling thread until the end.
    func wait() -> Outcome {
        let gate = ThreadGate()
        while true {
            let outcome = waiter.withLock { waiter -> Outcome? in
                if case .done(let outcome) = waiter { return outcome }
                waiter = .thread(gate)
                return nil
            }
            if let outcome { return outcome }
            gate.pass()
        }
    }
}

extension AppendRequest {
    fileprivate func check() throws(LogError) {
        guard !drafts.isEmpty else { throw .invalid("A request has no events.") }
        guard identities.count <= Limits.identitiesPerRequest else {
            throw .invalid("A request has more than \(Limits.identitiesPerRequest) identities.")
        }
        for identity in identities
        where identity.key.isEmpty || identity.key.count > Limits.identityKeyBytes {
            throw .invalid("An identity's key has 1 to \(Limits.identityKeyBytes) bytes.")
        }
        for draft in drafts where draft.payload.count > Limits.payloadBytes {
            throw .invalid("An event's payload has at most \(Limits.payloadBytes) bytes.")
        }
        for draft in drafts where draft.occurredAt == StorageLayout.noTime {
            throw .invalid("An event's time is beyond what can be stored.")
        }
    }
}
