import CheckoutLedger
import CheckoutModel
import EventLog
import Foundation
import ProviderKit
import TestSupport
import Testing

/// Projection cases that are about the log itself: what a replay reads, and in which order.
@Suite("Public cases about replaying the log")
struct LogCaseTests {
    private func item(_ id: String) throws -> PublicCase {
        try #require(PublicCase.all.first { $0.id == id })
    }

    private func elements(_ id: String, _ name: String) throws -> [JSONValue] {
        let value = try item(id).input[name]?.elements
        return try #require(value)
    }

    private func diskOptions(_ folder: URL, clock: any LogClock) throws -> LedgerOptions {
        var options = try CaseLedger.options(clock: clock)
        options.rootKeyPath = folder.appendingPathComponent("root.key").path
        return options
    }

    /// Two hundred events of twenty checkouts, from a seed.
    private func story(_ seed: UInt64) -> [CheckoutEvent] {
        var random = SeededGenerator(seed: seed)
        let types: [EventType] = [
            .sessionOpened, .sessionReturned, .sessionClosed, .paymentPending, .paymentFailed,
            .paymentSucceeded, .refundSucceeded, .sessionExpired,
        ]
        return (0..<200).map { index in
            let number = Int.random(in: 0..<20, using: &random)
            let type = types.randomElement(using: &random) ?? .noteAdded
            return CheckoutEvent(
                type, source: .webhook, evidence: type.family == .session ? .hint : .verified,
                occurredAt: Instant(
                    seconds: CaseLedger.now.seconds + .random(in: -9_000...9_000, using: &random)),
                provider: "dodo",
                ids: ProviderIDs(
                    session: "cks_\(number)", payment: "pay_\(number)",
                    refund: type.family == .refund ? "ref_\(index % 7)" : nil),
                amount: Currency("EUR").map { Money(minorUnits: Int64(index), currency: $0) },
                deliveryID: "msg_\(index)")
        }
    }

