public import CheckoutModel
public import ProviderKit

/// Alipay's open platform: trades paid on its gateway's pages, in CNY, signed with RSA2.
///
/// The session is our own number of the trade, `out_trade_no`.
/// Source: alipay/alipay-sdk-nodejs-all, smartwalle/alipay; each rule names a file.
public struct AlipayProvider: PaymentProvider {
    /// Who this is.
    ///
    /// Alipay's public key (its own, not ours) checks notifications and returns; our application's
    /// private key signs requests. Both are PEM blocks or one line of base64, as Alipay hands them
    /// out.
    public static let descriptor = ProviderDescriptor(
        id: "alipay", name: "Alipay", adapterVersion: "1.0.0",
        secretRules: [
            SecretRule(role: .webhookPublicKey, encoding: .rsaPublicKey),
            SecretRule(role: .signingKey, encoding: .rsaPrivateKey),
        ])

    package let configuration: AlipayConfiguration

    /// Throws `invalid_configuration` for an application, seller or notification URL that is empty.
    public init(
        configuration: AlipayConfiguration = AlipayConfiguration()
    ) throws(ProviderConfigurationError) {
        for (field, value, name) in [
            ("appID", configuration.appID, "application id"),
            ("sellerID", configuration.sellerID, "seller id"),
            ("notifyURL", configuration.notifyURL, "notification URL"),
        ] where value?.isEmpty == true {
            throw ProviderConfigurationError(field: field, message: "The \(name) is empty.")
        }
        self.configuration = configuration
    }
}

/// What differs between installations of Alipay; nothing in it is secret.
public struct AlipayConfiguration: ProviderConfiguration, Hashable {
    /// Our application, `app_id`; messages about another one are set aside, and requests need it.
    ///
    /// Nil takes every application.
    public var appID: String?
    /// Our seller, `2088…`; messages about another one are set aside.
    ///
    /// Nil takes every seller.
    public var sellerID: String?
    /// Where Alipay is to send notifications of the trades that we begin.
    ///
    /// Nil = the application's own gateway setting.
    public var notifyURL: String?
    /// Live or test; the two have different gateways, applications and keys.
    public var mode: ProviderMode

    /// The defaults fit an installation that only listens.
    public init(
        appID: String? = nil, sellerID: String? = nil, notifyURL: String? = nil,
        mode: ProviderMode = .unknown
    ) {
        self.appID = appID
        self.sellerID = sellerID
        self.notifyURL = notifyURL
        self.mode = mode
    }

    /// Reads `appID`, `sellerID` and `notifyURL`; the account says the mode.
    public init(settings: inout ProviderSettings) {
        self.init(
            appID: settings.text("appID"), sellerID: settings.text("sellerID"),
            notifyURL: settings.text("notifyURL"), mode: settings.mode)
    }
}
