public import ProviderKit
import Synchronization

/// Sends again what may be sent again, as a policy says, and leaves hosts alone that ask for it.
///
/// The deadline holds for all attempts and pauses together. What a host says in `Retry-After` with
/// 429 or 503 holds for every request to it: one that cannot wait that long ends with `paused`
/// without being sent.
public final class RetryingTransport: HTTPTransport {
    private struct State: ~Copyable {
        var random: SeededRandom
        /// By host, the uptime before which it is not asked.
        var pauses: [String: Duration] = [:]
    }

    private let base: any HTTPTransport
    private let policy: RetryPolicy
    private let clock: any TransportClock
    private let state: Mutex<State>

    /// Wraps another transport; the same seed gives the same pauses.
    public init(
        _ base: any HTTPTransport, policy: RetryPolicy = RetryPolicy(),
        clock: any TransportClock = SystemTransportClock(),
        seed: UInt64 = .random(in: .min ... .max)
    ) {
        self.base = base
        self.policy = policy
        self.clock = clock
        state = Mutex(State(random: SeededRandom(seed: seed)))
    }

    /// The first ending that stands: a reply, or why there is none.
    public func send(
        _ plan: HTTPRequestPlan, deadline: Duration
    ) async throws(TransportError) -> HTTPReply {
        let host = try RequestTarget(url: plan.url).host
        let end = clock.uptime + deadline
        var attempt = 1
        while true {
            try await waitForHost(host, until: end)
            let answer = await self.attempt(plan, until: end, host)
            let ending = ending(of: answer, host)
            let remaining = end - clock.uptime
            let pause = state.withLock { state in
                policy.pause(
                    after: ending, attempt: attempt, of: plan, remaining: remaining,
                    using: &state.random)
            }
            guard let pause else { return try answer.get() }
            try await sleep(pause, host)
            attempt += 1
        }
    }

    private func attempt(
        _ plan: HTTPRequestPlan, until end: Duration, _ host: String
    ) async -> Result<HTTPReply, TransportError> {
        let remaining = end - clock.uptime
        guard remaining > .zero else { return .failure(TransportError(.timeout, host: host)) }
        do throws(TransportError) {
            return .success(try await base.send(plan, deadline: remaining))
        } catch {
            return .failure(error)
        }
    }

    /// Reads the ending, and remembers what the host asks for.
    private func ending(
        of answer: Result<HTTPReply, TransportError>, _ host: String
    ) -> RetryPolicy.Ending {
        switch answer {
        case .failure(let error): return .failure(error)
        case .success(let reply):
            let wish = reply.retryAfter(at: clock.now)
            if let wish, reply.status == 429 || reply.status == 503 {
                remember(host, until: clock.uptime + wish)
            }
            return .reply(status: reply.status, retryAfter: wish)
        }
    }

    private func remember(_ host: String, until end: Duration) {
        let now = clock.uptime
        state.withLock { state in
            state.pauses = state.pauses.filter { $0.value > now }
            guard state.pauses.count < Limits.pausedHosts else { return }
            state.pauses[host] = max(end, state.pauses[host] ?? .zero)
        }
    }

    private func waitForHost(_ host: String, until end: Duration) async throws(TransportError) {
        let until = state.withLock { $0.pauses[host] }
        let now = clock.uptime
        guard let until, until > now else { return }
        guard until < end else { throw TransportError(.paused, host: host) }
        try await sleep(until - now, host)
    }

    private func sleep(_ duration: Duration, _ host: String) async throws(TransportError) {
        do throws(CancellationError) {
            try await clock.sleep(for: duration)
        } catch {
            throw TransportError(.cancelled, host: host)
        }
    }
}

/// The same sequence for the same seed (SplitMix64); spreads pauses, guards nothing.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
