import TestSupport
import Testing

@testable import CheckoutModel

@Suite("Tables of a few rows")
struct ShortTableTests {
    @Test(
        "Rows stand in order and once, whatever order they came in",
        arguments: 0..<100 as Range<UInt64>)
    func order(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = ShortTable<PaymentEvidence>()
        var expected: [UInt64: UInt8] = [:]
        for _ in 0..<Int.random(in: 0..<12, using: &random) {
            let number = UInt64.random(in: 0..<6, using: &random)
            let source = UInt8.random(in: 0..<7, using: &random)
            table.update(EventReference(rawValue: number)) { $0.confirmedBy |= 1 << source }
            expected[number, default: 0] |= 1 << source
        }
        let numbers = expected.keys.sorted()
        #expect(table.map(\.reference.rawValue) == numbers)
        #expect(table.map(\.confirmedBy) == numbers.map { expected[$0] ?? 0 })
        #expect(table.count == expected.count && table.isEmpty == expected.isEmpty)
        var visited: [UInt64] = []
        table.forEach { visited.append($0.reference.rawValue) }
        #expect(visited == numbers)
    }

    @Test("Equal amounts stand once, in order", arguments: 0..<40 as Range<UInt64>)
    func amounts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let euro = try #require(Currency("EUR"))
        let numbers = (0..<9).map { _ in Int64.random(in: -2..<4, using: &random) }
        var table = ShortTable<Money>()
        for number in numbers { table.insertSorted(Money(minorUnits: number, currency: euro)) }
        #expect(table.map(\.minorUnits) == Set(numbers).sorted())
    }

    @Test("The row of a session keeps its length while a usual checkout takes its course")
    func steadyRow() throws {
        let euro = try #require(Currency("EUR"))
        let total = Money(minorUnits: 19_900, currency: euro)
        let time: Int64 = 1_772_600_767_000_000
        let course: [(EventType, Evidence, Money?)] = [
            (.sessionCreated, .verified, total), (.sessionOpened, .hint, nil),
            (.paymentPending, .verified, total), (.sessionReturned, .hint, nil),
            (.paymentSucceeded, .verified, total),
        ]
        var state = SessionState()
        state.trace.firstPosition = 40_000_000
        var lengths: Set<Int> = []
        for (index, step) in course.enumerated() {
            state.evidence.absorb(
                Fact(
                    type: step.0, source: .webhook, evidence: step.1, mode: .live, amount: step.2,
                    subject: EventReference(of: "pay_1"), occurredAt: time))
            state.trace.eventCount += 1
            state.trace.lastPosition = 40_000_000 + UInt64(index) * 12_000
            state.trace.lastRecordedAt = time + Int64(index) * 60_000_000
            state.trace.namedAt = 40_000_000
            if step.0 == .sessionOpened { state.trace.openedAt = time }
            if step.0 == .paymentSucceeded { state.trace.outcomeAt = state.trace.lastPosition }
            var row: [UInt8] = []
            state.encode(into: &row)
            lengths.insert(row.count)
        }
        #expect(lengths.count == 1)
    }
}
