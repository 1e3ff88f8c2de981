public import CheckoutModel
public import ProviderKit

/// Runs hosted checkouts for an app: opens the page, takes the return, gives back one result.
///
/// Holds no key and calls no provider. Does not touch the app's own screens: the host decides what
/// to show with a result. Runs one checkout at a time for each presenter; a second window has a
/// flow and a presenter of its own, and both should share one journal object: then neither takes
/// the other's checkout for abandoned, nor its return for its own.
@MainActor
public final class CheckoutFlow {
    let provider: any ReturnURLParsing
    let journal: any SessionJournal
    let clock: any FlowClock
    private let presenter: any CheckoutPresenter
    private var run: CheckoutRun?
    private var runCount = 0
    private var recent: [TakenReturn] = []
    private var listeners: [Int: AsyncStream<FlowEvent>.Continuation] = [:]
    private var listenerCount = 0
    /// Every flow's checkouts, by the presenter that shows their page.
    private static var running: [ObjectIdentifier: CheckoutRun] = [:]
    /// The object behind the journal, by which flows know that they share one.
    ///
    /// A journal that is a value has one that nobody shares.
    let journalObject: AnyObject

    /// A return that was taken, so that its second delivery is known.
    private struct TakenReturn {
        let text: String
        let session: SessionKey
        /// The number of the run that took it; nil for a late one.
        let run: Int?
        let time: Instant
    }

    /// Told of every event, in order; for logs.
    public var onEvent: (@MainActor (FlowEvent) -> Void)?
    /// Told of returns that no `start` waits for any more; they are in ``results()`` too.
    public var onLateReturn: (@MainActor (CheckoutResult) -> Void)?
    /// Told what happens, for hosts that do not use `async`.
    public weak var delegate: (any CheckoutFlowDelegate)?

    /// Joins a provider's adapter, a presenter and a journal.
    public init(
        provider: any ReturnURLParsing, presenter: any CheckoutPresenter,
        journal: any SessionJournal, clock: any FlowClock = SystemFlowClock()
    ) {
        self.provider = provider
        self.presenter = presenter
        self.journal = journal
        journalObject = journal as AnyObject
        self.clock = clock
    }

    /// The checkout that is running; nil when none is.
    public var activeSession: SessionKey? { run?.request.session }

    /// The checkouts of this process that are kept in the same journal, this flow's among them.
    var neighbours: [CheckoutRun] {
        Self.running.values.filter { $0.journalObject === journalObject }
    }

    /// True when a running checkout only waits for its page; for tests.
    var isWaiting: Bool { run?.isWaiting ?? false }

    /// Opens a checkout and waits for its end.
    ///
    /// The checkout is noted in the journal before anything is shown. A declined or abandoned
    /// payment is a result, not an error. When the calling task is cancelled the page is taken
    /// down and the result's ending is `cancelledByApp`, so that it is not mistaken for the
    /// customer's wish.
    ///
    /// Throws `INVALID_CHECKOUT_URL`, `INVALID_RETURN_URL`, `ALREADY_IN_PROGRESS`, `NOT_RECORDED`
    /// and what the presenter says, in this order.
    public func start(_ request: CheckoutRequest) async throws(CheckoutError) -> CheckoutResult {
        let checked = try CheckedRequest(request, for: provider)
        let place = ObjectIdentifier(presenter)
        guard run == nil, Self.running[place] == nil else { throw .busy }
        guard !neighbours.contains(where: { $0.request.session == checked.session }) else {
            throw .shownElsewhere
        }
        try presenter.prepare()
        let run = CheckoutRun(
            checked, presenter: presenter, journal: journal, journalObject: journalObject,
            clock: clock,
            emit: { [weak self] in self?.tell($0) },
            cameBack: { [weak self] in _ = self?.handle(openURL: $0) })
        self.run = run
        runCount += 1
        Self.running[place] = run
        defer {
            self.run = nil
            Self.running[place] = nil
        }
        return try await withCancellation(of: run)
    }

