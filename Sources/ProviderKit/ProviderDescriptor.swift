public import CheckoutModel

/// Who an adapter is for, and the facts about it that are data.
public struct ProviderDescriptor: Sendable {
    /// The version of the adapter protocols.
    ///
    /// Raised with every change that old adapters must notice; the registry refuses adapters of
    /// another one.
    public static let currentKitVersion = 1

    /// The short name; third parties use reverse DNS.
    public let id: ProviderID
    /// The name a person knows.
    public let name: String
    /// Stored with every event that the adapter reads.
    public let adapterVersion: String
    /// The kit that the adapter was written for.
    public let kitVersion: Int
    /// Where the provider's minor units differ from ISO 4217.
    public let moneyProfile: MoneyProfile
    /// The header that names a delivery, for display; nil when the body does.
    public let webhookIDHeader: String?
    /// The grammar of its secrets.
    public let secretRules: [SecretRule]
    /// The hosts from which the provider's certificates may be fetched; empty when its messages
    /// name none.
    public let certificateHosts: [String]
    /// The domain below which those certificates' own names lie, such as `paypal.com`; nil when
    /// each is for the host that it comes from.
    public let certificateDomain: String?
    /// Names of members of its bodies that hold what opens something, such as `client_secret`.
    ///
    /// Their texts are masked in what is kept, wherever in the body they stand.
    public let secretFields: [String]
    /// True when signatures are checked with keys that the host resolves, so that a receiver can
    /// do without a secret that verifies.
    public let resolvesKeys: Bool
    /// The longest time for which a hosted session can be paid, from its making, in seconds; nil
    /// when it is not known or has no end.
    ///
    /// A session may end sooner, as its maker asked for; word of a payment may come later.
    public let sessionLifeSeconds: Int64?

    /// Describes an adapter.
    public init(
        id: ProviderID, name: String, adapterVersion: String,
        kitVersion: Int = ProviderDescriptor.currentKitVersion,
        moneyProfile: MoneyProfile = .iso4217, webhookIDHeader: String? = nil,
        secretRules: [SecretRule], certificateHosts: [String] = [],
        certificateDomain: String? = nil, resolvesKeys: Bool = false, secretFields: [String] = [],
        sessionLifeSeconds: Int64? = nil
    ) {
        self.sessionLifeSeconds = sessionLifeSeconds
        self.secretFields = secretFields
        self.certificateHosts = certificateHosts
        self.certificateDomain = certificateDomain
        self.resolvesKeys = resolvesKeys || !certificateHosts.isEmpty
        self.id = id
        self.name = name
        self.adapterVersion = adapterVersion
        self.kitVersion = kitVersion
        self.moneyProfile = moneyProfile
        self.webhookIDHeader = webhookIDHeader
        self.secretRules = secretRules
    }
}
