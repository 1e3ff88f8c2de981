#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How long `body` took, in nanoseconds.
func nanoseconds(_ body: () throws -> Void) rethrows -> Double {
    let time = try ContinuousClock().measure(body)
    return nanoseconds(time)
}

/// How much processor time `body` took of this thread, in nanoseconds.
///
/// For work of one thread that waits for nothing: a busy machine does not lengthen it.
func processorNanoseconds(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
    let start = now()
    try body()
    return now() - start
}

/// ``nanoseconds(_:)`` for what suspends.
func nanoseconds(_ body: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await body()
    return nanoseconds(clock.now - start)
}

func nanoseconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
}

extension Array<Double> {
    /// The middle value; the lower one of two.
    var median: Double {
        precondition(!isEmpty, "a median of nothing")
        return sorted()[(count - 1) / 2]
    }
}

/// Measures several ways of doing one thing in turns and gives the median of each.
///
/// Turns, because the disk and the machine drift: what is compared must have met the same weather.
/// The order is reversed each round, so that none always comes first.
func medians(rounds: Int, of methods: [() throws -> Double]) throws -> [Double] {
    var times = [[Double]](repeating: [], count: methods.count)
    for round in 0..<rounds {
        let order = Array(methods.indices)
        for index in round.isMultiple(of: 2) ? order : order.reversed() {
            times[index].append(try methods[index]())
        }
    }
    return times.map(\.median)
}

/// The same for methods that suspend.
func medians(
    rounds: Int, of methods: [() async throws -> Double]
) async throws -> [Double] {
    var times = [[Double]](repeating: [], count: methods.count)
    for round in 0..<rounds {
        let order = Array(methods.indices)
        for index in round.isMultiple(of: 2) ? order : order.reversed() {
            times[index].append(try await methods[index]())
        }
    }
    return times.map(\.median)
}

/// What went wrong in a peer or in the set-up.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

func flushStandardOutput() { fflush(nil) }
