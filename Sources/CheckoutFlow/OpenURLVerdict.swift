public import CheckoutModel

/// What a flow says to a URL that the app was opened with.
public enum OpenURLVerdict: Sendable, Hashable {
    /// It is the running checkout's return: the host does nothing more with it.
    case handled
    /// It is not, or not now; the host may read it otherwise.
    case ignored(Reason)

    /// Why a URL was not taken; for logs.
    public enum Reason: Sendable, Hashable {
        /// No checkout is running. The journal is looked through for one that the URL belongs to,
        /// and a find is handed over as a late return.
        case noActiveCheckout
        /// Not the return URL; the component that differs first.
        case notTheReturnURL(ReturnURLMatch)
        /// The running checkout has its return already.
        case alreadyReturned
        /// The same URL was taken a moment ago.
        case alreadyHandled
        /// It names another session than the running one; looked up as a late return.
        case otherSession
        /// The provider's adapter cannot read it.
        case malformed
    }

    /// True for `handled`.
    public var isHandled: Bool { self == .handled }

    /// The stable word for logs; nil when it was handled.
    public var code: String? {
        guard case .ignored(let reason) = self else { return nil }
        return switch reason {
        case .noActiveCheckout: "no_active_checkout"
        case .notTheReturnURL(let match): "not_the_return_url:\(match.code ?? "")"
        case .alreadyReturned: "already_returned"
        case .alreadyHandled: "already_handled"
        case .otherSession: "other_session"
        case .malformed: "malformed_return"
        }
    }
}
