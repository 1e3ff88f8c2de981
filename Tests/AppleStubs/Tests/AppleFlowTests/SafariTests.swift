import CheckoutFlow
import CheckoutModel
import DodoPayments
import SafariServices
import Testing
import UIKit

/// Half seconds that go by when a test says so.
actor Ticker {
    private var waiting: CheckedContinuation<Void, Never>?
    private var isCancelled = false

    func wait() async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { continuation.resume() } else { waiting = continuation }
            }
        } onCancel: {
            Task { await self.tick() }
        }
        try Task.checkCancellation()
    }

    var isWaiting: Bool { waiting != nil }

    func tick() {
        waiting?.resume()
        waiting = nil
    }
}

/// An app with one window, and what the presenter told.
@MainActor
final class Screen {
    let root = UIViewController()
    let ticker = Ticker()
    var reports: [PresenterReport] = []
    let presenter: SafariPresenter

    nonisolated static let page = CheckoutPage(
        url: "https://test.checkout.dodopayments.com/session/cks_A", returnURLs: ["app://return"],
        session: SessionKey("dodo", "cks_A"))

    init(_ appearance: BrowserAppearance = BrowserAppearance(), isGiven: Bool = true) {
        let ticker = ticker
        presenter = SafariPresenter(
            over: isGiven ? root : nil, appearance: appearance, schemes: ["app"]
        ) {
            try await ticker.wait()
        }
    }

    var browser: SFSafariViewController? {
        root.presentedViewController as? SFSafariViewController
    }

    func present() { presenter.present(Self.page) { self.reports.append($0) } }

    /// Half seconds go by while nothing comes up.
    func wait(ticks: Int) async {
        for _ in 0..<ticks {
            await until { await self.ticker.isWaiting }
            await ticker.tick()
        }
    }

    func until(_ holds: @MainActor () async -> Bool) async {
        for _ in 0..<200_000 {
            if await holds() { return }
            await Task.yield()
        }
        Issue.record("what was waited for did not happen")
    }
}

extension AppleTests {
    @MainActor
    @Suite("A page in the system's browser")
    struct SafariTests {
        init() {
            UIApplication.shared.applicationState = .active
            UIApplication.shared.connectedScenes = []
        }

        @Test("It comes as a page sheet, and what is not set is not touched")
        func untouched() throws {
            let screen = Screen()
            screen.present()
            let browser = try #require(screen.browser)
            #expect(screen.reports == [.shown])
            #expect(browser.url.absoluteString == Screen.page.url)
            #expect(browser.modalPresentationStyle == .pageSheet)
            #expect(!browser.buttonWasSet)
            #expect(!browser.styleWasSet)
            #expect(!browser.configuration.barWasSet)
        }

        @Test(
            "Every wish about its looks is passed on",
            arguments: [
                (
                    BrowserAppearance.DismissButtonStyle.done,
                    SFSafariViewController.DismissButtonStyle.done
                ),
                (.close, .close), (.cancel, .cancel),
            ],
            [
                (BrowserAppearance.ColorScheme.system, UIUserInterfaceStyle.unspecified),
                (.light, .light), (.dark, .dark),
            ])
        func looks(
            _ button: (
                BrowserAppearance.DismissButtonStyle, SFSafariViewController.DismissButtonStyle
            ),
            _ scheme: (BrowserAppearance.ColorScheme, UIUserInterfaceStyle)
        ) throws {
            var appearance = BrowserAppearance()
            appearance.dismissButtonStyle = button.0
            appearance.colorScheme = scheme.0
            appearance.presentationStyle = .fullScreen
            appearance.isBarCollapsingEnabled = false
            let screen = Screen(appearance)
            screen.present()
            let browser = try #require(screen.browser)
            #expect(browser.dismissButtonStyle == button.1)
            #expect(browser.overrideUserInterfaceStyle == scheme.1)
            #expect(browser.modalPresentationStyle == .fullScreen)
            #expect(!browser.configuration.barCollapsingEnabled)
            #expect(browser.styleWasSet)
        }

        @Test("The button and the swipe close it, and the first of both is told")
        func closing() throws {
            let screen = Screen()
            screen.present()
            let browser = try #require(screen.browser)
            browser._tapDone()
            browser._swipeDown()
            #expect(screen.reports == [.shown, .dismissed])
            let swiped = Screen()
            swiped.present()
            try #require(swiped.browser)._swipeDown()
            #expect(swiped.reports == [.shown, .dismissed])
        }

