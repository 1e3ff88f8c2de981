import CheckoutModel

/// Why a checkout did not run: misuse, or something of the system's; never a declined payment.
public struct CheckoutError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable name of what went wrong; new codes may be added.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// Upper-case words joined by `_`.
        public let rawValue: String

        /// For codes read back from text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The code's text.
        public var description: String { rawValue }

        /// The checkout URL is none of the provider's pages.
        public static let invalidCheckoutURL = Code(rawValue: "INVALID_CHECKOUT_URL")
        /// The return URL cannot bring anybody back.
        public static let invalidReturnURL = Code(rawValue: "INVALID_RETURN_URL")
        /// This presenter shows another checkout, or another presenter shows this one.
        public static let alreadyInProgress = Code(rawValue: "ALREADY_IN_PROGRESS")
        /// The checkout could not be noted, so it was not opened.
        public static let notRecorded = Code(rawValue: "NOT_RECORDED")
        /// There is nothing to show the page on.
        public static let noPresenter = Code(rawValue: "NO_PRESENTER")
        /// The page was asked for and did not come up in time.
        public static let presentationTimedOut = Code(rawValue: "PRESENTATION_TIMED_OUT")
        /// No browser could be started.
        public static let browserUnavailable = Code(rawValue: "BROWSER_UNAVAILABLE")
        /// No app is registered for the return URL's scheme.
        public static let schemeNotRegistered = Code(rawValue: "SCHEME_NOT_REGISTERED")
        /// The place where the return is awaited is taken.
        public static let portInUse = Code(rawValue: "PORT_IN_USE")
        /// Something else that the system refused.
        public static let platform = Code(rawValue: "PLATFORM_ERROR")
    }

    /// What went wrong, for programs.
    public let code: Code
    /// One sentence for a person.
    public let message: String
    /// What to do about it.
    public let hint: String

    /// States an error; the texts must not carry secrets or URLs.
    public init(_ code: Code, _ message: String, hint: String = "") {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// Code and sentence on one line.
    public var description: String { "\(code): \(message)" }
}

extension CheckoutError {
    static func notRecorded(_ error: JournalError) -> CheckoutError {
        CheckoutError(.notRecorded, error.message, hint: error.hint)
    }

    static let busy = CheckoutError(
        .alreadyInProgress, "Another checkout is being shown.",
        hint: "Wait for its result; a second window needs a presenter of its own.")

    static let shownElsewhere = CheckoutError(
        .alreadyInProgress, "This checkout is being shown already.",
        hint: "Wait for its result; it comes to the call that opened it.")
}
