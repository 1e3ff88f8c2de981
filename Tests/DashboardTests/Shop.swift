import CheckoutLedger
import CheckoutModel
import Cryptography
import DodoPayments
import EventLog
import HTTPServer
import ProviderKit
import Synchronization

@testable import Dashboard

/// A ledger in memory whose clock the test turns, and the dashboard over it.
final class Shop: Sendable {
    /// 2026-03-04 05:00:00.
    static let start = Instant(seconds: 1_772_600_400)

    let ledger: Ledger<InMemoryStore>
    let clock: TestClock

    init() throws {
        clock = TestClock(Self.start)
        var options = LedgerOptions(providers: try ProviderRegistry([]))
        options.clock = clock
        ledger = try Ledger<InMemoryStore>.inMemory(options: options)
    }

    /// The pages as of the ledger's clock.
    func dashboard(token: String? = nil) -> Dashboard<InMemoryStore> {
        Dashboard(ledger, host: TestHost(clock: clock, token: token))
    }

    /// Records an event some seconds after the start.
    @discardableResult
    func tell(
        _ type: EventType, at second: Int64, source: EventSource = .app,
        evidence: Evidence = .hint, provider: ProviderID = "dodo",
        ids: ProviderIDs = ProviderIDs(session: "cks_1"), amount: Money? = nil,
        status: CheckoutStatus? = nil, reason: String? = nil, happened: Int64? = nil
    ) async throws -> RecordedAt {
        clock.set(Instant(seconds: Self.start.seconds + second))
        return try await ledger.record(
            CheckoutEvent(
                type, source: source, evidence: evidence,
                occurredAt: Instant(seconds: Self.start.seconds + (happened ?? second)),
                provider: provider, ids: ids, amount: amount, status: status, reason: reason))
    }

    /// A checkout that was closed and paid all the same, with a second confirmation.
    func tellClosedAndPaid(_ session: String = "cks_1", at second: Int64 = 0) async throws {
        let ids = ProviderIDs(session: session, order: "ORDER-\(session)")
        let paid = ProviderIDs(session: session, payment: "pay_\(session)", order: ids.order)
        let total = Money(minorUnits: 9_900, currency: .eur)
        try await tell(.sessionCreated, at: second, source: .host, ids: ids, amount: total)
        try await tell(.sessionOpened, at: second + 1, ids: ids)
        try await tell(.sessionClosed, at: second + 42, ids: ids)
        try await tell(
            .paymentSucceeded, at: second + 45, source: .webhook, evidence: .verified, ids: paid,
            amount: total, happened: second + 40)
        try await tell(
            .paymentSucceeded, at: second + 90, source: .webhook, evidence: .verified, ids: paid,
            amount: total, happened: second + 40)
    }

    static let secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

    static func verifier() throws -> DeliveryVerifier {
        try DeliveryVerifier(
            provider: DodoPaymentsProvider(),
            secrets: SecretSet(
                [.webhook: [secret]], rules: DodoPaymentsProvider.descriptor.secretRules))
    }

    /// Receives a webhook some seconds after the start, signed with the secret or another one.
    @discardableResult
    func receive(
        _ body: String, id: String, at second: Int64, secret: String = Shop.secret
    ) async throws -> DeliveryReceipt {
        let now = Instant(seconds: Self.start.seconds + second)
        clock.set(now)
        let key = HMACKey(sha256: Base64.decode(secret.dropFirst(6)) ?? [])
        let code = key.authenticate(Array("\(id).\(now.seconds).\(body)".utf8))
        let delivery = WebhookDelivery(
            headers: [
                "webhook-id": id, "webhook-timestamp": "\(now.seconds)",
                "webhook-signature": "v1,\(Base64.encode(code))", "User-Agent": "Dodo/1",
            ], body: Array(body.utf8))
        return try await ledger.record(
            delivery, verifiedBy: Self.verifier(), scope: AccountScope("dodo"), at: now)
    }

    /// A payment's webhook that names a person.
    static let privateBody = """
        {"business_id":"bus_1","type":"payment.succeeded","timestamp":"2026-03-04T05:00:05Z",\
        "data":{"payload_type":"Payment","payment_id":"pay_1","checkout_session_id":"cks_1",\
        "status":"succeeded","total_amount":9900,"currency":"EUR","customer":{"customer_id":\
        "cus_1","email":"ada@example.org","name":"Ada Lovelace","phone":"+4915112345678"},\
        "billing":{"street":"1 Analytical Way","zipcode":"10115"},"card_last_four":"4242"}}
        """

    static let privateTexts = [
        "ada@example.org", "Ada", "Lovelace", "4915112345678", "Analytical", "10115", "4242",
    ]

    /// The answer to a GET of a path with an optional query.
    func get(_ address: String, token: String? = nil) async -> WebResponse {
        await dashboard(token: token).respond(to: .get(address))
    }
}

extension Currency {
    static var eur: Currency {
        guard let currency = Currency("EUR") else { preconditionFailure("three letters") }
        return currency
    }
}

/// A clock that stands where it was set.
final class TestClock: LogClock {
    private let time: Mutex<Instant>

    init(_ time: Instant) { self.time = Mutex(time) }

    func set(_ instant: Instant) { time.withLock { $0 = instant } }
    func now() -> Int64 { time.withLock { $0.microseconds } }
}

/// A host that notes which actions it was asked for.
final class TestHost: DashboardHost {
    let clock: TestClock
    let token: String?
    let asked = Mutex<[DashboardAction]>([])

    init(clock: TestClock, token: String?) {
        self.clock = clock
        self.token = token
    }

    var now: Instant { Instant(microseconds: clock.now()) }
    func formToken(for request: WebRequest) -> String? { token }
    func verifier(for scope: AccountScope) -> DeliveryVerifier? { try? Shop.verifier() }
    var resendTarget: String? { "https://shop.example/hooks?a=<b>" }
    func perform(_ action: DashboardAction, for request: WebRequest) async -> DashboardReply {
        asked.withLock { $0.append(action) }
        return DashboardReply(isDone: true, message: "Asked.")
    }
}

extension WebRequest {
    /// A GET as the server would hand it over: path and query decoded.
    static func get(_ address: String) -> WebRequest {
        let parts = address.split(separator: "?", maxSplits: 1)
        let path = parts[0].split(separator: "/").map { decoded(String($0)) }
        let query = (parts.count == 2 ? parts[1].split(separator: "&") : []).map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1)
            return WebField(
                decoded(String(sides[0])), sides.count == 2 ? decoded(String(sides[1])) : "")
        }
        return WebRequest(target: address, path: path, query: query)
    }

    private static func decoded(_ text: String) -> String {
        FormFields("x=\(text.replacing("+", with: "%2B"))".utf8)?["x"] ?? text
    }
}

extension WebResponse {
    var text: String {
        guard case .bytes(let bytes) = body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
