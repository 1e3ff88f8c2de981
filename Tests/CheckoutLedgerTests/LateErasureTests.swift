import CheckoutLedger
import CheckoutModel
import EventLog
import Foundation
import TestSupport
import Testing

@Suite("What comes to light after an erasure")
struct LateErasureTests {
    @Test("A name that only late news gives an erased checkout is erased with it from then on")
    func laterName() async throws {
        let ledger = try Fixture.memoryLedger()
        try await ledger.record(Fixture.opened("cks_1"))
        try ledger.erase(ErasureOrder(.session("cks_1")), at: Fixture.now)
        for (number, session) in ["cks_1", nil].enumerated() {
            let receipt = try await ledger.receive(
                Fixture.payment("payment.failed", payment: "pay_2", session: session),
                id: "msg_\(number)")
            #expect(try ledger.event(at: receipt.position).payload.sealed.isEmpty)
            #expect(try ledger.answer(at: receipt.position).lossWord == "erased")
        }
        // An unsigned voice may name anybody's payment; that one stays as it is.
        _ = try await ledger.record(
            returnURL: "shop://back?status=succeeded&payment_id=pay_other",
            readBy: Fixture.dodo(), scope: Fixture.scope, session: "cks_1")
        let other = try await ledger.receive(
            Fixture.payment("payment.succeeded", payment: "pay_other", session: nil), id: "msg_o")
        #expect(try ledger.answer(at: other.position).lossWord == nil)
    }

    @Test(
        "What was kept under another name is erased once news says that it is an erased checkout's")
    func laterLink() async throws {
        let ledger = try Fixture.memoryLedger()
        try await ledger.record(Fixture.opened("cks_1"))
        try ledger.erase(ErasureOrder(.session("cks_1")), at: Fixture.now)
        let alone = try await ledger.receive(
            Fixture.payment("payment.failed", payment: "pay_9", session: nil), id: "msg_a")
        #expect(try ledger.answer(at: alone.position).lossWord == nil)
        try await ledger.receive(
            Fixture.payment("payment.succeeded", payment: "pay_9", session: "cks_1"), id: "msg_b")
        #expect(try ledger.resumeErasures().count == 1)
        #expect(try ledger.answer(at: alone.position).lossWord == "erased")
        let entry = try #require(try ledger.erasures().first)
        #expect(entry.receipt?.keyCount == 2)
        #expect(entry.receipts.count == 1)
        #expect(entry.level == .rootReplaced)
        #expect(try ledger.resumeErasures().isEmpty)
    }

    @Test("A checkout that a customer began after the request is kept by whatever resumes it")
    func laterCheckout() async throws {
        try await withPlace { place in
            let ledger = try place.create()
            try await ledger.record(Fixture.opened("cks_1", customer: "cus_1"))
            try ledger.erase(ErasureOrder(.customer("cus_1")), at: Fixture.now)
            let later = try await ledger.record(Fixture.opened("cks_2", customer: "cus_1"))
            #expect(try ledger.sweepReturnedKeys(at: Fixture.now) == 0)
            #expect(try ledger.answer(at: later.position).lossWord == nil)
            ledger.close()
        }
    }

    @Test("An erasure that a hold forbids leaves an event that says so, and no receipt")
    func refused() async throws {
        let ledger = try Fixture.memoryLedger()
        try await ledger.record(Fixture.opened("cks_1", customer: "cus_1"))
        let hold = try ledger.hold(.session("cks_1"), reason: "Court file", at: Fixture.now)
        for target in [ErasureTarget.session("cks_1"), .customer("cus_1")] {
            var order = ErasureOrder(target, classes: .contact)
            order.reason = "Asked by letter"
            order.actor = "ada"
            let end = try ledger.endPosition()
            #expect(throws: LedgerError.self) { try ledger.plan(order) }
            #expect(try ledger.endPosition() == end)
            let error = #expect(throws: LedgerError.self) {
                try ledger.erase(order, at: Fixture.now)
            }
            #expect(error?.code == .legalHold)
            #expect(error?.hint.contains("position \(end)") ?? false)
            let refused = try ledger.event(at: end)
            #expect(refused.event.type == .eraseRefused)
            #expect(refused.event.reason == "Asked by letter")
            #expect(refused.event.actor == "ada")
            #expect(refused.payload.privacy?.heldPosition == hold.position)
            #expect(refused.payload.privacy?.classes == .contact)
            let entry = try #require(try ledger.erasures().last)
            #expect(entry.isRefused && !entry.isUnderWay && entry.receipts.isEmpty)
        }
        #expect(try ledger.resumeErasures().isEmpty)
        #expect(try ledger.answer(at: 0).lossWord == nil)
        let sweep = try ledger.plan(
            ErasureOrder(.retention(olderThan: Instant(seconds: 4_000_000_000))))
        #expect(sweep.held == 1)
        #expect(sweep.keys == 0)
    }

    @Test("What another process wrote while the keystore was written anew is in the same receipt")
    func duringErasure() async throws {
        try await withPlace { place in
            let made = try place.create()
            try await made.record(Fixture.opened("cks_1"))
            made.close()
            let peer = try PrivacyPeer(place)
            #expect(peer.ask("seal cks_1 \(Fixture.address)") == "sealed")
            let written = Written()
            let ledger = try place.open { options in
                options.reached = { step in
                    if step == .copied { written.note { peer.ask("write") } }
                }
            }
            let entry = try ledger.erase(ErasureOrder(.session("cks_1")), at: Fixture.now).entry
            let position = try #require(written.position)
            peer.kill()
            #expect(try ledger.answer(at: position).lossWord == "erased")
            #expect(entry?.receipt?.keyCount == 2)
            #expect(entry?.receipt?.lastPosition == position)
            #expect(try ledger.sweepReturnedKeys(at: Fixture.now) == 0)
            ledger.close()
        }
    }

    @Test(
        "What a process sealed before an erasure and wrote after it is erased all the same",
        arguments: [false, true])
    func afterErasure(isKilled: Bool) async throws {
        try await withPlace { place in
            let ledger = try place.create()
            try await ledger.record(Fixture.opened("cks_1"))
            let peer = try PrivacyPeer(place)
            #expect(peer.ask("seal cks_1 \(Fixture.address)") == "sealed")
            let first = try ledger.erase(ErasureOrder(.session("cks_1")), at: Fixture.now).entry
            #expect(first?.receipt?.keyCount == 1)
            let position = try #require(UInt64(peer.ask("write")))
            #expect(try ledger.answer(at: position).lossWord == nil)
            let blob = try #require(try ledger.event(at: position).payload.sealed.first)
            if isKilled {
                peer.kill()
                #expect(try ledger.sweepReturnedKeys(at: Fixture.now) == 1)
            } else {
                #expect(peer.ask("read \(position)") == "erased")
                #expect(try ledger.resumeErasures().count == 1)
                peer.end()
            }
            #expect(try ledger.answer(at: position).lossWord == "erased")
            let entry = try #require(try ledger.erasures().first)
            #expect(entry.receipt?.keyCount == 2)
            #expect(entry.receipt?.lastPosition == position)
            #expect(entry.level == .rootReplaced)
            ledger.close()
            for (name, bytes) in try place.files(in: place.keysPath) {
                #expect(bytes.range(of: Data([0x6B] + blob[1..<17])) == nil, "\(name)")
            }
        }
    }
}

/// Where another process wrote its event, the first time it was asked to.
private final class Written: @unchecked Sendable {
    private(set) var position: UInt64?

    func note(_ ask: () -> String) {
        if position == nil { position = UInt64(ask()) }
    }
}
