import CheckoutModel
public import Cryptography
public import ProviderKit

/// What an installation says about itself: which accounts it has at which providers, their secrets,
/// and how the network is reached.
///
/// Made only by ``read(_:providers:from:)``, which takes it whole or names every mistake.
public struct LedgerConfiguration: Sendable {
    /// An account at a provider.
    public struct Account: Sendable {
        /// Provider, the account's name and its mode.
        public let scope: AccountScope
        /// The adapter, set up for this account.
        public let provider: any PaymentProvider
        /// The account's secrets.
        public let secrets: SecretSet

        /// The adapter, when its provider can be asked.
        public var statusQueries: (any StatusQuerying)? { provider as? any StatusQuerying }

        /// True when its webhooks can be checked.
        public var receivesWebhooks: Bool {
            guard let receiver = provider as? any WebhookReceiving else { return false }
            return (try? DeliveryVerifier(provider: receiver, secrets: secrets)) != nil
        }

        /// True when the provider can be asked, and there is a key to ask with.
        public var canBeAsked: Bool {
            statusQueries != nil
                && (secrets.count(.apiKey) > 0 || secrets.count(.signingKey) > 0)
        }
    }

    /// How providers are reached.
    public struct Network: Sendable, Hashable {
        /// A host that is played by a server on this machine.
        public struct Loopback: Sendable, Hashable {
            /// The host's name in lower case.
            public let host: String
            /// The port on 127.0.0.1.
            public let port: UInt16
            /// True when the server speaks TLS with a certificate for the host's name.
            public let isEncrypted: Bool
        }

        /// A PEM file with roots to trust instead of the system's; nil for the system's.
        public internal(set) var rootsFile: String?
        /// What that file holds: certificates that sign webhooks must lead there too.
        public internal(set) var roots = TrustedRoots.system
        /// True where the proxy that the environment names is used.
        public internal(set) var usesProxyEnvironment = false
        /// Hosts that are played; only where every account is a test account.
        public internal(set) var loopback: [Loopback] = []

        /// The system's roots, no proxy, nothing played.
        public init() {}
    }

    /// The accounts in the order of the file.
    public let accounts: [Account]
    /// How providers are reached.
    public let network: Network
    /// How the server is run.
    public let server: Server
    /// How private fields are kept.
    public let privacy: Privacy
    /// What could be safer.
    public let warnings: [ConfigurationProblem]
    /// Masks every secret of the configuration in what is recorded.
    public let redactor: Redactor

    init(
        accounts: [Account], network: Network, server: Server = Server(), privacy: Privacy,
        warnings: [ConfigurationProblem], secrets: [String]
    ) {
        self.privacy = privacy
        self.accounts = accounts
        self.network = network
        self.server = server
        self.warnings = warnings
        redactor = Redactor(secrets: secrets)
    }

    /// No account at all.
    public static let empty = LedgerConfiguration(
        accounts: [], network: Network(), privacy: Privacy(), warnings: [], secrets: [])

    /// The account that a session belongs to: the same provider and the same name.
    ///
    /// A session that was recorded without a mode belongs to the account of its name whatever its
    /// mode; one with a mode never to an account of the other.
    public func account(for scope: AccountScope) -> Account? {
        accounts.first { account in
            account.scope.provider == scope.provider && account.scope.account == scope.account
                && (scope.mode == .unknown || account.scope.mode == .unknown
                    || account.scope.mode == scope.mode)
        }
    }

    /// The adapters of this installation: configured ones, and the others with their defaults.
    ///
    /// Of several accounts the first speaks for its provider. An adapter that cannot do without
    /// settings is left out where there are none.
    public func registry(
        of types: [any PaymentProvider.Type]
    ) throws(RegistryError) -> ProviderRegistry {
        try ProviderRegistry(
            types.compactMap { type in
                accounts.first { $0.scope.provider == type.descriptor.id }?.provider
                    ?? type.withDefaults
            })
    }
}

extension PaymentProvider {
    fileprivate static var withDefaults: (any PaymentProvider)? {
        var settings = ProviderSettings()
        return try? configured(by: &settings)
    }
}
