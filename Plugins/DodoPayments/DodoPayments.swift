import CheckoutModel
public import ProviderKit

/// Dodo Payments: hosted checkouts at `checkout.dodopayments.com`.
///
/// Source: dodopayments/dodopayments-typescript (API types), dodopayments/dodo-docs,
/// dodopayments/dodopayments-mobile-sdk-ios (URL rules).
public struct DodoPaymentsProvider: PaymentProvider {
    /// Who this is.
    public static let descriptor = ProviderDescriptor(
        id: "dodo", name: "Dodo Payments", adapterVersion: "1.0.0",
        webhookIDHeader: StandardWebhooks.idHeader,
        secretRules: [
            StandardWebhooks.sharedSecretRule,
            SecretRule(role: .apiKey, encoding: .utf8, minimumBytes: 16),
        ],
        // "Checkout sessions are valid for 24 hours by default", 15 minutes with `confirm`.
        sessionLifeSeconds: 86_400)

    let configuration: DodoPaymentsConfiguration

    /// Throws `invalid_configuration` for a negative tolerance or an empty business.
    public init(
        configuration: DodoPaymentsConfiguration = DodoPaymentsConfiguration()
    ) throws(ProviderConfigurationError) {
        if let seconds = configuration.toleranceSeconds, seconds < 0 {
            throw ProviderConfigurationError(
                field: "toleranceSeconds", message: "The tolerance is negative.")
        }
        guard configuration.businessID?.isEmpty != true else {
            throw ProviderConfigurationError(
                field: "businessID", message: "The business id is empty.")
        }
        self.configuration = configuration
    }
}

/// What differs between installations of Dodo Payments; nothing in it is secret.
public struct DodoPaymentsConfiguration: ProviderConfiguration, Hashable {
    /// Our business, `bus_…`; events about another one are set aside.
    ///
    /// Nil takes every business.
    public var businessID: String?
    /// Live or test.
    ///
    /// Dodo's webhooks do not say, so the endpoint's configuration must.
    public var mode: Mode?
    /// How far a webhook's signed time may be from now, both ways, in seconds; nil = any, for
    /// reading stored deliveries again.
    public var toleranceSeconds: Int64?
    /// The names under which the shop's own reference may stand in `metadata`, the first wins.
    public var referenceKeys: [String]

    /// The defaults fit one business that writes its reference into `metadata.order_id`.
    public init(
        businessID: String? = nil, mode: Mode? = nil,
        toleranceSeconds: Int64? = Limits.toleranceSeconds,
        referenceKeys: [String] = ["order_id", "order"]
    ) {
        self.businessID = businessID
        self.mode = mode
        self.toleranceSeconds = toleranceSeconds
        self.referenceKeys = referenceKeys
    }

    /// Reads `businessID`, `toleranceSeconds` and `referenceKeys`; the account says the mode.
    public init(settings: inout ProviderSettings) {
        self.init(
            businessID: settings.text("businessID"), mode: Mode(rawValue: settings.mode.name),
            toleranceSeconds: settings.seconds("toleranceSeconds") ?? Limits.toleranceSeconds)
        if let keys = settings.texts("referenceKeys") { referenceKeys = keys }
    }

    /// Which of Dodo's two worlds.
    public enum Mode: String, Sendable, Hashable {
        /// Real money.
        case live
        /// The sandbox.
        case test
    }

    var providerMode: ProviderMode {
        switch mode {
        case .live: .live
        case .test: .test
        case nil: .unknown
        }
    }
}