    /// Whether the URL is the running checkout's return; the host forwards every URL it gets.
    ///
    /// Also before any `start`, at the launch of the app: a return to a checkout of an earlier
    /// process answers false and is handed over as a late return.
    @discardableResult
    public func handleOpenURL(_ url: String) -> Bool { handle(openURL: url).isHandled }

    /// The same, with the reason.
    public func handle(openURL text: String) -> OpenURLVerdict {
        guard !isSecondDelivery(text) else { return .ignored(.alreadyHandled) }
        let verdict = offer(text)
        switch verdict {
        case .handled: if let run { remember(text, of: run.request.session, by: runCount) }
        case .ignored(.noActiveCheckout), .ignored(.otherSession), .ignored(.notTheReturnURL):
            Task { await self.takeLate(text) }
        case .ignored: break
        }
        return verdict
    }

    /// The events from now on, to one listener; ends with the flow.
    public func events() -> AsyncStream<FlowEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: FlowEvent.self)
        let number = listenerCount
        listenerCount += 1
        listeners[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.listeners[number] = nil }
        }
        return stream
    }

    deinit { for listener in listeners.values { listener.finish() } }

    private func offer(_ text: String) -> OpenURLVerdict {
        guard let run else { return .ignored(.noActiveCheckout) }
        var first: ReturnURLMatch?
        for (pattern, landing) in run.request.patterns {
            let match = pattern.match(text)
            guard match.isMatch, let url = try? ReturnURL(parsing: text) else {
                if first == nil { first = match }
                continue
            }
            guard run.takesReturn else {
                return .ignored(run.hasReturned ? .alreadyReturned : .noActiveCheckout)
            }
            do throws(ReturnRejection) {
                let claim = try provider.parseReturn(
                    ReturnRequest(
                        url: url, landing: landing, expectedSession: run.request.session.id))
                guard !run.isOfAnother(claim) else { return .ignored(.otherSession) }
                return run.take(claim, url: text, isDoubtful: isDoubtful(text, run))
                    ? .handled : .ignored(.alreadyReturned)
            } catch {
                return .ignored(error == .otherSession ? .otherSession : .malformed)
            }
        }
        return .ignored(.notTheReturnURL(first ?? .differs(.scheme)))
    }

    private func withCancellation(
        of run: CheckoutRun
    ) async throws(CheckoutError) -> CheckoutResult {
        let result: Result<CheckoutResult, CheckoutError> = await withTaskCancellationHandler {
            do throws(CheckoutError) {
                return .success(try await run.outcome())
            } catch {
                return .failure(error)
            }
        } onCancel: {
            Task { @MainActor in run.cancel() }
        }
        return try result.get()
    }

    /// Whether a return may be another checkout's, though it comes back to this one's URL.
    private func isDoubtful(_ text: String, _ run: CheckoutRun) -> Bool {
        if let taken = recent.last(where: { $0.text == text }), taken.session != run.request.session
        {
            return true
        }
        return neighbours.contains { other in
            other !== run && other.takesReturn && other.request.isReturn(text)
                && other.request.session.provider == run.request.session.provider
        }
    }

    /// Whether a URL was taken before, and this is the system telling it again.
    ///
    /// Another checkout may come back with the very same words, long after; to take those for a
    /// second delivery would leave its page open for ever.
    private func isSecondDelivery(_ text: String) -> Bool {
        guard let taken = recent.last(where: { $0.text == text }) else { return false }
        guard let run, run.takesReturn, taken.run != runCount else { return true }
        let gap = clock.now().microseconds - taken.time.microseconds
        return gap.magnitude < FlowLimits.secondDeliverySeconds * 1_000_000
    }

    /// Whether a return was taken, for late ones that come twice at once.
    func wasTaken(_ text: String) -> Bool { recent.contains { $0.text == text } }

    func remember(_ text: String, of session: SessionKey, by run: Int? = nil) {
        recent.append(TakenReturn(text: text, session: session, run: run, time: clock.now()))
        if recent.count > FlowLimits.recentReturns { recent.removeFirst() }
    }

    func tell(_ event: FlowEvent) {
        onEvent?(event)
        delegate?.checkoutFlow(self, didEmit: event)
        for listener in listeners.values { listener.yield(event) }
    }
}
