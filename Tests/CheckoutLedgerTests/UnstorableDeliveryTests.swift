import CheckoutLedger
import CheckoutModel
import EventLog
import Foundation
import ProviderKit
import TestSupport
import Testing

@Suite("Genuine webhooks that no record can hold as they are")
struct UnstorableDeliveryTests {
    private static let long = String(repeating: "x", count: 2_000)
    private static let name = String(repeating: "Ada ", count: 20_000)

    struct Case: Sendable, CustomTestStringConvertible {
        let id: String
        let delivery: String
        let body: String
        let reason: String
        var testDescription: String { id }
    }

    static let cases: [Case] = [
        Case(
            id: "a delivery id beyond the limit", delivery: "msg_" + long,
            body: Fixture.payment("payment.succeeded", payment: "pay_1", session: "cks_1"),
            reason: "too_long"),
        Case(
            id: "a payment id beyond the limit", delivery: "msg_1",
            body: Fixture.payment("payment.succeeded", payment: long, session: "cks_1"),
            reason: "unexpected_type"),
        Case(
            id: "a session id beyond the limit", delivery: "msg_1",
            body: Fixture.payment("payment.succeeded", payment: "pay_1", session: long),
            reason: "unexpected_type"),
        Case(
            id: "a type beyond the limit", delivery: "msg_1",
            body: """
                {"business_id":"bus_demo","type":"widget.\(long)",\
                "timestamp":"2026-03-04T05:06:05Z","data":{"payload_type":"Other"}}
                """, reason: "too_long"),
        Case(
            id: "a customer's name that fills a record", delivery: "msg_1",
            body: Fixture.payment(
                "payment.succeeded", payment: "pay_1", session: "cks_1",
                extra: #","customer":{"email":"a@b.example","name":"\#(name)"}"#),
            reason: "invalid_request"),
    ]

    @Test("They are set aside with their bytes and acknowledged, once", arguments: cases)
    func setAside(item: Case) async throws {
        let ledger = try Fixture.memoryLedger()
        let receipt = try await ledger.receive(item.body, id: item.delivery)
        #expect(receipt.verdict == .quarantined(item.reason))
        #expect(receipt.acknowledgement.status == 200)
        let stored = try ledger.event(at: receipt.position)
        #expect(stored.event.type == .deliveryQuarantined)
        #expect(stored.event.reason == item.reason)
        // An id that is too long is named by its hash.
        let prefix = item.delivery == "msg_1" ? "msg_1" : "sha256:"
        #expect(stored.event.deliveryID?.hasPrefix(prefix) == true)
        #expect(try ledger.body(of: stored) == Array(item.body.utf8))
        guard case .fields(let fields) = try ledger.privateFields(of: stored) else {
            Issue.record("the sealed fields do not open")
            return
        }
        #expect(fields.headers.contains { $0.name == "webhook-signature" })
        let end = try ledger.endPosition()
        #expect(try await ledger.receive(item.body, id: item.delivery).verdict == .duplicate)
        #expect(try ledger.endPosition() == end)
        #expect(
            try await ledger.receive(item.body + " ", id: item.delivery).verdict == .conflicting)
        #expect(try ledger.sessions().allSatisfy { $0.outcome == nil })
    }

    @Test("Header fields that do not fit beside a long body are left out, and the body is kept")
    func headers() async throws {
        let ledger = try Fixture.memoryLedger()
        let body = Fixture.payment(
            "payment.succeeded", payment: "pay_1", session: "cks_1",
            extra: #","note":"\#(String(repeating: "n", count: 60_000))""#)
        let signed = Fixture.delivery(body, id: "msg_1")
        // Each value is masked by a longer word.
        let cookies = (0..<1_000).map { _ in (name: "cookie", value: "a") }
        let headers = signed.headers.fields.map { (name: $0.name, value: $0.value) } + cookies
        let receipt = try await ledger.record(
            WebhookDelivery(headers: HeaderList(headers), body: signed.body),
            verifiedBy: Fixture.verifier(), scope: Fixture.scope, at: Fixture.now)
        #expect(receipt.acknowledgement.status == 200)
        let stored = try ledger.event(at: receipt.position)
        #expect(try ledger.body(of: stored) == Array(body.utf8))
    }
}
