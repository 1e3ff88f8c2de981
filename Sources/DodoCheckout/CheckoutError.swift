import CheckoutFlow
import CheckoutModel

/// Why a checkout did not run: misuse or the platform; never a declined payment.
public struct CheckoutError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The four causes that a program tells apart.
    public enum Code: String, Sendable {
        /// The checkout URL is no checkout session of Dodo's.
        case invalidCheckoutUrl = "INVALID_CHECKOUT_URL"
        /// The return URL is no absolute URL that an app can own.
        case invalidReturnUrl = "INVALID_RETURN_URL"
        /// Another checkout is running.
        case alreadyInProgress = "ALREADY_IN_PROGRESS"
        /// Everything else; ``CheckoutError/reason`` says what.
        case platformError = "PLATFORM_ERROR"
    }

    /// Which of the four.
    public let code: Code
    /// One sentence for a person.
    public let message: String
    /// The exact cause as a stable word, such as `PRESENTATION_TIMED_OUT` or `NOT_RECORDED`.
    public let reason: String
    /// What to do about it; empty when there is nothing to say.
    public let hint: String

    /// Makes an error; the message is the code's word unless one is given.
    public init(code: Code, message: String? = nil, reason: String? = nil, hint: String = "") {
        self.code = code
        self.message = message ?? code.rawValue
        self.reason = reason ?? code.rawValue
        self.hint = hint
    }

    /// `CODE: message`.
    public var description: String { "\(code.rawValue): \(message)" }
}

extension CheckoutError {
    /// The flow's error in these words; what they do not know is a platform error.
    init(_ error: CheckoutFlow.RunError) {
        self.init(
            code: Code(rawValue: error.code.rawValue) ?? .platformError,
            message: error.message.isEmpty ? nil : error.message,
            reason: error.code.rawValue, hint: error.hint)
    }

    init(_ error: JournalError) {
        self.init(
            code: .platformError, message: error.message, reason: error.code, hint: error.hint)
    }
}
