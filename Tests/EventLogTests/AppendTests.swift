import EventLog
import Testing

@Suite("Appending")
struct AppendTests {
    @Test("An appended event is read back with everything the log added")
    func readBack() async throws {
        let log = try TallyLog<InMemoryStore>(store: InMemoryStore())
        defer { log.close() }
        let result = try await log.append([
            Tally.request("a", drafts: [Tally.draft(amount: 5, payload: [1, 2, 3])])
        ])
        #expect(result[0].stream == 0)
        #expect(result[0].entries.map(\.position) == [0])
        try log.read { snapshot in
            #expect(snapshot.end == 1)
            let record = try snapshot.record(at: 0)
            #expect(record.payload == [1, 2, 3])
            #expect(record.domain.load(0, as: Int64.self) == 5)
            #expect(record.previous == nil)
            #expect(try snapshot.resolve(Tally.key("a")) == 0)
            #expect(try snapshot.state(of: 0)?.sum == 5)
            #expect(try snapshot.state(of: 1) == nil)
        }
    }

    @Test("Streams are chains, and their states the fold of their records")
    func chains() async throws {
        let log = try TallyLog<InMemoryStore>(store: InMemoryStore())
        defer { log.close() }
        for round in 0..<10 {
            for name in ["a", "b", "c"] {
                _ = try await log.append([
                    Tally.request(name, drafts: [Tally.draft(amount: Int64(round))])
                ])
            }
        }
        try log.checkpoint()
        _ = try log.appendBlocking([Tally.request("b", drafts: [Tally.draft(amount: 100)])])
        try log.read { snapshot in
            #expect(snapshot.end == 31)
            #expect(try snapshot.streamCount() == 3)
            #expect(try snapshot.positions(of: 0) == (0..<10).map { UInt64($0 * 3) })
            #expect(try snapshot.state(of: 1)?.sum == 145)
            #expect(try snapshot.state(of: 1, before: 4)?.sum == 0)
            var sums: [Int64] = []
            try snapshot.forEachState { _, state in
                sums.append(state.sum)
                return .more
            }
            #expect(sums == [45, 145, 45])
        }
    }
}
