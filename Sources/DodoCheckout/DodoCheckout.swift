import CheckoutFlow
import CheckoutModel
public import Foundation

/// Dodo Payments' hosted checkout under the names of Dodo's own iOS SDK.
///
/// An app switches by changing its package: every name, parameter, error code and event name is the
/// same. What is better comes on top, see <doc:BetterThanTheSDK>. Holds no key, makes no network
/// call, and never touches the app's own screens.
public enum DodoCheckout {
    /// Opens a hosted checkout and waits for its end.
    ///
    /// A declined or abandoned payment is a result. Throws only `CheckoutError`:
    /// `INVALID_CHECKOUT_URL`, `INVALID_RETURN_URL`, `ALREADY_IN_PROGRESS`, `PLATFORM_ERROR`, in
    /// this order. Not declared as typed, because hosts that write
    /// `catch let error as CheckoutError` would be warned for it.
    ///
    /// - Parameters:
    ///   - checkoutUrl: The session's page, as your server got it.
    ///   - returnUrl: Where the page sends the customer; the session's own `return_url`.
    ///   - cancelUrl: The session's `cancel_url`, when it has one.
    ///   - expiresAt: When the session can no longer be paid: a day after it was made, 15 minutes
    ///     for one that was made with `confirm`. Without it a day from now is taken.
    ///   - customization: How the browser looks.
    ///   - onEvent: Called on the main actor; for logs.
    @MainActor
    public static func start(
        checkoutUrl: URL, returnUrl: URL, cancelUrl: URL? = nil, expiresAt: Date? = nil,
        customization: BrowserCustomization = BrowserCustomization(),
        onEvent: (@Sendable (CheckoutEvent) -> Void)? = nil
    ) async throws -> CheckoutResult {
        let request = CheckoutRequest(
            checkoutURL: checkoutUrl.absoluteString, returnURL: returnUrl.absoluteString,
            cancelURL: cancelUrl?.absoluteString, expiresAt: expiresAt.flatMap(Instant.init))
        return try await desk().start(request, customization: customization, onEvent: onEvent)
    }

    /// Whether an incoming URL belongs to a checkout of this app; forward every URL that comes.
    ///
    /// Also true for the second delivery of a return and for a return to a checkout of an earlier
    /// process, which is kept with its session and told to ``onLateReturn``.
    @MainActor
    @discardableResult
    public static func handleOpenURL(_ url: URL) -> Bool {
        (try? desk())?.handleOpenURL(url.absoluteString) ?? false
    }

    /// The running checkout, else the last one whose end is not known; nil when there is none.
    ///
    /// Any thread. ``abandonedSessions()`` has all of them.
    public static func getAbandonedSession() -> AbandonedSession? { (try? shelf())?.current() }

    /// Forgets the session that ``getAbandonedSession()`` gave last; never the running one.
    ///
    /// Any thread. ``clearAbandonedSession(sessionId:)`` says which.
    public static func clearAbandonedSession() { (try? shelf())?.clear() }
}

extension DodoCheckout {
    /// Every checkout whose end is not known, the oldest first, without the running one.
    ///
    /// Any thread. Throws `CheckoutError` when the journal cannot be read.
    public static func abandonedSessions() throws -> [AbandonedSession] {
        do throws(JournalError) {
            return try shelf().abandoned()
        } catch {
            throw CheckoutError(error)
        }
    }

    /// Forgets one session, because your server has told how it ended; false when nothing was done.
    ///
    /// Any thread. The running checkout and every other session stay.
    @discardableResult
    public static func clearAbandonedSession(sessionId: String) -> Bool {
        (try? shelf())?.clear(sessionId) ?? false
    }

    /// The results that were not acknowledged, of this process and of earlier ones.
    ///
    /// Without the private parts of a return. The newest 32 settled ones are kept. Throws
    /// `CheckoutError` when the journal cannot be read.
    @MainActor
    public static func unacknowledgedResults() async throws -> [CheckoutResult] {
        try await desk().unacknowledgedResults()
    }

    /// Says that the app has a session's result in safe hands.
    ///
    /// Throws `CheckoutError` when that cannot be noted.
    @MainActor
    public static func acknowledge(sessionId: String) async throws {
        try await desk().acknowledge(sessionId)
    }

    /// Told of returns that no `start` waits for any more; they are unacknowledged results too.
    @MainActor
    public static var onLateReturn: (@MainActor (CheckoutResult) -> Void)? {
        get { (try? desk())?.onLateReturn }
        set { (try? desk())?.onLateReturn = newValue }
    }

    /// Told of every event of every checkout, with its session and time.
    @MainActor
    public static var onLog: (@MainActor (LoggedEvent) -> Void)? {
        get { (try? desk())?.onLog }
        set { (try? desk())?.onLog = newValue }
    }
}
