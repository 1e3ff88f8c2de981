import CheckoutModel
import Synchronization

/// Lets so many through at once, and then one in every so many microseconds.
///
/// Holds no list of who came; a clock that jumps back adds nothing.
struct TokenBucket: Sendable {
    private let capacity: Int64
    private let interval: Int64
    /// In parts of a token, one for each microsecond of the interval.
    private var level: Int64
    private var last: Int64?

    init(burst: Int, perSeconds seconds: Int) {
        self.init(burst: burst, everyMicroseconds: Int64(seconds) * 1_000_000)
    }

    init(burst: Int, everyMicroseconds interval: Int64) {
        self.interval = interval
        capacity = Int64(burst) * interval
        level = capacity
    }

    /// Takes one; false when there is none.
    mutating func take(at now: Instant) -> Bool {
        refill(now)
        guard level >= interval else { return false }
        level -= interval
        return true
    }

    /// True when one could be taken.
    mutating func hasOne(at now: Instant) -> Bool {
        refill(now)
        return level >= interval
    }

    private mutating func refill(_ now: Instant) {
        if let last, now.microseconds > last {
            let gained = min(now.microseconds - last, capacity)
            level = min(capacity, level + gained)
        }
        last = max(last ?? now.microseconds, now.microseconds)
    }
}

/// A bucket for each provider, and one for all.
final class ProviderBuckets: Sendable {
    private struct State {
        var each: [ProviderID: TokenBucket] = [:]
        var all: TokenBucket?
    }

    private let one: TokenBucket
    private let state: Mutex<State>

    init(each: TokenBucket, all: TokenBucket? = nil) {
        one = each
        state = Mutex(State(all: all))
    }

    /// Takes one of the provider's and one of all; neither when either is missing.
    func take(_ provider: ProviderID, at now: Instant) -> Bool {
        state.withLock { state in
            if state.all?.hasOne(at: now) == false { return false }
            guard state.each[provider, default: one].take(at: now) else { return false }
            _ = state.all?.take(at: now)
            return true
        }
    }
}
