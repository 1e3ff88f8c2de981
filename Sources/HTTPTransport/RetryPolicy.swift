public import ProviderKit

/// When a request is sent again, and after how long; decides, and does nothing itself.
///
/// Only requests that may be repeated are (`HTTPRequestPlan.isRepeatable`). Pauses
/// double from attempt to attempt; half of each is random, so that many clients that failed
/// together do not come back together. A provider's `Retry-After` counts where it is longer.
public struct RetryPolicy: Sendable, Hashable {
    /// How often a request is sent at most, the first time included.
    public var attempts = 4
    /// The pause before the second attempt.
    public var firstPause: Duration = .milliseconds(500)
    /// No pause of our own is longer.
    public var longestPause: Duration = .seconds(15)

    /// The defaults fit a person who waits for the answer.
    public init() {}

    /// How an attempt ended.
    public enum Ending: Sendable, Hashable {
        /// With a reply, and how long the host asked to be left alone.
        case reply(status: Int, retryAfter: Duration?)
        /// Without one.
        case failure(TransportError)
    }

    /// How long to wait before the next attempt; nil when the ending stands.
    ///
    /// `attempt` counts from 1. An attempt that could only begin after `remaining` is not made.
    public func pause(
        after ending: Ending, attempt: Int, of plan: HTTPRequestPlan, remaining: Duration,
        using random: inout some RandomNumberGenerator
    ) -> Duration? {
        guard plan.isRepeatable, attempt < attempts, isWorthRepeating(ending) else { return nil }
        var pause = backOff(attempt, using: &random)
        if case .reply(_, let wish?) = ending { pause = max(pause, wish) }
        return pause < remaining ? pause : nil
    }

    private func isWorthRepeating(_ ending: Ending) -> Bool {
        switch ending {
        case .reply(let status, _): [425, 429, 500, 502, 503, 504].contains(status)
        case .failure(let error): error.isPassing
        }
    }

    private func backOff(
        _ attempt: Int, using random: inout some RandomNumberGenerator
    ) -> Duration {
        // Sixteen doublings of a nanosecond are beyond any patience, and overflow nothing.
        let whole = min(firstPause * (1 << min(max(attempt - 1, 0), 16)), longestPause)
        let parts = 1_024
        return whole / 2 + whole / 2 * Int.random(in: 0...parts, using: &random) / parts
    }
}
