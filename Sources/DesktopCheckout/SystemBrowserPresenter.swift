public import CheckoutFlow

/// Shows a checkout in the customer's own browser and takes the return by a channel.
///
/// A browser cannot be told to close a page, and does not say when the customer closes one: only a
/// window of its own (`BrowserCommand.isOwnWindow`) does both. So give requests a time limit.
/// Reports `BROWSER_UNAVAILABLE` when the program is not there, does not start, or ends at once
/// with a failure. When the checkout is over the channel is closed.
@MainActor
public final class SystemBrowserPresenter: CheckoutPresenter {
    private let channel: any ReturnChannel
    private let browser: BrowserCommand
    private let environment: DesktopEnvironment
    private let clock: any FlowClock
    private var shown: Showing?

    /// Takes the way back and, where it is not the system's own, the browser.
    public init(
        returningBy channel: any ReturnChannel, browser: BrowserCommand = .system,
        environment: DesktopEnvironment = .current, clock: any FlowClock = SystemFlowClock()
    ) {
        self.channel = channel
        self.browser = browser
        self.environment = environment
        self.clock = clock
    }

    /// Looks for the browser and the way back.
    ///
    /// Throws `BROWSER_UNAVAILABLE`, `PLATFORM_ERROR` for a channel that was used before.
    public func prepare() throws(CheckoutError) {
        _ = try browser.path(environment)
        try channel.check()
    }

    /// Starts the browser; it counts as shown when it ended well or is still there after a moment.
    public func present(
        _ page: CheckoutPage, report: @escaping @MainActor (PresenterReport) -> Void
    ) {
        let showing = Showing(report)
        shown = showing
        // What the channel has taken is handed over also when the page is given up meanwhile: the
        // browser or the handler was told that it arrived.
        channel.listen { url in Task { @MainActor in report(.cameBack(url: url)) } }
        do throws(CheckoutError) {
            try start(page, showing)
        } catch {
            end(showing, .notShown(error, mayAppear: false))
        }
    }

    /// Closes the channel, and the browser where it is a window of its own.
    public func dismiss(then gone: @escaping @MainActor () -> Void) {
        if let showing = shown { end(showing, nil) }
        gone()
    }

    private func start(_ page: CheckoutPage, _ showing: Showing) throws(CheckoutError) {
        let path = try browser.path(environment)
        let child: ChildProcess
        do throws(ChildProcess.Refusal) {
            child = try ChildProcess(path, browser.words + [page.url], environment)
        } catch {
            throw Self.unavailable("The browser did not start: \(error.reason).")
        }
        showing.child = child
        child.whenEnded { [weak self] ending in
            Task { @MainActor in self?.heard(ending, showing) }
        }
        showing.timer = Task { [weak self, clock] in
            guard (try? await clock.sleep(seconds: DesktopLimits.launchSeconds)) != nil else {
                return
            }
            self?.isUp(showing)
        }
    }

    /// The browser has been there for a while.
    private func isUp(_ showing: Showing) {
        guard !showing.isUp else { return }
        showing.isUp = true
        showing.report?(.shown)
    }

    private func heard(_ ending: ChildProcess.Ending, _ showing: Showing) {
        showing.child = nil
        if showing.isUp {
            if browser.isOwnWindow { end(showing, .dismissed) }
        } else if browser.isOwnWindow || !ending.isSuccess {
            let how =
                switch ending {
                case .exit(let code): "with exit code \(code)"
                case .signal(let number): "by signal \(number)"
                }
            let error = Self.unavailable("The browser ended at once, \(how).")
            end(showing, .notShown(error, mayAppear: false))
        } else {
            isUp(showing)
        }
    }

    private func end(_ showing: Showing, _ last: PresenterReport?) {
        channel.close()
        showing.timer?.cancel()
        if browser.isOwnWindow { showing.child?.terminate() }
        let report = showing.report
        showing.report = nil
        if shown === showing { shown = nil }
        if let last { report?(last) }
    }

    private static func unavailable(_ message: String) -> CheckoutError {
        CheckoutError(
            .browserUnavailable, message,
            hint: "Open any link with it to see what it says, or name another browser.")
    }

    /// One page on its way; reports nothing any more once `report` is nil.
    @MainActor
    private final class Showing {
        var report: (@MainActor (PresenterReport) -> Void)?
        var child: ChildProcess?
        var timer: Task<Void, Never>?
        var isUp = false

        init(_ report: @escaping @MainActor (PresenterReport) -> Void) { self.report = report }
    }
}
