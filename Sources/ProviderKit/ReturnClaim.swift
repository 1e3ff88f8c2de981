public import CheckoutModel

/// A browser's return, with what only the host knows about it.
public struct ReturnRequest: Sendable {
    /// Which of the registered URLs the browser came to.
    public enum Landing: Sendable, Hashable {
        /// The URL for customers who paid, or who may have.
        case success
        /// The URL for payments that failed.
        case failure
        /// The URL for customers who gave up.
        case cancel
        /// One URL serves for all, or it is not known.
        case unspecified
    }

    /// The URL, parsed.
    public let url: ReturnURL
    /// Where the browser came to.
    public let landing: Landing
    /// The session that is open; nil when it is not known.
    public let expectedSession: String?

    /// Takes a parsed URL.
    public init(url: ReturnURL, landing: Landing = .unspecified, expectedSession: String? = nil) {
        self.url = url
        self.landing = landing
        self.expectedSession = expectedSession
    }
}

/// What a return says, as an adapter reads it.
///
/// Only a hint, unless ``ReturnVerifier`` says more.
public struct ReturnClaim: Sendable {
    /// What to show; `pending` on every doubt.
    public let status: CheckoutStatus
    /// Every id named.
    public let ids: ProviderIDs
    /// What must be sealed before it is stored.
    public let privateFields: PrivateFields
    /// The parameters in full, and what was odd about them.
    public let reading: ReturnReading

    /// States a claim.
    public init(
        status: CheckoutStatus, ids: ProviderIDs, privateFields: PrivateFields,
        reading: ReturnReading
    ) {
        self.status = status
        self.ids = ids
        self.privateFields = privateFields
        self.reading = reading
    }
}

/// Why a return is not taken as a claim at all.
public enum ReturnRejection: Error, Sendable, Hashable, CustomStringConvertible {
    /// The provider signs returns, and this one's signature does not hold.
    case signatureMismatch
    /// The provider signs returns, and this one has no signature.
    case missingSignature
    /// Names another session than the one that is open.
    case otherSession
    /// Cannot be read as a return of this provider.
    case malformed

    /// The stable name for programs.
    public var code: String {
        switch self {
        case .signatureMismatch: "signature_mismatch"
        case .missingSignature: "missing_signature"
        case .otherSession: "other_session"
        case .malformed: "malformed_return"
        }
    }

    /// One sentence for a person.
    public var message: String {
        switch self {
        case .signatureMismatch: "The return's signature does not fit the configured secret."
        case .missingSignature: "The return has no signature."
        case .otherSession: "The return is about another checkout than the open one."
        case .malformed: "The URL is no return of this provider."
        }
    }

    /// What to do about it.
    public var hint: String { "The checkout stays open; ask the provider how it stands." }

    /// Code, sentence and hint on one line.
    public var description: String { "\(code): \(message) \(hint)" }
}

extension ReturnRequest {
    /// Throws `other_session` when a session is named and it is not the open one.
    ///
    /// A return that names none is taken: most providers do not append it.
    public func check(session: String?) throws(ReturnRejection) {
        guard let expectedSession, let session else { return }
        guard session == expectedSession else { throw .otherSession }
    }
}
