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

/// A clock that stands where it is put.
final class ManualClock: LogClock {
    private let time: Mutex<Int64>

    init(_ instant: Instant) { time = Mutex(instant.microseconds) }

    func now() -> Int64 { time.withLock { $0 } }
    func set(_ instant: Instant) { time.withLock { $0 = instant.microseconds } }
    func advance(seconds: Int64) { time.withLock { $0 += seconds * 1_000_000 } }
}

/// The secret, the adapters and the signing that tests of a ledger share.
enum Fixture {
    static let secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    static let now = Instant(seconds: 1_772_600_767)
    static let scope = AccountScope("dodo")

    static func registry() throws -> ProviderRegistry {
        try ProviderRegistry([DodoPaymentsProvider(), StripeProvider()])
    }

    static func options(clock: any LogClock = ManualClock(now)) throws -> LedgerOptions {
        var options = LedgerOptions(providers: try registry())
        options.clock = clock
        return options
    }

    static func memoryLedger(
        clock: any LogClock = ManualClock(now)
    ) throws -> Ledger<InMemoryStore> {
        try .inMemory(options: options(clock: clock))
    }

    static func dodo() throws -> DodoPaymentsProvider { try DodoPaymentsProvider() }

    static func verifier(_ secret: String = secret) throws -> DeliveryVerifier {
        try DeliveryVerifier(
            provider: dodo(),
            secrets: SecretSet(
                [.webhook: [secret]], rules: DodoPaymentsProvider.descriptor.secretRules))
    }

    /// A delivery as Dodo would sign it.
    static func delivery(
        _ body: String, id: String, at time: Instant = now, secret: String = secret
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

    /// A payment body in Dodo's words.
    static func payment(
        _ type: String, payment: String, session: String? = nil, amount: Int64 = 2500,
        currency: String = "EUR", at time: String = "2026-03-04T05:06:05Z", extra: String = ""
    ) -> String {
        let session = session.map { "\"checkout_session_id\":\"\($0)\"," } ?? ""
        let status = type.split(separator: ".").last ?? ""
        return """
            {"business_id":"bus_demo","type":"\(type)","timestamp":"\(time)","data":{\
            "payload_type":"Payment","payment_id":"\(payment)",\(session)"status":"\(status)",\
            "total_amount":\(amount),"currency":"\(currency)"\(extra)}}
            """
    }

    static func refund(
        _ refund: String, payment: String, amount: Int64, at time: String = "2026-03-04T06:00:00Z"
    ) -> String {
        """
        {"business_id":"bus_demo","type":"refund.succeeded","timestamp":"\(time)","data":{\
        "payload_type":"Refund","refund_id":"\(refund)","payment_id":"\(payment)",\
        "amount":\(amount),"currency":"EUR","is_partial":true,"status":"succeeded"}}
        """
    }
}

extension Ledger {
    /// Records a signed Dodo delivery.
    @discardableResult
    func receive(_ body: String, id: String, at now: Instant = Fixture.now) async throws
        -> DeliveryReceipt
    {
        try await record(
            Fixture.delivery(body, id: id, at: now), verifiedBy: Fixture.verifier(),
            scope: Fixture.scope, at: now)
    }

    func sessions() throws -> [Session] {
        var found: [Session] = []
        try forEachSession { (session) throws(LedgerError) in
            found.append(session)
            return .more
        }
        return found
    }
}
