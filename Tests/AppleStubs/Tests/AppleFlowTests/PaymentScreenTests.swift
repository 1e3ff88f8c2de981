import CheckoutFlow
import DodoPayments
import PaymentSDK
import SafariServices
import Testing
import UIKit

extension AppleTests {
    @MainActor
    @Suite("A payment's screen")
    struct PaymentScreenTests {
        private let sdk = PaymentSDK()
        /// Where the last page sends the customer.
        private static var back = ""
        private let request = PaymentRequest(amount: 5, currency: "EUR", orderID: "ORDER-1")

        private final class Listener: PaymentViewControllerDelegate {
            var told: [String] = []
            func paymentViewController(
                _ viewController: UIViewController, didComplete receipt: PaymentReceipt
            ) { told.append("complete \(receipt.transactionID)") }
            func paymentViewController(
                _ viewController: UIViewController, didFail error: PaymentError
            ) { told.append("fail \(error.code)") }
            func paymentViewControllerDidCancel(_ viewController: UIViewController) {
                told.append("cancel")
            }
            func paymentViewController(
                _ viewController: UIViewController, isPending receipt: PaymentReceipt
            ) { told.append("pending") }
        }

        private func inFolder(_ body: @MainActor () async throws -> Void) async throws {
            UIApplication.shared.applicationState = .active
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("pay-\(ProcessInfo.processInfo.globallyUniqueString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try sdk.configure(
                PaymentConfiguration(
                    publishableKey: "pk_1", provider: try DodoPaymentsProvider(),
                    returnURL: "https://shop.example/paid", folder: folder.path
                ) { order in
                    await MainActor.run { Self.back = order.returnURL }
                    return PaymentSession(checkoutURL: Screen.page.url)
                })
            try await body()
        }

        private func until(_ holds: @MainActor () -> Bool) async {
            for _ in 0..<200_000 {
                if holds() { return }
                await Task.yield()
            }
            Issue.record("what was waited for did not happen")
        }

        @Test("It pays once, however often it appears, and tells its host once")
        func pays() async throws {
            try await inFolder {
                var results: [PaymentResult] = []
                let screen = sdk.makePaymentViewController(request: request) { results.append($0) }
                screen.viewDidLoad()
                screen.viewDidAppear(true)
                await until { screen.presentedViewController is SFSafariViewController }
                screen.viewDidDisappear(true)
                screen.viewDidAppear(true)
                let back = try #require(
                    URL(string: "\(Self.back)?status=succeeded&payment_id=pay_1"))
                #expect(sdk.handleCallbackURL(back))
                await until { !results.isEmpty }
                guard case .success(let receipt) = results.first else {
                    Issue.record("it is \(results)")
                    return
                }
                #expect(receipt.transactionID == "pay_1")
                screen._leave()
                #expect(results.count == 1)
                #expect(screen.presentedViewController == nil)
            }
        }

        @Test(
            "A screen that is taken away ends in a cancellation, also with what it stands in",
            arguments: [false, true])
        func takenAway(_ isInNavigation: Bool) async throws {
            try await inFolder {
                let listener = Listener()
                let screen = sdk.makePaymentViewController(request: request, delegate: listener)
                let outer =
                    isInNavigation ? UINavigationController(rootViewController: screen) : screen
                screen.viewDidAppear(true)
                await until { screen.presentedViewController is SFSafariViewController }
                outer._leave()
                await until { !listener.told.isEmpty }
                #expect(listener.told == ["cancel"])
            }
        }
    }
}