        @Test("A first load that fails is told, and closes nothing")
        func failedLoad() throws {
            let screen = Screen()
            screen.present()
            let browser = try #require(screen.browser)
            browser._load(true)
            browser._load(false)
            #expect(screen.reports == [.shown, .failedToLoad])
            browser._tapDone()
            browser._load(false)
            #expect(screen.reports == [.shown, .failedToLoad, .dismissed])
        }

        @Test("It is taken down when asked for, and says so when it is gone")
        func dismissing() throws {
            let screen = Screen()
            screen.present()
            screen.root._endsAtOnce = false
            var isGone = false
            screen.presenter.dismiss { isGone = true }
            #expect(!isGone)
            screen.root._finishAnimation()
            #expect(isGone)
            #expect(screen.browser == nil)
            #expect(screen.reports == [.shown])
            var again = false
            screen.presenter.dismiss { again = true }
            #expect(again)
        }

        @Test("It is taken down together with what it shows itself")
        func nested() throws {
            let screen = Screen()
            screen.present()
            try #require(screen.browser).present(UIViewController(), animated: true)
            screen.presenter.dismiss {}
            #expect(screen.browser == nil)
        }

        @Test("A host that takes all its sheets away ends the checkout too")
        func takenAway() async {
            let screen = Screen()
            screen.present()
            await screen.wait(ticks: 20)
            await screen.until { await screen.ticker.isWaiting }
            screen.root.dismiss(animated: true)
            await screen.wait(ticks: 1)
            await screen.until { screen.reports.count == 2 }
            #expect(screen.reports == [.shown, .dismissed])
        }

        @Test("A sheet that does not come up is told after five seconds in the foreground")
        func watchdog() async throws {
            let screen = Screen()
            screen.root._endsAtOnce = false
            screen.present()
            await screen.wait(ticks: 9)
            await screen.until { await screen.ticker.isWaiting }
            UIApplication.shared.applicationState = .background
            await screen.wait(ticks: 40)
            await screen.until { await screen.ticker.isWaiting }
            #expect(screen.reports.isEmpty)
            UIApplication.shared.applicationState = .active
            await screen.wait(ticks: 1)
            await screen.until { !screen.reports.isEmpty }
            #expect(screen.reports == [.notShown(PresentationWatchdog.overdue, mayAppear: true)])
        }

        @Test("A sheet that comes up when nobody wants it any more is taken down")
        func late() async throws {
            let screen = Screen()
            screen.root._endsAtOnce = false
            screen.present()
            var isGone = false
            screen.presenter.dismiss { isGone = true }
            #expect(isGone, "nothing to wait for: the animation may never end")
            #expect(screen.browser != nil)
            screen.root._finishAnimation()
            screen.root._finishAnimation()
            #expect(screen.browser == nil)
            #expect(screen.reports.isEmpty)
        }

        @Test("It is shown over the top controller of the scene in front")
        func scenes() throws {
            #expect(throws: CheckoutError.self) { try Screen(isGiven: false).presenter.prepare() }
            let screen = Screen(isGiven: false)
            let (behind, front) = (UIWindowScene(), UIWindowScene())
            behind.activationState = .background
            let (back, other, window) = (UIWindow(), UIWindow(), UIWindow())
            back.isKeyWindow = true
            back.rootViewController = UIViewController()
            behind.windows = [back]
            other.rootViewController = UIViewController()
            window.rootViewController = screen.root
            window.isKeyWindow = true
            front.windows = [other, window]
            UIApplication.shared.connectedScenes = [behind, front]
            let menu = UIViewController()
            screen.root.present(menu, animated: false)
            try screen.presenter.prepare()
            screen.present()
            #expect(menu.presentedViewController is SFSafariViewController)
            #expect(back.rootViewController?.presentedViewController == nil)
        }

        @Test(
            "A return URL that cannot lead to the app is told before anything is shown",
            arguments: [
                ("typo://return", false), ("APP://return", true), ("https://shop.example/r", true),
            ])
        func scheme(_ url: String, _ isShown: Bool) {
            let screen = Screen()
            let page = CheckoutPage(
                url: Screen.page.url, returnURLs: [url], session: Screen.page.session)
            screen.presenter.present(page) { screen.reports.append($0) }
            #expect((screen.browser != nil) == isShown)
            guard case .notShown(let error, mayAppear: false) = screen.reports.first else {
                #expect(screen.reports == [.shown])
                return
            }
            #expect(error.code == .schemeNotRegistered)
        }

        @Test("A given controller that is gone is not replaced by another")
        func goneHost() {
            var host: UIViewController? = UIViewController()
            let presenter = SafariPresenter(over: host)
            host = nil
            #expect(throws: CheckoutError.self) { try presenter.prepare() }
        }
    }
}
