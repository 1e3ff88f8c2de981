public import CheckoutModel
public import ProviderKit

/// Polar: hosted checkouts at `polar.sh/checkout/`.
///
/// Source: polarsource/polar-python (models, webhook types) and polar-sdk 1.0.2 on PyPI
/// (polar/webhooks.py); each rule names a file.
public struct PolarProvider: PaymentProvider {
    /// Who this is.
    ///
    /// Polar's libraries read a webhook secret in two ways: the bytes of its whole text, and its
    /// base64 behind `whsec_`. Both are tried. Source: polar-sdk 1.0.2, polar/webhooks.py.
    public static let descriptor = ProviderDescriptor(
        id: "polar", name: "Polar", adapterVersion: "1.0.0",
        webhookIDHeader: StandardWebhooks.idHeader,
        secretRules: [
            SecretRule(
                role: .webhook, encoding: .utf8, prefix: "whsec_", minimumBytes: 8,
                isAlsoBase64: true),
            SecretRule(role: .apiKey, encoding: .utf8, minimumBytes: 16),
        ], secretFields: ["client_secret"])

    let configuration: PolarConfiguration
    let vocabulary: ReturnVocabulary

    /// Throws `invalid_configuration` for a negative tolerance or an empty organization.
    public init(
        configuration: PolarConfiguration = PolarConfiguration()
    ) throws(ProviderConfigurationError) {
        if let seconds = configuration.toleranceSeconds, seconds < 0 {
            throw ProviderConfigurationError(
                field: "toleranceSeconds", message: "The tolerance is negative.")
        }
        guard configuration.organizationID?.isEmpty != true else {
            throw ProviderConfigurationError(
                field: "organizationID", message: "The organization id is empty.")
        }
        self.configuration = configuration
        vocabulary = ReturnVocabulary(
            parameters: [configuration.sessionParameter: .session], statusWords: [:])
    }
}

/// What differs between installations of Polar; nothing in it is secret.
public struct PolarConfiguration: ProviderConfiguration, Hashable {
    /// Our organization; checkouts and refunds of another one are set aside.
    ///
    /// Nil takes every organization. Orders and subscriptions do not name theirs.
    public var organizationID: String?
    /// Live or the sandbox.
    ///
    /// Polar's webhooks do not say, so the endpoint's configuration must.
    public var mode: ProviderMode
    /// How far a webhook's signed time may be from now, both ways, in seconds; nil = any, for
    /// reading stored deliveries again.
    public var toleranceSeconds: Int64?
    /// The parameter in which our return URL carries `{CHECKOUT_ID}`.
    public var sessionParameter: String
    /// The names under which the shop's own reference may stand in `metadata`, the first wins.
    public var referenceKeys: [String]

    /// The defaults fit one organization that writes its reference into `metadata.order_id`.
    public init(
        organizationID: String? = nil, mode: ProviderMode = .unknown,
        toleranceSeconds: Int64? = Limits.toleranceSeconds,
        sessionParameter: String = "checkout_id",
        referenceKeys: [String] = ["order_id", "order"]
    ) {
        self.organizationID = organizationID
        self.mode = mode
        self.toleranceSeconds = toleranceSeconds
        self.sessionParameter = sessionParameter
        self.referenceKeys = referenceKeys
    }

    /// Reads `organizationID`, `toleranceSeconds`, `sessionParameter` and `referenceKeys`; the
    /// account says the mode.
    public init(settings: inout ProviderSettings) {
        self.init(
            organizationID: settings.text("organizationID"), mode: settings.mode,
            toleranceSeconds: settings.seconds("toleranceSeconds") ?? Limits.toleranceSeconds)
        if let name = settings.text("sessionParameter") { sessionParameter = name }
        if let keys = settings.texts("referenceKeys") { referenceKeys = keys }
    }
}
