public import CheckoutModel
public import ProviderKit

/// Mollie: payments whose hosted page is at `www.mollie.com/checkout`.
///
/// One payment, `tr_…`, is the checkout and the attempt to pay in one. Source:
/// mollie/mollie-api-php, docs.mollie.com; each rule names a file.
public struct MollieProvider: PaymentProvider {
    /// Who this is.
    ///
    /// The classic webhooks are unsigned hints; the next-generation ones are signed with a secret
    /// of the dashboard. API keys begin with `live_` or `test_`, access tokens with `access_`.
    public static let descriptor = ProviderDescriptor(
        id: "mollie", name: "Mollie", adapterVersion: "1.0.0",
        secretRules: [
            SecretRule(role: .webhook, encoding: .utf8, minimumBytes: 8),
            SecretRule(role: .apiKey, encoding: .utf8, minimumBytes: 16),
        ])

    let configuration: MollieConfiguration

    /// Throws `invalid_configuration` for an empty profile.
    public init(
        configuration: MollieConfiguration = MollieConfiguration()
    ) throws(ProviderConfigurationError) {
        guard configuration.profileID?.isEmpty != true else {
            throw ProviderConfigurationError(
                field: "profileID", message: "The profile id is empty.")
        }
        self.configuration = configuration
    }
}

/// What differs between installations of Mollie; nothing in it is secret.
public struct MollieConfiguration: ProviderConfiguration, Hashable {
    /// Live or test: a key of the other mode is refused, and an answer of the other mode not
    /// believed.
    ///
    /// Unknown leaves it to the key.
    public var mode: ProviderMode
    /// Our profile, `pfl_…`; events about another one are set aside.
    ///
    /// Nil takes every profile.
    public var profileID: String?
    /// The URL that Mollie is to call about new payments, in the classic way; nil = none.
    public var webhookURL: String?
    /// True when payment links are sold as checkouts of their own and their payments are not
    /// recorded otherwise: then a paid link counts as paid.
    public var countsPaymentLinks: Bool
    /// The names under which the shop's own reference may stand in `metadata`, the first wins.
    public var referenceKeys: [String]

    /// The defaults fit one profile that writes its reference into `metadata.order_id`.
    public init(
        mode: ProviderMode = .unknown, profileID: String? = nil, webhookURL: String? = nil,
        countsPaymentLinks: Bool = false, referenceKeys: [String] = ["order_id", "order"]
    ) {
        self.mode = mode
        self.profileID = profileID
        self.webhookURL = webhookURL
        self.countsPaymentLinks = countsPaymentLinks
        self.referenceKeys = referenceKeys
    }

    /// Reads `profileID`, `webhookURL`, `countsPaymentLinks` and `referenceKeys`; the account says
    /// the mode.
    public init(settings: inout ProviderSettings) {
        self.init(
            mode: settings.mode, profileID: settings.text("profileID"),
            webhookURL: settings.text("webhookURL"),
            countsPaymentLinks: settings.flag("countsPaymentLinks") ?? false)
        if let keys = settings.texts("referenceKeys") { referenceKeys = keys }
    }
}
