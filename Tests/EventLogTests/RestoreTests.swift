import EventLog
import EventLogTestKit
import Testing

@Suite("Restoring from records")
struct RestoreTests {
    private func recorded() async throws -> (LedgerIdentity, [Record]) {
        try await withLog(.memory) { log in
            for request in FoldTests.story(300, seed: 21) { _ = try await log.append([request]) }
            return try log.read { (snapshot) throws in
                var records: [Record] = []
                try snapshot.forEachRecord(in: 0..<snapshot.end) { record in
                    records.append(Record(record))
                    return .more
                }
                return (snapshot.identity, records)
            }
        }
    }

    @Test("A log made from records is the log they came from", arguments: Engine.allCases)
    func restored(_ engine: Engine) async throws {
        let (identity, records) = try await recorded()
        try await withPlace(engine) { place in
            let store = try place.open()
            try TallyLog<TestStore>.makeRestored(in: store, identity: identity)
            let log = try TallyLog<TestStore>(store: store)
            for start in stride(from: 0, to: records.count, by: 100) {
                try log.restore(records[start..<min(start + 100, records.count)].map(\.bytes))
            }
            #expect(log.identity == identity)
            #expect(try log.verify().isSound)
            try log.read { (snapshot) throws in
                #expect(snapshot.end == UInt64(records.count))
                for record in records {
                    #expect(try snapshot.record(at: record.position) == record)
                }
            }
            // It goes on as any other.
            _ = try await log.append([Tally.request("new")])
            #expect(try log.verify().isSound)
            log.close()
        }
    }

    @Test("Records out of order are refused, and nothing of the call is kept")
    func refused() async throws {
        let (identity, records) = try await recorded()
        let store = InMemoryStore()
        try TallyLog<InMemoryStore>.makeRestored(in: store, identity: identity)
        let log = try TallyLog<InMemoryStore>(store: store)
        try log.restore(records[..<10].map(\.bytes))
        let wrong: [[Record]] = [[records[0]], [records[11]], [records[10], records[12]]]
        for group in wrong {
            let error = #expect(throws: LogError.self) { try log.restore(group.map(\.bytes)) }
            #expect(error?.code == .damaged)
        }
        #expect(throws: LogError.self) { try log.restore([Array(records[10].bytes.dropLast())]) }
        #expect(throws: LogError.self) { try log.restore([[]]) }
        try log.read { #expect($0.end == 10) }
        try log.restore(records[10...].map(\.bytes))
        #expect(try log.verify().isSound)
        #expect(throws: LogError.self) {
            try TallyLog<InMemoryStore>.makeRestored(in: store, identity: identity)
        }
        log.close()
    }
}
