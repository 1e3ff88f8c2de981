import CheckoutFlow
import CheckoutModel

/// The five values an app may show; a hint, never proof of a payment.
@frozen public enum CheckoutStatus: String, Sendable {
    /// The return URL says that it was paid.
    case succeeded
    /// The return URL says that it was declined.
    case failed
    /// The page was closed before a return came: the outcome is not known, it may have been paid.
    case cancelled
    /// Not known yet, or not understood.
    case pending
    /// The session can no longer be paid.
    case expired
}

/// How a checkout ended, read from the return URL.
public struct CheckoutResult: Sendable, Equatable, CustomStringConvertible {
    /// What to show; confirm every payment by webhook or API before anything is handed out.
    public let status: CheckoutStatus
    /// The `payment_id` of the return URL.
    public let paymentId: String?
    /// The `subscription_id` of the return URL.
    public let subscriptionId: String?
    /// Every licence key, several in one parameter taken apart; nil when there is none.
    public let licenseKeys: [String]?
    /// The `email` of the return URL; private.
    public let customerEmail: String?
    /// The parameters by name, decoded; of equal names the last, see ``parameters``.
    public let raw: [String: String]
    /// Which checkout this is about, `cks_…`; nil only in results that an app makes itself.
    public let sessionId: String?
    /// What made it end.
    public let ending: Ending
    /// Every parameter in order, repeated ones too, decoded; private.
    public let parameters: [Parameter]
    /// True when the return came after the page was gone, or to another process.
    public let isLate: Bool
    /// False when another checkout waited at the same return URL, so that the return may be its.
    public let isCertain: Bool
    /// True when the return itself says that nothing was paid.
    ///
    /// By the provider's `status=cancelled`, or by the cancel URL. ``status`` is pending then, as
    /// with Dodo's SDK.
    public let saysCancelled: Bool

    /// The session, the status and how it ended; nothing private, so it may be logged.
    public var description: String {
        "\(sessionId ?? "?"): \(status.rawValue), \(ending.rawValue)"
    }

    /// What made a checkout end.
    public enum Ending: String, Sendable {
        /// The browser came back.
        case returned
        /// The customer closed the page.
        case dismissed
        /// The calling task was cancelled.
        case cancelledByApp
        /// The time that the app allowed ran out, or the process ended first.
        case timedOut
    }

    /// One parameter of the return URL.
    public struct Parameter: Sendable, Equatable {
        /// Decoded.
        public let name: String
        /// Decoded; empty when there was none.
        public let value: String

        /// Takes both parts.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Makes a result; for tests and previews of an app.
    public init(
        status: CheckoutStatus, paymentId: String? = nil, subscriptionId: String? = nil,
        licenseKeys: [String]? = nil, customerEmail: String? = nil, raw: [String: String] = [:],
        sessionId: String? = nil, ending: Ending = .returned, parameters: [Parameter] = [],
        isLate: Bool = false, isCertain: Bool = true, saysCancelled: Bool = false
    ) {
        self.status = status
        self.paymentId = paymentId
        self.subscriptionId = subscriptionId
        self.licenseKeys = licenseKeys
        self.customerEmail = customerEmail
        self.raw = raw
        self.sessionId = sessionId
        self.ending = ending
        self.parameters = parameters
        self.isLate = isLate
        self.isCertain = isCertain
        self.saysCancelled = saysCancelled
    }
}

extension CheckoutResult {
    /// The flow's result in these words.
    ///
    /// A return never makes `cancelled` here: Dodo's contract keeps the word for a page that was
    /// closed, and apps that switch rely on it.
    init(_ result: CheckoutFlow.RunResult) {
        let saysCancelled = result.status == .cancelled && result.ending == .returned
        self.init(
            status: saysCancelled ? .pending : CheckoutStatus(result.status),
            paymentId: result.paymentID, subscriptionId: result.subscriptionID,
            licenseKeys: result.licenseKeys.isEmpty ? nil : result.licenseKeys,
            customerEmail: result.customerEmail,
            raw: Dictionary(result.parameters.map { ($0.name, $0.value) }) { $1 },
            sessionId: result.session.id, ending: Ending(result.ending),
            parameters: result.parameters.map { Parameter(name: $0.name, value: $0.value) },
            isLate: result.isLate, isCertain: result.isCertain,
            saysCancelled: saysCancelled)
    }
}

extension CheckoutStatus {
    init(_ status: CheckoutModel.CheckoutStatus) {
        self =
            switch status {
            case .succeeded: .succeeded
            case .failed: .failed
            case .cancelled: .cancelled
            case .pending: .pending
            case .expired: .expired
            }
    }
}

extension CheckoutResult.Ending {
    init(_ ending: CheckoutEnding) {
        self =
            switch ending {
            case .returned: .returned
            case .dismissed: .dismissed
            case .cancelledByApp: .cancelledByApp
            case .timedOut: .timedOut
            }
    }
}
