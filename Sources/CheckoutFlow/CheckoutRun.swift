import CheckoutModel
import ProviderKit

/// One checkout from start to result: carries out what its machine asks for, in order.
@MainActor
final class CheckoutRun {
    let request: CheckedRequest
    private let presenter: any CheckoutPresenter
    private let journal: any SessionJournal
    private let clock: any FlowClock
    private let emit: @MainActor (FlowEvent) -> Void
    /// What a presenter's own listener brings.
    private let cameBack: @MainActor (String) -> Void
    private var machine = CheckoutMachine()
    private var pending: [CheckoutMachine.Action] = []
    private var waiter: CheckedContinuation<Void, Never>?
    private var timers: [Task<Void, Never>] = []
    private var reading: ReturnReading?
    /// True when another checkout waits at the same return URL.
    private(set) var hasRival = false

    init(
        _ request: CheckedRequest, presenter: any CheckoutPresenter, journal: any SessionJournal,
        clock: any FlowClock, emit: @escaping @MainActor (FlowEvent) -> Void,
        cameBack: @escaping @MainActor (String) -> Void
    ) {
        self.request = request
        self.presenter = presenter
        self.journal = journal
        self.clock = clock
        self.emit = emit
        self.cameBack = cameBack
    }

    /// True when a return would be taken now.
    var takesReturn: Bool { machine.takesReturn }

    /// True when it has its return.
    var hasReturned: Bool { machine.hasReturned }

    /// True when nothing goes on before something happens to the page.
    var isWaiting: Bool { pending.isEmpty && waiter != nil }

    /// Runs to the end; called once.
    func outcome() async throws(CheckoutError) -> CheckoutResult {
        defer { timers.forEach { $0.cancel() } }
        await recordStart()
        if let seconds = request.timeLimitSeconds { after(seconds, .timedOut) }
        while true {
            while !pending.isEmpty {
                let action = pending.removeFirst()
                guard case .finish(let finish) = action else {
                    await carryOut(action)
                    continue
                }
                switch finish {
                case .failure(let error): throw error
                case .result(let ending, let returned):
                    return CheckoutResult(
                        request.session, ending: ending, returned: returned, reading: reading)
                }
            }
            await withCheckedContinuation { waiter = $0 }
        }
    }

    /// Takes the return; false when the checkout has one already.
    func take(_ claim: ReturnClaim, url: String) -> Bool {
        guard machine.takesReturn else { return false }
        reading = claim.reading
        let named = claim.ids.session == request.session.id
        feed(
            .returned(
                ReturnedCheckout(
                    status: claim.status, payment: claim.ids.payment,
                    subscription: claim.ids.subscription, isCertain: named || !hasRival, url: url)))
        return true
    }

    /// The app does not want to wait any longer.
    func cancel() { feed(.cancelled) }

    private func feed(_ input: CheckoutMachine.Input) {
        pending += machine.handle(input)
        guard !pending.isEmpty else { return }
        waiter?.resume()
        waiter = nil
    }

    private func recordStart() async {
        do throws(JournalError) {
            let others = try await journal.sessions()
            hasRival = others.contains { isRival($0) }
            try await append(.started(request.started))
            feed(.recorded)
        } catch {
            feed(.notRecorded(.notRecorded(error)))
        }
    }

    /// Whether an unfinished checkout could be meant by a return that names no session.
    private func isRival(_ other: JournaledSession) -> Bool {
        other.key != request.session && other.key.provider == request.session.provider
            && !other.isSettled && !(other.started.expiresAt.map { $0 < clock.now() } ?? false)
            && other.started.returnURLs.contains { url in
                request.patterns.contains { $0.pattern.match(url).isMatch }
            }
    }

    private func carryOut(_ action: CheckoutMachine.Action) async {
        switch action {
        case .record(let fact):
            // The result is handed over all the same: losing it too would help nobody.
            try? await append(fact)
        case .present:
            presenter.present(request.page) { [weak self] report in self?.heard(report) }
        case .dismiss:
            after(FlowLimits.dismissSeconds, .gone)
            presenter.dismiss { [weak self] in self?.feed(.gone) }
        case .emit(let kind):
            emit(FlowEvent(kind: kind, session: request.session, time: clock.now()))
        case .finish: break
        }
    }

    private func append(_ fact: JournalFact) async throws(JournalError) {
        try await journal.append(JournalEntry(request.session, at: clock.now(), fact))
    }

    private func heard(_ report: PresenterReport) {
        switch report {
        case .shown: feed(.shown)
        case .notShown(let error, let mayAppear): feed(.notShown(error, mayAppear: mayAppear))
        case .dismissed: feed(.dismissed)
        case .cameBack(let url): cameBack(url)
        }
    }

    private func after(_ seconds: Int64, _ input: CheckoutMachine.Input) {
        timers.append(
            Task { [weak self, clock] in
                guard (try? await clock.sleep(seconds: seconds)) != nil else { return }
                self?.feed(input)
            })
    }
}
