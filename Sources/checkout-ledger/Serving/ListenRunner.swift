import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog
import HTTPServer
import HTTPTransport
import LedgerServer
import LedgerViews
import ProviderKit

/// Receives, tells and forwards until Ctrl-C.
struct ListenRunner {
    let context: Context
    let configuration: LedgerConfiguration
    let ledger: Ledger<LMDBStore>
    let selection: FieldSelection?

    private static let slice: Duration = .milliseconds(100)
    /// Webhooks that wait to be told of; whoever sends more than this in a moment loses lines, and
    /// no webhook.
    private static let waitingLines = 10_000

    func run(showing secret: String?) async throws -> ExitCode {
        let port = UInt16(clamping: context.command.integer("port") ?? 0)
        let endpoints = WebhookEndpoints(configuration)
        let paths = paths(of: endpoints)
        guard !paths.isEmpty else {
            throw Complaint(
                code: "NO_ACCOUNT", message: "No account here can check its webhooks.",
                hint: "See what is missing: \(Program.name) doctor --config FILE")
        }
        let network = configuration.network
        let (transport, worker) = context.transport(network)
        let now: @Sendable () -> Instant = { [context] in context.now }
        let receiver = WebhookReceiver(
            ledger: ledger, endpoints: endpoints,
            keys: KeyResolver(transport: transport, roots: network.roots),
            metrics: ServerMetrics(), health: ServerHealth(), now: now
        ) { _ in false }
        let (arrivals, told) = AsyncStream<Arrival>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.waitingLines))
        let server = try ServeSettings.named { () throws(ServerError) in
            try HTTPServer.start(
                on: [try ListeningSocket(at: try SocketAddress("127.0.0.1", port: port))],
                handler: ListenSite(
                    receiver: receiver, only: context.command.value("provider"), now: now
                ) { told.yield($0) })
        }
        introduce(server, paths, secret)
        let teller = Task { try await tell(arrivals) }
        while !Interrupt.isRequested { try? await Task.sleep(for: Self.slice) }
        await server.stop()
        told.finish()
        worker.close()
        try await teller.value
        Interrupt.settle()
        return .done
    }

    /// Where the webhooks that are wanted arrive.
    private func paths(of endpoints: WebhookEndpoints) -> [String] {
        let wanted = context.command.value("provider")
        return endpoints.endpoints
            .filter { wanted == nil || wanted == $0.scope.provider.rawValue }.map(\.path)
    }

    private func introduce(_ server: HTTPServer, _ paths: [String], _ secret: String?) {
        guard !context.isQuiet else { return }
        for address in server.addresses {
            for path in paths { context.errors.say("Listening on http://\(address)\(path)") }
        }
        if let secret {
            context.errors.say("Signing secret for this run: \(secret)  (press Ctrl-C to stop)")
        }
    }

    /// Tells of one after the other, each with the answer of the server it was forwarded to.
    private func tell(_ arrivals: AsyncStream<Arrival>) async throws {
        var options = CurlTransportOptions()
        options.allowsLoopbackHTTP = true
        options.userAgent = "checkout-ledger/\(Program.version)"
        let worker = CurlTransport(options: options)
        defer { worker.close() }
        let target = context.command.value("forward-to")
        for await arrival in arrivals {
            let line = try ListenLine(arrival, in: ledger)
            if !context.isJSON {
                for text in line.texts { try context.output.line(text) }
                try context.output.flush()
            }
            var sent: SentDelivery?
            if let target {
                let delivery = WebhookDelivery(
                    headers: HeaderList(
                        arrival.request.headers.map { (name: $0.name, value: $0.value) }),
                    body: arrival.request.body)
                sent = await Context.send(delivery, to: target, over: worker)
            }
            if context.isJSON {
                var writer = JSONWriter(only: selection)
                writer.object { line.write(sent, to: &$0) }
                try context.output.line(&writer)
            } else if let sent {
                try context.output.line(line.text(of: sent))
            }
            try context.output.flush()
        }
    }
}

/// A webhook that has been answered.
struct Arrival: Sendable {
    let at: Instant
    let request: WebRequest
    let notes: [WebField]

    func note(_ name: String) -> String? { notes.first { $0.name == name }?.value }
}

/// The receiver, with somebody who is told of what it answered.
private struct ListenSite: WebHandler {
    let receiver: WebhookReceiver<LMDBStore>
    /// The one provider whose webhooks are taken; nil for all.
    let only: String?
    let now: @Sendable () -> Instant
    let tell: @Sendable (Arrival) -> Void

    func admission(of request: WebRequest) -> WebAdmission {
        guard only == nil || request.path.dropFirst().first == only else {
            return .refuse(.notFound)
        }
        return receiver.admission(of: request)
    }

    func respond(to request: WebRequest) async -> WebResponse {
        let at = now()
        let response = await receiver.respond(to: request)
        tell(Arrival(at: at, request: request, notes: response.notes))
        return response
    }
}
