import CheckoutFlow
public import CheckoutModel
import ProviderKit

/// An order whose payment was begun and is not known to have been made.
public struct OpenOrder: Sendable, Hashable {
    /// The shop's own name of it.
    public let orderID: String
    /// What is to be paid.
    public let money: Money
    /// The hosted checkout's id; nil when the server was asked and no page was opened yet.
    public let sessionID: String?
}

/// What is left of earlier payments, and how the host settles them.
extension PaymentSDK {
    /// The orders to ask your server about: at every launch, and after `cancelled` and `pending`.
    ///
    /// The oldest first, without the running one. Throws `invalidConfiguration`, `notRecorded`.
    public func openOrders() throws(PaymentError) -> [OpenOrder] {
        let desk = try configured()
        return try desk.book.unpaid().filter { !desk.isRunning($0.orderID) }.map { entry in
            OpenOrder(
                orderID: entry.orderID, money: entry.money,
                sessionID: entry.session.flatMap { desk.id(of: $0) })
        }
    }

    /// Settles an order by what your server says.
    ///
    /// A paid one is never paid again; a failed, expired or cancelled one may be tried anew;
    /// `pending` changes nothing. Throws `alreadyInProgress` for the running one.
    public func resolve(
        orderID: String, with status: CheckoutStatus
    ) async throws(PaymentError) {
        let desk = try configured()
        guard !desk.isRunning(orderID) else { throw .alreadyInProgress }
        guard let entry = try desk.book.unpaid().first(where: { $0.orderID == orderID }) else {
            return
        }
        let session = entry.session.flatMap { desk.id(of: $0) }
        switch status {
        case .pending: return
        case .succeeded: try desk.book.markPaid(orderID, by: session ?? orderID)
        case .failed, .expired, .cancelled: try desk.book.close(orderID)
        }
        guard let session else { return }
        let key = SessionKey(type(of: desk.configuration.provider).descriptor.id, session)
        // The book decides what is opened; a journal that keeps the session only shows it longer.
        try? await desk.flow.resolve(key, with: status)
    }
}
