public import CheckoutModel
public import ProviderKit

/// What became of one session when its provider was to be asked.
public struct ReconcileResult: Sendable, Hashable {
    /// The session as it stands afterwards.
    public let session: Session
    /// What came of it.
    public let ending: Ending
    /// What was asked about last, or would be; nil when nothing was.
    public let target: StatusQueryTarget?
    /// The URL of that request, which holds no secret.
    public let url: String?
    /// True when the customer approved and the merchant has still to take the money.
    public internal(set) var awaitsCompletion = false

    /// What can come of it.
    public enum Ending: Sendable, Hashable {
        /// It has an outcome now, or had one.
        case resolved(SessionOutcome)
        /// The provider says that it is still open.
        case pending
        /// Paid, and not as it was asked for: a person must look.
        case needsReview([Discrepancy.Code])
        /// The provider answered, and the answer tells nothing: never read as failed.
        case unclear(IndeterminateReason)
        /// No answer.
        case notAsked(ReconcileObstacle)
        /// It would have been asked.
        case wouldAsk
    }

    /// True when nothing is left to do.
    public var isResolved: Bool {
        if case .resolved = ending { true } else { false }
    }

    /// What stood in the way of an answer.
    public var obstacle: ReconcileObstacle? {
        if case .notAsked(let obstacle) = ending { obstacle } else { nil }
    }
}

/// Why a provider gave no answer about a session; carries no secret.
public struct ReconcileObstacle: Sendable, Hashable, CustomStringConvertible {
    /// The stable name for programs, such as `no_account` or `timeout`.
    public let code: String
    /// One sentence for a person.
    public let message: String
    /// What to do about it.
    public let hint: String
    /// True when a secret is missing or refused.
    public let isAboutCredentials: Bool

    init(_ code: String, _ message: String, hint: String, isAboutCredentials: Bool = false) {
        self.code = code
        self.message = message
        self.hint = hint
        self.isAboutCredentials = isAboutCredentials
    }

    /// Code, sentence and hint on one line.
    public var description: String { "\(code): \(message) \(hint)" }
}

extension ReconcileObstacle {
    static func noAccount(_ scope: AccountScope) -> ReconcileObstacle {
        ReconcileObstacle(
            "no_account", "The configuration has no account \(scope).",
            hint: "Add it, with its API key.", isAboutCredentials: true)
    }

    static func unsupported(_ provider: ProviderID) -> ReconcileObstacle {
        ReconcileObstacle(
            "unsupported", "The adapter of \(provider) cannot ask its provider.",
            hint: "Look in the provider's dashboard, then resolve the session by hand.")
    }

    static let noUsableID = ReconcileObstacle(
        "unsupported_target", "The provider cannot be asked about any id of this session.",
        hint: "Look in the provider's dashboard, then resolve the session by hand.")

    static let stopped = ReconcileObstacle(
        "interrupted", "Stopped before its turn.", hint: "Run it again.")

    static func trouble(_ scope: AccountScope) -> ReconcileObstacle {
        ReconcileObstacle(
            "provider_trouble", "\(scope) failed several times in a row and was left alone.",
            hint: "Run it again later.")
    }

    static func rateLimited(_ scope: AccountScope, seconds: Int?) -> ReconcileObstacle {
        ReconcileObstacle(
            "rate_limited", "\(scope) asks for fewer requests.",
            hint: seconds.map { "Run it again in \($0) seconds." } ?? "Run it again later.")
    }

    init(_ error: RequestPlanError) {
        let isSecret = if case .secret = error { true } else { false }
        self.init(
            error.code, error.message, hint: error.hint, isAboutCredentials: isSecret)
    }

    init(_ error: TransportError) { self.init(error.code, error.message, hint: error.hint) }

    init(_ error: ProviderReplyError, _ scope: AccountScope) {
        let isRefusedKey = error == .unauthorized
        self.init(
            error.code,
            isRefusedKey
                ? "The provider does not accept the API key of \(scope)." : error.message,
            hint: error.hint, isAboutCredentials: isRefusedKey)
    }
}
