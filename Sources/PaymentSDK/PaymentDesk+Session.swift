import CheckoutFlow
import CheckoutModel
import Foundation
import ProviderKit

/// Getting a session from the app's server, in time or not at all.
extension PaymentDesk {
    /// The order's session: the one that is kept, else one that the server makes now.
    ///
    /// Throws `networkFailure`, `networkTimeout`, `cancelledByApp`, `notRecorded`.
    func session(for entry: OrderBook.Entry) async throws(PaymentError) -> PaymentSession {
        if let session = entry.session { return session }
        let order = PaymentOrder(
            orderID: entry.orderID, money: entry.money, idempotencyKey: entry.key,
            returnURL: returnURL(of: entry), publishableKey: configuration.publishableKey)
        return try await SessionRequest(order, configuration, clock, book).answer()
    }
}

/// One question to the server: the first of answer, time-out and cancellation counts.
///
/// The server is not waited for any longer then, whatever it does; an answer that comes late is
/// kept with its order, so that the next try opens that session.
@MainActor
private final class SessionRequest {
    private let order: PaymentOrder
    private let configuration: PaymentConfiguration
    private let clock: any FlowClock
    private let book: OrderBook
    private var ended: Result<PaymentSession, PaymentError>?
    private var waiter: CheckedContinuation<Void, Never>?

    init(
        _ order: PaymentOrder, _ configuration: PaymentConfiguration, _ clock: any FlowClock,
        _ book: OrderBook
    ) {
        self.order = order
        self.configuration = configuration
        self.clock = clock
        self.book = book
    }

    func answer() async throws(PaymentError) -> PaymentSession {
        let asking = Task { [configuration, order, book] in
            do {
                let session = try await configuration.makeSession(order)
                do throws(PaymentError) {
                    try book.keep(session, for: order.idempotencyKey)
                    self.end(.success(session))
                } catch {
                    self.end(.failure(error))
                }
            } catch {
                self.end(.failure(Self.error(error)))
            }
        }
        let timing = Task { [clock, configuration] in
            guard (try? await clock.sleep(seconds: configuration.sessionSeconds)) != nil else {
                return
            }
            self.end(.failure(.networkTimeout))
        }
        await withTaskCancellationHandler {
            if ended == nil { await withCheckedContinuation { waiter = $0 } }
        } onCancel: {
            Task { @MainActor in self.end(.failure(.cancelledByApp)) }
        }
        timing.cancel()
        if case .failure(.cancelledByApp) = ended { asking.cancel() }
        return try (ended ?? .failure(.unknown)).get()
    }

    private func end(_ answer: Result<PaymentSession, PaymentError>) {
        guard ended == nil else { return }
        ended = answer
        waiter?.resume()
        waiter = nil
    }

    private static func error(_ error: any Error) -> PaymentError {
        if let own = error as? PaymentError { return own }
        if error is CancellationError { return .cancelledByApp }
        let system = error as NSError
        let isTimeout = system.domain == NSURLErrorDomain && system.code == NSURLErrorTimedOut
        return isTimeout ? .networkTimeout : .networkFailure
    }
}
