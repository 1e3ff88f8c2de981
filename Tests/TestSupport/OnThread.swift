import Foundation

/// Runs what blocks on a thread of its own, so that the tasks which it waits for can run.
public func onThread<R: Sendable>(
    _ body: @escaping @Sendable () throws -> R
) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}
