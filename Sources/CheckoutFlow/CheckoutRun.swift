import CheckoutModel
import ProviderKit

/// One checkout from start to result: carries out what its machine asks for, in order.
@MainActor
final class CheckoutRun {
    let request: CheckedRequest
    private let presenter: any CheckoutPresenter
    private let journal: any SessionJournal
    /// By which flows know that they share a journal.
    let journalObject: AnyObject
    private let clock: any FlowClock
    private let emit: @MainActor (FlowEvent) -> Void
    /// What a presenter's own listener brings.
    private let cameBack: @MainActor (String) -> Void
    private var machine = CheckoutMachine()
    private var pending: [CheckoutMachine.Action] = []
    private var waiter: CheckedContinuation<Void, Never>?
    private var timers: [Task<Void, Never>] = []
    private var reading: ReturnReading?
    /// True when another checkout waited at the same return URL when this one started.
    private var hasRival = false
    /// True when the journal had this session before: its page may have been seen then.
    private var wasKnown = false
    /// Payments that returns of other sessions named.
    private var otherPayments: Set<String> = []

    init(
        _ request: CheckedRequest, presenter: any CheckoutPresenter, journal: any SessionJournal,
        journalObject: AnyObject, clock: any FlowClock,
        emit: @escaping @MainActor (FlowEvent) -> Void,
        cameBack: @escaping @MainActor (String) -> Void
    ) {
        self.request = request
        self.presenter = presenter
        self.journal = journal
        self.journalObject = journalObject
        self.clock = clock
        self.emit = emit
        self.cameBack = cameBack
    }

    /// True when a return would be taken now.
    var takesReturn: Bool { machine.takesReturn }

    /// True when it has its return.
    var hasReturned: Bool { machine.hasReturned }

    /// True when a return to this session is this run's, taken or to be taken; any other is a late
    /// one, of an earlier run or of a page that is gone.
    var ownsReturns: Bool {
        takesReturn || hasReturned || (machine.isRecording && !wasKnown)
    }

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

    /// True when a return of another session named the payment of this one.
    func isOfAnother(_ claim: ReturnClaim) -> Bool {
        claim.ids.session != request.session.id
            && claim.ids.payment.map { otherPayments.contains($0) } ?? false
    }

    /// Takes the return; false when the checkout has one already.
    ///
    /// `isDoubtful`: it may be about another checkout, unless it names this one.
    func take(_ claim: ReturnClaim, url: String, isDoubtful: Bool) -> Bool {
        guard machine.takesReturn else { return false }
        reading = claim.reading
        let isCertain =
            claim.ids.session == request.session.id || !(hasRival || isDoubtful)
        feed(
            .returned(
                ReturnedCheckout(
                    status: claim.status, payment: claim.ids.payment,
                    subscription: claim.ids.subscription, isCertain: isCertain, url: url)))
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
            wasKnown = others.contains { $0.key == request.session }
            otherPayments = Set(
                others.filter { $0.key != request.session }.compactMap { $0.returned?.payment })
            try await append(.started(request.started))
            feed(.recorded)
        } catch {
            feed(.notRecorded(.notRecorded(error)))
        }
    }

    /// Whether an unfinished checkout could be meant by a return that names no session.
    private func isRival(_ other: JournaledSession) -> Bool {
        other.key != request.session && other.key.provider == request.session.provider
            && !other.isSettled
            && !AbandonedCheckout(other, lifeSeconds: request.lifeSeconds, at: clock.now())
                .isPastLife
            && other.started.returnURLs.contains { request.isReturn($0) }
    }

    private func carryOut(_ action: CheckoutMachine.Action) async {
        switch action {
        case .record(.failedToOpen) where wasKnown:
            // It would be forgotten, and an earlier run may have shown its page.
            break
        case .record(let fact):
            // The result is handed over all the same: losing it too would help nobody.
            try? await append(fact)
        case .present:
            presenter.present(request.page) { [weak self, cameBack] report in
                // Not by this run, which may be over: then it is a late return.
                if case .cameBack(let url) = report { return cameBack(url) }
                self?.heard(report)
            }
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
        case .failedToLoad: feed(.failedToLoad)
        case .dismissed: feed(.dismissed)
        case .cameBack: break
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
