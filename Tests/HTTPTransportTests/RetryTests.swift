import CheckoutModel
import HTTPTransport
import ProviderKit
import Synchronization
import TestSupport
import Testing

/// A clock on which sleeping takes no time, and which remembers how long was slept.
final class FakeClock: TransportClock {
    private let state = Mutex<(uptime: Duration, naps: [Duration])>((.zero, []))
    private let start: Instant

    init(_ start: Instant = Instant(seconds: 1_772_600_767)) { self.start = start }

    var now: Instant {
        let micros = uptime / .microseconds(1)
        return Instant(microseconds: start.microseconds + Int64(micros))
    }
    var uptime: Duration { state.withLock { $0.uptime } }
    var naps: [Duration] { state.withLock { $0.naps } }

    func advance(_ duration: Duration) { state.withLock { $0.uptime += duration } }

    func sleep(for duration: Duration) async throws(CancellationError) {
        if Task.isCancelled { throw CancellationError() }
        state.withLock { state in
            state.uptime += duration
            state.naps.append(duration)
        }
    }
}

func reply(_ status: Int, headers: HeaderList = [:], body: String = "") -> HTTPReply {
    HTTPReply(status: status, headers: headers, body: Array(body.utf8))
}

@Suite("Sending again")
struct RetryTests {
    private let plan = get("https://api.provider.example/x")
    private let lost = RecordedTransport.Answer.failure(
        TransportError(.closedEarly, host: "api.provider.example"))

    private func end(
        _ answers: [RecordedTransport.Answer], _ plan: HTTPRequestPlan, clock: FakeClock,
        deadline: Duration = .seconds(60)
    ) async -> (status: Int?, reason: TransportError.Reason?, sent: Int) {
        let script = RecordedTransport(answers)
        let transport = RetryingTransport(script, clock: clock, seed: 7)
        do throws(TransportError) {
            let reply = try await transport.send(plan, deadline: deadline)
            return (reply.status, nil, script.requests.count)
        } catch {
            return (nil, error.reason, script.requests.count)
        }
    }

    @Test("What reads is sent again after trouble that passes, and no more often than allowed")
    func reading() async {
        let clock = FakeClock()
        let first = await end(
            [lost, .success(reply(503)), .success(reply(200))], plan, clock: clock)
        #expect(first.status == 200 && first.sent == 3)
        let second = await end(Array(repeating: lost, count: 9), plan, clock: FakeClock())
        #expect(second.reason == .closedEarly && second.sent == 4)
        let third = await end(
            Array(repeating: .success(reply(502)), count: 9), plan, clock: FakeClock())
        #expect(third.status == 502 && third.sent == 4)
    }

    @Test(
        "An ending that will not change stands at once",
        arguments: [
            .success(reply(200)), .success(reply(302)), .success(reply(400)), .success(reply(401)),
            .success(reply(404)), .success(reply(501)),
            .failure(TransportError(.untrusted, host: "h")),
            .failure(TransportError(.wrongHost, host: "h")),
            .failure(TransportError(.tooLarge, host: "h")),
            .failure(TransportError(.cancelled, host: "h")),
        ] as [RecordedTransport.Answer])
    func final(answer: RecordedTransport.Answer) async {
        let clock = FakeClock()
        #expect(await end([answer, .success(reply(299))], plan, clock: clock).sent == 1)
        #expect(clock.naps.isEmpty)
    }

    @Test("A request that must not be repeated is sent once, whatever happens")
    func notRepeatable() async {
        let once = post("https://api.provider.example/x", "pay")
        #expect(await end([lost, lost], once, clock: FakeClock()).sent == 1)
        #expect(await end([.success(reply(503)), lost], once, clock: FakeClock()).sent == 1)
        let keyed = post("https://api.provider.example/x", "pay", isRepeatable: true)
        #expect(await end([lost, .success(reply(200))], keyed, clock: FakeClock()).sent == 2)
    }

