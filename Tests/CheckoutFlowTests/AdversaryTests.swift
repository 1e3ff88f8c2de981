import CheckoutModel
import DodoPayments
import ProviderKit
import Stripe
import Testing

@testable import CheckoutFlow

/// A presenter that does whatever its test wants with the page.
@MainActor
private final class WildPresenter: CheckoutPresenter {
    var onPresent: @MainActor (CheckoutPage, @escaping @MainActor (PresenterReport) -> Void) -> Void
    var onDismiss: @MainActor (@escaping @MainActor () -> Void) -> Void = { $0() }

    init(
        _ onPresent:
            @escaping @MainActor (
                CheckoutPage, @escaping @MainActor (PresenterReport) -> Void
            ) -> Void
    ) { self.onPresent = onPresent }

    func prepare() throws(CheckoutError) {}

    func present(
        _ page: CheckoutPage, report: @escaping @MainActor (PresenterReport) -> Void
    ) { onPresent(page, report) }

    func dismiss(then gone: @escaping @MainActor () -> Void) { onDismiss(gone) }
}

/// A journal that throws at the entries that its test names, and waits where it is told to.
private actor WildJournal: SessionJournal {
    private let kept = MemoryJournal()
    private let fails: @Sendable (JournalFact) -> Bool
    private var gate: (@Sendable (JournalFact) -> Bool)?
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(failing fails: @escaping @Sendable (JournalFact) -> Bool = { _ in false }) {
        self.fails = fails
    }

    func hold(at gate: (@Sendable (JournalFact) -> Bool)?) {
        self.gate = gate
        for wake in waiting { wake.resume() }
        waiting = []
    }

    var isHolding: Bool { !waiting.isEmpty }

    func append(_ entry: JournalEntry) async throws(JournalError) {
        if fails(entry.fact) { throw .write("no room") }
        if gate?(entry.fact) ?? false { await withCheckedContinuation { waiting.append($0) } }
        try await kept.append(entry)
    }

    func sessions() async -> [JournaledSession] { await kept.sessions() }
}

/// What is done to a flow from where one would not expect it.
@MainActor
@Suite("A flow that is called from its own callbacks, and lied to")
struct AdversaryTests {
    private let back = FlowFixture.returnURL
    private var paid: String { "\(back)?status=succeeded&payment_id=pay_1" }

    private func request(_ id: String) -> CheckoutRequest {
        CheckoutRequest(
            checkoutURL: "https://test.checkout.dodopayments.com/session/\(id)", returnURL: back)
    }

    private func flow(
        _ presenter: any CheckoutPresenter, _ journal: any SessionJournal = MemoryJournal(),
        clock: any FlowClock = ManualClock()
    ) throws -> CheckoutFlow {
        CheckoutFlow(
            provider: try DodoPaymentsProvider(), presenter: presenter, journal: journal,
            clock: clock)
    }

    private func until(_ holds: @MainActor () async -> Bool) async {
        for _ in 0..<200_000 {
            if await holds() { return }
            await Task.yield()
        }
        Issue.record("what was waited for did not happen")
    }

