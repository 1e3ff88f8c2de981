public import CheckoutModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tells the time to a flow and waits for it; injected, so that tests wait for nothing.
public protocol FlowClock: Sendable {
    /// This moment.
    func now() -> Instant
    /// Waits; returns early, by throwing, when the task is cancelled.
    func sleep(seconds: Int64) async throws
}

/// The system's clock.
public struct SystemFlowClock: FlowClock {
    /// The one there is.
    public init() {}

    /// This moment.
    public func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }

    /// Waits on the clock that goes on while the machine sleeps.
    public func sleep(seconds: Int64) async throws {
        try await Task.sleep(for: .seconds(seconds), clock: .continuous)
    }
}
