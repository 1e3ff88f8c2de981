import CheckoutLedger
import CheckoutModel
import EventLog
import Foundation
import TestSupport
import Testing

@Suite("Erasing")
struct ErasureTests {
    @Test("An erased session keeps its events and outcome; its private fields read as erased")
    func erase() async throws {
        let ledger = try Fixture.memoryLedger()
        try await Fixture.pay("cks_1", "pay_1", in: ledger)
        try await Fixture.pay("cks_2", "pay_2", in: ledger)
        let before = try ledger.session(named: "cks_1")
        let commitments = try (0..<3).flatMap { position in
            try ledger.event(at: position).payload.keyCommitments
        }
        let report = try ledger.erase(
            ErasureOrder(.session("cks_1")), at: Fixture.now)
        let entry = try #require(report.entry)
        let receipt = try #require(entry.receipt)
        #expect(entry.level == .rootReplaced)
        #expect(receipt.keyCount == 2)
        #expect(receipt.eventCount == 2)
        #expect(receipt.firstPosition == 0)
        #expect(receipt.lastPosition == 1)
        #expect(Set(receipt.keys.map(\.commitment)) == Set(commitments))
        #expect(receipt.oldRoot != receipt.newRoot)
        #expect(receipt.subject.count == 16)
        let after = try ledger.session(named: "cks_1")
        #expect(after.state.evidence == before.state.evidence)
        for position in UInt64(0)..<2 {
            guard case .erased(let erased) = try ledger.answer(at: position) else {
                Issue.record("position \(position) does not read as erased")
                continue
            }
            #expect(erased.at == Fixture.now)
            #expect(erased.requestID == receipt.requestID)
            #expect(!erased.cameLater)
        }
        guard case .fields = try ledger.answer(at: 3) else {
            Issue.record("another session's fields went too")
            return
        }
    }

    @Test("A class that the law wants kept stays when the other is erased")
    func classes() async throws {
        let ledger = try Fixture.memoryLedger()
        try await ledger.record(Fixture.opened("cks_1", license: "KEY-1"))
        #expect(try ledger.event(at: 0).payload.sealed.count == 2)
        #expect(try ledger.event(at: 0).payload.keyCommitments.count == 2)
        try ledger.erase(
            ErasureOrder(.session("cks_1"), classes: .contact), at: Fixture.now)
        let parts = try ledger.parts(at: 0)
        #expect(parts[.commercial] == .fields(PrivateFields(licenseKeys: ["KEY-1"])))
        #expect(parts[.contact]?.lossWord == "erased")
        #expect(try ledger.answer(at: 0) == .fields(PrivateFields(licenseKeys: ["KEY-1"])))
        try ledger.erase(ErasureOrder(.session("cks_1")), at: Fixture.now)
        #expect(try ledger.parts(at: 0)[.commercial]?.lossWord == "erased")
    }

    @Test("Erasing again changes nothing and says so")
    func twice() async throws {
        let ledger = try Fixture.memoryLedger()
        try await Fixture.pay("cks_1", "pay_1", in: ledger)
        try ledger.erase(ErasureOrder(.session("cks_1")), at: Fixture.now)
        let root = try ledger.root
        let again = try ledger.erase(ErasureOrder(.session("cks_1")), at: Fixture.now)
        #expect(again.plan.isDone)
        #expect(again.entry == nil)
        #expect(try ledger.root == root)
        #expect(try ledger.erasures().count == 1)
    }

    @Test("After an erasure the log replays to the same state and the same root")
    func replay() async throws {
        let ledger = try Fixture.memoryLedger()
        try await Fixture.pay("cks_1", "pay_1", in: ledger)
        try await ledger.receive(
            Fixture.refund("ref_1", payment: "pay_1", amount: 500), id: "msg_r")
        try ledger.erase(ErasureOrder(.session("cks_1")), at: Fixture.now)
        let before = try ledger.sessions()
        let root = try ledger.root
        #expect(try ledger.log.verify().findings.isEmpty)
        try ledger.log.checkpoint()
        _ = try ledger.log.rebuild()
        #expect(try ledger.sessions() == before)
        #expect(try ledger.root == root)
    }

    @Test(
        "News of an erased session is recorded without its private fields, and says so",
        arguments: ["cks_1", nil])
    func late(session: String?) async throws {
        let ledger = try Fixture.memoryLedger()
        try await Fixture.pay("cks_1", "pay_1", in: ledger)
        try ledger.erase(ErasureOrder(.session("cks_1")), at: Fixture.now)
        // A webhook that names the payment alone is about the same checkout.
        let body = Fixture.payment("payment.failed", payment: "pay_1", session: session)
        let receipt = try await ledger.receive(body, id: "msg_late")
        #expect(receipt.verdict == .recorded)
        let event = try ledger.event(at: receipt.position)
        #expect(event.payload.sealed.isEmpty)
        #expect(event.flags.contains(.discarded))
        guard case .erased(let erased) = try ledger.privateFields(of: event) else {
            Issue.record("late fields do not read as erased")
            return
        }
        #expect(erased.cameLater)
        #expect(try ledger.session(named: "cks_1").outcome?.status == .succeeded)
    }

