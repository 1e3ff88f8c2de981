public import EventLog

/// Why a ledger did not do what it was asked.
///
/// Carries no secret and no private data.
public struct LedgerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable name of what went wrong, fit for programs; new codes may be added.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// Upper-case words joined by `_`.
        public let rawValue: String
        /// For codes read back from text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The code's text.
        public var description: String { rawValue }
    }

    /// What went wrong, for programs.
    public let code: Code
    /// One sentence for a person.
    public let message: String
    /// What to do about it.
    public let hint: String

    /// What was turned away, so that this can be recorded; nil for every other error.
    let refusal: RedactionRefusal?
    /// Position of the hold for which an erasure was refused; nil for every other error.
    let hold: UInt64?

    /// States what went wrong and what to do.
    public init(_ code: Code, _ message: String, hint: String = "") {
        self.init(code, message, hint: hint, refusal: nil)
    }

    init(
        _ code: Code, _ message: String, hint: String, refusal: RedactionRefusal?,
        hold: UInt64? = nil
    ) {
        self.code = code
        self.message = message
        self.hint = hint
        self.refusal = refusal
        self.hold = hold
    }

    /// The log's words for the same.
    public init(_ error: LogError) {
        self.init(Code(rawValue: error.code.rawValue), error.message, hint: error.hint)
    }

    /// Code, sentence and hint on one line.
    public var description: String {
        hint.isEmpty ? "\(code): \(message)" : "\(code): \(message) \(hint)"
    }
}

extension LedgerError {
    /// True when what was to be recorded cannot be stored in any state of the ledger: trying again
    /// cannot help.
    package var isAboutContent: Bool {
        [.tooLong, .missing, .sensitiveData].contains(code)
            || code.rawValue == LogError.Code.invalidRequest.rawValue
    }
}

extension LedgerError.Code {
    /// A text is longer than its limit.
    public static let tooLong = Self(rawValue: "TOO_LONG")
    /// A value that must be given is absent or empty.
    public static let missing = Self(rawValue: "MISSING_VALUE")
    /// There is no session of that name.
    public static let notFound = Self(rawValue: "NOT_FOUND")
    /// A beginning fits several sessions.
    public static let ambiguous = Self(rawValue: "AMBIGUOUS_NAME")
    /// There is no ledger in that directory.
    public static let noLedger = Self(rawValue: "NO_LEDGER")
    /// There is a ledger already.
    public static let exists = Self(rawValue: "LEDGER_EXISTS")
    /// The root key is not where it should be; private fields can be neither sealed nor opened.
    public static let rootKeyMissing = Self(rawValue: "ROOT_KEY_MISSING")
    /// A key file holds something else than a key, or can be read by others.
    public static let malformedKey = Self(rawValue: "MALFORMED_KEY")
    /// A file cannot be read or written.
    public static let fileFailed = Self(rawValue: "FILE_FAILED")
    /// A signal asked to stop while input was awaited.
    public static let interrupted = Self(rawValue: "INTERRUPTED")
    /// A file is not what it says; nothing of it was taken.
    public static let damagedFile = Self(rawValue: "DAMAGED_FILE")
    /// A key that a webhook names could not be fetched: nothing was recorded.
    public static let keyNotFetched = Self(rawValue: "KEY_NOT_FETCHED")
    /// The same, because the provider did not accept who asks for its keys.
    public static let keyCredentials = Self(rawValue: "KEY_CREDENTIALS")
    /// An event line misses a field or has one that makes no sense.
    public static let malformedEvent = Self(rawValue: "MALFORMED_EVENT")
    /// An event id was used for two different events.
    public static let eventIDReused = Self(rawValue: "EVENT_ID_REUSED")
    /// A hold forbids to destroy these keys.
    public static let legalHold = Self(rawValue: "LEGAL_HOLD")
    /// Another process is erasing or rotating.
    public static let erasingElsewhere = Self(rawValue: "ERASING_ELSEWHERE")
    /// An event holds what may not be stored in any form, such as a card's track or security code.
    public static let sensitiveData = Self(rawValue: "SENSITIVE_DATA")
}
