#if canImport(UIKit) && canImport(SafariServices)
    import SafariServices
    public import UIKit

    /// Shows the page in an `SFSafariViewController`: the customer's own browser, with Apple Pay,
    /// and out of the app's reach.
    ///
    /// Cannot see where the page goes, so the app forwards every URL it is opened with to the flow.
    @MainActor
    public final class SafariPresenter: NSObject, CheckoutPresenter {
        private let appearance: BrowserAppearance
        private weak var host: UIViewController?
        private let hasHost: Bool
        private let tick: @Sendable () async throws -> Void
        private let schemes: Set<String>
        private var sheet: Sheet?

        /// Takes the view controller to present over; nil looks for the top one of the app's active
        /// scene with every checkout.
        public convenience init(
            over host: UIViewController? = nil, appearance: BrowserAppearance = BrowserAppearance()
        ) {
            self.init(over: host, appearance: appearance, schemes: Self.registeredSchemes) {
                try await Task.sleep(for: .milliseconds(FlowLimits.presentationTickMilliseconds))
            }
        }

        /// The same with the schemes that bring URLs to the app, and another way to wait half a
        /// second.
        package init(
            over host: UIViewController?, appearance: BrowserAppearance, schemes: Set<String>,
            tick: @escaping @Sendable () async throws -> Void
        ) {
            self.appearance = appearance
            self.host = host
            hasHost = host != nil
            self.schemes = schemes
            self.tick = tick
        }

        /// Throws `NO_PRESENTER` when there is nothing to present over.
        public func prepare() throws(CheckoutError) {
            if top == nil { throw Self.nothingToPresentOver }
        }

        /// Shows the page as a sheet.
        public func present(
            _ page: CheckoutPage, report: @escaping @MainActor (PresenterReport) -> Void
        ) {
            guard let url = URL(string: page.url) else {
                let error = CheckoutError(
                    .invalidCheckoutURL, "The checkout URL cannot be opened here.")
                return report(.notShown(error, mayAppear: false))
            }
            guard let top else {
                return report(.notShown(Self.nothingToPresentOver, mayAppear: false))
            }
            guard page.returnURLs.allSatisfy(comesBack) else {
                return report(.notShown(Self.unregistered, mayAppear: false))
            }
            let sheet = Sheet(
                browser: appearance.browser(for: url), tick: tick, report: report)
            self.sheet = sheet
            sheet.present(over: top)
        }

        /// Takes the page down, also when it only comes up later.
        public func dismiss(then gone: @escaping @MainActor () -> Void) {
            guard let sheet else { return gone() }
            self.sheet = nil
            sheet.dismiss(then: gone)
        }

        /// Whether the system would bring a URL to this app, as far as the app can know.
        ///
        /// Universal links are known to the system and the web site only.
        private func comesBack(_ url: String) -> Bool {
            let scheme = url.prefix { $0 != ":" }.lowercased()
            return scheme == "https" || scheme == "http" || schemes.contains(scheme)
        }

        /// The schemes in the app's Info.plist.
        private static var registeredSchemes: Set<String> {
            let types = Bundle.main.infoDictionary?["CFBundleURLTypes"] as? [[String: Any]]
            let schemes = types?.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
            return Set((schemes ?? []).map { $0.lowercased() })
        }

        private var top: UIViewController? {
            let root = hasHost ? host : Self.activeWindow?.rootViewController
            var top = root
            while let next = top?.presentedViewController, !next.isBeingDismissed { top = next }
            return top
        }

        /// The key window of a scene that is in front, else the best there is.
        private static var activeWindow: UIWindow? {
            let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
            let front = scenes.filter { $0.activationState == .foregroundActive }
            for windows in [front, scenes].map({ $0.flatMap(\.windows) }) {
                if let window = windows.first(where: \.isKeyWindow) ?? windows.first {
                    return window
                }
            }
            return nil
        }

        private static let unregistered = CheckoutError(
            .schemeNotRegistered, "The return URL's scheme does not lead to this app.",
            hint: "Add the scheme to CFBundleURLTypes in the app's Info.plist.")

        private static let nothingToPresentOver = CheckoutError(
            .noPresenter, "There is no view controller to show the page over.",
            hint: "Start from a scene that has a window, or give the presenter a view controller.")
    }
#endif
