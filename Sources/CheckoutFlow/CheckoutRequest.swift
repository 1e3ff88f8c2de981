public import CheckoutModel
import ProviderKit

/// A checkout to run.
public struct CheckoutRequest: Sendable, Hashable {
    /// The provider's page, as the app's server got it when it made the session.
    public var checkoutURL: String
    /// Where the customer is sent after the page; the same URL that the session was made with.
    public var returnURL: String
    /// Where customers who give up are sent, when that is another URL.
    public var cancelURL: String?
    /// The session's id, for providers whose URLs do not name it.
    public var sessionID: String?
    /// When the session can no longer be paid; nil when not known.
    public var expiresAt: Instant?
    /// How many seconds to wait for an end; nil = as long as the page is open.
    public var timeLimitSeconds: Int64?

    /// Describes a checkout.
    public init(
        checkoutURL: String, returnURL: String, cancelURL: String? = nil,
        sessionID: String? = nil, expiresAt: Instant? = nil, timeLimitSeconds: Int64? = nil
    ) {
        self.checkoutURL = checkoutURL
        self.returnURL = returnURL
        self.cancelURL = cancelURL
        self.sessionID = sessionID
        self.expiresAt = expiresAt
        self.timeLimitSeconds = timeLimitSeconds
    }
}

/// A request that was checked: the session it is about and what to compare returns with.
struct CheckedRequest: Sendable {
    let session: SessionKey
    let page: CheckoutPage
    let started: StartedCheckout
    let patterns: [(pattern: ReturnURLPattern, landing: ReturnRequest.Landing)]
    let timeLimitSeconds: Int64?
    /// How long the provider's sessions can be paid, from their making; nil when not known.
    let lifeSeconds: Int64?

    /// True for a URL that brings customers of this checkout back.
    func isReturn(_ text: String) -> Bool { patterns.contains { $0.pattern.match(text).isMatch } }
}

extension CheckedRequest {
    /// Checks the checkout URL first, then the return URLs.
    ///
    /// Throws `INVALID_CHECKOUT_URL`, `INVALID_RETURN_URL`.
    init(_ request: CheckoutRequest, for provider: any PaymentProvider) throws(CheckoutError) {
        let mode: ProviderMode
        let id: String
        switch provider.recognise(checkoutURL: request.checkoutURL) {
        case .session(let named, let itsMode):
            if let wanted = request.sessionID, wanted != named {
                throw Self.badCheckout(
                    "The checkout URL is about another session than the given one.")
            }
            (id, mode) = (named, itsMode)
        case .linkWithoutSession(let itsMode):
            guard let given = request.sessionID, !given.isEmpty else {
                throw Self.badCheckout("The checkout URL names no session, and none is given.")
            }
            (id, mode) = (given, itsMode)
        case .notMine:
            throw Self.badCheckout(
                "The URL is no checkout page of \(type(of: provider).descriptor.name).")
        }
        session = SessionKey(type(of: provider).descriptor.id, id)
        let hosts = provider.checkoutURLRules.reduce(into: Set<String>()) { $0.formUnion($1.hosts) }
        var patterns: [ReturnURLPattern] = []
        let urls = [request.returnURL] + (request.cancelURL.map { [$0] } ?? [])
        for url in urls {
            do throws(ReturnURLRefusal) {
                patterns.append(try ReturnURLPattern(registered: url, refusedHosts: hosts))
            } catch {
                throw CheckoutError(
                    .invalidReturnURL, error.message,
                    hint: "Give an absolute URL with a scheme and a host that the app owns.")
            }
        }
        self.patterns = Self.withLandings(patterns, urls)
        page = CheckoutPage(
            url: Self.canonical(request.checkoutURL, provider), returnURLs: urls, session: session)
        started = StartedCheckout(mode: mode, returnURLs: urls, expiresAt: request.expiresAt)
        timeLimitSeconds = request.timeLimitSeconds
        lifeSeconds = type(of: provider).descriptor.sessionLifeSeconds
    }

    /// One URL alone serves every customer; beside a cancel URL it is for those who may have paid.
    ///
    /// Two that differ in their queries only cannot be told apart, and say nothing.
    static func withLandings(
        _ patterns: [ReturnURLPattern], _ urls: [String]
    ) -> [(pattern: ReturnURLPattern, landing: ReturnRequest.Landing)] {
        guard let first = patterns.first, let last = urls.last, urls.count > 1,
            !first.match(last).isMatch
        else { return patterns.map { ($0, .unspecified) } }
        return patterns.enumerated().map { ($1, $0 == 0 ? .success : .cancel) }
    }

    private static func canonical(_ url: String, _ provider: any PaymentProvider) -> String {
        for rule in provider.checkoutURLRules {
            if let page = try? rule.read(url) { return page.canonicalText }
        }
        return url
    }

    private static func badCheckout(_ message: String) -> CheckoutError {
        CheckoutError(
            .invalidCheckoutURL, message,
            hint: "Open the URL exactly as the provider gave it to the server.")
    }
}
