#if canImport(UIKit) && canImport(SafariServices)
    public import UIKit

    // Without Objective-C, as in the tests on Linux, the same runs as plain Swift.

    /// The numbers of ``PaymentError/code`` for Objective-C; never changed, only added to.
    #if canImport(ObjectiveC)
        @objc(CLPaymentErrorCode)
    #endif
    public enum PaymentErrorCode: Int, Sendable, CaseIterable {
        /// The set-up cannot work.
        case invalidConfiguration = 1
        /// The amount, the currency or the order cannot be used.
        case invalidPaymentDetails = 2
        /// The server could not be reached.
        case networkFailure = 3
        /// The provider declined.
        case declined = 4
        /// None of these.
        case unknown = 5
        /// The server did not answer in time.
        case networkTimeout = 6
        /// The session can no longer be paid.
        case expired = 7
        /// Another payment is on the screen.
        case alreadyInProgress = 8
        /// The page cannot be shown.
        case cannotPresent = 9
        /// The order could not be noted.
        case notRecorded = 10
        /// The order is known with another amount.
        case orderChanged = 11
        /// The app called it off.
        case cancelledByApp = 12
        /// The customer left the page.
        case cancelledByCustomer = 13
        /// It is not known yet.
        case outcomeUnknown = 14
    }

    /// A receipt for Objective-C.
    #if canImport(ObjectiveC)
        @objc(CLPaymentReceipt)
        @objcMembers
    #endif
    public final class PaymentReceiptObject: NSObject {
        /// The provider's id of the payment.
        public let transactionID: String
        /// The order of the request.
        public let orderID: String

        init(_ receipt: PaymentReceipt) {
            transactionID = receipt.transactionID
            orderID = receipt.orderID
        }
    }

    /// ``PaymentSDK`` for Objective-C; it is configured in Swift, where the adapters are.
    #if canImport(ObjectiveC)
        @objc(CLPaymentSDK)
        @objcMembers
    #endif
    @MainActor
    public final class PaymentSDKObject: NSObject {
        /// The domain of the errors.
        public static let errorDomain = "PaymentSDK"

        /// The same as in Swift; either the receipt or the error is nil.
        public static func makePaymentViewController(
            amount: NSDecimalNumber, currency: String, orderID: String,
            completion: @escaping @MainActor (PaymentReceiptObject?, NSError?) -> Void
        ) -> UIViewController {
            let request = PaymentRequest(
                amount: amount.decimalValue, currency: currency, orderID: orderID)
            return PaymentSDK.shared.makePaymentViewController(request: request) { result in
                switch result {
                case .success(let receipt): completion(PaymentReceiptObject(receipt), nil)
                case .failure(let error): completion(nil, object(error))
                case .cancelled: completion(nil, object(.cancelledByCustomer))
                case .pending: completion(nil, object(.outcomeUnknown))
                }
            }
        }

        /// The same as in Swift.
        public static func handleCallbackURL(_ url: URL) -> Bool {
            PaymentSDK.shared.handleCallbackURL(url)
        }

        private static func object(_ error: PaymentError) -> NSError {
            NSError(
                domain: errorDomain, code: error.code,
                userInfo: [NSLocalizedDescriptionKey: error.description])
        }
    }
#endif
