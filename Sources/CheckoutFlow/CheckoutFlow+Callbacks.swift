/// Told what becomes of checkouts; every method has a default that does nothing.
@MainActor
public protocol CheckoutFlowDelegate: AnyObject {
    /// A checkout that was begun with `begin(_:)` has its result.
    func checkoutFlow(_ flow: CheckoutFlow, didFinish result: CheckoutResult)
    /// A checkout that was begun with `begin(_:)` did not run.
    func checkoutFlow(_ flow: CheckoutFlow, didFail error: CheckoutError)
    /// Something happened; for logs.
    func checkoutFlow(_ flow: CheckoutFlow, didEmit event: FlowEvent)
    /// A return came that nothing waits for any more.
    func checkoutFlow(_ flow: CheckoutFlow, didReceiveLate result: CheckoutResult)
}

extension CheckoutFlowDelegate {
    /// Does nothing.
    public func checkoutFlow(_ flow: CheckoutFlow, didFinish result: CheckoutResult) {}
    /// Does nothing.
    public func checkoutFlow(_ flow: CheckoutFlow, didFail error: CheckoutError) {}
    /// Does nothing.
    public func checkoutFlow(_ flow: CheckoutFlow, didEmit event: FlowEvent) {}
    /// Does nothing.
    public func checkoutFlow(_ flow: CheckoutFlow, didReceiveLate result: CheckoutResult) {}
}

extension CheckoutFlow {
    /// The same as the `async` form, for hosts with closures.
    ///
    /// The closure is called once, on the main actor. Cancelling the task takes the page down and
    /// ends in the closure too.
    @discardableResult
    public func start(
        _ request: CheckoutRequest,
        completion: @escaping @MainActor (Result<CheckoutResult, CheckoutError>) -> Void
    ) -> Task<Void, Never> {
        Task { @MainActor in
            do throws(CheckoutError) {
                completion(.success(try await start(request)))
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// The same for hosts with a delegate.
    @discardableResult
    public func begin(_ request: CheckoutRequest) -> Task<Void, Never> {
        start(request) { [weak self] outcome in
            guard let self else { return }
            switch outcome {
            case .success(let result): delegate?.checkoutFlow(self, didFinish: result)
            case .failure(let error): delegate?.checkoutFlow(self, didFail: error)
            }
        }
    }
}
