public import CheckoutModel
public import ProviderKit

/// GoCardless: bank debits and instant bank payments, agreed to at `pay.gocardless.com`.
///
/// A checkout is a billing request, `BRQ…`; the payment that it makes, `PM…`, is collected days
/// later and can still fail or be taken back then. Making one takes two requests: the billing
/// request, then its page. Source: gocardless/gocardless-pro-python, developer.gocardless.com; each
/// rule names a file.
public struct GoCardlessProvider: PaymentProvider {
    /// Who this is.
    public static let descriptor = ProviderDescriptor(
        id: "gocardless", name: "GoCardless", adapterVersion: "1.0.0",
        secretRules: [
            SecretRule(role: .webhook, encoding: .utf8, minimumBytes: 8),
            SecretRule(role: .apiKey, encoding: .utf8, minimumBytes: 16),
        ])

    let configuration: GoCardlessConfiguration

    /// Throws `invalid_configuration` for an empty organisation.
    public init(
        configuration: GoCardlessConfiguration = GoCardlessConfiguration()
    ) throws(ProviderConfigurationError) {
        guard configuration.organisationID?.isEmpty != true else {
            throw ProviderConfigurationError(
                field: "organisationID", message: "The organisation id is empty.")
        }
        self.configuration = configuration
    }
}

/// What differs between installations of GoCardless; nothing in it is secret.
public struct GoCardlessConfiguration: ProviderConfiguration, Hashable {
    /// Live or test: which host is asked; deliveries do not say.
    public var mode: ProviderMode
    /// Our organisation, `OR…`; events about another one are set aside.
    ///
    /// Nil takes every organisation.
    public var organisationID: String?
    /// The names under which the shop's own reference may stand in `metadata`, the first wins.
    public var referenceKeys: [String]

    /// The defaults fit one organisation that writes its reference into `metadata.order_id`.
    public init(
        mode: ProviderMode = .unknown, organisationID: String? = nil,
        referenceKeys: [String] = ["order_id", "order"]
    ) {
        self.mode = mode
        self.organisationID = organisationID
        self.referenceKeys = referenceKeys
    }

    /// Reads `organisationID` and `referenceKeys`; the account says the mode.
    public init(settings: inout ProviderSettings) {
        self.init(mode: settings.mode, organisationID: settings.text("organisationID"))
        if let keys = settings.texts("referenceKeys") { referenceKeys = keys }
    }
}
