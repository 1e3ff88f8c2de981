public import CheckoutModel

/// How a checkout ended for the app: a hint for the screen, never proof of a payment.
///
/// Confirm every payment by the provider's webhook or API before anything is handed out.
public struct CheckoutResult: Sendable, Hashable, CustomStringConvertible {
    /// Which checkout.
    public let session: SessionKey
    /// What to show; cancelled and pending mean that the outcome is not known.
    public let status: CheckoutStatus
    /// How it ended: a return, the customer, the app, or time.
    public let ending: CheckoutEnding
    /// The attempt to pay, as the return named it.
    public let paymentID: String?
    /// The subscription, as the return named it.
    public let subscriptionID: String?
    /// Licence keys in the return; private, and never kept by a journal.
    public let licenseKeys: [String]
    /// The customer's address in the return; private, and never kept by a journal.
    public let customerEmail: String?
    /// Every parameter of the return in its order, decoded once; private.
    public let parameters: [CheckoutParameter]
    /// True when the return came late: after the page was gone, or to another process.
    public let isLate: Bool
    /// False when the return names no session and another checkout waited at the same URL: it may
    /// be about that one.
    public let isCertain: Bool

    /// The session, the status and how it ended; nothing private.
    public var description: String { "\(session): \(status.name), \(ending.rawValue)" }
}

/// A parameter of a return URL.
public struct CheckoutParameter: Sendable, Hashable {
    /// Decoded.
    public let name: String
    /// Decoded; empty when there was none.
    public let value: String
}

extension CheckoutResult {
    /// Reads the private parts out of the URL, where it is at hand.
    init(
        _ session: SessionKey, ending: CheckoutEnding, returned: ReturnedCheckout?,
        reading: ReturnReading? = nil
    ) {
        self.session = session
        self.ending = ending
        let ended: CheckoutStatus = ending == .timedOut ? .pending : .cancelled
        status = returned?.status ?? ended
        paymentID = returned?.payment
        subscriptionID = returned?.subscription
        licenseKeys = reading?.licenseKeys ?? []
        customerEmail = reading?.customerEmail
        isLate = returned?.isLate ?? false
        isCertain = returned?.isCertain ?? true
        var parameters: [CheckoutParameter] = []
        reading?.url.parameters.forEachText { name, value in
            parameters.append(CheckoutParameter(name: name, value: value))
        }
        self.parameters = parameters
    }

    /// The result of a checkout that an earlier process opened, as far as a journal keeps it.
    ///
    /// A return is how it ended, also one that came after the customer had closed the page.
    init(_ session: JournaledSession) {
        self.init(
            session.key,
            ending: session.returned == nil ? session.ending ?? .timedOut : .returned,
            returned: session.returned)
    }
}

/// Something that happened to a running checkout; for logs, never to decide by.
public struct FlowEvent: Sendable, Hashable, CustomStringConvertible {
    /// What happened.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The page is on the screen.
        case opened = "checkout.opened"
        /// The page is on the screen, and its first load failed; the customer may load it again.
        case loadFailed = "checkout.load_failed"
        /// The browser came back.
        case returnReceived = "checkout.return_received"
        /// The page is gone.
        case closed = "checkout.closed"
        /// The browser came back to a checkout that no `start` waits for any more.
        case lateReturn = "checkout.late_return"
    }

    /// What happened.
    public let kind: Kind
    /// Which checkout.
    public let session: SessionKey
    /// When, by the flow's clock.
    public let time: Instant

    /// The event's name, such as `checkout.opened`.
    public var name: String { kind.rawValue }

    /// The name and the session.
    public var description: String { "\(name) \(session)" }
}
