import CheckoutLedger
import CheckoutModel
import EventLog
import Foundation
import TestSupport
import Testing

/// A process that is killed at one step, and the next one at another while it takes that up.
struct TwoCrashes: Sendable, CustomTestStringConvertible {
    let first: ErasureStep
    let second: ErasureStep
    var testDescription: String { "\(first), then \(second)" }

    /// Every step with a log that knows of the request, and every step that comes again.
    static let all: [TwoCrashes] = ErasureStep.allCases.flatMap { first in
        ErasureStep.allCases.filter { second in
            first > .begun && first < .receipted && second >= .marked
        }.map { TwoCrashes(first: first, second: $0) }
    }
}

extension ErasureStep {
    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    static func > (left: Self, right: Self) -> Bool { right < left }
    static func >= (left: Self, right: Self) -> Bool { !(left < right) }
}

@Suite("Processes that are killed while keys are destroyed")
struct PrivacyCrashTests {
    @Test(
        "An erasure that was cut off is cut off again and goes on; its receipt is last, and one",
        arguments: TwoCrashes.all)
    func twice(crashes: TwoCrashes) async throws {
        try await withPlace { place in
            let ledger = try place.create()
            try await Fixture.pay("cks_1", "pay_1", in: ledger)
            try await Fixture.pay("cks_2", "pay_2", in: ledger)
            ledger.close()
            let peer = try PrivacyPeer(place, dyingAt: crashes.first)
            #expect(peer.ask("erase cks_1") == "")
            #expect(peer.end())
            // It is taken up while the ledger is opened, which this process does not survive.
            #expect(try PrivacyPeer(place, dyingAt: crashes.second, opens: false).end())
            let still = try place.open { $0.isReadOnly = true }
            #expect(
                try still.erasures().first?.isUnderWay == (crashes.second != .receipted))
            still.close()
            let after = try place.open()
            try check(after)
            after.close()
        }
    }

    private func check(_ ledger: Ledger<LMDBStore>) throws {
        let entries = try ledger.erasures()
        #expect(entries.count == 1)
        #expect(entries.first?.receipts.count == 1)
        #expect(entries.first?.level == .rootReplaced)
        #expect(entries.first?.receipt?.keyCount == 2)
        #expect(entries.first?.receipt?.eventCount == 2)
        #expect(try ledger.answer(at: 0).lossWord == "erased")
        #expect(try ledger.answer(at: 3).lossWord == nil)
        #expect(try ledger.log.verify().findings.isEmpty)
        #expect(try ledger.resumeErasures().isEmpty)
    }

    @Test(
        "A sweep that is killed at any step goes on, and takes no session that is held",
        arguments: ErasureStep.allCases)
    func sweep(step: ErasureStep) async throws {
        try await withPlace { place in
            let ledger = try place.create()
            try await Fixture.pay("cks_1", "pay_1", in: ledger)
            try await Fixture.pay("cks_2", "pay_2", in: ledger)
            try ledger.hold(.session("cks_2"), reason: "Court file", at: Fixture.now)
            ledger.close()
            let peer = try PrivacyPeer(place, dyingAt: step)
            #expect(peer.ask("sweep 4000000000") == "")
            #expect(peer.end())
            let still = try place.open { $0.isReadOnly = true }
            if step > .begun {
                #expect(try still.erasures().first?.isUnderWay == (step < .receipted))
            }
            still.close()
            let after = try place.open()
            if step == .begun {
                #expect(try after.erasures().isEmpty)
                try after.erase(
                    ErasureOrder(.retention(olderThan: Instant(seconds: 4_000_000_000))),
                    at: Fixture.now)
            }
            try check(after)
            // News of a session that was swept is kept.
            let news = try await after.record(Fixture.opened("cks_1"))
            #expect(try after.answer(at: news.position).lossWord == nil)
            after.close()
        }
    }

    @Test(
        "A hold comes after an erasure that was cut off, and before one that was only begun",
        arguments: ErasureStep.allCases)
    func hold(step: ErasureStep) async throws {
        try await withPlace { place in
            let ledger = try place.create()
            try await Fixture.pay("cks_1", "pay_1", in: ledger)
            ledger.close()
            let peer = try PrivacyPeer(place, dyingAt: step)
            #expect(peer.ask("erase cks_1") == "")
            #expect(peer.end())
            let holder = try PrivacyPeer(place)
            let position = try #require(UInt64(holder.ask("hold cks_1")))
            holder.kill()
            let after = try place.open()
            #expect(try after.legalHolds().map(\.placed.position) == [position])
            if step == .begun {
                #expect(try after.erasures().isEmpty)
                #expect(throws: LedgerError.self) {
                    try after.erase(ErasureOrder(.session("cks_1")), at: Fixture.now)
                }
                #expect(try after.answer(at: 0).lossWord == nil)
            } else {
                let receipt = try #require(try after.erasures().first?.receipts.last)
                #expect(receipt.position < position)
                #expect(try after.answer(at: 0).lossWord == "erased")
            }
            after.close()
        }
    }

    @Test("A hold that is asked for while an erasure is under way waits for it, and comes after it")
    func holdWaits() async throws {
        try await withPlace { place in
            let made = try place.create()
            try await Fixture.pay("cks_1", "pay_1", in: made)
            made.close()
            let peer = try PrivacyPeer(place)
            let (answers, answer) = AsyncStream.makeStream(of: String.self)
            let ledger = try place.open { options in
                options.reached = { step in
                    guard step == .requested else { return }
                    Thread.detachNewThread {
                        answer.yield(peer.ask("hold cks_1"))
                        answer.finish()
                    }
                }
            }
            let entry = try ledger.erase(ErasureOrder(.session("cks_1")), at: Fixture.now).entry
            let receipt = try #require(entry?.receipts.last)
            var held = ""
            for await position in answers { held = position }
            #expect(try #require(UInt64(held)) > receipt.position)
            peer.end()
            ledger.close()
        }
    }
}
