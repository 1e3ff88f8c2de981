#if canImport(UIKit) && canImport(SafariServices)
    import DodoCheckout
    import UIKit

    /// An app with scenes that was written for Dodo's SDK: the import is all that changed.
    ///
    /// Forwards every URL, also the one that launched the app.
    final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
        func scene(
            _ scene: UIScene, willConnectTo session: UISceneSession,
            options: UIScene.ConnectionOptions
        ) {
            for context in options.urlContexts { DodoCheckout.handleOpenURL(context.url) }
            for activity in options.userActivities { forward(activity) }
        }

        func scene(_ scene: UIScene, continue activity: NSUserActivity) { forward(activity) }

        /// A universal link comes as an activity.
        private func forward(_ activity: NSUserActivity) {
            if let url = activity.webpageURL { DodoCheckout.handleOpenURL(url) }
        }

        func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
            for context in contexts { DodoCheckout.handleOpenURL(context.url) }
        }
    }

    /// The button that pays.
    final class CartController: UIViewController {
        func pay(_ page: URL, _ back: URL) async {
            do {
                let result = try await DodoCheckout.start(
                    checkoutUrl: page, returnUrl: back,
                    customization: BrowserCustomization(dismissButtonStyle: .close))
                switch result.status {
                case .succeeded: show("Thank you.")
                case .failed: show("The payment was declined.")
                case .expired: show("The checkout has expired.")
                case .cancelled, .pending: show("We are checking with the bank.")
                }
            } catch let error as CheckoutError where error.code == .alreadyInProgress {
                return
            } catch {
                show("\(error)")
            }
        }

        func show(_ text: String) { title = text }
    }
#endif
