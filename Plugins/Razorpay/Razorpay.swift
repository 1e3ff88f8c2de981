public import CheckoutModel
public import ProviderKit

/// Razorpay: payment links at `rzp.io`, and orders paid in an embedded checkout.
///
/// Source: razorpay/razorpay-python, razorpay.com/docs; each rule names a file or page.
public struct RazorpayProvider: PaymentProvider {
    /// Who this is.
    ///
    /// Webhooks are signed under the webhook secret, returns under the secret of the API key; both
    /// are used as text.
    public static let descriptor = ProviderDescriptor(
        id: "razorpay", name: "Razorpay", adapterVersion: "1.0.0",
        webhookIDHeader: RazorpayProvider.eventIDHeader,
        secretRules: [
            SecretRule(role: .webhook, encoding: .utf8, minimumBytes: 8, verifiesReturns: false),
            SecretRule(role: .apiKey, encoding: .utf8, minimumBytes: 16, verifiesReturns: true),
        ])

    let configuration: RazorpayConfiguration

    /// Throws `invalid_configuration` for an empty account, and for a key id of the other mode than
    /// the account's.
    public init(
        configuration: RazorpayConfiguration = RazorpayConfiguration()
    ) throws(ProviderConfigurationError) {
        guard configuration.accountID?.isEmpty != true else {
            throw ProviderConfigurationError(
                field: "accountID", message: "The account id is empty.")
        }
        if let keyID = configuration.keyID {
            guard !keyID.isEmpty, !keyID.contains(":") else {
                throw ProviderConfigurationError(
                    field: "keyID", message: "The key id is empty or holds a colon.")
            }
            let told = RazorpayConfiguration.mode(ofKey: keyID)
            if told != .unknown, configuration.mode != .unknown, told != configuration.mode {
                throw ProviderConfigurationError(
                    field: "keyID", message: "The key id is for the other mode than the account.")
            }
        }
        self.configuration = configuration
    }
}

/// What differs between installations of Razorpay; nothing in it is secret.
public struct RazorpayConfiguration: ProviderConfiguration, Hashable {
    /// What a checkout is, and so what names the session.
    public enum Checkout: String, Sendable, Hashable, CaseIterable {
        /// A hosted page: the payment link, `plink_…`.
        case paymentLinks = "payment_links"
        /// A checkout inside our own page: the order, `order_…`.
        case orders
    }

    /// The id of the API key, `rzp_live_…` or `rzp_test_…`; its secret is the role `api_key`.
    ///
    /// Needed for requests only.
    public var keyID: String?
    /// Our account, `acc_…`; events about another one are set aside.
    ///
    /// Nil takes every account.
    public var accountID: String?
    /// Live or test, as the account says.
    public var mode: ProviderMode
    /// What names the session.
    ///
    /// A payment names its order only, and every payment link has an order too: with payment links
    /// that order must not become a second session.
    public var checkout: Checkout
    /// The names under which the shop's own reference may stand in a payment's `notes`, the first
    /// wins; links and orders have a field of their own for it.
    public var referenceKeys: [String]

    /// The defaults fit one account that sells by payment links.
    public init(
        keyID: String? = nil, accountID: String? = nil, mode: ProviderMode = .unknown,
        checkout: Checkout = .paymentLinks,
        referenceKeys: [String] = ["merchant_order_id", "order_id"]
    ) {
        self.keyID = keyID
        self.accountID = accountID
        self.mode = mode
        self.checkout = checkout
        self.referenceKeys = referenceKeys
    }

    /// Reads `keyID`, `accountID`, `checkout` (`payment_links` or `orders`) and `referenceKeys`;
    /// the account says the mode.
    public init(settings: inout ProviderSettings) {
        self.init(
            keyID: settings.text("keyID"), accountID: settings.text("accountID"),
            mode: settings.mode)
        if let word = settings.text("checkout") {
            if let checkout = Checkout(rawValue: word) {
                self.checkout = checkout
            } else {
                settings.report("checkout", "checkout must be payment_links or orders.")
            }
        }
        if let keys = settings.texts("referenceKeys") { referenceKeys = keys }
    }

    /// The account's mode, else the key's.
    var effectiveMode: ProviderMode {
        mode == .unknown ? keyID.map(Self.mode) ?? .unknown : mode
    }

    /// From memory, not verified: the prefixes of key ids.
    static func mode(ofKey keyID: String) -> ProviderMode {
        if keyID.hasPrefix("rzp_test_") { return .test }
        return keyID.hasPrefix("rzp_live_") ? .live : .unknown
    }
}
