public import CheckoutModel

/// What a provider is asked about.
public enum StatusQueryTarget: Sendable, Hashable {
    /// The hosted checkout.
    case session(String)
    /// One payment.
    case payment(String)
    /// An order.
    case order(String)
    /// The merchant's own reference.
    case merchantReference(String)

    /// The id asked about.
    public var id: String {
        switch self {
        case .session(let id), .payment(let id), .order(let id), .merchantReference(let id): id
        }
    }
}

/// The provider's answer to a status query.
public enum StatusReport: Sendable, Hashable {
    /// The provider told.
    case known(PaymentFacts)
    /// It cannot be told now. Never read as failed: the checkout may have been paid.
    case indeterminate(IndeterminateReason, retryAfterSeconds: Int?)
}

/// Why an answer tells nothing.
public enum IndeterminateReason: String, Sendable, Hashable, CaseIterable {
    /// The provider knows no such object, or not yet.
    case notFound = "not_found"
    /// Asked too often.
    case rateLimited = "rate_limited"
    /// The provider has trouble.
    case providerTrouble = "provider_trouble"
    /// A status code that we do not know what to make of.
    case unexpectedStatus = "unexpected_status"
    /// The body is cut off, no JSON, or lacks what it must have.
    case unreadable
    /// A status word that we do not know.
    case unknownWord = "unknown_word"
    /// An answer about something else than was asked.
    case otherObject = "other_object"
}

/// How a payment stands by the provider's own word.
public struct PaymentFacts: Sendable, Hashable {
    /// The status; `pending` while it is open.
    public let status: CheckoutStatus
    /// The amount; nil when this answer does not tell.
    public let amount: Money?
    /// Every id named; the payment's id may be asked about next.
    public let ids: ProviderIDs
    /// Live or test.
    public let mode: ProviderMode
    /// The provider's own status word, unchanged.
    public let rawStatus: String?
    /// True when the customer approved and the merchant has to take the money, which
    /// ``PaymentCompleting`` does; the status is `pending` then.
    public let awaitsCompletion: Bool

    /// States how a payment stands.
    public init(
        status: CheckoutStatus, amount: Money?, ids: ProviderIDs, mode: ProviderMode,
        rawStatus: String?, awaitsCompletion: Bool = false
    ) {
        self.awaitsCompletion = awaitsCompletion
        self.status = status
        self.amount = amount
        self.ids = ids
        self.mode = mode
        self.rawStatus = rawStatus
    }
}

/// Why a reply gives no answer at all: ours to put right, not the payment's state.
public enum ProviderReplyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The API key was refused.
    case unauthorized
    /// The request was refused; the provider's own error code.
    case refused(providerCode: String?)
    /// A reply to a creation that cannot be read: whether a session exists is unknown, so repeat
    /// it with the same idempotency key only.
    case unreadable

    /// The stable name for programs.
    public var code: String {
        switch self {
        case .unauthorized: "unauthorized"
        case .refused: "refused"
        case .unreadable: "unreadable_reply"
        }
    }

    /// One sentence for a person.
    public var message: String {
        switch self {
        case .unauthorized: "The provider does not accept the API key."
        case .refused(let code): "The provider refused the request: \(code ?? "no reason given")."
        case .unreadable: "The provider's reply cannot be read."
        }
    }

    /// What to do about it.
    public var hint: String {
        switch self {
        case .unauthorized: "Compare the API key with the dashboard, test and live apart."
        case .refused: "Look the code up in the provider's documentation."
        case .unreadable: "Repeat the request with the same idempotency key."
        }
    }

    /// Code, sentence and hint on one line.
    public var description: String { "\(code): \(message) \(hint)" }
}

extension HTTPReply {
    /// The JSON object of a 2xx reply, or why there is none; 401 and 403 are thrown.
    ///
    /// For `StatusQuerying.interpret`: every doubt is indeterminate, none is failed.
    public func statusObject() throws(ProviderReplyError) -> Result<JSONFields, Indeterminate> {
        let reason: IndeterminateReason
        switch status {
        case 200..<300:
            if let fields = try? JSONFields(body: body, limit: Limits.replyBytes) {
                return .success(fields)
            }
            reason = .unreadable
        case 401, 403: throw .unauthorized
        case 404: reason = .notFound
        case 429: reason = .rateLimited
        case 500...: reason = .providerTrouble
        default: reason = .unexpectedStatus
        }
        return .failure(Indeterminate(reason: reason, retryAfterSeconds: retryAfterSeconds))
    }

    /// The JSON object of a 2xx reply to a creation.
    ///
    /// `errorField` is where a refusal's code stands, at the top or in its `error` object.
    public func createdObject(
        errorField: String = "code"
    ) throws(ProviderReplyError) -> JSONFields {
        let fields = try? JSONFields(body: body, limit: Limits.replyBytes)
        switch status {
        case 200..<300:
            guard let fields else { throw .unreadable }
            return fields
        case 401, 403: throw .unauthorized
        case 500...: throw .unreadable
        default:
            let nested = try? fields?.object("error")
            throw .refused(providerCode: nested?.note(errorField) ?? fields?.note(errorField))
        }
    }
}

/// An answer that tells nothing, on its way into a ``StatusReport``.
public struct Indeterminate: Error, Sendable, Hashable {
    /// Why.
    public let reason: IndeterminateReason
    /// Whole seconds to wait; nil when not told.
    public let retryAfterSeconds: Int?

    /// As a report.
    public var report: StatusReport {
        .indeterminate(reason, retryAfterSeconds: retryAfterSeconds)
    }
}
