public import CheckoutModel
public import Foundation

/// What is to be paid.
public struct PaymentRequest: Sendable, Hashable {
    /// In major units, such as 19.99.
    public let amount: Decimal
    /// ISO 4217, such as `EUR`.
    public let currency: String
    /// The shop's own name of the order; one payment belongs to it.
    public let orderID: String

    /// Describes a payment; the amount is checked when it is asked for.
    public init(amount: Decimal, currency: String, orderID: String) {
        self.amount = amount
        self.currency = currency
        self.orderID = orderID
    }

    /// The same from an exact amount.
    public init(_ money: Money, orderID: String) {
        let places = money.currency.exponent ?? 0
        amount = Decimal(
            sign: money.minorUnits < 0 ? .minus : .plus, exponent: -places,
            significand: Decimal(money.minorUnits.magnitude))
        currency = money.currency.code
        self.orderID = orderID
    }

    /// The amount as whole minor units, never rounded.
    ///
    /// Throws `invalidPaymentDetails` for an amount that is not positive or has more decimals than
    /// its currency, for a currency that is none, and for an order without a usable name.
    public func money() throws(PaymentError) -> Money {
        guard (1...Limits.orderBytes).contains(orderID.utf8.count) else {
            throw .invalidPaymentDetails(
                "The order's name is empty or longer than \(Limits.orderBytes) bytes.")
        }
        let money: Money
        do throws(MoneyError) {
            // The text of a decimal is exact and has a point in every language.
            money = try Money(parsing: amount.description, currencyCode: currency)
        } catch {
            throw .invalidPaymentDetails(error.message)
        }
        guard money.minorUnits > 0 else {
            throw .invalidPaymentDetails("The amount is not more than zero.")
        }
        return money
    }
}

/// What a payment came to, as the browser's return told it; not proof that it was paid.
public struct PaymentReceipt: Sendable, Hashable {
    /// The provider's id of the payment, of the subscription, else of the session.
    public let transactionID: String
    /// The order of the request.
    public let orderID: String
    /// The hosted checkout's id.
    public let sessionID: String

    /// States a receipt; also for tests of an app.
    public init(transactionID: String, orderID: String, sessionID: String = "") {
        self.transactionID = transactionID
        self.orderID = orderID
        self.sessionID = sessionID
    }
}

/// How a payment ended for the app.
@frozen public enum PaymentResult: Sendable, Hashable {
    /// The customer may be thanked; hand out nothing before your server has confirmed it.
    case success(PaymentReceipt)
    /// It was declined, or could not be carried out.
    case failure(PaymentError)
    /// The customer left the page; they may have paid all the same, so ask your server.
    case cancelled
    /// It is not known yet; ask your server.
    case pending(PaymentReceipt)
}
