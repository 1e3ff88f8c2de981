/// Where checkouts that an app opened are kept until the app is done with them.
///
/// The app's own memory, not the truth: nothing in it says that a payment was made. Written before
/// the customer sees a page, so that no end of the process loses a checkout.
public protocol SessionJournal: Sendable {
    /// Keeps an entry; it is durable when this returns.
    ///
    /// An entry for a session that is not there any more does nothing, unless it starts one.
    func append(_ entry: JournalEntry) async throws(JournalError)
    /// Every checkout that is not done with, the oldest first.
    func sessions() async throws(JournalError) -> [JournaledSession]
}

/// Names a hosted checkout: who runs it, and the provider's id.
public struct SessionKey: Sendable, Hashable, CustomStringConvertible {
    /// The provider.
    public let provider: ProviderID
    /// The provider's id of the session, unchanged.
    public let id: String

    /// Takes both parts.
    public init(_ provider: ProviderID, _ id: String) {
        self.provider = provider
        self.id = id
    }

    /// `provider/id`.
    public var description: String { "\(provider)/\(id)" }
}

/// One fact about a checkout, as the app saw it.
public struct JournalEntry: Sendable, Hashable {
    /// Which checkout.
    public let session: SessionKey
    /// When, by the app's clock.
    public let time: Instant
    /// What.
    public let fact: JournalFact

    /// States a fact.
    public init(_ session: SessionKey, at time: Instant, _ fact: JournalFact) {
        self.session = session
        self.time = time
        self.fact = fact
    }
}

/// What an app can see of a checkout.
public enum JournalFact: Sendable, Hashable {
    /// It is about to be opened; written before the customer sees anything.
    case started(StartedCheckout)
    /// The page is on the screen.
    case opened
    /// The page was never shown.
    case failedToOpen(code: String)
    /// The browser came back.
    case returned(ReturnedCheckout)
    /// The page is gone.
    case closed(CheckoutEnding)
    /// The host has the result.
    case acknowledged
    /// The host has settled it by what its server says.
    case resolved(CheckoutStatus)
}

/// What is known of a checkout before it opens.
public struct StartedCheckout: Sendable, Hashable {
    /// Live or test.
    public var mode: ProviderMode
    /// The URLs that bring the customer back, first the one for customers who may have paid.
    public var returnURLs: [String]
    /// When it can no longer be paid; nil when not known.
    public var expiresAt: Instant?

    /// States what is known.
    public init(mode: ProviderMode, returnURLs: [String], expiresAt: Instant? = nil) {
        self.mode = mode
        self.returnURLs = returnURLs
        self.expiresAt = expiresAt
    }
}

/// What a return said; a hint, whatever it says.
public struct ReturnedCheckout: Sendable, Hashable {
    /// What to show.
    public var status: CheckoutStatus
    /// The attempt to pay.
    public var payment: String?
    /// The subscription.
    public var subscription: String?
    /// True when it came after the page was gone, or to a process that had not opened it.
    public var isLate: Bool
    /// False when it names no session and another checkout was waiting at the same URL.
    public var isCertain: Bool
    /// The URL in full.
    ///
    /// Private: a journal keeps it sealed or not at all.
    public var url: String

    /// States what was said.
    public init(
        status: CheckoutStatus, payment: String? = nil, subscription: String? = nil,
        isLate: Bool = false, isCertain: Bool = true, url: String = ""
    ) {
        self.status = status
        self.payment = payment
        self.subscription = subscription
        self.isLate = isLate
        self.isCertain = isCertain
        self.url = url
    }
}

/// How an app's part in a checkout ended.
public enum CheckoutEnding: String, Sendable, Hashable, CaseIterable {
    /// The browser came back to the app.
    case returned
    /// The customer closed the page before a return came; they may have paid.
    case dismissed
    /// The app gave up waiting; the customer may have paid.
    case cancelledByApp = "cancelled_by_app"
    /// The time that the app allowed ran out; the customer may have paid.
    case timedOut = "timed_out"
}

/// A checkout as its entries tell it.
public struct JournaledSession: Sendable, Hashable {
    /// Which checkout.
    public let key: SessionKey
    /// What was known before it opened.
    public let started: StartedCheckout
    /// When that was.
    public let startedAt: Instant
    /// True when the page is known to have been on the screen; it may have been so all the same.
    public private(set) var wasShown = false
    /// What the first return said; nil when none came.
    public private(set) var returned: ReturnedCheckout?
    /// How it ended; nil while it is open, and when the process ended first.
    public private(set) var ending: CheckoutEnding?
    /// True when the host has the result.
    public private(set) var isAcknowledged = false
    /// True when there is nothing more to remember.
    public private(set) var isDone = false

    /// Begins with a checkout's first entry; nil when that is not its start.
    public init?(_ entry: JournalEntry) {
        guard case .started(let started) = entry.fact else { return nil }
        key = entry.session
        self.started = started
        startedAt = entry.time
    }

    /// Adds an entry; the order matters only between acknowledging and what is acknowledged.
    public mutating func apply(_ fact: JournalFact) {
        switch fact {
        case .started: break
        case .opened: wasShown = true
        case .failedToOpen:
            // A page that was never shown cannot have been paid.
            if !wasShown { isDone = true }
        case .returned(let claim):
            // A later return does not change the first, except that certainty wins.
            if returned.map({ !$0.isCertain && claim.isCertain }) ?? true {
                returned = claim
                isAcknowledged = false
            }
        case .closed(let how): if ending == nil { ending = how }
        case .acknowledged:
            isAcknowledged = true
            if isSettled { isDone = true }
        case .resolved: isDone = true
        }
    }

    /// The status to show: what the return said, cancelled when the page was closed before one
    /// came, else pending.
    public var status: CheckoutStatus {
        if let returned { return returned.status }
        return ending == .dismissed || ending == .cancelledByApp ? .cancelled : .pending
    }

    /// True when the return said how it ended, and said it of this session.
    public var isSettled: Bool {
        guard let returned, returned.isCertain else { return false }
        return returned.status.endsCheckout
    }
}

extension CheckoutStatus {
    /// True for succeeded, failed and expired: the page has nothing more to say.
    ///
    /// Cancelled is not among them: a page that was closed may have been paid.
    public var endsCheckout: Bool {
        switch self {
        case .succeeded, .failed, .expired: true
        case .pending, .cancelled: false
        }
    }
}

/// Why a journal could not do its work; carries no content of it.
public struct JournalError: Error, Sendable, Hashable, CustomStringConvertible {
    /// `JOURNAL_WRITE_FAILED` or `JOURNAL_READ_FAILED`.
    public let code: String
    /// One sentence for a person.
    public let message: String
    /// What to do about it.
    public let hint: String

    private init(code: String, message: String, hint: String) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// The entry is not durable.
    public static func write(_ reason: String) -> JournalError {
        JournalError(
            code: "JOURNAL_WRITE_FAILED", message: "The checkout could not be noted: \(reason).",
            hint: "See that its folder is there and may be written, and that the disk has room.")
    }

    /// The entries cannot be told.
    public static func read(_ reason: String) -> JournalError {
        JournalError(
            code: "JOURNAL_READ_FAILED", message: "The noted checkouts cannot be read: \(reason).",
            hint: "See that the file may be read; it was left as it is.")
    }

    /// Code, sentence and hint on one line.
    public var description: String { "\(code): \(message) \(hint)" }
}