    @Test("A return given from within an event is taken, and the events stay in order")
    func returnWithinEvent() async throws {
        let fixture = try FlowFixture()
        let (flow, log, url) = (fixture.flow, fixture.log, paid)
        flow.onEvent = { event in
            log.events.append(event)
            if event.kind == .opened { #expect(flow.handleOpenURL(url)) }
            if event.kind == .closed { #expect(!flow.handleOpenURL("\(url)&again=1")) }
        }
        let result = try await flow.start(fixture.request("cks_A"))
        #expect(result.paymentID == "pay_1")
        #expect(log.names == ["checkout.opened", "checkout.return_received", "checkout.closed"])
    }

    @Test("The next checkout may be started from an event, a completion or a late return")
    func startWithinCallbacks() async throws {
        let fixture = try FlowFixture()
        let (flow, presenter) = (fixture.flow, fixture.presenter)
        var ended: [String] = []
        var next = ["cks_B", "cks_C"]
        func begin(_ id: String) {
            flow.start(fixture.request(id)) { outcome in
                ended.append((try? outcome.get().session.id) ?? "error")
                if !next.isEmpty { begin(next.removeFirst()) }
            }
        }
        begin("cks_A")
        for count in 1...3 {
            await until { presenter.pages.count == count }
            presenter.report(.dismissed)
        }
        await until { ended.count == 3 }
        #expect(ended == ["cks_A", "cks_B", "cks_C"])
        var fromEvent: Task<CheckoutResult, any Error>?
        flow.onEvent = { event in
            guard event.kind == .closed, fromEvent == nil else { return }
            fromEvent = Task { try await flow.start(fixture.request("cks_E")) }
        }
        _ = try await fixture.run(fixture.request("cks_D")) { _ in presenter.report(.dismissed) }
        await until { presenter.pages.count == 5 }
        presenter.report(.dismissed)
        #expect(try await fromEvent?.value.session.id == "cks_E")
    }

    @Test("A task that is cancelled before it starts, or while the page is asked for, ends")
    func cancelledEarly() async throws {
        let fixture = try FlowFixture()
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await fixture.flow.start(fixture.request("cks_A"))
        }
        #expect(try await early.value.ending == .cancelledByApp)
        #expect(fixture.presenter.pages.isEmpty)
        #expect(await fixture.journal.sessions().isEmpty, "nobody has seen it")

        var task: Task<CheckoutResult, any Error>?
        let flow = try flow(
            WildPresenter { _, report in
                task?.cancel()
                report(.shown)
            })
        task = Task { try await flow.start(request("cks_B")) }
        #expect(try await task?.value.ending == .cancelledByApp)
        #expect(flow.activeSession == nil)
    }

    @Test("A presenter that tells everything twice, and goes on afterwards, changes nothing")
    func chatty() async throws {
        var tell: (@MainActor (PresenterReport) -> Void)?
        let presenter = WildPresenter { _, report in
            tell = report
            for _ in 0..<2 { report(.shown) }
            for _ in 0..<2 { report(.failedToLoad) }
        }
        presenter.onDismiss = { gone in for _ in 0..<2 { gone() } }
        let flow = try flow(presenter)
        var names: [String] = []
        flow.onEvent = { names.append($0.name) }
        let task = Task { try await flow.start(request("cks_A")) }
        await until { flow.isWaiting }
        for _ in 0..<2 { tell?(.dismissed) }
        #expect(try await task.value.ending == .dismissed)
        let error = CheckoutError(.platform, "No.")
        for report in [.shown, .notShown(error, mayAppear: true), .dismissed, .failedToLoad]
            as [PresenterReport]
        { tell?(report) }
        #expect(names == ["checkout.opened", "checkout.load_failed", "checkout.closed"])
        #expect(flow.activeSession == nil)
    }

    @Test("A page whose first load fails is told of once it is on the screen, and may go on")
    func failedToLoad() async throws {
        let fixture = try FlowFixture([.failedToLoad, .shown])
        let url = paid
        let result = try await fixture.run(fixture.request("cks_A")) { flow in
            fixture.presenter.report(.failedToLoad)
            #expect(flow.handleOpenURL(url))
        }
        #expect(result.status == .succeeded)
        #expect(
            fixture.log.names == [
                "checkout.opened", "checkout.load_failed", "checkout.return_received",
                "checkout.closed",
            ])
    }

    @Test("A presenter that never answers is left by cancelling, and released")
    func silent() async throws {
        let clock = ManualClock()
        weak var gone: WildPresenter?
        do {
            let presenter = WildPresenter { _, _ in }
            presenter.onDismiss = { _ in }
            gone = presenter
            let flow = try flow(presenter, clock: clock)
            let task = Task { try await flow.start(request("cks_A")) }
            await until { flow.isWaiting }
            task.cancel()
            await until { clock.sleeperCount == 1 }
            clock.advance(seconds: 5)
            #expect(try await task.value.ending == .cancelledByApp)
        }
        await until { gone == nil }
    }

    @Test("What a presenter's own listener brings after the end is a late return")
    func lateByPresenter() async throws {
        var tell: (@MainActor (PresenterReport) -> Void)?
        let flow = try flow(
            WildPresenter { _, report in
                tell = report
                report(.shown)
            })
        var late: [CheckoutResult] = []
        flow.onLateReturn = { late.append($0) }
        let task = Task { try await flow.start(request("cks_A")) }
        await until { flow.isWaiting }
        tell?(.dismissed)
        #expect(try await task.value.ending == .dismissed)
        tell?(.cameBack(url: paid))
        await until { !late.isEmpty }
        #expect(late.map(\.paymentID) == ["pay_1"])
        #expect(try await flow.results().map(\.ending) == [.returned])
    }

    @Test("A journal that fails at any later entry takes no result away")
    func failingJournal() async throws {
        let steps: [@Sendable (JournalFact) -> Bool] = [
            { $0 == .opened },
            { if case .returned = $0 { true } else { false } },
            { if case .closed = $0 { true } else { false } },
            { if case .started = $0 { false } else { true } },
        ]
        for fails in steps {
            let presenter = ScriptedPresenter()
            let journal = WildJournal(failing: fails)
            let flow = try flow(presenter, journal)
            let task = Task { try await flow.start(request("cks_A")) }
            await until { flow.isWaiting }
            #expect(flow.handleOpenURL(paid))
            #expect(try await task.value.paymentID == "pay_1")
            #expect(await journal.sessions().map(\.key.id) == ["cks_A"], "it is not forgotten")
        }
    }

