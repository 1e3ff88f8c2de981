import EventLog
import EventLogTestKit
import Testing

@Suite("Following the log")
struct LiveTests {
    @Test("What is there comes first, then what is appended", arguments: Engine.allCases)
    func catchUpThenLive(_ engine: Engine) async throws {
        try await withLog(engine) { log in
            _ = try await log.append([
                Tally.request("a", drafts: Array(repeating: Tally.draft(), count: 1_500))
            ])
            let appender = Task {
                for _ in 0..<20 { _ = try await log.append([Tally.request("b")]) }
            }
            var positions: [UInt64] = []
            for try await records in log.records() {
                #expect((1...512).contains(records.count))
                positions += records.map(\.position)
                if positions.count >= 1_520 { break }
            }
            #expect(positions == Array(0..<1_520))
            try await appender.value
        }
    }

    @Test("After the first position is another place than the beginning")
    func after() async throws {
        try await withLog(.memory) { log in
            _ = try await log.append([
                Tally.request("a", drafts: [Tally.draft(), Tally.draft()])
            ])
            var first = log.records(after: nil).makeAsyncIterator()
            var second = log.records(after: 0).makeAsyncIterator()
            #expect(try await first.next()?.map(\.position) == [0, 1])
            #expect(try await second.next()?.map(\.position) == [1])
        }
    }

    @Test("A waiting reader ends when its task is cancelled")
    func cancelled() async throws {
        try await withLog(.memory) { log in
            let reader = Task {
                var count = 0
                for try await records in log.records() { count += records.count }
                return count
            }
            _ = try await log.append([Tally.request("a")])
            for _ in 0..<500 { await Task.yield() }
            reader.cancel()
            #expect(try await reader.value <= 1)
        }
    }

    @Test("A waiting reader ends when the log is closed", arguments: [Engine.memory, .lmdb])
    func closed(_ engine: Engine) async throws {
        try await withLog(engine) { log in
            let reader = Task {
                var count = 0
                for try await records in log.records() { count += records.count }
                return count
            }
            _ = try await log.append([Tally.request("a")])
            for _ in 0..<500 { await Task.yield() }
            log.close()
            #expect(try await reader.value <= 1)
        }
    }

    @Test("Commits that another opener made are noticed")
    func foreignCommits() async throws {
        let store = InMemoryStore()
        let log = try TallyLog<InMemoryStore>(store: store)
        let other = try TallyLog<InMemoryStore>(store: store)
        let reader = Task {
            var iterator = log.records().makeAsyncIterator()
            return try await iterator.next()?.map(\.position)
        }
        for _ in 0..<500 { await Task.yield() }
        _ = try await other.append([Tally.request("a")])
        #expect(try await reader.value == [0])
        other.close()
        log.close()
    }
}
