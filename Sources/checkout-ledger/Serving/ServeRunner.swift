import CheckoutLedger
import CheckoutModel
import CommandKit
import Dashboard
import EventLog
import HTTPServer
import HTTPTransport
import LedgerServer
import LedgerViews
import ProviderKit
import Synchronization

/// The server from its start to its end.
final class ServeRunner: Sendable {
    /// How often signals are looked at.
    private static let slice = Duration.milliseconds(100)
    /// How often it is told what was only counted.
    private static let reportEvery = Duration.seconds(60)

    private let context: Context
    private let configuration: LedgerConfiguration
    private let settings: ServeSettings
    private let ledger: Ledger<LMDBStore>
    private let metrics = ServerMetrics()
    private let health = ServerHealth()
    private let log: ServerLog
    /// The make-believe provider, where it is wanted.
    private let sandbox: EmbeddedSandbox?
    /// Every transport's worker that was ever made, to be closed at the end.
    private let workers = Mutex<[CurlTransport]>([])

    init(_ context: Context) throws {
        self.context = context
        let own = try context.configuration() ?? .empty
        settings = try ServeSettings(context, own)
        sandbox =
            context.command.has("sandbox")
            ? try EmbeddedSandbox(context, at: settings.sockets.map(\.address)) : nil
        configuration = try sandbox?.configuration(context) ?? own
        log = ServerLog(
            output: context.errors, format: settings.logFormat, isQuiet: context.isQuiet
        ) { context.now }
        let path = context.ledgerPath
        if Files.exists(path + "/data.mdb") {
            ledger = try context.ledger(writing: true)
        } else {
            ledger = try context.createLedger(at: path)
            log.tell(ServerEvent(.info, "ledger created", [WebField("path", path)]))
        }
        ledger.mask(settings.redactor)
        ledger.mask(configuration.redactor)
    }

    func run() async throws -> ExitCode {
        Hangup.watch()
        let endpoints = WebhookEndpoints(configuration, publicURL: settings.publicURL)
        let (loop, receiver) = parts(endpoints)
        let now: @Sendable () -> Instant = { [context] in context.now }
        let tell: @Sendable (ServerEvent) -> Void = { [log] in log.tell($0) }
        let window = DashboardWindow(context, configuration, settings, ledger, loop, tell: tell)
        let pages = DashboardSite(Dashboard(ledger, host: window))
        let reads = ReadLog(tell: tell)
        let site = LedgerSite(
            receiver: receiver, ledger: ledger, pages: pages, rules: settings.rules,
            metrics: metrics, health: health, version: Program.version, now: now
        ) { reads.note($0, $1) }
        let server = try ServeSettings.named { () throws(ServerError) in
            try HTTPServer.start(
                on: settings.sockets, limits: settings.limits,
                handler: RequestLog(
                    SandboxSite(pages: sandbox?.pages, rest: site), metrics: metrics, now: now,
                    tell: tell))
        }
        try introduce(server, endpoints)
        pages.prepare(tell)
        try loop.takeUpHints()
        let tasks = [
            Task { await loop.followHints() },
            Task { await self.reconcile(loop) },
            Task { await self.report(reads) },
            Task { if let sandbox { await sandbox.run() } },
        ]
        let code = await wait(receiver, loop, window)
        // Those under way first: what they record counts, and their senders hear of it.
        await server.stop()
        for task in tasks { task.cancel() }
        await window.stop()
        for worker in workers.withLock({ $0 }) { worker.close() }
        for task in tasks { await task.value }
        Interrupt.settle()
        return code
    }

    private func parts(
        _ endpoints: WebhookEndpoints
    ) -> (loop: ReconcileLoop<LMDBStore>, receiver: WebhookReceiver<LMDBStore>) {
        let (setup, keys) = outgoing(configuration)
        let now: @Sendable () -> Instant = { [context] in context.now }
        let loop = ReconcileLoop(
            ledger: ledger, setup: setup, metrics: metrics, now: now
        ) { [log] in log.tell($0) }
        let receiver = WebhookReceiver(
            ledger: ledger, endpoints: endpoints, keys: keys, metrics: metrics, health: health,
            now: now
        ) { loop.ask(about: $0) }
        return (loop, receiver)
    }

    /// What goes out to providers: questions, and the fetching of keys.
    private func outgoing(
        _ configuration: LedgerConfiguration
    ) -> (setup: ReconcileLoop<LMDBStore>.Setup, keys: any KeySource) {
        let (transport, worker) = context.transport(configuration.network)
        workers.withLock { $0.append(worker) }
        let keys = KeyResolver(transport: transport, roots: configuration.network.roots)
        return (.init(configuration, over: transport), keys)
    }

    /// Until a signal, or until the ledger has stopped for good.
    private func wait(
        _ receiver: WebhookReceiver<LMDBStore>, _ loop: ReconcileLoop<LMDBStore>,
        _ window: DashboardWindow
    ) async -> ExitCode {
        while !Interrupt.isRequested {
            if Hangup.take() { reload(receiver, loop, window) }
            if let code = health.failureCode, ServeRunner.needsReopening.contains(code) {
                // Whoever watches over this program starts it again, which opens the ledger anew.
                log.tell(ServerEvent(.error, "stopped writing", [WebField("error", code)]))
                return .failed
            }
            try? await Task.sleep(for: Self.slice)
        }
        return .done
    }

