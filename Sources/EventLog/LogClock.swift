import Cryptography

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

/// Random numbers as keys are made of.
public struct RandomLogIDSource: LogIDSource {
    /// The one there is.
    public init() {}

    /// 16 random bytes.
    public func next() -> UInt128 {
        var value: UInt128 = 0
        withUnsafeMutableBytes(of: &value) { SecureRandom.fill($0) }
        return value
    }
}
