public import CheckoutModel
public import ProviderKit

/// PayPal: orders that are approved at `www.paypal.com/checkoutnow` and captured by the merchant.
///
/// An approved order is not paid: the host captures it through PayPal's API, and only the capture
/// tells of money. Source: paypal/PayPal-TypeScript-Server-SDK, paypal/PayPal-Python-SDK,
/// developer.paypal.com; each rule names a file.
public struct PayPalProvider: PaymentProvider {
    /// Who this is.
    ///
    /// Deliveries are checked with PayPal's certificates, so that no secret of ours verifies them;
    /// the API key is the app's client secret. HUF, JPY and TWD are sent whole, which is from
    /// memory for HUF and TWD: where they come with decimals of zeros they are read all the same.
    public static let descriptor = ProviderDescriptor(
        id: "paypal", name: "PayPal", adapterVersion: "1.0.0",
        moneyProfile: StatusMapping.moneyProfile,
        secretRules: [SecretRule(role: .apiKey, encoding: .utf8, minimumBytes: 16)],
        certificateHosts: CertificateSource.hosts.map(\.key), certificateDomain: "paypal.com")

    let configuration: PayPalConfiguration

    /// Throws `invalid_configuration` for a negative tolerance, and for a webhook id that could
    /// stand for other signed text.
    public init(
        configuration: PayPalConfiguration = PayPalConfiguration()
    ) throws(ProviderConfigurationError) {
        if let seconds = configuration.toleranceSeconds, seconds < 0 {
            throw ProviderConfigurationError(
                field: "toleranceSeconds", message: "The tolerance is negative.")
        }
        if let id = configuration.webhookID, id.isEmpty || id.contains("|") {
            throw ProviderConfigurationError(
                field: "webhookID", message: "The webhook id is empty or contains a bar.")
        }
        self.configuration = configuration
    }
}

/// What differs between installations of PayPal; nothing in it is secret.
public struct PayPalConfiguration: ProviderConfiguration, Hashable {
    /// Live or test: which hosts are asked, and whose certificates are believed.
    ///
    /// Unknown takes deliveries of both and asks nobody.
    public var mode: ProviderMode
    /// The id that PayPal gave to our webhook endpoint; part of what is signed and in no request.
    ///
    /// Without it no receiver starts.
    public var webhookID: String?
    /// The app's client id, which goes with the client secret.
    public var clientID: String?
    /// Our merchant id; events about another payee are set aside.
    ///
    /// Nil takes every payee.
    public var merchantID: String?
    /// How far a delivery's signed time may be from now, both ways, in seconds; nil = any, because
    /// PayPal states none and repeats deliveries for days.
    public var toleranceSeconds: Int64?

    /// The defaults fit reading URLs; webhooks need `webhookID`, requests `mode` and `clientID`.
    public init(
        mode: ProviderMode = .unknown, webhookID: String? = nil, clientID: String? = nil,
        merchantID: String? = nil, toleranceSeconds: Int64? = nil
    ) {
        self.mode = mode
        self.webhookID = webhookID
        self.clientID = clientID
        self.merchantID = merchantID
        self.toleranceSeconds = toleranceSeconds
    }

    /// Reads `webhookID`, `clientID`, `merchantID` and `toleranceSeconds`; the account says the
    /// mode.
    public init(settings: inout ProviderSettings) {
        self.init(
            mode: settings.mode, webhookID: settings.text("webhookID"),
            clientID: settings.text("clientID"), merchantID: settings.text("merchantID"),
            toleranceSeconds: settings.seconds("toleranceSeconds"))
    }
}
