import Synchronization

/// Those who wait for the log to grow.
///
/// Waking is a hint: who is woken looks at the log's end and may wait again.
final class CommitWatch: Sendable {
    private struct State {
        var waiters: [UInt64: UnsafeContinuation<Void, Never>] = [:]
        var nextID: UInt64 = 0
        var isEnded = false
    }

    private let state = Mutex(State())

    var hasWaiters: Bool { state.withLock { !$0.waiters.isEmpty } }

    /// True once the log is closed.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Waits for the next waking, or for the task's cancellation; `grewMeanwhile` is asked after
    /// the place in the line is taken, so that no growth is slept through.
    func wait(nudge: () -> Void, unless grewMeanwhile: @Sendable () -> Bool) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let waits = state.withLock { state in
                    guard !state.isEnded else { return false }
                    state.waiters[id] = continuation
                    return true
                }
                if !waits { return continuation.resume() }
                if Task.isCancelled || grewMeanwhile() { wake(id) }
                nudge()
            }
        } onCancel: {
            wake(id)
        }
    }

    func wake() {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    func end() {
        state.withLock { $0.isEnded = true }
        wake()
    }

    private func wake(_ id: UInt64) {
        state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
    }
}
