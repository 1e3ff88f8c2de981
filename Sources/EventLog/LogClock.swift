#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where recorded times come from.
public protocol LogClock: Sendable {
    /// µs since 1970-01-01 UTC; may jump, the log never lets recorded time go back.
    func now() -> Int64
}

/// The machine's own clock.
public struct SystemLogClock: LogClock {
    /// The one there is.
    public init() {}

    /// µs since 1970-01-01 UTC.
    public func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

/// Where the log takes the random names that it gives itself: ledger id, ids of link records.
public protocol LogIDSource: Sendable {
    /// 16 bytes as a number, never the same twice.
    func next() -> UInt128
}

/// The system's random numbers.
public struct RandomLogIDSource: LogIDSource {
    /// The one there is.
    public init() {}

    /// 16 random bytes.
    public func next() -> UInt128 {
        // One call of the system for all 16 bytes: two would cost twice as much.
        var value: UInt128 = 0
        withUnsafeMutableBytes(of: &value) { bytes in
            guard let start = bytes.baseAddress else { return }
            #if canImport(Darwin)
                arc4random_buf(start, bytes.count)
            #else
                guard getentropy(start, bytes.count) == 0 else {
                    preconditionFailure("the system gives no random bytes")
                }
            #endif
        }
        return value
    }
}
