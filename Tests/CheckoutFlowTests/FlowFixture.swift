import CheckoutFlow
import CheckoutModel
import DodoPayments
import ProviderKit
import Stripe
import Synchronization
import Testing

/// A clock that stands still until it is told to go on.
final class ManualClock: FlowClock {
    private struct State {
        var now = Instant(seconds: 1_767_225_600)
        var sleepers: [Int: (until: Instant, wake: CheckedContinuation<Void, any Error>)] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    func now() -> Instant { state.withLock { $0.now } }

    /// How many wait.
    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    func advance(seconds: Int64) {
        let woken = state.withLock { state in
            state.now = Instant(microseconds: state.now.microseconds + seconds * 1_000_000)
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.wake)
        }
        for wake in woken { wake.resume() }
    }

    func sleep(seconds: Int64) async throws {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wake in
                let isCancelled = Task.isCancelled
                state.withLock { state in
                    let until = Instant(
                        microseconds: state.now.microseconds + seconds * 1_000_000)
                    if !isCancelled { state.sleepers[number] = (until, wake) }
                }
                if isCancelled { wake.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
            sleeper?.wake.resume(throwing: CancellationError())
        }
    }
}

/// A flow with its parts at hand.
@MainActor
struct FlowFixture {
    let presenter: ScriptedPresenter
    let journal: MemoryJournal
    let clock = ManualClock()
    let flow: CheckoutFlow
    let log: Log

    @MainActor
    final class Log {
        var events: [FlowEvent] = []
        var late: [CheckoutResult] = []
        var names: [String] { events.map(\.name) }
    }

    nonisolated static let returnURL = "shopdemo://checkout/return"

    init(
        _ script: [PresenterReport] = [.shown], journal: MemoryJournal = MemoryJournal(),
        provider: (any ReturnURLParsing)? = nil, presenter: ScriptedPresenter? = nil
    ) throws {
        let presenter = presenter ?? ScriptedPresenter(script)
        let log = Log()
        self.presenter = presenter
        self.journal = journal
        self.log = log
        flow = CheckoutFlow(
            provider: try provider ?? DodoPaymentsProvider(), presenter: presenter,
            journal: journal, clock: clock)
        flow.onEvent = { log.events.append($0) }
        flow.onLateReturn = { log.late.append($0) }
    }

    func request(_ id: String, cancelURL: String? = nil, limit: Int64? = nil) -> CheckoutRequest {
        CheckoutRequest(
            checkoutURL: "https://test.checkout.dodopayments.com/session/\(id)",
            returnURL: Self.returnURL, cancelURL: cancelURL, timeLimitSeconds: limit)
    }

    /// Starts, waits until the page is there, lets something happen, gives the result.
    func run(
        _ request: CheckoutRequest, _ happen: @escaping @MainActor (CheckoutFlow) -> Void
    ) async throws -> CheckoutResult {
        let pages = presenter.pages.count
        let task = Task { try await flow.start(request) }
        await until { presenter.pages.count > pages }
        happen(flow)
        return try await task.value
    }

    /// Lets other tasks go on until it holds, and gives up after very many turns.
    func until(_ holds: @MainActor () async -> Bool) async {
        for _ in 0..<200_000 {
            if await holds() { return }
            await Task.yield()
        }
        Issue.record("what was waited for did not happen")
    }
}
