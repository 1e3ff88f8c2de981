import CheckoutLedger
import CommandKit
import HTTPServer
import LedgerServer
import ProviderKit

/// How the server is run: the command line's words, else the configuration's, else the defaults.
struct ServeSettings {
    let sockets: [ListeningSocket]
    let rules: AccessRules
    /// Masks what the server itself keeps secret.
    let redactor: Redactor
    /// Where stored webhooks are sent again from the pages.
    let resendTarget: String?
    let publicURL: String?
    let limits: ServerLimits
    let reconcileMinutes: Int
    let logFormat: LedgerConfiguration.Server.LogFormat

    private static let usualPort: UInt16 = 8_787
    private static let usualMinutes = 15

    /// Opens the sockets last, so that whatever else is wrong is told without taking a port.
    init(_ context: Context, _ configuration: LedgerConfiguration) throws {
        let command = context.command
        let server = configuration.server
        publicURL = server.publicURL
        let canAsk = configuration.accounts.contains(where: \.canBeAsked)
        reconcileMinutes =
            command.integer("reconcile-every") ?? server.reconcileMinutes
            ?? (canAsk ? Self.usualMinutes : 0)
        logFormat = command.choice("log-format") ?? server.logFormat ?? .text
        var limits = ServerLimits()
        limits.connections = server.connections ?? limits.connections
        limits.connectionsPerAddress =
            server.connectionsPerAddress ?? limits.connectionsPerAddress
        self.limits = limits
        let token = try Self.token(context, server)
        redactor = Redactor(secrets: token.map { [$0.text] } ?? [])
        resendTarget =
            try context.target("resend-to") ?? server.resendTarget
        let inherited = try Self.named { () throws(ServerError) in
            try ListeningSocket.inherited { Context.variable($0) }
        }
        let address = try Self.named { () throws(ServerError) in
            try SocketAddress(
                command.value("address") ?? server.address ?? "127.0.0.1",
                port: command.integer("port").map { UInt16($0) } ?? server.port ?? Self.usualPort)
        }
        let addresses = inherited.isEmpty ? [address] : inherited.map(\.address)
        if token == nil, let open = addresses.first(where: { !$0.isLoopback }) {
            throw Complaint(
                code: "TOKEN_NEEDED",
                message: "Other machines reach \(open), and nothing guards the pages.",
                hint: "Give --token-file FILE, or listen on 127.0.0.1 behind a proxy.")
        }
        rules = Self.rules(
            server, token?.token, addresses, allowsActions: command.has("allow-actions"))
        sockets =
            inherited.isEmpty
            ? [try Self.named { () throws(ServerError) in try ListeningSocket(at: address) }]
            : inherited
    }

    private static func rules(
        _ server: LedgerConfiguration.Server, _ token: AccessToken?, _ addresses: [SocketAddress],
        allowsActions: Bool
    ) -> AccessRules {
        var hosts = AccessRules.loopbackHosts.union(server.hosts)
        for address in addresses {
            hosts.insert(address.isIPv6 ? "[\(address.host)]" : address.host)
        }
        if let host = server.publicURL.flatMap({ AccessRules.host(ofURL: $0) }) {
            hosts.insert(host)
        }
        return AccessRules(
            hosts: hosts, token: token,
            isSecure: server.publicURL?.hasPrefix("https://") ?? false,
            allowsActions: allowsActions || server.allowsActions ?? false)
    }

    private static func token(
        _ context: Context, _ server: LedgerConfiguration.Server
    ) throws -> (token: AccessToken, text: String)? {
        let given = context.command.value("token-file")
        guard let path = given ?? server.tokenFile else { return nil }
        let sources = ConfigurationSources.files(
            besideFile: given == nil ? context.configurationPath ?? "" : ""
        ) { Context.variable($0) }
        let bytes = try sources.file(path)
        guard let text = String(validating: bytes, as: UTF8.self), let token = AccessToken(text)
        else {
            throw Complaint(
                code: "WEAK_TOKEN",
                message:
                    "\(path) holds no token of \(ServingLimits.tokenBytes) characters or more.",
                hint: "Make one: openssl rand -hex 32 > \(path) && chmod 600 \(path)")
        }
        if let bits = sources.permissions(path), bits & 0o077 != 0 {
            context.errors.say(
                "Warning: Others on this machine can read \(path). Run: chmod 600 \(path)")
        }
        return (token, text.filter { $0 != "\n" && $0 != "\r" && $0 != "\r\n" })
    }

    /// In the program's form.
    static func named<R>(_ body: () throws(ServerError) -> R) throws(Complaint) -> R {
        do throws(ServerError) {
            return try body()
        } catch {
            throw Complaint(code: error.code.rawValue, message: error.message, hint: error.hint)
        }
    }
}
