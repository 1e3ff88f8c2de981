import CheckoutModel
public import ProviderKit

/// Coinbase Commerce: hosted charges at `commerce.coinbase.com`.
///
/// The provider is replacing the product by another with other events. It has no sandbox (from
/// memory, not verified), so everything is live.
/// Source: coinbase/coinbase-commerce-python; docs.cdp.coinbase.com, Commerce.
public struct CoinbaseCommerceProvider: PaymentProvider {
    /// Who this is.
    public static let descriptor = ProviderDescriptor(
        id: "coinbase-commerce", name: "Coinbase Commerce", adapterVersion: "1.0.0",
        secretRules: [
            SecretRule(role: .webhook, encoding: .utf8, minimumBytes: 8),
            SecretRule(role: .apiKey, encoding: .utf8, minimumBytes: 16),
        ])

    let configuration: CoinbaseCommerceConfiguration

    /// Throws nothing: every configuration can be used.
    public init(
        configuration: CoinbaseCommerceConfiguration = CoinbaseCommerceConfiguration()
    ) throws(ProviderConfigurationError) {
        self.configuration = configuration
    }
}

/// What differs between installations of Coinbase Commerce; nothing in it is secret.
public struct CoinbaseCommerceConfiguration: ProviderConfiguration, Hashable {
    /// The names under which the shop's own reference may stand in `metadata`, the first wins.
    public var referenceKeys: [String]

    /// The default fits a shop that writes its reference into `metadata.order_id`.
    public init(referenceKeys: [String] = ["order_id", "order"]) {
        self.referenceKeys = referenceKeys
    }

    /// Reads `referenceKeys`; an account in test mode is a mistake, because there is no sandbox.
    public init(settings: inout ProviderSettings) {
        self.init()
        if settings.mode == .test {
            settings.report("mode", "Coinbase Commerce has no sandbox: the mode must be live.")
        }
        if let keys = settings.texts("referenceKeys") { referenceKeys = keys }
    }
}
