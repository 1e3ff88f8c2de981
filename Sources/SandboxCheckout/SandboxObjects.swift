package import CheckoutModel
package import ProviderKit

/// A hosted checkout over pretend money.
package struct PretendCheckout: Sendable, Hashable {
    package let id: String
    package let money: Money
    package let title: String
    package let reference: String?
    package let returnURL: String
    package let cancelURL: String?
    package let customerEmail: String?
    package let createdAt: Instant
    package let expiresAt: Instant
    package internal(set) var status: CheckoutWord = .open
    /// In the order in which they were tried.
    package internal(set) var payments: [String] = []
    package internal(set) var behaviour: DeliveryBehaviour
    /// How many webhooks it has had; every other one is held back where disorder is asked for.
    var webhooks = 0
}

/// One attempt to pay a checkout.
package struct PretendPayment: Sendable, Hashable {
    package let id: String
    package let checkout: String
    package let money: Money
    package let createdAt: Instant
    package internal(set) var status: PaymentWord = .pending
    package internal(set) var failureCode: String?
    package internal(set) var refunds: [String] = []
    package internal(set) var disputes: [String] = []
}

/// Pretend money on its way back.
package struct PretendRefund: Sendable, Hashable {
    package let id: String
    package let payment: String
    package let checkout: String
    package let money: Money
    /// True when the bank will not take it.
    package let isDoomed: Bool
    package let createdAt: Instant
    package internal(set) var status: RefundWord = .pending
}

/// A customer's objection to a payment.
package struct PretendDispute: Sendable, Hashable {
    package let id: String
    package let payment: String
    package let checkout: String
    package let money: Money
    package let createdAt: Instant
    package internal(set) var status: DisputeWord = .opened
}

/// How the objects look in replies and webhooks; each says that it is pretend.
extension PretendCheckout {
    /// The whole object; `url` is the page to open.
    package func json(url: String, payment: String?) -> JSONValue {
        .object([
            "object": .string("checkout"), "id": .string(id), "pretend": .bool(true),
            "status": .string(status.rawValue), "amount": .integer(money.minorUnits),
            "currency": .string(money.currency.code), "title": .string(title),
            "reference": reference.map(JSONValue.string), "url": .string(url),
            "return_url": .string(returnURL), "cancel_url": cancelURL.map(JSONValue.string),
            "payment": payment.map(JSONValue.string), "created_at": .string(createdAt.iso8601),
            "expires_at": .string(expiresAt.iso8601),
        ])
    }
}

extension PretendPayment {
    /// The whole object, with what it knows of its checkout.
    package func json(_ checkout: PretendCheckout?) -> JSONValue {
        .object([
            "object": .string("payment"), "id": .string(id), "pretend": .bool(true),
            "status": .string(status.rawValue), "checkout": .string(self.checkout),
            "amount": .integer(money.minorUnits), "currency": .string(money.currency.code),
            "reference": checkout?.reference.map(JSONValue.string),
            "customer_email": checkout?.customerEmail.map(JSONValue.string),
            "failure_code": failureCode.map(JSONValue.string),
            "created_at": .string(createdAt.iso8601),
        ])
    }
}

extension PretendRefund {
    /// The whole object.
    package var json: JSONValue {
        .object([
            "object": .string("refund"), "id": .string(id), "pretend": .bool(true),
            "status": .string(status.rawValue), "payment": .string(payment),
            "checkout": .string(checkout), "amount": .integer(money.minorUnits),
            "currency": .string(money.currency.code), "created_at": .string(createdAt.iso8601),
        ])
    }
}

extension PretendDispute {
    /// The whole object.
    package var json: JSONValue {
        .object([
            "object": .string("dispute"), "id": .string(id), "pretend": .bool(true),
            "status": .string(status.rawValue), "payment": .string(payment),
            "checkout": .string(checkout), "amount": .integer(money.minorUnits),
            "currency": .string(money.currency.code), "created_at": .string(createdAt.iso8601),
        ])
    }
}
