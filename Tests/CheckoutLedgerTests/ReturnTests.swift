import CheckoutLedger
import CheckoutModel
import EventLog
import ProviderKit
import Testing

@Suite("Returns are hints")
struct ReturnTests {
    let ledger: Ledger<InMemoryStore>

    init() throws { ledger = try Fixture.memoryLedger() }

    @discardableResult
    func comeBack(_ url: String, session: String? = "cks_1") async throws -> ReturnReceipt {
        try await ledger.record(
            returnURL: url, readBy: Fixture.dodo(), scope: Fixture.scope, session: session)
    }

    @Test("A return that claims success makes no outcome")
    func noOutcome() async throws {
        try await comeBack("shopdemo://checkout/return?status=succeeded&payment_id=pay_1")
        let session = try ledger.session(named: "cks_1")
        #expect(session.outcome == nil)
        #expect(session.state.evidence.status == .succeeded)
        #expect(session.state.evidence.evidence == .hint)
    }

    @Test("The same return loaded twice is one fact")
    func loadedTwice() async throws {
        let url = "shopdemo://checkout/return?status=succeeded&payment_id=pay_e4"
        #expect(try await !comeBack(url).recorded.wasThere)
        #expect(try await comeBack(url).recorded.wasThere)
        #expect(try ledger.timeline(of: "cks_1").events.count == 1)
    }

    @Test("A forged return that names somebody else's payment does not join two checkouts")
    func forgedJoin() async throws {
        try await ledger.receive(
            Fixture.payment("payment.succeeded", payment: "pay_B", session: "cks_B"), id: "msg_1")
        try await comeBack(
            "shopdemo://checkout/return?status=succeeded&payment_id=pay_B", session: "cks_A")
        #expect(try ledger.session(named: "cks_A").outcome == nil)
        #expect(try ledger.session(named: "cks_B").streams.count == 1)
        #expect(try ledger.sessions().count == 2)
    }

    @Test("A payment named only by a return is found by the webhook that confirms it")
    func returnWithoutSession() async throws {
        try await comeBack(
            "shopdemo://checkout/return?status=succeeded&payment_id=pay_1", session: nil)
        try await ledger.receive(
            Fixture.payment("payment.succeeded", payment: "pay_1", session: "cks_1"), id: "msg_1")
        let session = try ledger.session(named: "cks_1")
        #expect(session.outcome?.status == .succeeded)
        #expect(session.state.evidence.marks.contains(.returned))
    }

    @Test("E-mail, licence keys and the URL itself are kept sealed")
    func sealed() async throws {
        let url =
            "shopdemo://checkout/return?status=succeeded&email=mira%40mail.example"
            + "&license_key=LK-1,LK-2"
        try await comeBack(url)
        let record = try ledger.log.read { try $0.record(at: 0) }
        let text = String(decoding: record.bytes, as: UTF8.self)
        #expect(!text.contains("mail.example"))
        #expect(!text.contains("LK-1"))
        guard case .fields(let fields) = try ledger.privateFields(of: try ledger.event(at: 0))
        else {
            Issue.record("the sealed fields do not open")
            return
        }
        #expect(fields.customerEmail == "mira@mail.example")
        #expect(fields.licenseKeys == ["LK-1", "LK-2"])
        #expect(fields.returnURL == url)
    }

    @Test("A late return after the outcome is recorded and changes nothing")
    func late() async throws {
        try await ledger.receive(
            Fixture.payment("payment.succeeded", payment: "pay_1", session: "cks_1"), id: "msg_1")
        try await comeBack("shopdemo://checkout/return?status=failed&payment_id=pay_1")
        let session = try ledger.session(named: "cks_1")
        #expect(session.outcome?.status == .succeeded)
        #expect(session.state.evidence.discrepancies.map(\.code) == [.hintDisagrees])
    }
}
