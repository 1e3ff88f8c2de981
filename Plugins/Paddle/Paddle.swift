public import CheckoutModel
public import ProviderKit

/// Paddle Billing: checkouts that open on the merchant's own page, named by `?_ptxn=txn_…`.
///
/// A transaction is both the session and the payment: its id stands in both places.
/// Source: PaddleHQ/paddle-node-sdk, PaddleHQ/paddle-python-sdk 1.16.1; each rule names a file.
public struct PaddleProvider: PaymentProvider {
    /// Who this is.
    ///
    /// The whole text of a webhook secret is the key, `pdl_ntfset_` included.
    public static let descriptor = ProviderDescriptor(
        id: "paddle", name: "Paddle", adapterVersion: "1.0.0",
        secretRules: [
            SecretRule(role: .webhook, encoding: .utf8, prefix: "pdl_ntfset_", minimumBytes: 8),
            SecretRule(role: .apiKey, encoding: .utf8, minimumBytes: 16),
        ])

    let configuration: PaddleConfiguration
    let vocabulary: ReturnVocabulary

    /// Throws `invalid_configuration` for a negative tolerance or a checkout host that is no plain
    /// lower-case host name.
    public init(
        configuration: PaddleConfiguration = PaddleConfiguration()
    ) throws(ProviderConfigurationError) {
        if let seconds = configuration.toleranceSeconds, seconds < 0 {
            throw ProviderConfigurationError(
                field: "toleranceSeconds", message: "The tolerance is negative.")
        }
        for host in configuration.checkoutHosts where !HostText.isPlain(host) {
            throw ProviderConfigurationError(
                field: "checkoutHosts", message: "A checkout host is no lower-case host name.")
        }
        self.configuration = configuration
        vocabulary = ReturnVocabulary(
            parameters: [configuration.sessionParameter: .session], statusWords: [:])
    }
}

/// What differs between installations of Paddle; nothing in it is secret.
public struct PaddleConfiguration: ProviderConfiguration, Hashable {
    /// The hosts of our pages that open Paddle's checkout, in lower case, such as
    /// `pay.shop.example`; none = no URL is recognised.
    public var checkoutHosts: [String]
    /// The page that a created transaction is opened on; nil = the account's default payment link.
    public var checkoutPage: String?
    /// Live or the sandbox.
    ///
    /// Paddle's webhooks do not say, so the endpoint's configuration must.
    public var mode: ProviderMode
    /// How far a webhook's signed time may be from now, both ways, in seconds; nil = any, for
    /// reading stored deliveries again.
    ///
    /// Five seconds as in Paddle's own libraries, which look at one way only. Raise it where
    /// deliveries wait in a queue before they come here.
    public var toleranceSeconds: Int64?
    /// The parameter in which our return URL names the transaction, where it does.
    ///
    /// Paddle appends nothing itself (from memory, not verified).
    public var sessionParameter: String
    /// The names under which the shop's own reference may stand in `custom_data`, the first wins.
    public var referenceKeys: [String]

    /// The defaults fit one account that writes its reference into `custom_data.order_id`.
    public init(
        checkoutHosts: [String] = [], checkoutPage: String? = nil, mode: ProviderMode = .unknown,
        toleranceSeconds: Int64? = PaddleConfiguration.toleranceSeconds,
        sessionParameter: String = PaddleProvider.sessionParameter,
        referenceKeys: [String] = ["order_id", "order"]
    ) {
        self.checkoutHosts = checkoutHosts
        self.checkoutPage = checkoutPage
        self.mode = mode
        self.toleranceSeconds = toleranceSeconds
        self.sessionParameter = sessionParameter
        self.referenceKeys = referenceKeys
    }

    /// The distance that Paddle's libraries allow, in seconds.
    ///
    /// Source: paddle-python-sdk, paddle_billing/Notifications/Verifier.py.
    public static let toleranceSeconds: Int64 = 5

    /// Reads `checkoutHosts`, `checkoutPage`, `toleranceSeconds`, `sessionParameter` and
    /// `referenceKeys`; the account says the mode.
    public init(settings: inout ProviderSettings) {
        self.init(
            checkoutHosts: settings.texts("checkoutHosts") ?? [],
            checkoutPage: settings.text("checkoutPage"), mode: settings.mode,
            toleranceSeconds: settings.seconds("toleranceSeconds") ?? Self.toleranceSeconds)
        if let name = settings.text("sessionParameter") { sessionParameter = name }
        if let keys = settings.texts("referenceKeys") { referenceKeys = keys }
    }
}
