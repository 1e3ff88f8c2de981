#if canImport(SwiftUI) && canImport(UIKit)
    import CheckoutFlow
    import SwiftUI

    // The Swift of the article "Forwarding the return URL".

    struct ForwardingView: View {
        let flow: CheckoutFlow

        var body: some View {
            EmptyView()
                .onOpenURL { url in flow.handleOpenURL(url.absoluteString) }
        }
    }

    final class ForwardingSceneDelegate: UIResponder, UIWindowSceneDelegate {
        let flow: CheckoutFlow

        init(flow: CheckoutFlow) { self.flow = flow }

        func scene(
            _ scene: UIScene, willConnectTo session: UISceneSession,
            options: UIScene.ConnectionOptions
        ) {
            for context in options.urlContexts { flow.handleOpenURL(context.url.absoluteString) }
            for activity in options.userActivities {
                if let url = activity.webpageURL { flow.handleOpenURL(url.absoluteString) }
            }
        }

        func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
            for context in contexts { flow.handleOpenURL(context.url.absoluteString) }
        }

        func scene(_ scene: UIScene, continue activity: NSUserActivity) {
            if let url = activity.webpageURL { flow.handleOpenURL(url.absoluteString) }
        }
    }

    final class ForwardingAppDelegate: UIResponder {
        let flow: CheckoutFlow

        init(flow: CheckoutFlow) { self.flow = flow }

        func application(
            _ app: UIApplication, open url: URL,
            options: [UIApplication.OpenURLOptionsKey: Any] = [:]
        ) -> Bool {
            flow.handleOpenURL(url.absoluteString)
        }
    }

    @MainActor
    func forwardWords(to flow: CheckoutFlow) {
        for word in CommandLine.arguments.dropFirst() where word.contains("://") {
            flow.handleOpenURL(word)
        }
    }
#endif