    @Test("A return that comes while the end is being noted reaches its session")
    func returnWhileClosing() async throws {
        let presenter = ScriptedPresenter()
        let journal = WildJournal()
        let flow = try flow(presenter, journal)
        var late: [CheckoutResult] = []
        flow.onLateReturn = { late.append($0) }
        let task = Task { try await flow.start(request("cks_A")) }
        await until { flow.isWaiting }
        await journal.hold { if case .closed = $0 { true } else { false } }
        presenter.report(.dismissed)
        await until { await journal.isHolding }
        #expect(flow.handle(openURL: paid) == .ignored(.noActiveCheckout))
        await until { !late.isEmpty }
        await journal.hold(at: nil)
        #expect(try await task.value.ending == .dismissed)
        #expect(late.map(\.paymentID) == ["pay_1"])
        #expect(try await flow.results().map(\.status) == [.succeeded])
    }

    @Test("A late return that is told twice at once is taken once, and by no other session")
    func lateTwice() async throws {
        let fixture = try FlowFixture()
        for id in ["cks_A", "cks_B"] {
            _ = try await fixture.run(fixture.request(id)) { _ in
                fixture.presenter.report(.dismissed)
            }
        }
        try await fixture.flow.resolve(SessionKey("dodo", "cks_B"), with: .failed)
        for _ in 0..<3 { fixture.flow.handleOpenURL(paid) }
        fixture.flow.handleOpenURL("\(back)?status=failed&payment_id=pay_2")
        await until { !fixture.log.late.isEmpty }
        #expect(await fixture.flow.receiveLate(openURL: paid) == nil)
        #expect(await fixture.flow.receiveLate(openURL: "\(paid)&more=1") == nil)
        #expect(fixture.log.late.map(\.paymentID) == ["pay_1"])
    }

    @Test("A payment that one session's return has named is never another one's")
    func otherPayment() async throws {
        let fixture = try FlowFixture()
        let url = paid
        _ = try await fixture.run(fixture.request("cks_A")) { $0.handleOpenURL(url) }
        let restarted = try FlowFixture(journal: fixture.journal)
        // The system tells the return again: to a page that is open, and to one that was closed.
        let result = try await restarted.run(restarted.request("cks_B")) { flow in
            #expect(flow.handle(openURL: url) == .ignored(.otherSession))
            restarted.presenter.report(.dismissed)
        }
        #expect(result.ending == .dismissed)
        #expect(await restarted.flow.receiveLate(openURL: url) == nil)
        #expect(try await restarted.flow.abandonedSessions().map(\.key.id) == ["cks_B"])
    }

    @Test("The same words end a later checkout too, and say that they may be the earlier one's")
    func sameWords() async throws {
        let fixture = try FlowFixture()
        let url = "\(back)?status=failed"
        let first = try await fixture.run(fixture.request("cks_A")) { $0.handleOpenURL(url) }
        #expect(first.isCertain)
        try await fixture.flow.acknowledge(first.session)
        let second = try await fixture.run(fixture.request("cks_B")) { flow in
            #expect(flow.handle(openURL: url) == .ignored(.alreadyHandled), "told twice")
            fixture.clock.advance(seconds: 60)
            #expect(flow.handle(openURL: url) == .handled)
        }
        #expect(second.status == .failed)
        #expect(!second.isCertain)
        #expect(try await fixture.flow.abandonedSessions().map(\.key.id) == ["cks_B"])
        // A session that is tried again comes back with the same words, and they are its own.
        let again = "\(back)?status=processing&payment_id=pay_3"
        let third = try await fixture.run(fixture.request("cks_C")) { $0.handleOpenURL(again) }
        fixture.clock.advance(seconds: -3_600)
        try await fixture.flow.resolve(SessionKey("dodo", "cks_B"), with: .failed)
        let fourth = try await fixture.run(fixture.request("cks_C")) { $0.handleOpenURL(again) }
        #expect([third, fourth].map(\.status) == [.pending, .pending])
        #expect([third, fourth].map(\.isCertain) == [false, true])
    }

