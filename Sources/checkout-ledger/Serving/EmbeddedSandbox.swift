import CheckoutLedger
import CheckoutModel
import CommandKit
import Cryptography
import HTTPServer
import HTTPTransport
import ProviderKit
import Sandbox
import SandboxCheckout

/// The make-believe provider inside `serve`, with an account at it.
///
/// Where the configuration has an account at the sandbox, that one is used; else one is made for
/// this run, with new secrets. A configuration with a live account is refused: pretend money and
/// real money never share a ledger.
struct EmbeddedSandbox {
    let sandbox: Sandbox
    let origin: String
    /// What the API is called with; pretend as the money, so it may be shown.
    let apiKey: String
    private let worker: CurlTransport
    private let secrets: [String: [UInt8]]
    private let port: UInt16

    private static let secretFile = "(the sandbox's webhook secret)"
    private static let keyFile = "(the sandbox's API key)"

    /// Makes the sandbox of a server that listens at these addresses; throws `SANDBOX_IS_LOCAL`
    /// where other machines reach one of them.
    init(_ context: Context, at addresses: [SocketAddress]) throws {
        guard let port = addresses.first?.port, addresses.allSatisfy(\.isLoopback) else {
            throw Complaint(
                code: "SANDBOX_IS_LOCAL",
                message: "The sandbox asks nobody who they are, so it is for this machine alone.",
                hint: "Serve it on 127.0.0.1.")
        }
        self.port = port
        let origin = "http://127.0.0.1:\(port)"
        self.origin = origin
        secrets = [
            Self.secretFile: Array("whsec_\(Base64.encode(SecureRandom.bytes(32)))\n".utf8),
            Self.keyFile: Array("sbx_test_\(Hex.encode(SecureRandom.bytes(16)))\n".utf8),
        ]
        let configuration = try Self.configuration(context, port, secrets)
        guard
            let account = configuration.accounts.first(where: {
                $0.scope.provider == SandboxProvider.descriptor.id
            }), let receiver = account.provider as? any WebhookReceiving,
            let key = try DeliveryVerifier(provider: receiver, secrets: account.secrets)
                .signingKeys.first
        else { throw Context.unsupported(SandboxProvider.descriptor.id, "has no account") }
        apiKey = try account.secrets.apiKey()
        var options = CurlTransportOptions()
        options.allowsLoopbackHTTP = true
        options.userAgent = "checkout-ledger-sandbox/\(Program.version)"
        worker = CurlTransport(options: options)
        sandbox = Sandbox(
            origin: origin, apiKey: apiKey, signingKey: key,
            endpoint: "\(origin)/webhooks/\(account.scope)", clock: SandboxTime(),
            transport: worker)
    }

    /// The configuration as its file stands now, with the sandbox's account.
    func configuration(_ context: Context) throws -> LedgerConfiguration {
        try Self.configuration(context, port, secrets)
    }

    /// Sends webhooks for as long as the task is not cancelled.
    func run() async {
        await sandbox.run()
        worker.close()
    }

    /// What a browser sees of it.
    var pages: SandboxPages { SandboxPages(sandbox) }

    private static func configuration(
        _ context: Context, _ port: UInt16, _ secrets: [String: [UInt8]]
    ) throws -> LedgerConfiguration {
        let path = context.configurationPath
        let bytes = try path.map {
            try Files.read($0, limit: CheckoutLedger.Limits.configurationBytes)
        }
        let files = ConfigurationSources.files(besideFile: path ?? "") { Context.variable($0) }
        let sources = ConfigurationSources(
            file: { (name) throws(LedgerError) in
                if let made = secrets[name] { return made }
                return try files.file(name)
            },
            permissions: { secrets[$0] == nil ? files.permissions($0) : nil },
            variable: files.variable)
        return try LedgerConfiguration.read(
            with(bytes, port), providers: Adapters.all, from: sources)
    }

    /// The file's JSON with the account and the way to the sandbox in it; bytes that are no JSON
    /// as they are, for the reader to complain of.
    private static func with(_ bytes: [UInt8]?, _ port: UInt16) -> [UInt8] {
        let bytes = bytes ?? Array("{}".utf8)
        let origin = "http://127.0.0.1:\(port)"
        guard var root = try? JSONValue(json: bytes) else { return bytes }
        func put(_ names: [String], _ value: JSONValue) {
            root = JSONChange(names, value).applied(to: root) ?? root
        }
        if root["providers"]?["sandbox"] == nil {
            put(
                ["providers", "sandbox"],
                .object([
                    "mode": .string("test"), "origin": .string(origin),
                    "webhookSecretFile": .string(secretFile), "apiKeyFile": .string(keyFile),
                ]))
        }
        if root["network"]?["loopback"]?[SandboxProvider.localHost] == nil {
            put(["network", "loopback", SandboxProvider.localHost], .string(origin))
        }
        return root.json
    }
}

/// The sandbox's pages below `/sandbox`, where there is one, and the server's own elsewhere.
struct SandboxSite<Rest: WebHandler>: WebHandler {
    let pages: SandboxPages?
    let rest: Rest

    func admission(of request: WebRequest) -> WebAdmission {
        guard let pages, request.path.first == "sandbox" else {
            return rest.admission(of: request)
        }
        return pages.admission(of: request)
    }

    func respond(to request: WebRequest) async -> WebResponse {
        guard let pages, request.path.first == "sandbox" else {
            return await rest.respond(to: request)
        }
        return await pages.respond(to: request)
    }
}

/// The machine's time.
private struct SandboxTime: SandboxClock {
    private let clock = InterruptibleClock()

    var now: Instant { clock.now }

    func sleep(for duration: Duration) async throws(CancellationError) {
        try await clock.sleep(for: duration)
    }
}
