public import CheckoutModel
public import ProviderKit

/// Adyen: Pay by Link pages at `adyen.link`, and what its webhooks say of any checkout.
///
/// Source: Adyen/adyen-python-api-library, Adyen/adyen-node-api-library, docs.adyen.com; each rule
/// names a file or page.
public struct AdyenProvider: PaymentProvider {
    /// Who this is.
    ///
    /// A webhook secret is the hexadecimal text of 32 bytes, as the Customer Area shows it. Amounts
    /// follow Adyen's own table of decimals.
    public static let descriptor = ProviderDescriptor(
        id: "adyen", name: "Adyen", adapterVersion: "1.0.0",
        moneyProfile: StatusMapping.moneyProfile,
        secretRules: [
            SecretRule(role: .webhook, encoding: .hex, minimumBytes: 32),
            SecretRule(role: .apiKey, encoding: .utf8, minimumBytes: 16),
        ])

    let configuration: AdyenConfiguration
    let pages: CheckoutURLRule

    /// Throws `invalid_configuration` for an empty merchant account and for a live URL prefix that
    /// is no plain host label.
    public init(
        configuration: AdyenConfiguration = AdyenConfiguration()
    ) throws(ProviderConfigurationError) {
        guard configuration.merchantAccount?.isEmpty != true else {
            throw ProviderConfigurationError(
                field: "merchantAccount", message: "The merchant account is empty.")
        }
        if let prefix = configuration.liveURLPrefix, !Self.isHostLabel(prefix) {
            throw ProviderConfigurationError(
                field: "liveURLPrefix", message: "The live URL prefix is no plain host label.")
        }
        self.configuration = configuration
        pages = Self.pages
    }

    private static func isHostLabel(_ text: String) -> Bool {
        (1...48).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
                    || byte == UInt8(ascii: "-")
            }
    }
}

/// What differs between installations of Adyen; nothing in it is secret.
public struct AdyenConfiguration: ProviderConfiguration, Hashable {
    /// Our merchant account; events about another one are set aside, and sessions need it.
    ///
    /// Nil takes every account.
    public var merchantAccount: String?
    /// Live or test.
    ///
    /// A webhook's `live` is not covered by its signature, so the endpoint's configuration says.
    public var mode: ProviderMode
    /// The company's own part of the live API host, such as `1797a841fbb37ca7-AdyenDemo`.
    ///
    /// Needed for requests in live mode only.
    public var liveURLPrefix: String?
    /// True when payments are captured by hand: an authorisation is then not yet a payment.
    ///
    /// Adyen captures by itself unless the account is set otherwise, and its authorisations do not
    /// tell.
    public var capturesManually: Bool

    /// The defaults fit one account that captures at once.
    public init(
        merchantAccount: String? = nil, mode: ProviderMode = .unknown,
        liveURLPrefix: String? = nil, capturesManually: Bool = false
    ) {
        self.merchantAccount = merchantAccount
        self.mode = mode
        self.liveURLPrefix = liveURLPrefix
        self.capturesManually = capturesManually
    }

    /// Reads `merchantAccount`, `liveURLPrefix` and `capturesManually`; the account says the mode.
    public init(settings: inout ProviderSettings) {
        self.init(
            merchantAccount: settings.text("merchantAccount"), mode: settings.mode,
            liveURLPrefix: settings.text("liveURLPrefix"),
            capturesManually: settings.flag("capturesManually") ?? false)
    }
}