    /// Everything a replay and the live rows say, as bytes.
    private func output<Store>(_ ledger: Ledger<Store>) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for state in try ledger.log.replay(workers: 2).states { state.encode(into: &bytes) }
        for session in try ledger.sessions() {
            bytes += Array("\(session.qualifiedName) \(session.state.evidence)".utf8)
        }
        return bytes
    }

    @Test("pub-proj-11: a replay years later, by another clock, gives the same bytes")
    func replayByAnotherClock() async throws {
        let clocks = try elements("pub-proj-11", "steps").compactMap { step in
            try step.text?.firstMatch(of: /clock (\S+)/).map {
                CaseClock(try Instant(iso8601: "\($0.1)T00:00:00Z"))
            }
        }
        try await withTemporaryDirectory { folder in
            let path = folder.appendingPathComponent("shop.ledger").path
            let ledger = try Ledger.create(
                at: path, options: try diskOptions(folder, clock: CaseClock(CaseLedger.now)))
            _ = try await ledger.record(story(11).map { EventEntry($0) })
            let live = try output(ledger)
            ledger.close()
            #expect(clocks.count == 2)
            for clock in clocks {
                let opened = try Ledger.open(at: path, options: diskOptions(folder, clock: clock))
                #expect(try output(opened) == live)
                try opened.log.rebuild()
                #expect(try output(opened) == live)
                opened.close()
            }
            let program = try #require(BuiltProgram())
            let words = ["replay", "--json", "--dry-run", "--ledger", path]
            let zones = try ["UTC", "Asia/Tokyo"].map {
                try program(words, in: folder, environment: ["TZ": $0])
            }
            #expect(zones[0].code == 0 && zones[0].output == zones[1].output)
        }
    }

    @Test("pub-proj-12: facts stand in the order of the log, whatever the clock said")
    func orderByPosition() async throws {
        let clock = CaseClock(CaseLedger.now)
        let ledger = try CaseLedger.memory(clock: clock)
        let log = try elements("pub-proj-12", "log")
        for (index, entry) in log.enumerated() {
            let time = try #require(entry["recorded_at"]?.text)
            clock.set(try Instant(iso8601: time))
            try await ledger.record(
                CheckoutEvent(
                    .noteAdded, source: .host, provider: "dodo",
                    ids: ProviderIDs(session: "cks_1"), reason: entry["fact"]?.text,
                    deliveryID: "\(index)"))
        }
        let events = try ledger.timeline(of: "cks_1").events
        #expect(events.map(\.event.reason) == log.map { $0["fact"]?.text })
        #expect(events.map(\.recordedAt) == events.map(\.recordedAt).sorted())
        #expect(events.map(\.clockWasHeld) == [false, true, true])
        let last = try #require(events.last?.event.reason)
        #expect(try item("pub-proj-12").expected.hasPrefix("\(last);"))
    }

    /// Counts what it is shown.
    private struct Counter: LogProjection {
        let name: String
        let version: UInt32 = 1

        func apply(_ record: borrowing RecordView, to rows: inout ProjectionRows) throws {
            var key: [UInt8] = []
            for shift in [24, 16, 8, 0] as [UInt64] {
                key.append(UInt8(truncatingIfNeeded: record.position >> shift))
            }
            let seen = try rows.get(key)?.first ?? 0
            try rows.put(key, [seen + 1])
        }
    }

    @Test("pub-proj-13: nothing read yet is another place than the first event read")
    func checkpoints() async throws {
        let text = try item("pub-proj-13").input["log"]?.text
        let count = try #require(text?.wholeMatch(of: /(\d+) events/)?.1)
        let total = try #require(UInt64(count))
        let ledger = try CaseLedger.memory()
        let early = try ledger.log.projection(Counter(name: "early"))
        #expect(try early.checkpoint() == nil)
        for (index, event) in story(13).prefix(Int(total)).enumerated() {
            try await ledger.record(event)
            if index == 0 { try early.catchUp() }
        }
        #expect(try early.checkpoint() == 1)
        try early.catchUp()
        let late = try ledger.log.projection(Counter(name: "late"))
        try late.catchUp()
        for handle in [early, late] {
            var seen: [UInt8] = []
            try handle.forEach { _, value in
                value.withUnsafeBytes { seen.append(contentsOf: $0) }
                return .more
            }
            #expect(seen == [UInt8](repeating: 1, count: Int(total)))
        }
        var all = ledger.log.records(after: nil).makeAsyncIterator()
        var rest = ledger.log.records(after: 0).makeAsyncIterator()
        #expect(try await all.next()?.count == Int(total))
        #expect(try await rest.next()?.count == Int(total) - 1)
    }

    @Test("pub-proj-14: a rebuild passes over an old type, and says where it stands")
    func retiredType() async throws {
        let log = try elements("pub-proj-14", "log")
        try await withTemporaryDirectory { folder in
            let path = folder.appendingPathComponent("shop.ledger").path
            let ledger = try Ledger.create(
                at: path, options: try diskOptions(folder, clock: CaseClock(CaseLedger.now)))
            var unknown: [Int] = []
            for (index, entry) in log.enumerated() {
                let type = EventType(name: entry["type"]?.text ?? "")
                if type == nil { unknown.append(index) }
                try await ledger.record(
                    CheckoutEvent(
                        type ?? EventType(rawValue: 60_000), source: .webhook, evidence: .verified,
                        occurredAt: CaseLedger.now, provider: "dodo",
                        ids: ProviderIDs(
                            session: "cks_1", payment: "pay_1",
                            refund: type == .refundSucceeded ? "ref_1" : nil),
                        amount: entry["amount"]?.integer.flatMap { units in
                            Currency("EUR").map { Money(minorUnits: units, currency: $0) }
                        }, deliveryID: "msg_\(index)"))
            }
            try ledger.log.rebuild()
            let net = try ledger.session(named: "cks_1").state.evidence.net?.minorUnits
            #expect(try item("pub-proj-14").allConditions.contains("net=\(net ?? 0)"))
            ledger.close()
            let program = try #require(BuiltProgram())
            let words = ["replay", "--json", "--ledger", path]
            let run = try program(words, in: folder)
            #expect(run.code == 5)
            let report = try JSONValue(json: Array(run.output.utf8.prefix { $0 != 0x0A }))
            #expect(
                report["notUnderstood"]?.elements?.compactMap(\.integer)
                    == unknown.map { Int64($0) })
            #expect(try program(words + ["--skip-unknown"], in: folder).code == 0)
        }
    }
}
