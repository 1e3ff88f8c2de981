/// Why the sandbox does not do what it is asked; carries nothing of the request.
package struct SandboxRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The stable names for programs, each with the status of its HTTP answer.
    package enum Code: String, Sendable, CaseIterable {
        case unauthorized
        case notFound = "not_found"
        case malformedRequest = "malformed_request"
        case invalidField = "invalid_field"
        case keyReused = "idempotency_key_reused"
        case notOpen = "checkout_not_open"
        case notPending = "payment_not_pending"
        case notPaid = "payment_not_paid"
        case refundTooLarge = "refund_too_large"
        case disputeOver = "dispute_is_over"
        case crossSite = "cross_site"
        case methodNotAllowed = "method_not_allowed"

        /// The status of the answer.
        package var status: Int {
            switch self {
            case .unauthorized: 401
            case .crossSite: 403
            case .notFound: 404
            case .methodNotAllowed: 405
            case .malformedRequest: 400
            case .invalidField: 422
            case .keyReused, .notOpen, .notPending, .notPaid, .refundTooLarge, .disputeOver: 409
            }
        }
    }

    package let code: Code
    /// The field that is wrong, where it is one.
    package let field: String?

    package init(_ code: Code, field: String? = nil) {
        self.code = code
        self.field = field
    }

    /// One sentence for a person.
    package var message: String {
        switch code {
        case .unauthorized: "The API key is missing or is another one."
        case .notFound: "There is nothing of that name in the sandbox."
        case .malformedRequest: "The request's body cannot be read."
        case .invalidField: "The field \(field ?? "") is missing or cannot be used."
        case .keyReused: "The idempotency key was used for another request."
        case .notOpen: "The checkout is not open: it is paid, or its time is over."
        case .notPending: "The payment is not pending any more."
        case .notPaid: "Only a payment that succeeded can be refunded or disputed."
        case .refundTooLarge: "More would be refunded than was paid."
        case .disputeOver: "The dispute is over."
        case .crossSite: "The request comes from another site's page."
        case .methodNotAllowed: "That cannot be done to this address."
        }
    }

    /// What to do about it.
    package var hint: String {
        switch code {
        case .unauthorized: "Send Authorization: Bearer with the sandbox's key."
        case .notFound: "The sandbox forgets everything when its server stops."
        case .malformedRequest: "Send a JSON object."
        case .invalidField: "Amounts are integers of minor units beside an ISO 4217 code."
        case .keyReused: "Make a new key for a new wish."
        case .crossSite: "Use the sandbox's own pages."
        default: "Look at the sandbox's page of the checkout."
        }
    }

    /// Code, sentence and hint on one line.
    package var description: String { "\(code.rawValue): \(message) \(hint)" }
}
