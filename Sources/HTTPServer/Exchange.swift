import CMicroHTTPD
import Synchronization

/// A connection of the daemon's; used inside its callbacks, and to resume it.
struct Connection: @unchecked Sendable {  // resuming is allowed from any thread
    let pointer: OpaquePointer
    /// Its name in tables.
    var name: Int { Int(bitPattern: pointer) }
}

/// One request on its way: read by a thread of the daemon's, answered by a task.
final class Exchange: Sendable {
    /// What to do when the daemon comes by.
    enum Step {
        /// The head is complete: decide.
        case decide
        /// The body is complete: have it answered.
        case dispatch(WebRequest)
        /// The answer is there.
        case answer(WebResponse)
        /// Nothing more is to be said: cut it off.
        case cut
    }

    private enum Phase {
        case head
        case body
        case waiting
        case done
    }

    private struct State {
        var phase = Phase.head
        var request: WebRequest?
        var bodyLimit = 0
        /// Bytes of the body that came, kept or not.
        var received = 0
        /// Why the body is not kept any more.
        var objection: WebResponse?
        var answer: WebResponse?
        var isAborted = false
        var task: Task<Void, Never>?
    }

    /// Path and query as they were sent; the daemon decodes them itself where it shows them.
    let target: [UInt8]
    private let state = Mutex(State())

    init(target: [UInt8]) { self.target = target }

    /// The step that is next when no part of a body came.
    var next: Step {
        state.withLock { state in
            switch state.phase {
            case .head: return .decide
            case .body:
                if let objection = state.objection { return .answer(objection) }
                return state.request.map { .dispatch($0) } ?? .cut
            case .waiting:
                guard let answer = state.answer, !state.isAborted else { return .cut }
                state.phase = .done
                return .answer(answer)
            case .done: return .cut
            }
        }
    }

    /// Takes the head; a body of up to `limit` bytes is read from here on.
    func begin(_ request: WebRequest, bodyLimit: Int, declared: Int?) {
        state.withLock { state in
            state.phase = .body
            state.request = request
            state.bodyLimit = bodyLimit
            if let declared { state.request?.body.reserveCapacity(min(declared, bodyLimit)) }
        }
    }

    /// Takes a part of the body; false when so much too much came that it is to be cut off.
    ///
    /// What is beyond the limit is passed over, so that the sender can still be told.
    func add(_ part: UnsafeRawBufferPointer, room: BodyRoom) -> Bool {
        state.withLock { state in
            state.received += part.count
            if state.received > state.bodyLimit {
                room.give(back: state.request?.body.count ?? 0)
                state.request?.body = []
                state.objection = .contentTooLarge
                return state.received <= (state.bodyLimit + 1) * ServerLimits.excessFactor
            }
            guard state.objection == nil else { return true }
            guard room.take(part.count) else {
                room.give(back: state.request?.body.count ?? 0)
                state.request?.body = []
                state.objection = .unavailable(retryAfter: ServerLimits.retrySeconds)
                return true
            }
            state.request?.body.append(contentsOf: part)
            return true
        }
    }

    /// Takes the connection out of the daemon's loop until the answer is there; false when the
    /// server is being stopped.
    ///
    /// Under the lock: whoever resumes it must find it suspended.
    func suspend(_ connection: Connection) -> Bool {
        state.withLock { state in
            guard !state.isAborted else { return false }
            state.phase = .waiting
            MHD_suspend_connection(connection.pointer)
            return true
        }
    }

    /// Remembers who makes the answer, so that it can be told when nobody waits for it any more.
    func answering(_ task: Task<Void, Never>) {
        let isLate = state.withLock { state in
            state.task = task
            return state.isAborted
        }
        if isLate { task.cancel() }
    }

    /// Hands the answer over; too late, it is dropped.
    func finish(_ answer: WebResponse, on connection: Connection) {
        state.withLock { state in
            guard state.phase == .waiting, state.answer == nil, !state.isAborted else { return }
            state.answer = answer
            MHD_resume_connection(connection.pointer)
        }
    }

    /// Gives up: the connection ends without an answer.
    func abort(on connection: Connection) {
        let task = state.withLock { state in
            guard !state.isAborted else { return nil as Task<Void, Never>? }
            state.isAborted = true
            if state.phase == .waiting, state.answer == nil {
                MHD_resume_connection(connection.pointer)
            }
            return state.task
        }
        task?.cancel()
    }

    /// The daemon is done with it; gives back what its body took.
    func end(room: BodyRoom) {
        state.withLock { state in
            state.phase = .done
            room.give(back: state.request?.body.count ?? 0)
            state.request = nil
        }
    }
}

/// Memory for the bodies of all requests.
final class BodyRoom: Sendable {
    private let free: Mutex<Int>

    init(bytes: Int) { free = Mutex(bytes) }

    func take(_ count: Int) -> Bool {
        free.withLock { free in
            guard free >= count else { return false }
            free -= count
            return true
        }
    }

    func give(back count: Int) { free.withLock { $0 += count } }
}
