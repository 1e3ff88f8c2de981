#if canImport(UIKit) && canImport(SafariServices)
    import DodoPayments
    import PaymentSDK
    import UIKit

    /// The Swift of the front page of `PaymentSDK`.
    final class PayingController: UIViewController {
        let supportFolder = NSTemporaryDirectory()
        let server = Server()

        struct Server: Sendable {
            func makeSession(for order: PaymentOrder) async throws -> PaymentSession {
                PaymentSession(checkoutURL: "https://test.checkout.dodopayments.com/session/cks_1")
            }
        }

        func pay() throws {
            let server = server
            try PaymentSDK.shared.configure(
                PaymentConfiguration(
                    publishableKey: "pk_live_…", provider: try DodoPaymentsProvider(),
                    returnURL: "shopdemo://paid", folder: supportFolder
                ) { order in try await server.makeSession(for: order) })

            let request = PaymentRequest(amount: 99, currency: "CNY", orderID: "ORDER-20260901-001")
            let screen = PaymentSDK.shared.makePaymentViewController(request: request) {
                [weak self] result in
                self?.dismiss(animated: true) { self?.show(result) }
            }
            present(screen, animated: true)
        }

        func show(_ result: PaymentResult) {}
    }
#endif
