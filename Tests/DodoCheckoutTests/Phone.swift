import CheckoutModel
import Foundation
import Testing

@testable import CheckoutFlow
@testable import DodoCheckout

/// A clock that stands still; whoever sleeps on it wakes only when cancelled.
struct StillClock: FlowClock {
    let time: Instant

    func now() -> Instant { time }

    func sleep(seconds: Int64) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
        throw CancellationError()
    }
}

/// A scripted presenter that also counts, and holds a page that goes away when told to.
@MainActor
final class Screen: CheckoutPresenter {
    let scripted = ScriptedPresenter([])
    var dismissals = 0
    var watchdog = PresentationWatchdog()

    func prepare() throws(CheckoutFlow.RunError) { try scripted.prepare() }

    func present(
        _ page: CheckoutPage, report: @escaping @MainActor (PresenterReport) -> Void
    ) {
        watchdog = PresentationWatchdog()
        scripted.present(page, report: report)
    }

    func dismiss(then gone: @escaping @MainActor () -> Void) {
        dismissals += 1
        scripted.dismiss(then: gone)
    }

    /// Half seconds go by, with the app in front or not.
    func wait(ticks: Int, isActive: Bool) {
        for _ in 0..<ticks where watchdog.tick(isActive: isActive) {
            scripted.report(.notShown(PresentationWatchdog.overdue, mayAppear: true))
            return
        }
    }
}

/// Dodo's SDK's record, kept in memory.
final class LegacyDefaults: LegacyRecordStore {
    private let values: Guarded<[String: String]>

    init(_ values: [String: String]) { self.values = Guarded(values) }

    var all: [String: String] { values.with { $0 } }

    func string(forKey key: String) -> String? { values.with { $0[key] } }

    func remove(forKey key: String) { values.with { $0[key] = nil } }
}

/// A phone with one app: what survives the app's process is the journal's file.
@MainActor
final class Phone {
    let file: URL
    var clock = StillClock(time: Instant(seconds: 1_767_225_600))
    var legacy: LegacyDefaults?
    private(set) var screen = Screen()
    private(set) var desk: CheckoutDesk
    var events: [String] = []
    var answers: [Bool] = []
    var late: [FacadeResult] = []
    var runs: [Run] = []
    /// The first of this process.
    private var living = 0

    typealias Ended = Result<FacadeResult, FacadeError>

    /// One call of `start`.
    @MainActor
    final class Run {
        var ended: Ended?
        var task: Task<Void, Never>?
    }

    init(_ file: URL, legacy: LegacyDefaults? = nil) throws {
        self.file = file
        self.legacy = legacy
        let screen = screen
        desk = try CheckoutDesk(
            shelf: SessionShelf(
                journal: FileJournal(path: file.path), clock: clock, legacy: legacy),
            clock: clock, presenter: { _ in screen })
        listen()
    }

    /// The process ends and another one begins.
    func restart() throws {
        living = runs.count
        screen = Screen()
        let screen = screen
        desk = try CheckoutDesk(
            shelf: SessionShelf(
                journal: FileJournal(path: file.path), clock: clock, legacy: legacy),
            clock: clock, presenter: { _ in screen })
        listen()
    }

    private func listen() { desk.onLateReturn = { [weak self] in self?.late.append($0) } }

    /// Calls `start` and waits until the page was asked for or the call has ended.
    func start(_ checkout: String, _ back: String, cancel: String? = nil) async {
        let run = Run()
        runs.append(run)
        let (desk, pages) = (desk, screen.scripted.pages.count)
        let request = CheckoutRequest(checkoutURL: checkout, returnURL: back, cancelURL: cancel)
        run.task = Task {
            do throws(FacadeError) {
                run.ended = .success(
                    try await desk.start(request) { [weak self] event in
                        MainActor.assumeIsolated { self?.events.append(event.name) }
                    })
            } catch {
                run.ended = .failure(error)
            }
        }
        await until { self.screen.scripted.pages.count > pages || run.ended != nil }
    }

    func open(_ url: String) { answers.append(desk.handleOpenURL(url)) }

    /// Waits for the last call of `start`.
    func returned() async {
        screen.scripted.finishDismissing()
        await until {
            self.screen.scripted.finishDismissing()
            return self.runs.last?.ended != nil
        }
    }

    /// Waits until the running checkout waits for its page, or every call has ended.
    func settle() async {
        await until {
            self.desk.isRunning
                ? self.desk.flow.isWaiting
                : self.runs[self.living...].allSatisfy { $0.ended != nil }
        }
    }

    /// Lets other tasks go on until it holds, and gives up after very many turns.
    func until(_ holds: @MainActor () -> Bool) async {
        for _ in 0..<2_000_000 {
            if holds() { return }
            await Task.yield()
        }
        Issue.record("what was waited for did not happen")
    }
}
