import CheckoutLedger
import CheckoutModel
import CommandKit
import HTTPTransport
import LedgerViews
import ProviderKit
import Sandbox

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Option {
    static let config = value(
        "config", .path, placeholder: "FILE",
        "Your accounts at providers; else CHECKOUT_LEDGER_CONFIG; see 'help config'")
}

extension Context {
    /// The configuration's file; nil when none is named.
    var configurationPath: String? {
        command.value("config") ?? Self.variable("CHECKOUT_LEDGER_CONFIG")
    }

    /// Reads the configuration; nil when none is named.
    ///
    /// Says what could be safer in it, and throws `ConfigurationError` with every mistake.
    func readConfiguration() throws -> LedgerConfiguration? {
        guard let path = configurationPath else { return nil }
        let bytes = try Files.read(path, limit: CheckoutLedger.Limits.configurationBytes) {
            Interrupt.isRequested
        }
        let configuration = try LedgerConfiguration.read(
            bytes, providers: Adapters.all,
            from: .files(besideFile: path) { Self.variable($0) })
        if !isQuiet, !isJSON {
            for warning in configuration.warnings { errors.say("Warning: \(warning)") }
        }
        return configuration
    }

    /// What carries requests out, as the configuration says.
    ///
    /// The worker has to be closed, or what is under way is waited for.
    func transport(
        _ network: LedgerConfiguration.Network
    ) -> (transport: any HTTPTransport, worker: CurlTransport) {
        var options = CurlTransportOptions()
        options.userAgent = "checkout-ledger/\(Program.version)"
        options.usesProxyEnvironment = network.usesProxyEnvironment
        options.rootsFile = network.rootsFile.map { file in
            Files.path(file, besideFile: configurationPath ?? "")
        }
        for route in network.loopback {
            options.loopbackRoutes[route.host] = LoopbackRoute(
                port: route.port, isEncrypted: route.isEncrypted)
        }
        // A sandbox of this machine has a name that leads nowhere, so its port stands in for it.
        let accounts = (try? configuration())??.accounts ?? []
        for port in accounts.compactMap({ ($0.provider as? SandboxProvider)?.localPort })
        where options.loopbackRoutes[SandboxProvider.localHost] == nil {
            options.loopbackRoutes[SandboxProvider.localHost] = LoopbackRoute(port: port)
        }
        let worker = CurlTransport(options: options)
        let clock = InterruptibleClock()
        return (
            AuthorizingTransport(RetryingTransport(worker, clock: clock), clock: clock), worker
        )
    }

    /// Runs `body`; the first Ctrl-C ends requests that are under way, with `cancelled`.
    func interruptible<R>(_ worker: CurlTransport, _ body: () async throws -> R) async rethrows -> R
    {
        let watcher = Task {
            while !Task.isCancelled, !Interrupt.isRequested {
                try await Task.sleep(for: InterruptibleClock.slice)
            }
            worker.close()
        }
        defer {
            watcher.cancel()
            worker.close()
        }
        return try await body()
    }
}

extension Context {
    /// Hands `body` what fetches the keys that a webhook names, as the configuration reaches the
    /// network; for a webhook that names none no network is touched.
    func withKeys<R>(
        of request: DeliveryRequest, _ body: (any KeySource) async throws -> R
    ) async throws -> R {
        let named = (try? request.verifier.keyRequests(of: request.delivery)) ?? []
        guard !named.isEmpty else { return try await body(FixedKeys()) }
        let network = try configuration()?.network ?? LedgerConfiguration.Network()
        let (transport, worker) = transport(network)
        return try await interruptible(worker) {
            try await body(KeyResolver(transport: transport, roots: network.roots))
        }
    }
}

/// The machine's time, on which a wait ends at Ctrl-C.
struct InterruptibleClock: TransportClock {
    static let slice: Duration = .milliseconds(100)
    private let clock = SystemTransportClock()

    var now: Instant { clock.now }
    var uptime: Duration { clock.uptime }

    func sleep(for duration: Duration) async throws(CancellationError) {
        let end = uptime + duration
        while uptime < end {
            if Interrupt.isRequested { throw CancellationError() }
            try await clock.sleep(for: min(Self.slice, end - uptime))
        }
    }
}

extension Context {
    /// Tells every mistake of a configuration, and gives the exit code.
    func report(_ error: ConfigurationError) -> ExitCode {
        let path = configurationPath ?? ""
        let code: ExitCode = error.isAboutSecrets ? .credentials : .usage
        let mistakes = error.problems.filter { !$0.isWarning }
        let count = Wording.count(mistakes.count, "mistake")
        let complaint = Complaint(
            code: "INVALID_CONFIGURATION", message: "The configuration \(path) has \(count).",
            hint: "See its form: \(Program.name) help config")
        if isJSON {
            var writer = JSONWriter()
            writer.object {
                $0.field("schema", "error/1")
                $0.field("code", complaint.code)
                $0.field("message", complaint.message)
                $0.field("hint", complaint.hint)
                $0.array("problems") { writer in
                    for problem in error.problems {
                        writer.object {
                            $0.field("code", problem.kind.rawValue)
                            $0.field("path", problem.path)
                            $0.field("message", problem.message)
                            $0.field("hint", problem.hint)
                        }
                    }
                }
            }
            try? errors.write(writer.line())
        } else {
            let lines = error.problems.map { problem in
                "  " + SafeText.visible((problem.isWarning ? "Warning: " : "") + "\(problem)")
                    + "\n"
            }
            let text = complaint.text(style: errors.terminal.style)
            let first = text.prefix { $0 != "\n" } + "\n"
            try? errors.write(first + lines.joined() + text.dropFirst(first.count))
        }
        try? errors.flush()
        return code
    }
}
