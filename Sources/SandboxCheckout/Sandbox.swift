package import CheckoutModel
package import ProviderKit
import Synchronization

/// The time of the sandbox; injected.
package protocol SandboxClock: Sendable {
    var now: Instant { get }
    /// Ends early, with an error, when the task is cancelled.
    func sleep(for duration: Duration) async throws(CancellationError)
}

/// A running sandbox: one engine, shared by its pages and by what sends its webhooks.
package final class Sandbox: Sendable {
    /// The bearer key of the API.
    let apiKey: [UInt8]
    private let origin: String
    /// What a browser's `Host` header may say.
    let names: Set<String>
    private let endpoint: String?
    private let clock: any SandboxClock
    private let transport: any HTTPTransport
    private let state: Mutex<SandboxEngine>

    /// Webhooks go to `endpoint` over `transport`, signed with `signingKey`; nowhere when it is
    /// nil.
    package init(
        origin: String, apiKey: String, signingKey: [UInt8], endpoint: String?,
        clock: any SandboxClock, ids: SandboxIDs = .random, transport: any HTTPTransport
    ) {
        self.apiKey = Array(apiKey.utf8)
        self.origin = origin
        names = [String(origin.drop { $0 != "/" }.dropFirst(2))]
        self.endpoint = endpoint
        self.clock = clock
        self.transport = transport
        state = Mutex(
            SandboxEngine(
                settings: .init(
                    origin: origin, hasEndpoint: endpoint != nil, signingKey: signingKey),
                ids: ids))
    }

    /// Works on the engine, alone.
    ///
    /// What time alone does is done first, so that nobody pays a checkout whose time is over.
    package func perform<Result: Sendable>(
        _ body: (inout SandboxEngine, Instant) throws(SandboxRefusal) -> Result
    ) throws(SandboxRefusal) -> Result {
        let now = clock.now
        return try state.withLock { (engine) throws(SandboxRefusal) in
            engine.advance(to: now)
            return try body(&engine, now)
        }
    }

    /// A page of ours that plays the shop for checkouts made on the control page.
    var shopPage: String { "\(origin)/sandbox/shop" }

    /// The engine as it stands.
    package var snapshot: SandboxEngine { state.withLock { $0 } }

    /// How often ``run()`` looks whether something is due.
    ///
    /// A timer for the next wake would have to be set anew by every request; looking costs
    /// microseconds.
    private static let tick: Duration = .milliseconds(100)

    /// Sends what is due, for as long as the task is not cancelled.
    ///
    /// A shop that is slow to answer holds up nothing else.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for attempt in takeDue() { group.addTask { await self.send(attempt) } }
                do throws(CancellationError) {
                    try await clock.sleep(for: Self.tick)
                } catch {
                    break
                }
            }
        }
    }

    /// Sends what is due now, waits for the answers, and tells how many were sent.
    @discardableResult
    package func sendDue() async -> Int {
        let attempts = takeDue()
        await withDiscardingTaskGroup { group in
            for attempt in attempts { group.addTask { await self.send(attempt) } }
        }
        return attempts.count
    }

    private func takeDue() -> [DeliveryAttempt] {
        let now = clock.now
        return state.withLock { $0.takeDue(at: now) }
    }

    private func send(_ attempt: DeliveryAttempt) async {
        var status: Int?
        if let endpoint {
            let plan = HTTPRequestPlan(
                method: "POST", url: endpoint, headers: attempt.headers, body: attempt.body,
                isRepeatable: false)
            do throws(TransportError) {
                status = try await transport.send(
                    plan, deadline: .seconds(SandboxLimits.answerSeconds)
                ).status
            } catch {
                // No answer: the next attempt finds out.
                status = nil
            }
        }
        let now = clock.now
        state.withLock { $0.attemptEnded(attempt.delivery, status: status, at: now) }
    }
}
