import EventLog
import EventLogTestKit
import Testing

@Suite("Reading by range, type and time")
struct ReadTests {
    @Test("Only records of the wanted types are lent", arguments: Engine.allCases)
    func types(_ engine: Engine) async throws {
        try await withLog(engine) { log in
            // Type 700 and 188 share a bit of the block's map; 3 stands in one block only.
            for index in 0..<5_000 as Range<Int> where index.isMultiple(of: 500) {
                let drafts = (index..<index + 500).map { position in
                    Tally.draft(position == 3_333 ? 3 : position % 700 == 0 ? 700 : 2)
                }
                _ = try await log.append([Tally.request("a", drafts: drafts)])
            }
            let cases: [(TypeSet, [UInt64])] = [
                (TypeSet([3]), [3_333]),
                (TypeSet([700]), (0..<5_000).filter { $0 % 700 == 0 && $0 != 3_333 }),
                (TypeSet([188]), []),
                (TypeSet([3, 700]), (0..<5_000).filter { $0 % 700 == 0 || $0 == 3_333 }),
                (TypeSet([] as [UInt16]), []),
            ]
            try log.read { (snapshot) throws in
                for (types, expected) in cases {
                    for range in [0..<UInt64.max, 700..<3_334, 701..<3_333, 4_999..<5_000] {
                        var found: [UInt64] = []
                        try snapshot.forEachRecord(in: range, matching: types) { record in
                            found.append(record.position)
                            return .more
                        }
                        #expect(found == expected.filter { range.contains($0) })
                    }
                }
                var first: [UInt64] = []
                try snapshot.forEachRecord(in: 0..<5_000, matching: TypeSet([700])) { record in
                    first.append(record.position)
                    return first.count < 2 ? .more : .stop
                }
                #expect(first == [0, 700])
            }
        }
    }

    @Test("A time is found by bisection", arguments: Engine.allCases)
    func times(_ engine: Engine) async throws {
        let clock = StepClock(step: 0)
        try await withLog(engine, clock: clock) { log in
            let times: [Int64] = [10, 10, 20, 30, 30, 30, 40]
            for time in times {
                clock.set(time)
                _ = try await log.append([Tally.request("a")])
            }
            try log.read { (snapshot) throws in
                for time in 0...50 as ClosedRange<Int64> {
                    let expected = times.firstIndex { $0 >= time } ?? times.count
                    #expect(try snapshot.position(atOrAfter: time) == UInt64(expected))
                }
            }
        }
    }

    @Test("Blocks sum up what they hold", arguments: Engine.allCases)
    func blocks(_ engine: Engine) async throws {
        let clock = StepClock(step: 0)
        try await withLog(engine, clock: clock) { log in
            for part in 0..<5 as Range<Int64> {
                clock.set(100 * (part + 1))
                var drafts = (0..<500).map { _ in Tally.draft(amount: part) }
                if part == 3 { drafts[499].occurredAt = 17 }
                _ = try await log.append([Tally.request("s\(part)", drafts: drafts)])
            }
            var blocks: [BlockSummary<Int64>] = []
            try log.read { (snapshot) throws in
                try snapshot.forEachBlock { block in
                    blocks.append(block)
                    return .more
                }
            }
            #expect(blocks.map(\.count) == [1_024, 1_024, 452])
            #expect(blocks.map(\.streams) == [3, 5, 5])
            #expect(blocks.map(\.domain) == [548, 2_644, 1_808])
            #expect(blocks.map(\.recordedMin) == [100, 300, 500])
            #expect(blocks.map(\.recordedMax) == [300, 500, 500])
            #expect(blocks.map(\.occurredMin) == [nil, 17, nil])
            #expect(blocks.map(\.occurredMax) == [nil, 17, nil])
            #expect(!blocks[0].mayContain(TypeSet([3])) && blocks[0].mayContain(TypeSet([2])))
        }
    }

    @Test("What the body throws comes out, and the log goes on")
    func bodyThrows() async throws {
        struct Stop: Error {}
        try await withLog(.lmdb) { log in
            _ = try await log.append([Tally.request("a"), Tally.request("b")])
            #expect(throws: Stop.self) { try log.read { (_) throws in throw Stop() } }
            try log.read { (snapshot) throws in
                #expect(throws: Stop.self) { try snapshot.record(at: 0) { _ in throw Stop() } }
                #expect(throws: Stop.self) { try snapshot.walk(0) { _ in throw Stop() } }
                #expect(throws: Stop.self) { try snapshot.forEachState { _, _ in throw Stop() } }
                #expect(throws: Stop.self) {
                    try snapshot.forEachRecord(in: 0..<2) { _ in throw Stop() }
                }
                #expect(throws: LogError.self) { try snapshot.record(at: 2) }
            }
        }
    }
}
