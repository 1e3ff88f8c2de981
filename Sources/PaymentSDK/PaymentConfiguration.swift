public import CheckoutModel
public import ProviderKit

/// What an app sets once; there is no place in it for a secret.
public struct PaymentConfiguration: Sendable {
    /// The provider's key that may be published, or any name of the app that its server knows.
    public let publishableKey: String
    /// Whose pages are opened.
    public let provider: any ReturnURLParsing
    /// Where pages send the customer; each attempt has its own URL below this one.
    public let returnURL: String
    /// A folder of the app that is there, for what must survive its process.
    public let folder: String
    /// How long the server may take to make a session.
    public var sessionSeconds: Int64
    /// Asks your server for a session.
    public let makeSession: SessionMaker

    /// Asks the app's own server, which has the secret key, for a session of an order.
    ///
    /// The server must give the same session for the same idempotency key.
    public typealias SessionMaker = @Sendable (PaymentOrder) async throws -> PaymentSession

    /// Checks what is given.
    ///
    /// Throws `invalidConfiguration` for a key that is empty or looks like a secret one, an empty
    /// return URL, and a time that is not positive.
    public init(
        publishableKey: String, provider: any ReturnURLParsing, returnURL: String, folder: String,
        sessionSeconds: Int64 = 30, makeSession: @escaping SessionMaker
    ) throws(PaymentError) {
        guard !publishableKey.isEmpty else {
            throw .invalidConfiguration("The publishable key is empty.")
        }
        // The key is not part of the message: errors end up in logs.
        let id = type(of: provider).descriptor.id
        guard !SecretKeyShapes.match(publishableKey, of: id) else {
            throw .invalidConfiguration(
                "The key is a secret one. It belongs to the server; take it out of the app and "
                    + "replace it at the provider, because it may have been shipped.")
        }
        guard (try? ReturnURLPattern(registered: returnURL)) != nil,
            !returnURL.contains(where: { "?#".contains($0) })
        else {
            throw .invalidConfiguration(
                "The return URL needs a scheme and a host that the app owns, and no query.")
        }
        guard sessionSeconds > 0 else {
            throw .invalidConfiguration("The server's time is not more than zero.")
        }
        self.publishableKey = publishableKey
        self.provider = provider
        self.returnURL = returnURL
        self.folder = folder
        self.sessionSeconds = sessionSeconds
        self.makeSession = makeSession
    }
}

/// An order for which the app's server is to make a session.
public struct PaymentOrder: Sendable, Hashable {
    /// The shop's own name of it; the server knows what it costs, and checks the amount.
    public let orderID: String
    /// What the customer was shown.
    public let money: Money
    /// The same for every try of one attempt, so that it makes one session.
    public let idempotencyKey: IdempotencyKey
    /// Where this session's page has to send the customer.
    ///
    /// Ends in random words that only this attempt has, so that its return is nobody else's.
    public let returnURL: String
    /// The configuration's key.
    public let publishableKey: String
}

/// A session that the app's server made.
public struct PaymentSession: Sendable, Hashable {
    /// The provider's page.
    public let checkoutURL: String
    /// The session's id, where the URL does not name it.
    public let sessionID: String?
    /// When it can no longer be paid; nil when not known.
    public let expiresAt: Instant?

    /// States what the server answered.
    public init(checkoutURL: String, sessionID: String? = nil, expiresAt: Instant? = nil) {
        self.checkoutURL = checkoutURL
        self.sessionID = sessionID
        self.expiresAt = expiresAt
    }
}

/// How the keys look that must never be in an app.
///
/// By their published prefixes; a provider without one cannot be told, so this is no proof.
enum SecretKeyShapes {
    /// The beginning of a key, and whose it is.
    static let prefixes: KeyValuePairs<String, String> = [
        "sk_": "Stripe, Checkout.com, Paystack: secret key",
        "rk_": "Stripe: restricted key",
        "whsec_": "Stripe, Standard Webhooks: signing secret",
        "pdl_live_apikey_": "Paddle: API key",
        "pdl_sdbx_apikey_": "Paddle: API key of the sandbox",
        "pdl_ntfset_": "Paddle: signing secret",
        "live_": "Mollie: API key; GoCardless: access token",
        "test_": "Mollie: API key of the sandbox",
        "sandbox_": "GoCardless: access token of the sandbox",
        "sq0csp-": "Square: application secret",
        "sq0atp-": "Square: access token",
        "EAAA": "Square: access token",
        "AQE": "Adyen: API key",
        "access_token$": "Braintree: access token",
        "FLWSECK": "Flutterwave: secret key",
        "polar_oat_": "Polar: access token",
        "creem_": "Creem: API key",
        "-----BEGIN": "a private key",
    ]

    /// Keys that may be published and begin as another provider's secret ones do.
    ///
    /// Source: Paddle, "Manage client-side tokens". Adyen's client keys from memory, not verified.
    static let published: [ProviderID: [String]] = [
        "paddle": ["live_", "test_"],
        "adyen": ["live_", "test_"],
    ]

    static func match(_ key: String, of provider: ProviderID) -> Bool {
        if key.lowercased().contains("secret") { return true }
        if published[provider, default: []].contains(where: { key.hasPrefix($0) }) { return false }
        return prefixes.contains { key.hasPrefix($0.key) }
    }
}