    @Test("Two windows with one journal do not take each other's checkouts or returns")
    func windows() async throws {
        let first = try FlowFixture()
        let second = try FlowFixture(journal: first.journal)
        let task = Task { try await first.flow.start(first.request("cks_A")) }
        await until { first.flow.isWaiting }
        await #expect {
            try await second.flow.start(second.request("cks_A"))
        } throws: { ($0 as? CheckoutError)?.code == .alreadyInProgress }
        #expect(try await second.flow.abandonedSessions().isEmpty)
        #expect(!second.flow.handleOpenURL(paid))
        #expect(await second.flow.receiveLate(openURL: paid) == nil)
        let other = Task { try await second.flow.start(second.request("cks_B")) }
        await until { second.flow.isWaiting }
        #expect(first.flow.handleOpenURL(paid))
        #expect(try await !task.value.isCertain, "both waited at one URL")
        #expect(second.flow.activeSession?.id == "cks_B")
        second.presenter.report(.dismissed)
        _ = try await other.value
        #expect(second.log.late.isEmpty)
        #expect(try await first.flow.abandonedSessions().map(\.key.id) == ["cks_A", "cks_B"])
    }

    @Test("A checkout that is tried again and not shown then is not forgotten")
    func notShownAgain() async throws {
        let error = CheckoutError(.browserUnavailable, "No.")
        let fixture = try FlowFixture([.notShown(error, mayAppear: false)])
        // The process that opened it ended before it could note that the page was there.
        let started = StartedCheckout(mode: .test, returnURLs: [back])
        try await fixture.journal.append(
            JournalEntry(SessionKey("dodo", "cks_A"), at: Instant(seconds: 1), .started(started)))
        for id in ["cks_A", "cks_B"] {
            await #expect(throws: CheckoutError.self) {
                try await fixture.flow.start(fixture.request(id))
            }
        }
        #expect(try await fixture.flow.abandonedSessions().map(\.key.id) == ["cks_A"])
    }

    @Test("Return and cancel URL that differ in their queries only say nothing by themselves")
    func sameURLs() async throws {
        let fixture = try FlowFixture(provider: try StripeProvider())
        var request = CheckoutRequest(
            checkoutURL: "https://checkout.stripe.com/c/pay/cs_test_1",
            returnURL: "\(back)?way=ok", cancelURL: "\(back)/?way=cancelled")
        let same = try await fixture.run(request) {
            #expect($0.handleOpenURL("\(back)/?way=cancelled"))
        }
        #expect(same.status == .pending)
        request.checkoutURL += "2"
        request.cancelURL = "\(back)/cancelled"
        let apart = try await fixture.run(request) {
            #expect($0.handleOpenURL("\(back)/cancelled?way=cancelled"))
        }
        #expect(apart.status == .cancelled)
    }

    @Test("Sessions say when they are too old to be paid, and stand in no later return's way")
    func age() async throws {
        let fixture = try FlowFixture()
        for (id, seconds) in [("cks_A", nil), ("cks_B", 900)] as [(String, Int64?)] {
            var request = fixture.request(id)
            request.expiresAt = seconds.map {
                Instant(microseconds: fixture.clock.now().microseconds + $0 * 1_000_000)
            }
            _ = try await fixture.run(request) { _ in fixture.presenter.report(.dismissed) }
        }
        func ages() async throws -> [Bool] {
            try await fixture.flow.abandonedSessions().map(\.isPastLife)
        }
        #expect(try await ages() == [false, false])
        fixture.clock.advance(seconds: 901)
        #expect(try await ages() == [false, true])
        fixture.clock.advance(seconds: 86_400)
        #expect(try await ages() == [true, true])
        #expect(await fixture.journal.sessions().count == 2, "being old is no outcome")
        let url = paid
        let next = try await fixture.run(fixture.request("cks_C")) { _ in
            fixture.presenter.report(.dismissed)
        }
        #expect(next.isCertain)
        #expect(await fixture.flow.receiveLate(openURL: url)?.session.id == "cks_C")
        let last = try await fixture.run(fixture.request("cks_D")) {
            $0.handleOpenURL("\(back)?status=failed&payment_id=pay_9")
        }
        #expect(last.isCertain)
        fixture.clock.advance(seconds: -7 * 86_400)
        #expect(try await ages() == [false, false], "a clock that jumped back makes nothing old")
    }

    @Test("Hostile URLs end nothing and find nothing")
    func hostile() async throws {
        let fixture = try FlowFixture()
        let long = String(repeating: "%41", count: 100_000)
        let urls = [
            "", ":", "://", "shopdemo:", "shopdemo://", "shopdemo://checkout",
            "javascript:alert(1)", "\(back)\u{0}", "\(back)/../return?status=succeeded",
            "shopdemo://user@checkout/return?status=succeeded",
            "shopdemo://checkout:80/return?status=succeeded",
            "shopdemo://checkout%2Freturn?status=succeeded",
            "shopdemo://checkout/return%2F?status=succeeded", "\(back)?\(long)", long,
            "shopdemo://chеckout/return?status=succeeded",
        ]
        let result = try await fixture.run(fixture.request("cks_A")) { flow in
            for url in urls { #expect(!flow.handleOpenURL(url), "\(url.prefix(80))") }
            fixture.presenter.report(.dismissed)
        }
        #expect(result.ending == .dismissed)
        for url in urls { #expect(await fixture.flow.receiveLate(openURL: url) == nil) }
        #expect(fixture.log.late.isEmpty)
    }
}
