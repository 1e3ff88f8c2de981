import CheckoutFlow
import DodoPayments
import PaymentSDK
import SafariServices
import Testing
import UIKit

extension AppleTests {
    /// Without its attributes, which no stand-in has: what it does, and not how it is called.
    @MainActor
    @Suite("The layer for Objective-C")
    struct ObjectiveCTests {
        private static let errors: [(PaymentError, PaymentErrorCode)] = [
            (.invalidConfiguration("x"), .invalidConfiguration),
            (.invalidPaymentDetails("x"), .invalidPaymentDetails),
            (.networkFailure, .networkFailure), (.declined(message: "x"), .declined),
            (.unknown, .unknown), (.networkTimeout, .networkTimeout), (.expired, .expired),
            (.alreadyInProgress, .alreadyInProgress), (.cannotPresent("x"), .cannotPresent),
            (.notRecorded, .notRecorded), (.orderChanged, .orderChanged),
            (.cancelledByApp, .cancelledByApp), (.cancelledByCustomer, .cancelledByCustomer),
            (.outcomeUnknown, .outcomeUnknown),
        ]

        @Test("Every error has the number there that it has in Swift")
        func numbers() {
            for (error, code) in Self.errors { #expect(error.code == code.rawValue, "\(code)") }
            #expect(Set(Self.errors.map(\.1)) == Set(PaymentErrorCode.allCases))
        }

        /// Pays with the shared SDK; `end` is what the customer does.
        private func pay(
            _ query: String?
        ) async throws -> (receipt: PaymentReceiptObject?, error: NSError?) {
            UIApplication.shared.applicationState = .active
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("objc-\(ProcessInfo.processInfo.globallyUniqueString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let back = Back()
            try PaymentSDK.shared.configure(
                PaymentConfiguration(
                    publishableKey: "pk_1", provider: try DodoPaymentsProvider(),
                    returnURL: "https://shop.example/paid", folder: folder.path
                ) { order in
                    await MainActor.run { back.url = order.returnURL }
                    return PaymentSession(checkoutURL: Screen.page.url)
                })
            var answers: [(PaymentReceiptObject?, NSError?)] = []
            let screen = PaymentSDKObject.makePaymentViewController(
                amount: NSDecimalNumber(string: "19.99"), currency: "EUR", orderID: "ORDER-1"
            ) { answers.append(($0, $1)) }
            screen.viewDidAppear(true)
            await until { screen.presentedViewController is SFSafariViewController }
            if let query {
                let url = try #require(URL(string: back.url + query))
                #expect(PaymentSDKObject.handleCallbackURL(url))
            } else {
                screen.presentedViewController?._swipeDown()
            }
            await until { !answers.isEmpty }
            #expect(answers.count == 1)
            return answers[0]
        }

        @MainActor
        private final class Back {
            var url = ""
        }

        private func until(_ holds: @MainActor () -> Bool) async {
            for _ in 0..<200_000 {
                if holds() { return }
                await Task.yield()
            }
            Issue.record("what was waited for did not happen")
        }

        @Test("A payment gives a receipt and no error")
        func success() async throws {
            let answer = try await pay("?status=succeeded&payment_id=pay_1")
            #expect(answer.receipt?.transactionID == "pay_1")
            #expect(answer.receipt?.orderID == "ORDER-1")
            #expect(answer.error == nil)
        }

        @Test(
            "Whatever else comes of it is an error with its number and a sentence",
            arguments: [
                ("?status=failed", PaymentErrorCode.declined),
                ("?status=processing", .outcomeUnknown), (nil, .cancelledByCustomer),
            ] as [(String?, PaymentErrorCode)])
        func failure(_ query: String?, _ code: PaymentErrorCode) async throws {
            let answer = try await pay(query)
            #expect(answer.receipt == nil)
            #expect(answer.error?.domain == PaymentSDKObject.errorDomain)
            #expect(answer.error?.code == code.rawValue)
            #expect(answer.error?.localizedDescription.hasSuffix(".") == true)
        }
    }
}