    @Test("Pauses double up to a bound, are half random, and are the same for the same seed")
    func backOff() {
        var policy = RetryPolicy()
        policy.attempts = 12
        let ending = RetryPolicy.Ending.failure(TransportError(.timeout, host: "h"))
        for attempt in 1..<12 {
            var random = SeededGenerator(seed: UInt64(attempt))
            var again = SeededGenerator(seed: UInt64(attempt))
            let whole = min(policy.firstPause * (1 << (attempt - 1)), policy.longestPause)
            let pause = policy.pause(
                after: ending, attempt: attempt, of: plan, remaining: .seconds(999), using: &random)
            #expect(pause.map { $0 >= whole / 2 && $0 <= whole } == true)
            #expect(
                policy.pause(
                    after: ending, attempt: attempt, of: plan, remaining: .seconds(999),
                    using: &again) == pause)
        }
        var random = SeededGenerator(seed: 0)
        #expect(
            policy.pause(
                after: ending, attempt: 12, of: plan, remaining: .seconds(999), using: &random)
                == nil)
    }

    @Test(
        "Retry-After is read as seconds and as a date",
        arguments: [
            ("2", 2), ("0", 0), ("Wed, 04 Mar 2026 05:06:17 GMT", 10),
            ("Wed, 04 Mar 2020 05:06:17 GMT", 0), ("99999999999999999999", 86_400),
            ("-1", nil), ("soon", nil), ("1.5", nil), ("", nil),
            ("Wed, 99 Mar 2026 05:06:17 GMT", nil),
            ("Wednesday, 04-Mar-26 05:06:17 GMT", nil), ("Wed, 04 Mar 2026 05:06:17 CET", nil),
        ] as [(String, Int64?)])
    func retryAfter(text: String, seconds: Int64?) {
        let reply = reply(429, headers: ["retry-after": text])
        #expect(
            reply.retryAfter(at: Instant(seconds: 1_772_600_767)) == seconds.map { .seconds($0) })
    }

    @Test("A host that names a time is left alone for that long, by every request")
    func obedience() async throws {
        let clock = FakeClock()
        let limited = reply(429, headers: ["Retry-After": "7"])
        let script = RecordedTransport([.success(limited), .success(reply(200))])
        let transport = RetryingTransport(script, clock: clock, seed: 1)
        _ = try await transport.send(plan, deadline: .seconds(60))
        #expect(clock.naps == [.seconds(7)])

        let other = RetryingTransport(
            RecordedTransport { plan, index in
                .success(plan.url.contains("slow") && index == 0 ? limited : reply(200))
            }, clock: clock, seed: 1)
        let slow = get("https://slow.example/")
        let first = try await other.send(slow, deadline: .seconds(5))
        #expect(first.status == 429, "the wait is longer than the deadline, so the reply stands")
        #expect(await refusal(of: other, slow, deadline: .seconds(5)) == .paused)
        #expect(await refusal(of: other, get("https://quick.example/")) == nil)
        #expect(await refusal(of: other, slow, deadline: .seconds(60)) == nil)
    }

    @Test("The deadline holds for all attempts together")
    func deadline() async {
        let clock = FakeClock()
        let result = await end(
            Array(repeating: lost, count: 9), plan, clock: clock, deadline: .milliseconds(600))
        #expect(result.reason == .closedEarly && result.sent < 4)
        #expect(clock.uptime < .milliseconds(600))
    }

    @Test("A cancelled task stops waiting for its next attempt")
    func cancellation() async {
        let transport = RetryingTransport(
            RecordedTransport { _, _ in
                withUnsafeCurrentTask { $0?.cancel() }
                return .failure(TransportError(.timeout, host: "h"))
            }, clock: FakeClock(), seed: 1)
        let plan = plan
        let task = Task { await refusal(of: transport, plan) }
        #expect(await task.value == .cancelled)
    }

    @Test("A real server that limits and then answers is asked again after the time it names")
    func realServer() async throws {
        let server = try #require(
            LocalServer { request in
                request.connection == 0 && request.header("X-Again") == nil
                    && request.path == "/0"
                    ? [.reply(429, "", headers: [("Retry-After", "3")]), .close]
                    : [.reply(200, "now")]
            })
        let clock = FakeClock()
        let script = CurlTransport.local()
        let transport = RetryingTransport(script, clock: clock, seed: 3)
        let reply = try await transport.send(get(server.address + "/0"), deadline: .seconds(60))
        #expect(reply.body == Array("now".utf8))
        #expect(clock.naps == [.seconds(3)])
    }
}