    @Test("Erasing a customer reaches every session that was ever known to be the customer's")
    func customer() async throws {
        let ledger = try Fixture.memoryLedger()
        try await ledger.record(Fixture.opened("cks_1", customer: "cus_1"))
        try await ledger.record(Fixture.opened("cks_2"))
        try await ledger.record(Fixture.opened("cks_3"))
        try ledger.link(
            "cks_2", toCustomer: "cus_1", reason: "Said on the phone", at: Fixture.now)
        let report = try ledger.erase(ErasureOrder(.customer("dodo/cus_1")), at: Fixture.now)
        #expect(report.plan.sessions == ["dodo/cks_1", "dodo/cks_2"])
        #expect(try ledger.answer(at: 0).lossWord == "erased")
        #expect(try ledger.answer(at: 1).lossWord == "erased")
        #expect(try ledger.answer(at: 2).lossWord == nil)
        // A checkout that begins later is a new one.
        let later = try await ledger.record(Fixture.opened("cks_4", customer: "cus_1"))
        #expect(try ledger.answer(at: later.position).lossWord == nil)
    }

    @Test("A legal hold stops erasing and sweeping until it is released")
    func hold() async throws {
        let ledger = try Fixture.memoryLedger()
        try await ledger.record(Fixture.opened("cks_1", customer: "cus_1"))
        let order = ErasureOrder(.session("cks_1"))
        for target in [ErasureTarget.session("cks_1"), .customer("cus_1")] {
            try ledger.hold(target, reason: "Court file 12/26", at: Fixture.now)
            #expect(try ledger.legalHolds().count == 1)
            let error = #expect(throws: LedgerError.self) {
                try ledger.erase(order, at: Fixture.now)
            }
            #expect(error?.code == .legalHold)
            let sweep = try ledger.erase(
                ErasureOrder(.retention(olderThan: Instant(seconds: 4_000_000_000))),
                at: Fixture.now)
            #expect(sweep.plan.keys == 0)
            try ledger.release(target, reason: "File closed", at: Fixture.now)
        }
        #expect(try ledger.legalHolds().isEmpty)
        #expect(try ledger.answer(at: 0).lossWord == nil)
        #expect(try ledger.erase(order, at: Fixture.now).entry?.isUnderWay == false)
    }

    @Test("A sweep destroys the keys of sessions past their time, and of no others")
    func sweep() async throws {
        let clock = ManualClock(Fixture.now)
        let ledger = try Fixture.memoryLedger(clock: clock)
        try await ledger.record(Fixture.opened("cks_1", license: "KEY-1"))
        clock.advance(seconds: 1_000)
        try await ledger.record(Fixture.opened("cks_2"))
        let cutoff = Instant(seconds: Fixture.now.seconds + 500)
        let report = try ledger.erase(
            ErasureOrder(.retention(olderThan: cutoff), classes: .contact), at: cutoff)
        #expect(report.entry?.receipt?.keyCount == 1)
        let parts = try ledger.parts(at: 0)
        #expect(parts[.contact]?.lossWord == "erased")
        #expect(parts[.commercial]?.lossWord == nil)
        #expect(try ledger.answer(at: 1).lossWord == nil)
        // A session that has news again is kept like any other.
        let news = try await ledger.record(Fixture.opened("cks_1"))
        #expect(try ledger.answer(at: news.position).lossWord == nil)
    }

    @Test("Keys that are removed only are made final by the next rotation")
    func keysOnly() async throws {
        let ledger = try Fixture.memoryLedger()
        try await Fixture.pay("cks_1", "pay_1", in: ledger)
        var order = ErasureOrder(.session("cks_1"))
        order.depth = .keysOnly
        order.copies = [PendingCopy(name: "offsite", expiresAt: Fixture.now)]
        let entry = try #require(try ledger.erase(order, at: Fixture.now).entry)
        #expect(entry.level == .keyRemoved)
        #expect(entry.receipt?.copies == order.copies)
        #expect(try ledger.answer(at: 0).lossWord == "erased")
        try ledger.rotateKeys(at: Fixture.now)
        #expect(try ledger.erasures().first?.level == .rootReplaced)
        #expect(try ledger.answer(at: 0).lossWord == "erased")
    }

    @Test("A person is found by e-mail address until the keys are gone")
    func find() async throws {
        let ledger = try Fixture.memoryLedger()
        try await ledger.record(Fixture.opened("cks_1"))
        try await ledger.record(Fixture.opened("cks_2", address: "noor@mail.example"))
        #expect(try ledger.sessions(withAddress: "MIRA@mail.example").map(\.name) == ["cks_1"])
        try await ledger.record(Fixture.opened("cks_3"))
        #expect(
            try ledger.sessions(withAddress: Fixture.address).map(\.name) == ["cks_1", "cks_3"])
        try ledger.erase(ErasureOrder(.session("cks_1")), at: Fixture.now)
        #expect(try ledger.sessions(withAddress: Fixture.address).map(\.name) == ["cks_3"])
    }
}