    /// After these a ledger writes again only once it was opened again.
    private static let needsReopening: Set<String> = [
        LogError.Code.outcomeUnknown.rawValue, LogError.Code.stopped.rawValue,
        LogError.Code.foldVersionChanged.rawValue, LogError.Code.invariantBroken.rawValue,
    ]

    /// Takes the accounts of the configuration as it stands now; with a mistake in it, none.
    ///
    /// What the server itself is run with needs a new start.
    private func reload(
        _ receiver: WebhookReceiver<LMDBStore>, _ loop: ReconcileLoop<LMDBStore>,
        _ window: DashboardWindow
    ) {
        do {
            guard
                let fresh = try sandbox?.configuration(context) ?? context.readConfiguration()
            else { return log.tell(ServerEvent(.warning, "no configuration is named")) }
            let (setup, keys) = outgoing(fresh)
            let endpoints = WebhookEndpoints(fresh, publicURL: settings.publicURL)
            // Before anything comes that is signed with a new one.
            ledger.mask(fresh.redactor)
            loop.replace(setup)
            window.replace(fresh)
            receiver.replace(endpoints, keys: keys)
            tellSilent(endpoints)
            log.tell(
                ServerEvent(
                    .info, "configuration read again",
                    [WebField("accounts", "\(fresh.accounts.count)")]))
        } catch {
            _ = context.report(error)
            log.tell(ServerEvent(.error, "configuration kept as it was"))
        }
    }

    private func reconcile(_ loop: ReconcileLoop<LMDBStore>) async {
        guard settings.reconcileMinutes > 0 else { return }
        let pause = Duration.seconds(60 * settings.reconcileMinutes)
        while !Task.isCancelled {
            // A checkout that is younger may still be under way.
            await loop.askAboutAll(olderThan: Int64(settings.reconcileMinutes) * 60_000_000)
            guard (try? await Task.sleep(for: pause)) != nil else { return }
        }
    }

    /// Tells now and then what was only counted, and once more at the end.
    private func report(_ reads: ReadLog) async {
        var told: [String: Int] = [:]
        while (try? await Task.sleep(for: Self.reportEvery)) != nil {
            reads.flush()
            reportUnrecorded(&told)
        }
        reads.flush()
        reportUnrecorded(&told)
    }

    private func reportUnrecorded(_ told: inout [String: Int]) {
        for (provider, count) in metrics.unrecorded.sorted(by: { $0.key < $1.key })
        where count > told[provider, default: 0] {
            let more = count - told[provider, default: 0]
            log.tell(
                ServerEvent(
                    .warning, "refused webhooks only counted",
                    [WebField("provider", provider), WebField("count", "\(more)")]))
            told[provider] = count
        }
    }

    // MARK: What is said at the start

    private func introduce(_ server: HTTPServer, _ endpoints: WebhookEndpoints) throws {
        let base =
            settings.publicURL ?? server.addresses.first.map { "http://\($0)" } ?? ""
        if context.isJSON {
            var writer = JSONWriter()
            writer.object {
                $0.field("schema", "serve/1")
                $0.array("addresses") { writer in
                    for address in server.addresses { writer.value("http://\(address)") }
                }
                $0.array("webhooks") { writer in
                    for endpoint in endpoints.endpoints { writer.value(base + endpoint.path) }
                }
                if let sandbox {
                    $0.object("sandbox") {
                        $0.field("url", sandbox.origin + "/sandbox")
                        $0.field("apiKey", sandbox.apiKey)
                    }
                }
            }
            try context.output.line(&writer)
        } else {
            for address in server.addresses {
                try context.output.line("Listening on http://\(address)")
            }
            for endpoint in endpoints.endpoints {
                try context.output.line("  webhooks of \(endpoint.scope): \(base)\(endpoint.path)")
            }
            if let sandbox {
                try context.output.line("  sandbox, pretend money: \(sandbox.origin)/sandbox")
                try context.output.line("  its API key: \(sandbox.apiKey)")
            }
        }
        try context.output.flush()
        guard !context.isQuiet, !context.isJSON else { return }
        tellSilent(endpoints)
        if endpoints.endpoints.isEmpty {
            context.errors.say(
                "No account receives webhooks yet. Name them with --config; "
                    + "see '\(Program.name) help config'.")
        }
    }

    /// Says which accounts receive nothing, and why.
    private func tellSilent(_ endpoints: WebhookEndpoints) {
        for (scope, reason) in endpoints.silent {
            log.tell(
                ServerEvent(
                    .warning, "account receives no webhooks",
                    [
                        WebField("account", "\(scope)"),
                        WebField("reason", reason?.code ?? "its provider sends none"),
                    ]))
        }
    }
}
