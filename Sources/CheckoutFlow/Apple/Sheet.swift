#if canImport(UIKit) && canImport(SafariServices)
    import SafariServices
    import UIKit

    /// One browser on its way up, on the screen, or on its way down.
    ///
    /// Keeps itself alive until the browser is gone for certain, so that a sheet that comes up late
    /// still has an owner who takes it down.
    @MainActor
    final class Sheet: NSObject {
        private enum Phase {
            case rising
            case shown
            /// It is to go as soon as it is up.
            case unwanted
            case gone
        }

        private let browser: SFSafariViewController
        private let tick: @Sendable () async throws -> Void
        private let report: @MainActor (PresenterReport) -> Void
        private var phase = Phase.rising
        private var watch: Task<Void, Never>?
        private var keeper: Sheet?

        init(
            browser: SFSafariViewController, tick: @escaping @Sendable () async throws -> Void,
            report: @escaping @MainActor (PresenterReport) -> Void
        ) {
            self.browser = browser
            self.tick = tick
            self.report = report
        }

        func present(over host: UIViewController) {
            keeper = self
            browser.delegate = self
            // The swipe is told to the presentation's delegate and not to the browser's.
            browser.presentationController?.delegate = self
            watch = Task { [weak self, tick] in
                var dog = PresentationWatchdog()
                while (try? await tick()) != nil {
                    guard let self, self.looks(after: &dog) else { return }
                }
            }
            host.present(browser, animated: true) { [weak self] in self?.cameUp() }
        }

        /// Looks twice a second; false when there is nothing more to look for.
        private func looks(after dog: inout PresentationWatchdog) -> Bool {
            switch phase {
            case .rising:
                let isActive = UIApplication.shared.applicationState == .active
                guard dog.tick(isActive: isActive) else { return true }
                report(.notShown(PresentationWatchdog.overdue, mayAppear: true))
                return false
            case .shown:
                // Nobody is told when the host takes all its sheets away, this one among them.
                guard browser.presentingViewController == nil else { return true }
                closed()
                return false
            case .unwanted, .gone: return false
            }
        }

        /// Answers at once while the browser is not up: there is nothing to wait for, and its
        /// animation may never end.
        func dismiss(then gone: @escaping @MainActor () -> Void) {
            watch?.cancel()
            switch phase {
            case .rising:
                phase = .unwanted
                gone()
            case .shown:
                phase = .gone
                takeDown(then: gone)
            case .unwanted, .gone: gone()
            }
        }

        private func cameUp() {
            switch phase {
            case .rising:
                phase = .shown
                report(.shown)
            case .unwanted:
                phase = .gone
                takeDown {}
            case .shown, .gone: break
            }
        }

        private func takeDown(then gone: @escaping @MainActor () -> Void) {
            // Asked of its host, because the browser would only take away what it shows itself.
            guard let host = browser.presentingViewController else {
                keeper = nil
                return gone()
            }
            host.dismiss(animated: true) { [weak self] in
                self?.keeper = nil
                gone()
            }
        }

        /// It was closed, by the button, a swipe or the host; what is told first counts.
        private func closed() {
            watch?.cancel()
            let wasWanted = phase == .rising || phase == .shown
            phase = .gone
            keeper = nil
            if wasWanted { report(.dismissed) }
        }
    }

    extension Sheet: SFSafariViewControllerDelegate {
        func safariViewControllerDidFinish(_ controller: SFSafariViewController) {
            // The browser leaves by itself after this.
            closed()
        }

        func safariViewController(
            _ controller: SFSafariViewController, didCompleteInitialLoad didLoadSuccessfully: Bool
        ) {
            guard !didLoadSuccessfully, phase == .rising || phase == .shown else { return }
            report(.failedToLoad)
        }
    }

    extension Sheet: UIAdaptivePresentationControllerDelegate {
        func presentationControllerDidDismiss(_ controller: UIPresentationController) {
            closed()
        }
    }

    extension BrowserAppearance {
        /// A browser that looks so; nil is not touched, except that it comes as a page sheet.
        @MainActor
        func browser(for url: URL) -> SFSafariViewController {
            let configuration = SFSafariViewController.Configuration()
            if let isBarCollapsingEnabled {
                configuration.barCollapsingEnabled = isBarCollapsingEnabled
            }
            let browser = SFSafariViewController(url: url, configuration: configuration)
            switch presentationStyle {
            case .pageSheet, nil: browser.modalPresentationStyle = .pageSheet
            case .fullScreen: browser.modalPresentationStyle = .fullScreen
            }
            switch dismissButtonStyle {
            case .done: browser.dismissButtonStyle = .done
            case .close: browser.dismissButtonStyle = .close
            case .cancel: browser.dismissButtonStyle = .cancel
            case nil: break
            }
            switch colorScheme {
            case .system: browser.overrideUserInterfaceStyle = .unspecified
            case .light: browser.overrideUserInterfaceStyle = .light
            case .dark: browser.overrideUserInterfaceStyle = .dark
            case nil: break
            }
            return browser
        }
    }
#endif
