public import CheckoutModel
public import ProviderKit

/// Lemon Squeezy: hosted checkouts at the store's own name under `lemonsqueezy.com`.
///
/// An order names no checkout: what joins the two is the shop's own reference in the custom data.
/// Source: lmsqueezy/laravel, lmsqueezy/lemonsqueezy.js; each rule names a file.
public struct LemonSqueezyProvider: PaymentProvider {
    /// Who this is.
    public static let descriptor = ProviderDescriptor(
        id: "lemonsqueezy", name: "Lemon Squeezy", adapterVersion: "1.0.0",
        secretRules: [
            SecretRule(role: .webhook, encoding: .utf8, minimumBytes: 6),
            SecretRule(role: .apiKey, encoding: .utf8, minimumBytes: 16),
        ])

    let configuration: LemonSqueezyConfiguration
    let sessions: CheckoutURLRule
    let links: CheckoutURLRule

    /// Throws `invalid_configuration` for an empty store or a store host that is no plain
    /// lower-case host name.
    public init(
        configuration: LemonSqueezyConfiguration = LemonSqueezyConfiguration()
    ) throws(ProviderConfigurationError) {
        guard configuration.storeID?.isEmpty != true else {
            throw ProviderConfigurationError(field: "storeID", message: "The store id is empty.")
        }
        if let host = configuration.storeHost, !HostText.isPlain(host) {
            throw ProviderConfigurationError(
                field: "storeHost", message: "The store host is no lower-case host name.")
        }
        self.configuration = configuration
        sessions = Self.pages(configuration, path: "/checkout/custom/")
        links = Self.pages(configuration, path: "/checkout/buy/")
    }
}

/// What differs between installations of Lemon Squeezy; nothing in it is secret.
public struct LemonSqueezyConfiguration: ProviderConfiguration, Hashable {
    /// Our store's number, as text; events about another one are set aside.
    ///
    /// Nil takes every store, and creates no sessions.
    public var storeID: String?
    /// The store's own domain, in lower case; nil = its name under `lemonsqueezy.com`.
    ///
    /// That stores can have one is from memory, not verified.
    public var storeHost: String?
    /// Live or test, for pages, which do not say; events and answers say it themselves.
    public var mode: ProviderMode
    /// The names under which the shop's own reference may stand in the custom data, the first wins.
    public var referenceKeys: [String]

    /// The defaults fit one store that writes its reference into `custom.order_id`.
    public init(
        storeID: String? = nil, storeHost: String? = nil, mode: ProviderMode = .unknown,
        referenceKeys: [String] = ["order_id", "order"]
    ) {
        self.storeID = storeID
        self.storeHost = storeHost
        self.mode = mode
        self.referenceKeys = referenceKeys
    }

    /// Reads `storeID`, `storeHost` and `referenceKeys`; the account says the mode.
    public init(settings: inout ProviderSettings) {
        self.init(
            storeID: settings.text("storeID"), storeHost: settings.text("storeHost"),
            mode: settings.mode)
        if let keys = settings.texts("referenceKeys") { referenceKeys = keys }
    }
}
