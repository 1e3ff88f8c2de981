/// Why there is no payment.
public enum PaymentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// `configure` was not called, or with something that cannot work.
    case invalidConfiguration(String)
    /// The amount, the currency or the order cannot be used.
    case invalidPaymentDetails(String)
    /// Your server could not be reached, or did not make a session.
    case networkFailure
    /// Your server did not answer in time; the session may exist, and trying again finds it.
    case networkTimeout
    /// The provider declined.
    case declined(message: String)
    /// The session can no longer be paid; a new try makes another one.
    case expired
    /// Another payment is on the screen.
    case alreadyInProgress
    /// The page cannot be shown here.
    case cannotPresent(String)
    /// The order could not be noted on this device, so nothing was sent.
    case notRecorded
    /// The order is known with another amount.
    case orderChanged
    /// The app ended it; the customer may have paid all the same, so ask your server.
    case cancelledByApp
    /// The customer left the page; thrown by the `async` form only.
    case cancelledByCustomer
    /// It is not known yet; thrown by the `async` form only.
    case outcomeUnknown
    /// None of these.
    case unknown

    /// A stable number for each, the same in Swift and Objective-C; new ones may be added.
    public var code: Int {
        switch self {
        case .invalidConfiguration: 1
        case .invalidPaymentDetails: 2
        case .networkFailure: 3
        case .declined: 4
        case .unknown: 5
        case .networkTimeout: 6
        case .expired: 7
        case .alreadyInProgress: 8
        case .cannotPresent: 9
        case .notRecorded: 10
        case .orderChanged: 11
        case .cancelledByApp: 12
        case .cancelledByCustomer: 13
        case .outcomeUnknown: 14
        }
    }

    /// True when the same request may be made again without paying twice.
    public var isRetryable: Bool {
        switch self {
        case .networkFailure, .networkTimeout, .declined, .expired, .cannotPresent, .notRecorded,
            .alreadyInProgress, .cancelledByApp, .cancelledByCustomer:
            true
        case .invalidConfiguration, .invalidPaymentDetails, .orderChanged, .outcomeUnknown,
            .unknown:
            false
        }
    }

    /// One sentence for a person.
    public var description: String {
        switch self {
        case .invalidConfiguration(let reason): "The payment set-up cannot work: \(reason)"
        case .invalidPaymentDetails(let reason): "The payment cannot be made: \(reason)"
        case .networkFailure: "The server could not be reached."
        case .networkTimeout: "The server did not answer in time."
        case .declined(let message): message
        case .expired: "The checkout can no longer be paid."
        case .alreadyInProgress: "Another payment is being made."
        case .cannotPresent(let reason): "The payment page cannot be shown: \(reason)"
        case .notRecorded: "The order could not be noted on this device."
        case .orderChanged: "The order is known with another amount."
        case .cancelledByApp: "The payment was called off."
        case .cancelledByCustomer: "The customer left the payment page."
        case .outcomeUnknown: "It is not known yet whether the payment was made."
        case .unknown: "The payment did not work."
        }
    }
}
