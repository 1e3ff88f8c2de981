import CheckoutFlow
public import Foundation

/// Something that happened to a checkout; for logs, never to decide by.
@frozen public enum CheckoutEvent: Sendable, Equatable {
    /// The page is on the screen.
    case opened
    /// The browser came back with the return URL.
    case returnReceived
    /// The page is gone.
    case closed

    /// The event's name, such as `checkout.opened`.
    public var name: String {
        switch self {
        case .opened: "checkout.opened"
        case .returnReceived: "checkout.return_received"
        case .closed: "checkout.closed"
        }
    }

    init?(_ kind: FlowEvent.Kind) {
        switch kind {
        case .opened: self = .opened
        case .returnReceived: self = .returnReceived
        case .closed: self = .closed
        // A fourth case would break every switch; `onLog` is told.
        case .lateReturn, .loadFailed: return nil
        }
    }
}

/// An event with what it is about; nothing in it is private.
public struct LoggedEvent: Sendable, Equatable {
    /// The name, such as `checkout.opened`; also `checkout.late_return`, and `checkout.load_failed`
    /// when the page is on the screen and its first load failed.
    public let name: String
    /// Which checkout.
    public let sessionId: String
    /// When, by the phone's clock.
    public let time: Date
}

/// A checkout whose end is not known: ask your server about it.
public struct AbandonedSession: Sendable, Equatable {
    /// The session's id, `cks_…`.
    public let sessionId: String
    /// When the checkout was started, by the phone's clock.
    public let createdAt: Date
    /// True when the page is known to have been on the screen.
    ///
    /// False when the app ended before that was known: the customer may have seen it all the same.
    public let wasShown: Bool
    /// When it can no longer be paid; it may have been paid before.
    ///
    /// What the app said at its start, else a day after that, which is Dodo's longest.
    public let expiresAt: Date?
    /// True when that is over by the phone's clock: ask your server all the same, and make a new
    /// session for a new try.
    public let isExpired: Bool

    /// Makes a record; for tests and previews of an app.
    public init(
        sessionId: String, createdAt: Date, wasShown: Bool = true, expiresAt: Date? = nil,
        isExpired: Bool = false
    ) {
        self.isExpired = isExpired
        self.expiresAt = expiresAt
        self.sessionId = sessionId
        self.createdAt = createdAt
        self.wasShown = wasShown
    }
}
