import CheckoutLedger
import CheckoutModel
import Cryptography
import DodoPayments
import EventLog
import Foundation
import ProviderKit
import Stripe
import Synchronization
import TestSupport

/// A ledger on disk with a dozen stories in it, made through the ledger's own calls, and the
/// program to look at it with.
struct ReadingShop {
    let directory: URL
    let program: ReadingProgram

    /// When the first event happens; every further one a second later.
    static let start = Instant(seconds: 1_772_600_767)
    static let secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    static let scope = AccountScope("dodo")

    var path: String { directory.appendingPathComponent("shop.ledger").path }
    var keyPath: String { directory.appendingPathComponent("root.key").path }

    /// A shop in a directory of its own, gone when `body` ends.
    static func with(
        stories: Bool = true, _ body: (ReadingShop) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let shop = ReadingShop(directory: directory, program: try ReadingProgram(directory))
            let writer = try ShopWriter(shop, creating: true)
            if stories { try await writer.tellStories() }
            writer.ledger.close()
            try await body(shop)
        }
    }

    /// Runs the program on this ledger and waits for its end.
    func run(_ words: String..., environment: [String: String] = [:]) throws -> ReadingProgram.Run {
        try program.run(words + ["--ledger", path, "--root-key", keyPath], environment)
    }

    /// The objects that a command prints under `--json`.
    func rows(_ words: String...) throws -> [[String: Any]] {
        let run = try program.run(words + ["--json", "--ledger", path, "--root-key", keyPath], [:])
        return try run.rows()
    }
}

/// Records what the shop's stories tell, on a clock of its own.
final class ShopWriter {
    let ledger: Ledger<LMDBStore>
    private let clock: StoryClock

    init(_ shop: ReadingShop, creating: Bool = false, at start: Instant = ReadingShop.start) throws
    {
        clock = StoryClock(start)
        let registry = try ProviderRegistry([DodoPaymentsProvider(), StripeProvider()])
        var options = LedgerOptions(providers: registry)
        options.rootKeyPath = shop.keyPath
        options.clock = clock
        ledger =
            creating
            ? try Ledger.create(at: shop.path, options: options)
            : try Ledger.open(at: shop.path, options: options)
    }

    func tellStories() async throws {
        try await shown("cks_paid", asks: 2500, order: "ORDER-1")
        try await app(.sessionClosed, "cks_paid")
        try await payment("payment.succeeded", "pay_1", "cks_paid", 2500, as: "msg_1")
        try await payment("payment.succeeded", "pay_1", "cks_paid", 2500, as: "msg_2")
        try await refund("ref_1", of: "pay_1", 500, as: "msg_3")
        try await app(.sessionOpened, "cks_silent")
        try await shown("cks_shut", asks: 700, order: "ORDER-2")
        try await app(.sessionClosed, "cks_shut")
        try await app(.sessionOpened, "cks_unsure")
        _ = try await ledger.record(
            returnURL: "myapp://done?status=succeeded&payment_id=pay_9&email=mira%40mail.example",
            readBy: DodoPaymentsProvider(), scope: ReadingShop.scope, session: "cks_unsure")
        try await shown("cks_again", asks: 2500, order: "ORDER-1")
        try await payment("payment.succeeded", "pay_2", "cks_again", 2500, as: "msg_4")
        try await shown("cks_less", asks: 4900, order: "ORDER-3")
        try await payment("payment.succeeded", "pay_3", "cks_less", 490, as: "msg_5")
        try await app(.sessionOpened, "cks_told")
        try await ledger.resolve(
            "cks_told", as: .failed, reason: "The bank says no.", actor: "mira", at: clock.tick())
        try await deliver(
            #"{"business_id":"bus_demo","type":"widget.rotated","data":{"widget_id":"w1"}}"#,
            as: "msg_6")
        _ = try await ledger.record(
            delivery("{}", id: "msg_7", signedWith: Self.foreignSecret, at: clock.tick()),
            verifiedBy: verifier(), scope: ReadingShop.scope, at: clock.last)
    }

    static let foreignSecret = "whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8="

    func shown(_ session: String, asks minorUnits: Int64, order: String) async throws {
        var created = CheckoutEvent(
            .sessionCreated, source: .host, occurredAt: clock.tick(), provider: "dodo",
            ids: ProviderIDs(session: session, order: order))
        created.amount = try Money(parsing: "0.01", currencyCode: "EUR").times(minorUnits)
        try await ledger.record(created)
        try await app(.sessionOpened, session)
    }

    func app(_ type: EventType, _ session: String) async throws {
        try await ledger.record(
            CheckoutEvent(
                type, source: .app, occurredAt: clock.tick(), provider: "dodo",
                ids: ProviderIDs(session: session)))
    }

    func payment(
        _ type: String, _ payment: String, _ session: String, _ amount: Int64, as id: String
    ) async throws {
        let status = type.split(separator: ".").last ?? ""
        try await deliver(
            """
            {"business_id":"bus_demo","type":"\(type)","timestamp":"\(clock.tick().iso8601)",\
            "data":{"payload_type":"Payment","payment_id":"\(payment)","status":"\(status)",\
            "checkout_session_id":"\(session)","total_amount":\(amount),"currency":"EUR",\
            "customer":{"email":"mira@mail.example","name":"Mira"}}}
            """, as: id)
    }

    func refund(_ refund: String, of payment: String, _ amount: Int64, as id: String) async throws {
        try await deliver(
            """
            {"business_id":"bus_demo","type":"refund.succeeded",\
            "timestamp":"\(clock.tick().iso8601)","data":{"payload_type":"Refund",\
            "refund_id":"\(refund)","payment_id":"\(payment)","amount":\(amount),\
            "currency":"EUR","is_partial":true,"status":"succeeded"}}
            """, as: id)
    }

    private func deliver(_ body: String, as id: String) async throws {
        _ = try await ledger.record(
            delivery(body, id: id, signedWith: ReadingShop.secret, at: clock.last),
            verifiedBy: verifier(), scope: ReadingShop.scope, at: clock.last)
    }

    private func verifier() throws -> DeliveryVerifier {
        try DeliveryVerifier(
            provider: DodoPaymentsProvider(),
            secrets: SecretSet(
                [.webhook: [ReadingShop.secret]],
                rules: DodoPaymentsProvider.descriptor.secretRules))
    }

    private func delivery(
        _ body: String, id: String, signedWith secret: String, at time: Instant
    ) -> WebhookDelivery {
        let key = HMACKey(sha256: Base64.decode(secret.dropFirst(6)) ?? [])
        let stamp = "\(time.seconds)"
        let signature = Base64.encode(key.authenticate(Array("\(id).\(stamp).\(body)".utf8)))
        return WebhookDelivery(
            headers: [
                "webhook-id": id, "webhook-timestamp": stamp,
                "webhook-signature": "v1,\(signature)",
            ], body: Array(body.utf8))
    }
}

extension Money {
    fileprivate func times(_ count: Int64) -> Money {
        Money(minorUnits: minorUnits * count, currency: currency)
    }
}

/// A clock that goes on by a second whenever a story asks, and stands still otherwise.
private final class StoryClock: LogClock {
    private let time: Mutex<Int64>

    init(_ start: Instant) { time = Mutex(start.microseconds) }

    var last: Instant { Instant(microseconds: now()) }

    func now() -> Int64 { time.withLock { $0 } }

    func tick() -> Instant {
        time.withLock { time in
            time += 1_000_000
            return Instant(microseconds: time)
        }
    }
}
