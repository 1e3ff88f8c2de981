public import CheckoutModel
public import ProviderKit

/// Square: payment links at `square.link`.
///
/// The order names the session: a payment link's page does not name the link, and webhooks, returns
/// and queries all name the order.
/// Source: square/square-python-sdk, developer.squareup.com; each rule names a file or page.
public struct SquareProvider: PaymentProvider {
    /// Who this is.
    ///
    /// The whole text of a signature key is the key.
    public static let descriptor = ProviderDescriptor(
        id: "square", name: "Square", adapterVersion: "1.0.0",
        secretRules: [
            SecretRule(role: .webhook, encoding: .utf8, minimumBytes: 16),
            SecretRule(role: .apiKey, encoding: .utf8, minimumBytes: 16),
        ])

    package let configuration: SquareConfiguration

    /// Throws `invalid_configuration` for a merchant, location or notification URL that is empty.
    public init(
        configuration: SquareConfiguration = SquareConfiguration()
    ) throws(ProviderConfigurationError) {
        for (field, value, name) in [
            ("merchantID", configuration.merchantID, "merchant id"),
            ("locationID", configuration.locationID, "location id"),
            ("notificationURL", configuration.notificationURL, "notification URL"),
        ] where value?.isEmpty == true {
            throw ProviderConfigurationError(field: field, message: "The \(name) is empty.")
        }
        self.configuration = configuration
    }
}

/// What differs between installations of Square; nothing in it is secret.
public struct SquareConfiguration: ProviderConfiguration, Hashable {
    /// Our merchant, `ML…`; events about another one are set aside.
    ///
    /// Nil takes every merchant.
    public var merchantID: String?
    /// The location that sells; needed to create sessions.
    public var locationID: String?
    /// The webhook's URL as Square was told it, byte for byte: its signature covers it.
    ///
    /// Nil = the URL that the host configured for its endpoint.
    public var notificationURL: String?
    /// Live or test.
    ///
    /// Square's webhooks do not say, so the endpoint's configuration must.
    public var mode: ProviderMode

    /// The defaults fit an endpoint whose URL the host knows.
    public init(
        merchantID: String? = nil, locationID: String? = nil, notificationURL: String? = nil,
        mode: ProviderMode = .unknown
    ) {
        self.merchantID = merchantID
        self.locationID = locationID
        self.notificationURL = notificationURL
        self.mode = mode
    }

    /// Reads `merchantID`, `locationID` and `notificationURL`; the account says the mode.
    public init(settings: inout ProviderSettings) {
        self.init(
            merchantID: settings.text("merchantID"), locationID: settings.text("locationID"),
            notificationURL: settings.text("notificationURL"), mode: settings.mode)
    }
}
