package import CheckoutLedger
package import CheckoutModel
package import EventLog
import HTTPServer
package import ProviderKit
import Synchronization

/// Asks providers about sessions without an outcome, from time to time, and about what unsigned
/// notes name, at once.
///
/// One question after the other, so that a flood of notes is never a flood of requests.
package final class ReconcileLoop<Store: LogStore>: Sendable {
    /// What is asked with; replaced as one when the configuration is read again.
    package struct Setup: Sendable {
        let configuration: LedgerConfiguration
        let transport: any HTTPTransport

        package init(_ configuration: LedgerConfiguration, over transport: any HTTPTransport) {
            self.configuration = configuration
            self.transport = transport
        }
    }

    private struct State {
        var setup: Setup
        var waiting: [UInt64] = []
        var known: Set<UInt64> = []
        var isEnded = false
    }

    private let ledger: Ledger<Store>
    private let metrics: ServerMetrics
    private let now: @Sendable () -> Instant
    private let tell: @Sendable (ServerEvent) -> Void
    private let state: Mutex<State>
    private let hints: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    package init(
        ledger: Ledger<Store>, setup: Setup, metrics: ServerMetrics,
        now: @escaping @Sendable () -> Instant, tell: @escaping @Sendable (ServerEvent) -> Void
    ) {
        self.ledger = ledger
        self.metrics = metrics
        self.now = now
        self.tell = tell
        state = Mutex(State(setup: setup))
        (hints, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Asks with another configuration from the next question on.
    package func replace(_ setup: Setup) { state.withLock { $0.setup = setup } }

    /// Notes that a stream is to be asked about; false when too many wait.
    package func ask(about stream: UInt64) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.known.contains(stream) else { return true }
            guard state.waiting.count < ServingLimits.waitingHints else { return false }
            state.waiting.append(stream)
            state.known.insert(stream)
            return true
        }
        wake.yield()
        return isTaken
    }

    /// Notes at the log's end that nobody had followed when the program ended last.
    package func takeUpHints() throws(LedgerError) {
        for stream in try ledger.streamsOfUnansweredHints(within: ServingLimits.hintsLookedFor) {
            _ = ask(about: stream)
        }
    }

    /// Follows notes until the task is cancelled.
    package func followHints() async {
        for await _ in hints {
            while let (stream, setup) = next() {
                if Task.isCancelled { return }
                await run(setup) { reconciler throws(LedgerError) in
                    try await reconciler.reconcile(stream: stream) { self.count($0) }
                }
            }
        }
    }

    private func next() -> (UInt64, Setup)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else { return nil }
            let stream = state.waiting.removeFirst()
            state.known.remove(stream)
            return (stream, state.setup)
        }
    }

    /// Asks about every session without an outcome that is older than `patience`, in µs.
    package func askAboutAll(olderThan patience: Int64) async {
        let setup = state.withLock { $0.setup }
        let (instant, counts) = (now(), Counts())
        await run(setup) { reconciler throws(LedgerError) in
            try await reconciler.reconcileAll(asOf: instant, olderThan: patience) { result in
                self.count(result)
                counts.add(result)
            }
        }
        let (asked, resolved) = counts.both
        guard asked > 0 else { return }
        tell(
            ServerEvent(
                .info, "reconcile",
                [WebField("sessions", "\(asked)"), WebField("resolved", "\(resolved)")]))
    }

    /// Asks about one session at once, because a person wants to know; nil where it is no session
    /// to ask about any more.
    package func ask(
        nowAbout session: Session
    ) async throws(LedgerError) -> ReconcileResult? {
        let setup = state.withLock { $0.setup }
        var answer: ReconcileResult?
        try await reconciler(setup).reconcile([session]) { result in
            self.count(result)
            answer = result
        }
        return answer
    }

    private func reconciler(_ setup: Setup) -> Reconciler<Store> {
        Reconciler(
            ledger: ledger, configuration: setup.configuration, transport: setup.transport,
            now: now, isStopped: { Task.isCancelled })
    }

    private func run(
        _ setup: Setup, _ body: (Reconciler<Store>) async throws(LedgerError) -> Void
    ) async {
        do throws(LedgerError) {
            try await body(reconciler(setup))
        } catch {
            tell(ServerEvent(.error, "reconcile", [WebField("error", error.code.rawValue)]))
        }
    }

    private func count(_ result: ReconcileResult) { metrics.countReconciled(result.word) }
}

/// What a run has come to.
private final class Counts: Sendable {
    private let state = Mutex((asked: 0, resolved: 0))

    var both: (asked: Int, resolved: Int) { state.withLock { $0 } }

    func add(_ result: ReconcileResult) {
        state.withLock { state in
            state.asked += 1
            if result.isResolved { state.resolved += 1 }
        }
    }
}

extension ReconcileResult {
    /// The word in metrics.
    fileprivate var word: String {
        switch ending {
        case .resolved: "resolved"
        case .pending: "pending"
        case .needsReview: "needs_review"
        case .unclear: "unclear"
        case .notAsked(let obstacle): obstacle.code
        case .wouldAsk: "would_ask"
        }
    }
}
