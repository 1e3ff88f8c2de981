public import CheckoutFlow
import CheckoutModel
public import Foundation

/// Takes a payment from start to result.
public protocol PaymentProcessing: Sendable {
    /// Runs the payment and gives its receipt.
    ///
    /// Throws `PaymentError`; a customer who leaves and an outcome that is not known are errors
    /// here, because there is no receipt.
    @MainActor
    func process(_ request: PaymentRequest) async throws(PaymentError) -> PaymentReceipt
}

/// Payments for an app: your server makes a session, the provider's page takes the money, the app
/// gets one result.
///
/// Holds no secret, sees no card, and never touches the app's own screens. The same order makes one
/// session however often it is asked for, also after the process was ended.
@MainActor
public final class PaymentSDK: PaymentProcessing {
    /// The one of an app that needs only one.
    public static let shared = PaymentSDK()

    private var desk: PaymentDesk?

    /// Another one, with a configuration of its own.
    public init() {}

    /// Sets provider, server and folder, and what shows the page; before anything else.
    ///
    /// Throws `alreadyInProgress` while a payment runs.
    public func configure(
        _ configuration: PaymentConfiguration, presenter: any CheckoutPresenter,
        clock: any FlowClock = SystemFlowClock()
    ) throws(PaymentError) {
        if let desk, desk.isRunning { throw .alreadyInProgress }
        desk = PaymentDesk(configuration, presenter: presenter, clock: clock)
    }

    /// Runs a payment; returns once, on the main actor.
    ///
    /// A second call for an order that is being paid gets the result of the first. Cancelling the
    /// calling task calls the payment off when nobody else waits for it.
    public func pay(_ request: PaymentRequest) async -> PaymentResult {
        await pay(request, on: nil)
    }

    /// The same for hosts with closures, which are called once, on the main actor.
    @discardableResult
    public func pay(
        _ request: PaymentRequest, completion: @escaping @MainActor (PaymentResult) -> Void
    ) -> Task<Void, Never> {
        Task { @MainActor in completion(await pay(request)) }
    }

    /// The same for hosts that want a receipt or an error.
    public func process(_ request: PaymentRequest) async throws(PaymentError) -> PaymentReceipt {
        switch await pay(request) {
        case .success(let receipt): return receipt
        case .failure(let error): throw error
        case .cancelled: throw .cancelledByCustomer
        case .pending: throw .outcomeUnknown
        }
    }

    /// Whether the URL is the running payment's return; the app forwards every URL it gets.
    ///
    /// Also before any payment, at launch: a return to a payment of an earlier process answers
    /// false, and is found by the order's next `pay`.
    @discardableResult
    public func handleCallbackURL(_ url: URL) -> Bool {
        desk?.flow.handleOpenURL(url.absoluteString) ?? false
    }

    func configured() throws(PaymentError) -> PaymentDesk {
        guard let desk else {
            throw .invalidConfiguration("Call configure before the first payment.")
        }
        return desk
    }

    func pay(_ request: PaymentRequest, on presenter: (any CheckoutPresenter)?) async
        -> PaymentResult
    {
        do throws(PaymentError) {
            let desk = try configured()
            return await desk.pay(request, try request.money(), on: presenter)
        } catch {
            return .failure(error)
        }
    }
}
