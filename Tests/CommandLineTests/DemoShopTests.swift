import CheckoutLedger
import CheckoutModel
import EventLog
import Foundation
import ProviderKit
import TestSupport
import Testing

@testable import checkout_ledger

@Suite("The demo's made-up shop")
struct DemoShopTests {
    private let script = DemoScript(seed: 42, checkouts: 300)

    @Test("has every kind of story and every kind of trouble at least once")
    func everything() {
        var random = DemoRandom(seed: 42)
        let cast = DemoStory.cast(300, &random)
        for story in DemoStory.allCases { #expect(cast.contains(story), "\(story)") }
        for answer in DemoStep.Answer.allCases {
            #expect(script.steps.contains { $0.expected == answer }, "\(answer)")
        }
        #expect(script.checkouts.count == 300)
        #expect(Set(script.checkouts.map(\.provider)) == Set(DemoProvider.allCases))
        #expect(Set(script.checkouts.map(\.total.currency.code)) == ["EUR", "USD", "JPY", "KWD"])
        let codes = Set(script.truths.flatMap(\.discrepancies))
        #expect(
            codes == [
                .hintDisagrees, .amountMismatch, .paidTwice, .orderPaidTwice, .disputed,
                .deliveryConflicted,
            ])
    }

    @Test("is another one under another seed and the same one under the same seed")
    func seeds() {
        #expect(DemoScript(seed: 42, checkouts: 300).truths == script.truths)
        #expect(DemoScript(seed: 43, checkouts: 300).truths != script.truths)
    }

    @Test("puts only what concerns different checkouts within some seconds into a wave")
    func waves() {
        let waves = DemoRunner.waves(script.steps)
        #expect(waves.reduce(0) { $0 + $1.count } == script.steps.count)
        for wave in waves {
            #expect(Set(wave.map { $0.at.seconds / DemoRunner.secondsOfWave }).count == 1)
            #expect(Set(wave.map(\.lane)).count == wave.count)
            #expect(wave.count == 1 || wave.allSatisfy { !$0.isAlone })
        }
        #expect(waves.map(\.count).max() ?? 0 >= 12)
        for lane in Set(script.steps.map(\.lane)) {
            let steps = script.steps.filter { $0.lane == lane }.map(\.at)
            #expect(waves.flatMap(\.self).filter { $0.lane == lane }.map(\.at) == steps)
        }
    }

    @Test("writes the same events in the same order under the same seed")
    func determinism() async throws {
        let first = try await recorded(seed: 5)
        let second = try await recorded(seed: 5)
        #expect(first.count > 300)
        #expect(first == second)
    }

    @Test("is told from what the ledger says when one of the two is wrong")
    func check() async throws {
        try await withTemporaryDirectory { folder in
            let script = DemoScript(seed: 3, checkouts: 24)
            let ledger = try await record(script, seed: 3, at: folder.path + "/ledger")
            defer { ledger.close() }
            #expect(try DemoCheck(script.truths, ledger).isRight)
            var truths = script.truths
            truths[0].paid = Money(
                minorUnits: 1 + (truths[0].paid?.minorUnits ?? 0),
                currency: script.checkouts[0].total.currency)
            let check = try DemoCheck(truths, ledger)
            #expect(check.isRight == false)
            #expect(check.right == truths.count - 1)
            #expect(check.differences.count == 1)
        }
    }

    /// What does not depend on keys and nonces, which are random in every ledger.
    private struct Recorded: Equatable {
        let position, stream: UInt64
        let cause: UInt64?
        let id: EventID
        let recordedAt: Instant
        let event: CheckoutEvent
    }

    private func recorded(seed: UInt64) async throws -> [Recorded] {
        try await withTemporaryDirectory { folder in
            let script = DemoScript(seed: seed, checkouts: 80)
            let ledger = try await record(script, seed: seed, at: folder.path + "/ledger")
            defer { ledger.close() }
            var events: [Recorded] = []
            try ledger.forEachEvent { event in
                events.append(
                    Recorded(
                        position: event.position, stream: event.stream, cause: event.cause,
                        id: event.id, recordedAt: event.recordedAt, event: event.event))
                return .more
            }
            return events
        }
    }

    private func record(
        _ script: DemoScript, seed: UInt64, at path: String
    ) async throws -> Ledger<LMDBStore> {
        let clock = DemoClock(DemoScript.start)
        var options = LedgerOptions(providers: try Context.registry())
        options.clock = clock
        options.ids = DemoIDs(seed: seed)
        options.rootKeyPath = path + ".key"
        let ledger = try Ledger.create(at: path, options: options)
        let runner = try DemoRunner(ledger: ledger, clock: clock)
        let tally = try await runner.run(script.steps) { _ in }
        #expect(tally.asExpected == script.steps.count)
        return ledger
    }
}
