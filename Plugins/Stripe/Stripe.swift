public import CheckoutModel
public import ProviderKit

/// Stripe Checkout: hosted checkouts at `checkout.stripe.com` or the account's own domain.
///
/// Source: stripe/stripe-python, stripe/stripe-dotnet, stripe/stripe-node; each rule names a file.
public struct StripeProvider: PaymentProvider {
    /// Who this is.
    ///
    /// The whole text of a webhook secret is the key, `whsec_` included. The prefix is not
    /// demanded: Stripe's own tests sign without it. Amounts follow Stripe's own table of
    /// decimals.
    public static let descriptor = ProviderDescriptor(
        id: "stripe", name: "Stripe", adapterVersion: "1.0.0",
        moneyProfile: StatusMapping.moneyProfile,
        secretRules: [
            SecretRule(role: .webhook, encoding: .utf8, prefix: "whsec_", minimumBytes: 8),
            SecretRule(role: .apiKey, encoding: .utf8, minimumBytes: 16),
        ], secretFields: ["client_secret"],
        // `expires_at` of a Checkout Session: from 30 minutes to 24 hours, which is the default.
        sessionLifeSeconds: 86_400)

    let configuration: StripeConfiguration
    let pages: [CheckoutURLRule]
    let vocabulary: ReturnVocabulary

    /// Throws `invalid_configuration` for a negative tolerance, an empty account or a custom
    /// domain that is no plain lower-case host name.
    public init(
        configuration: StripeConfiguration = StripeConfiguration()
    ) throws(ProviderConfigurationError) {
        if let seconds = configuration.toleranceSeconds, seconds < 0 {
            throw ProviderConfigurationError(
                field: "toleranceSeconds", message: "The tolerance is negative.")
        }
        guard configuration.accountID?.isEmpty != true else {
            throw ProviderConfigurationError(
                field: "accountID", message: "The account id is empty.")
        }
        for domain in configuration.customDomains where !HostText.isPlain(domain) {
            throw ProviderConfigurationError(
                field: "customDomains", message: "A custom domain is no lower-case host name.")
        }
        self.configuration = configuration
        pages = Self.pages(customDomains: configuration.customDomains)
        vocabulary = ReturnVocabulary(parameters: Self.parameters(configuration), statusWords: [:])
    }
}

/// What differs between installations of Stripe; nothing in it is secret.
public struct StripeConfiguration: ProviderConfiguration, Hashable {
    /// Our account, `acct_…`; events of a connected account other than it are set aside.
    ///
    /// Nil takes every account.
    public var accountID: String?
    /// Live or test, where the account says: requests are then made with its own keys and about its
    /// own sessions only.
    ///
    /// Unknown takes both; ids and keys of Stripe's say live or test themselves.
    public var mode: ProviderMode
    /// Hosts other than `checkout.stripe.com` that show our checkouts, in lower case.
    public var customDomains: [String]
    /// How far a webhook's signed time may be from now, both ways, in seconds; nil = any, for
    /// reading stored deliveries again.
    ///
    /// Stripe's libraries look at one way only; we at both.
    public var toleranceSeconds: Int64?
    /// The parameter in which our return URL carries `{CHECKOUT_SESSION_ID}`.
    public var sessionParameter: String
    /// The names under which the shop's own reference may stand in `metadata`, where there is no
    /// `client_reference_id`.
    public var referenceKeys: [String]

    /// The defaults fit one account without a domain of its own.
    public init(
        accountID: String? = nil, mode: ProviderMode = .unknown, customDomains: [String] = [],
        toleranceSeconds: Int64? = Limits.toleranceSeconds,
        sessionParameter: String = "session_id",
        referenceKeys: [String] = ["order_id", "order"]
    ) {
        self.accountID = accountID
        self.mode = mode
        self.customDomains = customDomains
        self.toleranceSeconds = toleranceSeconds
        self.sessionParameter = sessionParameter
        self.referenceKeys = referenceKeys
    }

    /// Reads `accountID`, `customDomains`, `toleranceSeconds`, `sessionParameter` and
    /// `referenceKeys`; the account says the mode.
    public init(settings: inout ProviderSettings) {
        self.init(
            accountID: settings.text("accountID"), mode: settings.mode,
            customDomains: settings.texts("customDomains") ?? [],
            toleranceSeconds: settings.seconds("toleranceSeconds") ?? Limits.toleranceSeconds)
        if let name = settings.text("sessionParameter") { sessionParameter = name }
        if let keys = settings.texts("referenceKeys") { referenceKeys = keys }
    }
}
