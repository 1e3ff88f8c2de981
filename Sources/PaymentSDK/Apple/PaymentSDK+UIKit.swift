#if canImport(UIKit) && canImport(SafariServices)
    public import CheckoutFlow
    public import UIKit

    extension PaymentSDK {
        /// Sets provider, server and folder; pages are shown in an `SFSafariViewController`.
        ///
        /// Throws `alreadyInProgress` while a payment runs.
        public func configure(_ configuration: PaymentConfiguration) throws(PaymentError) {
            try configure(configuration, presenter: SafariPresenter())
        }

        /// A screen that makes one payment once it is on the display.
        ///
        /// Present it as you like; it never takes itself away. The completion is called once, on
        /// the main actor, and then the host takes the screen away and goes on. A screen that is
        /// taken away before ends in `cancelled`.
        public func makePaymentViewController(
            request: PaymentRequest, appearance: BrowserAppearance = BrowserAppearance(),
            completion: @escaping @MainActor (PaymentResult) -> Void
        ) -> UIViewController {
            PaymentViewController(self, request, appearance) { _, result in completion(result) }
        }

        /// The same for hosts with a delegate, which is told once.
        public func makePaymentViewController(
            request: PaymentRequest, appearance: BrowserAppearance = BrowserAppearance(),
            delegate: any PaymentViewControllerDelegate
        ) -> UIViewController {
            PaymentViewController(self, request, appearance) { [weak delegate] screen, result in
                switch result {
                case .success(let receipt):
                    delegate?.paymentViewController(screen, didComplete: receipt)
                case .failure(let error): delegate?.paymentViewController(screen, didFail: error)
                case .cancelled: delegate?.paymentViewControllerDidCancel(screen)
                case .pending(let receipt):
                    delegate?.paymentViewController(screen, isPending: receipt)
                }
            }
        }
    }

    /// Told how a payment screen's payment ended; exactly one of these, once.
    @MainActor
    public protocol PaymentViewControllerDelegate: AnyObject {
        /// The customer may be thanked.
        func paymentViewController(
            _ viewController: UIViewController, didComplete receipt: PaymentReceipt)
        /// It was declined, or could not be carried out.
        func paymentViewController(_ viewController: UIViewController, didFail error: PaymentError)
        /// The customer left; they may have paid all the same.
        func paymentViewControllerDidCancel(_ viewController: UIViewController)
        /// It is not known yet.
        func paymentViewController(
            _ viewController: UIViewController, isPending receipt: PaymentReceipt)
    }

    final class PaymentViewController: UIViewController {
        private let sdk: PaymentSDK
        private let request: PaymentRequest
        private let appearance: BrowserAppearance
        private var completion: (@MainActor (UIViewController, PaymentResult) -> Void)?
        private var task: Task<Void, Never>?
        private var wasTakenAway = false

        init(
            _ sdk: PaymentSDK, _ request: PaymentRequest, _ appearance: BrowserAppearance,
            completion: @escaping @MainActor (UIViewController, PaymentResult) -> Void
        ) {
            self.sdk = sdk
            self.request = request
            self.appearance = appearance
            self.completion = completion
            super.init(nibName: nil, bundle: nil)
        }

        required init?(coder: NSCoder) { nil }

        override func viewDidLoad() {
            super.viewDidLoad()
            view.backgroundColor = .systemBackground
        }

        override func viewDidAppear(_ animated: Bool) {
            super.viewDidAppear(animated)
            // It appears again when the page above it is gone.
            guard task == nil else { return }
            let presenter = SafariPresenter(over: self, appearance: appearance)
            task = Task { finish(await sdk.pay(request, on: presenter)) }
        }

        override func viewDidDisappear(_ animated: Bool) {
            super.viewDidDisappear(animated)
            guard isTakenAway else { return }
            wasTakenAway = true
            task?.cancel()
        }

        /// Also when a controller goes that this one is in, such as a navigation controller: then
        /// only that one says so.
        private var isTakenAway: Bool {
            sequence(first: self as UIViewController) { $0.parent }.contains {
                $0.isBeingDismissed || $0.isMovingFromParent
            }
        }

        private func finish(_ result: PaymentResult) {
            let completion = completion
            self.completion = nil
            let isOurs = wasTakenAway && result == .failure(.cancelledByApp)
            completion?(self, isOurs ? .cancelled : result)
        }
    }
#endif
