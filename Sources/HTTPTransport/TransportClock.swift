public import CheckoutModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The time that waiting is measured in; tests bring their own.
public protocol TransportClock: Sendable {
    /// The date, for what a provider says in dates.
    var now: Instant { get }
    /// Time since some fixed moment, which no correction of the date moves.
    var uptime: Duration { get }
    /// Waits; ends early, with an error, when the task is cancelled.
    func sleep(for duration: Duration) async throws(CancellationError)
}

/// The machine's own time.
public struct SystemTransportClock: TransportClock {
    private static let start = ContinuousClock.now

    /// Holds nothing.
    public init() {}

    /// The date by the machine's clock.
    public var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(
            microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }

    /// Time since the first question.
    public var uptime: Duration { ContinuousClock.now - Self.start }

    /// Waits without holding a thread.
    public func sleep(for duration: Duration) async throws(CancellationError) {
        do {
            try await Task.sleep(for: duration)
        } catch {
            throw CancellationError()
        }
    }
}
