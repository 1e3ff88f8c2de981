import Synchronization

/// The fold of what lies beyond the rows, kept between reads so that nothing is folded twice.
final class TailCache<Schema: LogSchema>: Sendable {
    private let tail = Mutex<Tail<Schema>?>(nil)

    /// Lends the tail at exactly the end of a snapshot; nil when the cache is already beyond it.
    func withTail<R>(
        to end: UInt64, _ reader: some LogReading, _ mark: Watermark,
        _ body: (inout Tail<Schema>) throws(LogError) -> R
    ) throws(LogError) -> R? {
        let result = tail.withLock { cached -> Result<R, LogError>? in
            if let tail = cached, tail.end > end { return nil }
            // The lock's value is emptied meanwhile: after a failure the cache begins anew.
            var tail = cached.take() ?? Tail(at: mark.position)
            if tail.base > mark.position || tail.count > Limits.cachedStreams {
                tail = Tail(at: mark.position)
            }
            // A reader's tail is never written: outcomes that the rows have are of no use.
            tail.forgetOutcomes(before: min(mark.position, tail.end))
            do throws(LogError) {
                try tail.catchUp(to: end, reader, over: mark)
                let result = try body(&tail)
                cached = tail
                return .success(result)
            } catch {
                return .failure(error)
            }
        }
        return try result?.get()
    }
}
