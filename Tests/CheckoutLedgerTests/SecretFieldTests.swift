import CheckoutModel
import Cryptography
import EventLog
import Foundation
import Polar
import ProviderKit
import TestSupport
import Testing

@testable import CheckoutLedger

@Suite("Secrets that a provider puts into its bodies")
struct SecretFieldTests {
    private static let key = "polar_secret_of_a_pretend_shop"
    private static let clientSecret = "polar_c_0123456789abcdefghij"
    private static let scope = AccountScope("polar")

    private static let body = """
        {"type":"checkout.updated","timestamp":"2026-03-04T05:06:05Z","data":{\
        "id":"8f7c1b0e-0000-4000-8000-000000000001","status":"expired",\
        "client_secret": "\(clientSecret)",\
        "url":"https://polar.sh/checkout/\(clientSecret)","currency":"eur"}}
        """

    private static func delivery(
        _ body: String = body, id: String = "msg_1", signedWith key: String = key
    ) -> WebhookDelivery {
        let time = "\(Fixture.now.seconds)"
        let code = HMACKey(sha256: Array(key.utf8))
            .authenticate(Array("\(id).\(time).\(body)".utf8))
        return WebhookDelivery(
            headers: [
                "webhook-id": id, "webhook-timestamp": time,
                "webhook-signature": "v1,\(Base64.encode(code))",
            ], body: Array(body.utf8))
    }

    private static func verifier() throws -> DeliveryVerifier {
        try DeliveryVerifier(
            provider: PolarProvider(),
            secrets: SecretSet([.webhook: [key]], rules: PolarProvider.descriptor.secretRules))
    }

    private static func options() throws -> LedgerOptions {
        var options = LedgerOptions(providers: try ProviderRegistry([PolarProvider()]))
        options.clock = ManualClock(Fixture.now)
        return options
    }

    @Test("They are masked in what is kept, wherever they stand, and the delivery says so")
    func masked() async throws {
        let ledger = try Ledger<InMemoryStore>.inMemory(options: Self.options())
        for (number, delivery) in [
            Self.delivery(), Self.delivery(id: "msg_2", signedWith: "another_secret_by_mistake"),
        ].enumerated() {
            let receipt = try await ledger.record(
                delivery, verifiedBy: Self.verifier(), scope: Self.scope, at: Fixture.now)
            let kept = try ledger.event(at: receipt.position)
            #expect(kept.event.type == (number == 0 ? .deliveryReceived : .deliveryRefused))
            #expect(kept.flags.contains(.redacted))
            let body = String(decoding: try #require(try ledger.body(of: kept)), as: UTF8.self)
            #expect(!body.contains(Self.clientSecret))
            #expect(body.contains(#""url":"https://polar.sh/checkout/[secret known]""#))
            #expect(body.contains(#""currency":"eur""#))
        }
    }

    @Test("A retry of a masked delivery is a retry")
    func retry() async throws {
        let ledger = try Ledger<InMemoryStore>.inMemory(options: Self.options())
        for verdict in [DeliveryReceipt.Verdict.recorded, .duplicate] {
            let receipt = try await ledger.record(
                Self.delivery(), verifiedBy: Self.verifier(), scope: Self.scope, at: Fixture.now)
            #expect(receipt.verdict == verdict)
        }
    }

    @Test("A secret that stands across two records is masked in both")
    func acrossPieces() async throws {
        let ledger = try Ledger<InMemoryStore>.inMemory(options: Self.options())
        let head = Self.body.prefix { $0 != "}" }.utf8.count
        for shift in [0, 10, 20] {
            let filler = String(repeating: "x", count: 49_152 - head - 30 - shift)
            let body = Self.body.replacing(
                "}}", with: ",\"note\":\"\(filler)\",\"again\":\"\(Self.clientSecret)\"}}")
            let receipt = try await ledger.record(
                Self.delivery(body, id: "msg_\(shift)"), verifiedBy: Self.verifier(),
                scope: Self.scope, at: Fixture.now)
            let kept = try ledger.event(at: receipt.position)
            let whole = String(decoding: try #require(try ledger.body(of: kept)), as: UTF8.self)
            #expect(!whole.contains(Self.clientSecret))
            #expect(whole.contains(#""again":"[secret known]""#))
        }
    }

    @Test("No file of the ledger holds them")
    func files() async throws {
        try await withTemporaryDirectory { directory in
            var options = try Self.options()
            options.environment["HOME"] = directory.path
            let ledger = try Ledger<LMDBStore>.create(
                at: directory.appendingPathComponent("shop.ledger").path, options: options)
            _ = try await ledger.record(
                Self.delivery(), verifiedBy: Self.verifier(), scope: Self.scope, at: Fixture.now)
            ledger.close()
            let files = FileManager.default.enumerator(atPath: directory.path)
            var count = 0
            for case let name as String in try #require(files) {
                let path = directory.appendingPathComponent(name).path
                guard let data = FileManager.default.contents(atPath: path) else { continue }
                count += 1
                #expect(data.range(of: Data(Self.clientSecret.utf8)) == nil, "\(name)")
            }
            #expect(count > 2)
        }
    }

    @Test(
        "They are found by their name however the body is written",
        arguments: [
            (#"{"client_secret":"abcdefgh1"}"#, #"{"client_secret":"[secret field]"}"#),
            ("{\"client_secret\" :\n \"abcdefgh1\"}", "{\"client_secret\" :\n \"[secret field]\"}"),
            (#"{"client_secret":"abc\"defgh"}"#, #"{"client_secret":"[secret field]"}"#),
            (
                #"{"client_secret":"abc\/defgh","u":"abc/defgh"}"#,
                #"{"client_secret":"[secret field]","u":"[secret known]"}"#
            ),
            (#"{"client_secret":"abcdefgh1"#, #"{"client_secret":"[secret field]"#),
            (
                #"[{"client_secret":"abcdefgh1"},{"client_secret":"ijklmnop2"}]"#,
                #"[{"client_secret":"[secret field]"},{"client_secret":"[secret field]"}]"#
            ),
        ])
    func written(body: String, kept: String) {
        let redactor = Redactor().adding(valuesOf: ["client_secret"], in: Array(body.utf8))
        let masked = redactor.masking(Array(body.utf8))
        #expect(masked.map { String(decoding: $0, as: UTF8.self) } == kept)
    }

    @Test(
        "What is no secret stays",
        arguments: [
            #"{"client_secret":null}"#, #"{"client_secret":""}"#, #"{"client_secret"}"#,
            #"{"my_client_secret":"abcdefgh1"}"#, #"{"note":"client_secret abcdefgh1"}"#, "", "{",
        ])
    func untouched(body: String) {
        let redactor = Redactor().adding(valuesOf: ["client_secret"], in: Array(body.utf8))
        #expect(redactor.masking(Array(body.utf8)) == nil)
    }
}
