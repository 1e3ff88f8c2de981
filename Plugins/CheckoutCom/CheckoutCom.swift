public import CheckoutModel
public import ProviderKit

/// Checkout.com: hosted payments pages at `pay.checkout.com`.
///
/// Its webhooks name the payment and the merchant's reference, never the page; asking about the
/// page tells which payment was made on it.
/// Source: checkout/checkout-sdk-python 4.8.1; checkout.com, docs; each rule names its own.
public struct CheckoutComProvider: PaymentProvider {
    /// Who this is.
    ///
    /// Amounts follow ISO 4217 (from memory, not verified for every currency).
    public static let descriptor = ProviderDescriptor(
        id: "checkout.com", name: "Checkout.com", adapterVersion: "1.0.0",
        secretRules: [
            SecretRule(role: .webhook, encoding: .utf8, minimumBytes: 8),
            SecretRule(role: .apiKey, encoding: .utf8, minimumBytes: 16),
        ])

    let configuration: CheckoutComConfiguration

    /// Throws `invalid_configuration` for a subdomain that is no lower-case word and a country that
    /// is no pair of capital letters.
    public init(
        configuration: CheckoutComConfiguration = CheckoutComConfiguration()
    ) throws(ProviderConfigurationError) {
        if let name = configuration.apiSubdomain, !HostText.isPlain("\(name).example") {
            throw ProviderConfigurationError(
                field: "apiSubdomain", message: "The subdomain is no lower-case word.")
        }
        if let country = configuration.billingCountry,
            country.utf8.count != 2 || !country.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
        {
            throw ProviderConfigurationError(
                field: "billingCountry", message: "The country is no ISO 3166 code such as DE.")
        }
        self.configuration = configuration
    }
}

/// What differs between installations of Checkout.com; nothing in it is secret.
public struct CheckoutComConfiguration: ProviderConfiguration, Hashable {
    /// Live or the sandbox.
    ///
    /// Webhooks do not say, so the endpoint's configuration must.
    public var mode: ProviderMode
    /// The account's own name in front of `api.checkout.com`; nil = none.
    ///
    /// Source: checkout-sdk-python, checkout_sdk/environment_subdomain.py.
    public var apiSubdomain: String?
    /// The processing channel, `pc_…`, that created pages belong to; nil = the account's only one.
    public var processingChannelID: String?
    /// The country of the billing address that created pages start with.
    ///
    /// Checkout.com demands one (from memory, not verified), so no page is created without it.
    public var billingCountry: String?
    /// The names under which the shop's own reference may stand in `metadata`, where the payment
    /// has no `reference`.
    public var referenceKeys: [String]

    /// The defaults receive webhooks and read pages of both worlds.
    public init(
        mode: ProviderMode = .unknown, apiSubdomain: String? = nil,
        processingChannelID: String? = nil, billingCountry: String? = nil,
        referenceKeys: [String] = ["order_id", "order"]
    ) {
        self.mode = mode
        self.apiSubdomain = apiSubdomain
        self.processingChannelID = processingChannelID
        self.billingCountry = billingCountry
        self.referenceKeys = referenceKeys
    }

    /// Reads `apiSubdomain`, `processingChannelID`, `billingCountry` and `referenceKeys`; the
    /// account says the mode.
    public init(settings: inout ProviderSettings) {
        self.init(
            mode: settings.mode, apiSubdomain: settings.text("apiSubdomain"),
            processingChannelID: settings.text("processingChannelID"),
            billingCountry: settings.text("billingCountry"))
        if let keys = settings.texts("referenceKeys") { referenceKeys = keys }
    }
}
