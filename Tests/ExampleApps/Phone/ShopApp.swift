#if canImport(SwiftUI) && canImport(UIKit)
    import CheckoutFlow
    import CheckoutModel
    import DodoPayments
    import SwiftUI

    /// A whole SwiftUI app: makes a session at its server, opens the page, shows the result.
    ///
    /// Put `@main` before it in an app.
    struct ShopApp: App {
        @State private var shop = Shop()

        var body: some Scene {
            WindowGroup { CartView(shop: shop) }
        }
    }

    /// What the app knows; a view draws it.
    @MainActor
    final class Shop {
        var request: CheckoutRequest?
        var message = "Ready"
        let flow: CheckoutFlow?

        nonisolated init() {
            flow = MainActor.assumeIsolated {
                guard let provider = try? DodoPaymentsProvider() else { return nil }
                let support = NSSearchPathForDirectoriesInDomains(
                    .applicationSupportDirectory, .userDomainMask, true)
                guard let folder = support.first else { return nil }
                try? FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true)
                return CheckoutFlow(
                    provider: provider, presenter: SafariPresenter(),
                    journal: FileJournal(path: "\(folder)/checkouts.json"))
            }
        }

        /// At launch: what earlier runs of the app left open is asked about at the server.
        func reconcile(ask: (String) async -> CheckoutStatus?) async {
            guard let flow, let left = try? await flow.abandonedSessions() else { return }
            for session in left {
                guard let status = await ask(session.key.id) else { continue }
                try? await flow.resolve(session.key, with: status)
            }
        }

        func show(_ answer: Result<CheckoutResult, CheckoutError>) {
            switch answer {
            case .success(let result):
                switch result.status {
                case .succeeded: message = "Thank you. We are confirming your payment."
                case .failed: message = "The payment was declined."
                case .expired: message = "The checkout has expired."
                case .cancelled, .pending: message = "We are checking with the bank."
                }
                Task { try? await flow?.acknowledge(result.session) }
            case .failure(let error): message = error.message
            }
        }
    }

    struct CartView: View {
        let shop: Shop

        @ViewBuilder var body: some View {
            if let flow = shop.flow {
                Button(shop.message) {
                    shop.request = CheckoutRequest(
                        checkoutURL: "https://test.checkout.dodopayments.com/session/cks_demo",
                        returnURL: "shopdemo://checkout/return")
                }
                .checkout(
                    item: Binding(get: { shop.request }, set: { shop.request = $0 }), flow: flow
                ) { shop.show($0) }
            } else {
                Text("This phone has no folder for the app.")
            }
        }
    }
#endif
