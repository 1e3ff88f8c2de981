import Foundation
import Testing

/// Runs something on a thread of its own and waits for it.
struct Mailbox {
    func run(_ body: @escaping @Sendable () throws -> Void) {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do { try body() } catch { Issue.record(error) }
            done.signal()
        }
        done.wait()
    }

    /// Lets another thread run.
    static func pause() { sched_yield() }
}
