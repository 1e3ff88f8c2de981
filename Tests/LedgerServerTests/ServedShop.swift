import CheckoutLedger
import CheckoutModel
import Cryptography
import DodoPayments
import EventLog
import HTTPServer
import HTTPTransport
import LedgerServer
import Mollie
import ProviderKit
import Synchronization
import TestSupport
import Testing

/// A time that stands where it is put.
final class ShopClock: Sendable {
    static let start = Instant(seconds: 1_772_600_767)
    private let time = Mutex(start)

    var now: Instant { time.withLock { $0 } }
    func advance(seconds: Int64) {
        time.withLock { $0 = Instant(seconds: $0.seconds + seconds) }
    }
}

/// A server with a Dodo and a Mollie account, on a free port.
struct ServedShop<Store: LogStore> {
    let ledger: Ledger<Store>
    let metrics = ServerMetrics()
    let health = ServerHealth()
    let clock = ShopClock()
    let receiver: WebhookReceiver<Store>
    let loop: ReconcileLoop<Store>
    let handler: RequestLog<LedgerSite<Store>>
    let log: ToldEvents

    init(
        _ ledger: Ledger<Store>, keys: any KeySource = FixedKeys(),
        providers: String = Shop.providers,
        asking answer: @escaping @Sendable (String) -> HTTPReply = { _ in HTTPReply(status: 404) }
    ) throws {
        self.ledger = ledger
        let (log, clock) = (ToldEvents(), clock)
        self.log = log
        let configuration = try Shop.configuration(providers)
        let transport = RecordedTransport { plan, _ in .success(answer(plan.url)) }
        let loop = ReconcileLoop(
            ledger: ledger, setup: .init(configuration, over: transport), metrics: metrics,
            now: { clock.now }
        ) { log.tell($0) }
        self.loop = loop
        let endpoints = WebhookEndpoints(configuration, publicURL: "https://pay.shop.example")
        receiver = WebhookReceiver(
            ledger: ledger, endpoints: endpoints, keys: keys, metrics: metrics, health: health,
            now: { clock.now }
        ) { loop.ask(about: $0) }
        let site = LedgerSite(
            receiver: receiver, ledger: ledger, pages: AddressPage(endpoints),
            rules: AccessRules(hosts: AccessRules.loopbackHosts), metrics: metrics, health: health,
            version: "1", now: { clock.now })
        handler = RequestLog(site, metrics: metrics, now: { clock.now }) { log.tell($0) }
    }

    /// Listens while `body` runs.
    func serving(_ body: (UInt16, HTTPServer) async throws -> Void) async throws {
        let socket = try ListeningSocket(at: SocketAddress("127.0.0.1", port: 0))
        let server = try HTTPServer.start(on: [socket], handler: handler)
        do {
            try await body(socket.address.port, server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// Answers without a network.
    func answer(
        _ method: String, _ target: String, headers: [WebField] = [], body: String = ""
    ) async -> WebResponse {
        let path = target.split(separator: "?").first ?? ""
        let request = WebRequest(
            method: method, target: target, path: path.split(separator: "/").map { String($0) },
            headers: [WebField("host", "localhost")] + headers, body: Array(body.utf8))
        switch handler.admission(of: request) {
        case .refuse(let response): return response
        case .accept: return await handler.respond(to: request)
        }
    }

    /// Delivers a webhook of Dodo's.
    func deliver(
        _ body: String, id: String, secret: String = Shop.secret, to path: String = "/webhooks/dodo"
    ) async -> WebResponse {
        let headers = Shop.headers(body, id: id, at: clock.now, secret: secret)
        return await answer(
            "POST", path, headers: headers.map { WebField($0.0, $0.1) }, body: body)
    }

    /// How many records of a type there are.
    func count(_ type: EventType) throws -> Int {
        try (0..<ledger.endPosition()).count { try ledger.event(at: $0).event.type == type }
    }
}

/// What the server's log was told.
final class ToldEvents: Sendable {
    private let told = Mutex<[ServerEvent]>([])

    var events: [ServerEvent] { told.withLock { $0 } }
    func tell(_ event: ServerEvent) { told.withLock { $0.append(event) } }
}

/// What the tests of the server share.
enum Shop {
    static let secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    static let types: [any PaymentProvider.Type] = [
        DodoPaymentsProvider.self, MollieProvider.self,
    ]
    static let providers = #"""
        {"dodo":{"mode":"test","webhookSecretFile":"w"},
         "mollie":{"mode":"test","apiKeyFile":"m"}}
        """#

    static func configuration(_ providers: String) throws -> LedgerConfiguration {
        let texts = ["w": secret, "m": "test_0123456789abcdef0123456789abcd"]
        return try LedgerConfiguration.read(
            Array(#"{"providers":\#(providers)}"#.utf8), providers: types,
            from: ConfigurationSources(
                file: { (name) throws(LedgerError) in Array((texts[name] ?? "").utf8) },
                permissions: { _ in nil }, variable: { _ in nil }))
    }

    static func options() throws -> LedgerOptions {
        LedgerOptions(
            providers: try ProviderRegistry([DodoPaymentsProvider(), MollieProvider()]))
    }

    static func memory() throws -> Ledger<InMemoryStore> { try .inMemory(options: options()) }

    /// The header fields of Dodo's signature.
    static func headers(
        _ body: String, id: String, at now: Instant = ShopClock.start, secret: String = secret
    ) -> [(String, String)] {
        let key = HMACKey(sha256: Base64.decode(secret.dropFirst(6)) ?? [])
        let code = key.authenticate(Array("\(id).\(now.seconds).\(body)".utf8))
        return [
            ("webhook-id", id), ("webhook-timestamp", "\(now.seconds)"),
            ("webhook-signature", "v1,\(Base64.encode(code))"),
        ]
    }

    /// A payment in Dodo's words.
    static func payment(_ number: Int, amount: Int = 2_500) -> String {
        """
        {"business_id":"bus_demo","type":"payment.succeeded","timestamp":"2026-03-04T05:06:05Z",\
        "data":{"payload_type":"Payment","payment_id":"pay_\(number)",\
        "checkout_session_id":"cks_\(number)","status":"succeeded","total_amount":\(amount),\
        "currency":"EUR"}}
        """
    }
}

extension WebResponse {
    /// The body as text; streams are none.
    var text: String {
        if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { "" }
    }

    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    func note(_ name: String) -> String? { notes.first { $0.name == name }?.value }
}
