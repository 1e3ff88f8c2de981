import CMicroHTTPD
import Synchronization

/// The body of an answer that comes piece by piece.
///
/// At most one piece is held; the source waits until the peer took it. While there is none, the
/// connection is out of the daemon's loop and occupies no thread.
final class StreamBody: Sendable {
    private struct State {
        var piece: ArraySlice<UInt8> = []
        var isEnded = false
        var isSuspended = false
        var taken: UnsafeContinuation<Void, Never>?
        var task: Task<Void, Never>?
    }

    private let source: AsyncStream<[UInt8]>
    private let connection: Connection
    private let state = Mutex(State())

    init(_ source: AsyncStream<[UInt8]>, on connection: Connection) {
        self.source = source
        self.connection = connection
    }

    /// Fills the daemon's buffer; 0 when there is nothing yet, nil at the end.
    ///
    /// The source is read from the first call on, so that a HEAD request starts nothing.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let (count, waiter) = state.withLock { state -> (Int?, UnsafeContinuation<Void, Never>?) in
            if !state.piece.isEmpty {
                let part = state.piece.prefix(buffer.count)
                buffer.copyBytes(from: part)
                state.piece = state.piece.dropFirst(part.count)
                guard state.piece.isEmpty else { return (part.count, nil) }
                defer { state.taken = nil }
                return (part.count, state.taken)
            }
            if state.isEnded { return (nil, nil) }
            if state.task == nil { state.task = Task { await self.pump() } }
            state.isSuspended = true
            MHD_suspend_connection(connection.pointer)
            return (0, nil)
        }
        waiter?.resume()
        return count
    }

    private func pump() async {
        for await piece in source where !piece.isEmpty {
            guard await hand(over: piece) else { break }
        }
        end()
    }

    private func hand(over piece: [UInt8]) async -> Bool {
        await withUnsafeContinuation { continuation in
            let waits = state.withLock { state in
                guard !state.isEnded else { return false }
                state.piece = piece[...]
                state.taken = continuation
                resume(&state)
                return true
            }
            if !waits { continuation.resume() }
        }
        return state.withLock { !$0.isEnded }
    }

    /// Ends the answer after what the peer has been given: the source is over, the peer is gone,
    /// or the server stops.
    func end() {
        let (waiter, task) = state.withLock { state in
            state.isEnded = true
            resume(&state)
            defer { (state.taken, state.task) = (nil, nil) }
            return (state.taken, state.task)
        }
        waiter?.resume()
        task?.cancel()
    }

    private func resume(_ state: inout State) {
        guard state.isSuspended else { return }
        state.isSuspended = false
        MHD_resume_connection(connection.pointer)
    }
}
