import CMicroHTTPD
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Every open connection, what it is at, and how long it may be.
///
/// The library bounds silence alone: a peer that sends a byte now and then would be kept for ever,
/// and while header fields come it calls nobody. Here each step has its end, after which the socket
/// is shut down; the library then hears of it and cleans up.
final class ConnectionTable: Sendable {
    /// What a connection is at.
    enum Phase {
        /// Before the first request, or between two.
        case idle
        /// Its request line came.
        case head
        case body
        /// A task makes the answer.
        case answering
        case sending
        case streaming(StreamBody)
    }

    private struct Entry {
        let connection: Connection
        let socket: Int32
        let peer: String
        var phase = Phase.idle
        /// Nil while the time is ours and not the peer's.
        var deadline: ContinuousClock.Instant?
        var exchange: Exchange?
        /// Since when it has owed a request.
        var waitsSince: ContinuousClock.Instant
        /// True once its socket was shut down.
        var isCut = false
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var requests = 0
        var isDraining = false
        var isClosed = false
    }

    private let limits: ServerLimits
    private let state = Mutex(State())

    init(_ limits: ServerLimits) { self.limits = limits }

    /// Connections, and requests whose answer is not out yet; streams do not count.
    var counts: (connections: Int, requests: Int) {
        state.withLock { ($0.entries.count, $0.requests) }
    }

    var isDraining: Bool { state.withLock { $0.isDraining } }

    func opened(_ connection: Connection, at now: ContinuousClock.Instant) {
        let peer = shim_MHD_peer(connection.pointer).flatMap { SocketAddress($0)?.host } ?? ""
        var entry = Entry(
            connection: connection, socket: shim_MHD_socket(connection.pointer), peer: peer,
            waitsSince: now)
        entry.deadline = now + limits.headTime
        state.withLock { state in
            state.entries[connection.name] = entry
            if state.entries.count > limits.connections {
                cutOldest(&state) { _ in true }
            } else if limits.connectionsPerAddress > 0,
                state.entries.count > limits.connectionsPerAddress,
                state.entries.values.count(where: { $0.peer == peer })
                    > limits.connectionsPerAddress
            {
                cutOldest(&state) { $0.peer == peer }
            }
        }
    }

    /// Cuts off who has owed a request for longest: whoever means well sends one at once.
    private func cutOldest(_ state: inout State, where isMeant: (Entry) -> Bool) {
        let waiting = state.entries.filter { !$1.isCut && $1.phase.owesRequest && isMeant($1) }
        guard let oldest = waiting.min(by: { $0.value.waitsSince < $1.value.waitsSince }) else {
            return
        }
        state.entries[oldest.key]?.isCut = true
        shutdown(oldest.value.socket, Int32(SHUT_RDWR))
    }

    func closed(_ connection: Connection) {
        _ = state.withLock { $0.entries.removeValue(forKey: connection.name) }
    }

    /// The connection is at its next step.
    func note(_ phase: Phase, of connection: Connection, at now: ContinuousClock.Instant) {
        state.withLock { state in
            state.entries[connection.name]?.phase = phase
            state.entries[connection.name]?.deadline = limits.time(for: phase).map { now + $0 }
        }
    }

    /// A request begins to be read; false when no more are taken.
    func began(_ exchange: Exchange, on connection: Connection) -> Bool {
        state.withLock { state in
            guard !state.isDraining else { return false }
            state.requests += 1
            state.entries[connection.name]?.exchange = exchange
            return true
        }
    }

    /// A request's answer is out, or nobody waits for it any more.
    func ended(_ exchange: Exchange, on connection: Connection, at now: ContinuousClock.Instant) {
        state.withLock { state in
            guard let entry = state.entries[connection.name] else { return }
            if entry.exchange === exchange {
                if !entry.phase.isStream { state.requests -= 1 }
                state.entries[connection.name]?.exchange = nil
            }
            state.entries[connection.name]?.phase = .idle
            state.entries[connection.name]?.waitsSince = now
            state.entries[connection.name]?.deadline = now + limits.idleTime
            // Nothing follows on it.
            if state.isDraining { shutdown(entry.socket, Int32(SHUT_RD)) }
        }
    }

    /// An answer becomes a stream, which the end of the server does not wait for; false when it is
    /// there already.
    func began(_ stream: StreamBody, on connection: Connection) -> Bool {
        state.withLock { state in
            guard let entry = state.entries[connection.name] else { return false }
            if entry.exchange != nil { state.requests -= 1 }
            state.entries[connection.name]?.phase = .streaming(stream)
            state.entries[connection.name]?.deadline = nil
            return !state.isDraining
        }
    }

    /// Cuts off whoever is past a deadline, and ends streams whose reader is gone.
    func sweep(at now: ContinuousClock.Instant) {
        let gone = state.withLock { state in
            var gone: [StreamBody] = []
            for (name, entry) in state.entries {
                if let deadline = entry.deadline, deadline <= now {
                    shutdown(entry.socket, Int32(SHUT_RDWR))
                    state.entries[name]?.deadline = nil
                }
                if case .streaming(let stream) = entry.phase, Self.isGone(entry.socket) {
                    gone.append(stream)
                }
            }
            return gone
        }
        for stream in gone { stream.end() }
    }

    /// Takes no more requests, ends streams, and lets go of connections without a request.
    func drain() {
        let streams = state.withLock { state in
            state.isDraining = true
            var streams: [StreamBody] = []
            for entry in state.entries.values {
                switch entry.phase {
                case .idle: shutdown(entry.socket, Int32(SHUT_RDWR))
                case .streaming(let stream): streams.append(stream)
                case .head, .body, .answering, .sending: break
                }
            }
            return streams
        }
        for stream in streams { stream.end() }
    }

    /// Gives up what is still under way; nothing is suspended afterwards.
    func close() {
        let entries = state.withLock { state in
            state.isDraining = true
            state.isClosed = true
            return Array(state.entries.values)
        }
        for entry in entries {
            entry.exchange?.abort(on: entry.connection)
            if case .streaming(let stream) = entry.phase { stream.end() }
        }
    }

    private static func isGone(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
    }
}

extension ConnectionTable.Phase {
    /// True until a head is complete.
    fileprivate var owesRequest: Bool {
        switch self {
        case .idle, .head: true
        case .body, .answering, .sending, .streaming: false
        }
    }

    fileprivate var isStream: Bool { if case .streaming = self { true } else { false } }
}

extension ServerLimits {
    fileprivate func time(for phase: ConnectionTable.Phase) -> Duration? {
        switch phase {
        case .idle: idleTime
        case .head: headTime
        case .body: bodyTime
        case .answering, .streaming: nil
        case .sending: answerTime
        }
    }
}
