/// What a transport is set up with; the defaults fit asking a provider over the open network.
public struct CurlTransportOptions: Sendable, Hashable {
    /// How long making a connection may take, name look-up and encryption included.
    public var connectTimeout: Duration = .seconds(5)
    /// How long an idle connection may be used again.
    ///
    /// In whole seconds.
    public var connectionReuseTime: Duration = .seconds(60)
    /// A PEM file with the roots to trust instead of the system's; nil for the system's.
    public var rootsFile: String?
    /// True where `http://` may be used for loopback addresses.
    ///
    /// For tests against a server on this machine.
    public var allowsLoopbackHTTP = false
    /// Hosts that are played by a server on this machine, by their names in lower case.
    ///
    /// For tests and trials: adapters keep their own URLs, and nothing leaves the machine.
    public var loopbackRoutes: [String: LoopbackRoute] = [:]
    /// True where `https_proxy`, `no_proxy` and their like are obeyed.
    ///
    /// Not by default: whoever sets an environment variable would choose who reads along.
    public var usesProxyEnvironment = false
    /// How many requests are under way at once; at least one.
    public var concurrentTransfers = Limits.concurrentTransfers
    /// The largest body of a reply, in bytes.
    public var replyBodyBytes = Limits.replyBodyBytes
    /// The headers of one reply together, in bytes.
    public var replyHeaderBytes = Limits.replyHeaderBytes
    /// What the `User-Agent` header says, unless a request has its own.
    public var userAgent = "checkout-ledger"

    /// The defaults.
    public init() {}
}

/// A server on this machine that plays a host.
public struct LoopbackRoute: Sendable, Hashable {
    /// Its port on 127.0.0.1.
    public let port: UInt16
    /// True when it speaks TLS, with a certificate for the host's own name; else plain HTTP.
    public let isEncrypted: Bool

    /// Plain HTTP unless told otherwise.
    public init(port: UInt16, isEncrypted: Bool = false) {
        self.port = port
        self.isEncrypted = isEncrypted
    }
}
