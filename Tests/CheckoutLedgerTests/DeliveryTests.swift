import CheckoutLedger
import CheckoutModel
import EventLog
import Foundation
import ProviderKit
import TestSupport
import Testing

@Suite("Webhooks become facts")
struct DeliveryTests {
    @Test("A genuine webhook is stored with its bytes, then with what it means")
    func genuine() async throws {
        let ledger = try Fixture.memoryLedger()
        let body = Fixture.payment("payment.succeeded", payment: "pay_1", session: "cks_1")
        let receipt = try await ledger.receive(body, id: "msg_1")
        #expect(receipt.verdict == .recorded)
        #expect(receipt.acknowledgement.status == 200)
        let (session, events) = try ledger.timeline(of: "cks_1")
        #expect(events.map(\.event.type) == [.deliveryReceived, .paymentSucceeded])
        #expect(events[1].cause == events[0].position)
        #expect(session.outcome == SessionOutcome(status: .succeeded, evidence: .verified))
        #expect(try ledger.body(of: events[0]) == Array(body.utf8))
        #expect(session.qualifiedName == "dodo/cks_1")
    }

    @Test("The stored record holds neither the body nor an address in clear")
    func sealed() async throws {
        let ledger = try Fixture.memoryLedger()
        let extra = ",\"customer\":{\"email\":\"mira@mail.example\",\"name\":\"Mira\"}"
        let body = Fixture.payment(
            "payment.succeeded", payment: "pay_1", session: "cks_1", extra: extra)
        try await ledger.receive(body, id: "msg_1")
        let record = try ledger.log.read { try $0.record(at: 0) }
        let text = String(decoding: record.bytes, as: UTF8.self)
        #expect(!text.contains("mail.example"))
        #expect(!text.contains("total_amount"))
        let event = try ledger.event(at: 0)
        guard case .fields(let fields) = try ledger.privateFields(of: event) else {
            Issue.record("the sealed fields do not open")
            return
        }
        #expect(fields.body == Array(body.utf8))
    }

    @Test("A retry under the same id adds nothing and is answered with success")
    func duplicate() async throws {
        let ledger = try Fixture.memoryLedger()
        let body = Fixture.payment("payment.succeeded", payment: "pay_1", session: "cks_1")
        try await ledger.receive(body, id: "msg_1")
        let end = try ledger.endPosition()
        let later = Instant(seconds: Fixture.now.seconds + 6)
        let receipt = try await ledger.receive(body, id: "msg_1", at: later)
        #expect(receipt.verdict == .duplicate)
        #expect(receipt.acknowledgement.status == 200)
        #expect(try ledger.endPosition() == end)
    }

    @Test("A known id with other bytes is recorded and reported, once, and not applied")
    func conflict() async throws {
        let ledger = try Fixture.memoryLedger()
        try await ledger.receive(
            Fixture.payment("payment.failed", payment: "pay_1", session: "cks_1"), id: "msg_1")
        let other = Fixture.payment("payment.succeeded", payment: "pay_1", session: "cks_1")
        let receipt = try await ledger.receive(other, id: "msg_1")
        #expect(receipt.verdict == .conflicting)
        let end = try ledger.endPosition()
        #expect(try await ledger.receive(other, id: "msg_1").verdict == .conflicting)
        #expect(try ledger.endPosition() == end)
        let session = try ledger.session(named: "cks_1")
        #expect(session.outcome?.status == .failed)
        #expect(session.state.evidence.discrepancies.map(\.code) == [.deliveryConflicted])
    }

    @Test("A forged webhook is kept as refused and changes nothing")
    func forged() async throws {
        let ledger = try Fixture.memoryLedger()
        let body = Fixture.payment("payment.succeeded", payment: "pay_1", session: "cks_1")
        let other = "whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8="
        let receipt = try await ledger.record(
            Fixture.delivery(body, id: "msg_1", secret: other),
            verifiedBy: Fixture.verifier(), scope: Fixture.scope, at: Fixture.now)
        #expect(receipt.verdict == .refused(.signatureMismatch))
        #expect(receipt.acknowledgement.status == 401)
        #expect(try ledger.event(at: 0).event.type == .deliveryRefused)
        #expect(throws: LedgerError.self) { try ledger.session(named: "cks_1") }
    }

    @Test("An unknown type is kept and acknowledged, and no projection changes")
    func unhandled() async throws {
        let ledger = try Fixture.memoryLedger()
        let body = """
            {"business_id":"bus_demo","type":"widget.rotated",\
            "timestamp":"2026-03-04T05:06:05Z","data":{"payload_type":"Other","widget_id":"w1"}}
            """
        let receipt = try await ledger.receive(body, id: "msg_13")
        #expect(receipt.verdict == .unhandled)
        #expect(receipt.acknowledgement.status == 200)
        let event = try ledger.event(at: 0)
        #expect(event.event.rawType == "widget.rotated")
        #expect(event.flags.contains(.unhandled))
        #expect(try ledger.sessions().allSatisfy { $0.outcome == nil })
    }

    @Test("An amount that is not whole minor units is quarantined")
    func quarantined() async throws {
        let ledger = try Fixture.memoryLedger()
        let body = Fixture.payment("payment.succeeded", payment: "pay_1", session: "cks_1")
            .replacingOccurrences(of: "2500", with: "7840.000000000001")
        let receipt = try await ledger.receive(body, id: "msg_1")
        #expect(receipt.verdict == .quarantined("amount_not_integer"))
        #expect(receipt.acknowledgement.status == 200)
        #expect(try ledger.event(at: 0).event.type == .deliveryQuarantined)
        // A person can say something about it, where it stands.
        let note = try await ledger.note("asked the provider", on: "msg_1", at: Fixture.now)
        #expect(note.stream == receipt.stream)
    }

    @Test("A body of a megabyte is kept whole, over several records", arguments: [60_000, 900_000])
    func largeBody(count: Int) async throws {
        let ledger = try Fixture.memoryLedger()
        let filler = ",\"metadata\":{\"note\":\"\(String(repeating: "x", count: count))\"}"
        let body = Fixture.payment(
            "payment.succeeded", payment: "pay_1", session: "cks_1", extra: filler)
        try await ledger.receive(body, id: "msg_1")
        let events = try ledger.timeline(of: "cks_1").events
        #expect(events.count > 2)
        #expect(try ledger.body(of: events[0]) == Array(body.utf8))
        #expect(try await ledger.receive(body, id: "msg_1").verdict == .duplicate)
    }

    @Test("A refund that comes before its payment is found by the payment later")
    func refundFirst() async throws {
        let ledger = try Fixture.memoryLedger()
        try await ledger.receive(
            Fixture.refund("ref_1", payment: "pay_1", amount: 500), id: "msg_1")
        #expect(
            try ledger.session(named: "pay_1").state.evidence.discrepancies.map(\.code)
                == [.refundWithoutPayment])
        try await ledger.receive(
            Fixture.payment("payment.succeeded", payment: "pay_1", session: "cks_1"), id: "msg_2")
        let session = try ledger.session(named: "cks_1")
        #expect(session.state.evidence.net?.minorUnits == 2000)
        #expect(session.state.evidence.discrepancies.isEmpty)
        #expect(try ledger.session(named: "pay_1").streams == session.streams)
        #expect(try ledger.sessions().count == 1)
    }
}
