/// What a verified delivery turned out to say.
///
/// Each case is recorded and acknowledged; only the first may change what the ledger believes.
public enum DeliveryReading: Sendable, Hashable {
    /// Understood, also when all of it is to be ignored.
    case understood([ProviderEvent])
    /// Authentic, but about an account that is not ours: quarantine it.
    case foreignAccount(ForeignAccount)
    /// Authentic, but not readable: quarantine it, with the error's code as the reason.
    case unreadable(WebhookDecodingError)
}

/// An event that names another account than the endpoint is for.
public struct ForeignAccount: Error, Sendable, Hashable, CustomStringConvertible {
    /// The account of our configuration.
    public let configured: String
    /// The account that the event names.
    public let named: String

    /// The stable name for programs.
    public var code: String { "foreign_account" }

    /// One sentence for a person.
    public var message: String { "The event is about account \(named), not \(configured)." }

    /// What to do about it.
    public var hint: String { "Check which endpoint the other account's webhooks are sent to." }

    /// Code, sentence and hint on one line.
    public var description: String { "\(code): \(message) \(hint)" }
}

/// Why an authentic body was not understood.
///
/// Names fields, never their values.
public struct WebhookDecodingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// No JSON, or JSON that two readers could read differently.
        case malformedBody = "malformed_body"
        /// A field that the event must have is absent.
        case missingField = "missing_field"
        /// A field holds another type than documented.
        case unexpectedType = "unexpected_type"
        /// An amount that is not written as whole minor units.
        case amountNotInteger = "amount_not_integer"
        /// An amount that is not written in major units with the currency's decimals.
        case amountNotDecimal = "amount_not_decimal"
        /// An amount that does not fit 64 bits or would be rounded.
        case amountOutOfRange = "amount_out_of_range"
        /// A currency that ISO 4217 does not list.
        case unknownCurrency = "unknown_currency"
        /// A form of event that holds no facts to read, such as Stripe's thin events.
        case unsupportedForm = "unsupported_form"
    }

    /// What is wrong.
    public let reason: Reason
    /// The field's path, such as `data.total_amount`; empty for the whole body.
    public let field: String

    /// States an error.
    public init(_ reason: Reason, field: String = "") {
        self.reason = reason
        self.field = field
    }

    /// The stable name for programs.
    public var code: String { reason.rawValue }

    /// One sentence for a person.
    public var message: String {
        switch reason {
        case .malformedBody: "The body is not JSON that can be read in one way only."
        case .missingField: "The body has no \(field)."
        case .unexpectedType: "The field \(field) is of another type than documented."
        case .amountNotInteger: "The amount in \(field) is not a whole number of minor units."
        case .amountNotDecimal:
            "The amount in \(field) is not a decimal with the decimals of its currency."
        case .amountOutOfRange: "The amount in \(field) cannot be held exactly."
        case .unknownCurrency: "The currency in \(field) is not in ISO 4217."
        case .unsupportedForm: "This form of event names an object and does not contain it."
        }
    }

    /// What to do about it.
    public var hint: String {
        reason == .unsupportedForm
            ? "Set the endpoint to snapshot events."
            : "The delivery is kept; read it again with a newer adapter."
    }

    /// Code, sentence and hint on one line.
    public var description: String { "\(code): \(message) \(hint)" }
}
