import CheckoutModel
public import ProviderKit

/// The sandbox: a make-believe provider on this machine, with pretend money only.
///
/// The other side is the target `SandboxCheckout`, which the server carries; the two share no code,
/// so that each is held to what is said here. Every event is of mode test, every message must call
/// itself pretend, and an account that says live is refused: nothing of it can be taken for money.
/// Source: this project; the API is described in SandboxCheckout.
public struct SandboxProvider: PaymentProvider {
    /// Who this is.
    public static let descriptor = ProviderDescriptor(
        id: "sandbox", name: "Sandbox (pretend money)", adapterVersion: "1.0.0",
        webhookIDHeader: StandardWebhooks.idHeader,
        secretRules: [
            StandardWebhooks.sharedSecretRule,
            SecretRule(
                role: .apiKey, encoding: .utf8, prefix: "sbx_test_", needsPrefix: true,
                minimumBytes: 24),
        ])

    /// A host that cannot exist (RFC 2606), under which a sandbox on this machine is asked.
    ///
    /// Requests to providers go over https. Whoever carries them out leads this name to the
    /// sandbox's own port, as with every provider that is played on this machine.
    public static let localHost = "sandbox.checkout-ledger.test"

    /// The port of this machine that ``localHost`` is to be led to; nil for a sandbox elsewhere.
    public var localPort: UInt16? { origin.isLocal ? origin.port : nil }

    let configuration: SandboxConfiguration
    let origin: SandboxOrigin
    let pages: CheckoutURLRule

    /// Throws `invalid_configuration` for a negative tolerance, and for an origin that is neither
    /// `http://` with a loopback address nor `https://` with a host and no more.
    public init(
        configuration: SandboxConfiguration = SandboxConfiguration()
    ) throws(ProviderConfigurationError) {
        if let seconds = configuration.toleranceSeconds, seconds < 0 {
            throw ProviderConfigurationError(
                field: "toleranceSeconds", message: "The tolerance is negative.")
        }
        guard let origin = SandboxOrigin(configuration.origin) else {
            throw ProviderConfigurationError(
                field: "origin",
                message: "The origin is neither http on this machine nor https with a host alone.")
        }
        self.configuration = configuration
        self.origin = origin
        pages = CheckoutURLRule(
            hosts: [origin.host: .test], pathPrefix: "/sandbox/pay/", idPrefix: "sbx_")
    }
}

/// What differs between installations of the sandbox; nothing in it is secret.
public struct SandboxConfiguration: ProviderConfiguration, Hashable {
    /// Scheme, host and port of the server that carries the sandbox.
    public var origin: String
    /// How far a webhook's signed time may be from now, both ways, in seconds; nil = any, for
    /// reading stored deliveries again.
    public var toleranceSeconds: Int64?

    /// Where `serve` has it when nothing else is said.
    public static let standardOrigin = "http://127.0.0.1:8787"

    /// The defaults fit a server on this machine.
    public init(
        origin: String = standardOrigin, toleranceSeconds: Int64? = Limits.toleranceSeconds
    ) {
        self.origin = origin
        self.toleranceSeconds = toleranceSeconds
    }

    /// Reads `origin` and `toleranceSeconds`; an account in live mode is a mistake.
    public init(settings: inout ProviderSettings) {
        self.init(
            origin: settings.text("origin") ?? Self.standardOrigin,
            toleranceSeconds: settings.seconds("toleranceSeconds") ?? Limits.toleranceSeconds)
        if settings.mode == .live {
            settings.report("mode", "The sandbox has pretend money only: the mode must be test.")
        }
    }
}

/// Scheme, host and port of a sandbox.
struct SandboxOrigin {
    /// Without its port.
    let host: String
    let port: UInt16
    /// True for `http` on this machine.
    let isLocal: Bool

    private static let loopback: Set<String> = ["127.0.0.1", "localhost", "[::1]"]

    /// Nil for what has a path, a query, a user, capitals, or `http` to another machine.
    init?(_ text: String) {
        guard let url = try? URLText(parsing: text), let host = url.host, !host.isEmpty,
            url.userInfo == nil, url.path.isEmpty, url.query == nil, !text.hasSuffix("#"),
            text == text.lowercased()
        else { return nil }
        switch url.scheme {
        case "http" where Self.loopback.contains(host): isLocal = true
        case "https" where url.port == nil && !Self.loopback.contains(host): isLocal = false
        default: return nil
        }
        self.host = host
        port = url.port ?? (isLocal ? 80 : 443)
    }
}
