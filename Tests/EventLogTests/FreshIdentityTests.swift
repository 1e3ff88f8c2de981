import EventLogTestKit
import Testing

@testable import EventLog

@Suite("Identities that have no row yet")
struct FreshIdentityTests {
    /// How many rows a table has.
    private static func count(_ table: LogTable, _ store: TestStore) throws -> Int {
        var count = 0
        try store.read { (reader) throws(LogError) in
            if table.isNumbered {
                try reader.scan(table, from: 0) { _, _ in
                    count += 1
                    return .more
                }
            } else {
                try reader.scan(table, from: []) { _, _ in
                    count += 1
                    return .more
                }
            }
        }
        return count
    }

    /// Streams numbered from 0 that have a key of their own and share one of seven.
    private static func request(_ number: Int) -> AppendRequest {
        AppendRequest(
            identities: [Tally.joins("key-\(number)"), Tally.finds("group-\(number % 7)")],
            drafts: [Tally.draft()])
    }

    /// Every way to ask for an identity must give what was put in.
    private static func expectAll(_ count: Int, in log: TallyLog<TestStore>) throws {
        try log.read { (snapshot) throws in
            for number in stride(from: 0, to: count, by: 13) {
                #expect(try snapshot.resolve(Tally.key("key-\(number)")) == UInt64(number))
            }
            #expect(try snapshot.resolve(Tally.key("key-\(count)")) == nil)
            for group in 0..<7 {
                let streams = stride(from: group, to: count, by: 7).map { UInt64($0) }
                #expect(try snapshot.streams(finding: Tally.key("group-\(group)")) == streams)
            }
            var keys: [[UInt8]] = []
            try snapshot.forEachIdentity(from: Tally.key("key-2")) { key, _ in
                keys.append(key.copied())
                return .more
            }
            let all = (0..<count).map { Tally.key("key-\($0)") }
                .filter { !$0.lexicographicallyPrecedes(Tally.key("key-2")) }
            #expect(keys == all.sorted { $0.lexicographicallyPrecedes($1) })
            var shared = 0
            try snapshot.forEachSharedIdentity { _, _ in
                shared += 1
                return .more
            }
            #expect(shared == count)
        }
        let report = try log.verify()
        #expect(report.isSound && report.identities == UInt64(2 * count))
    }

    @Test(
        "An identity is found in its chunk, while it is moved and in its row",
        arguments: Engine.allCases)
    func everywhere(_ engine: Engine) async throws {
        try await withPlace(engine) { place in
            var log = try place.log()
            var count = 0
            func append(_ more: Int) async throws {
                let requests = (count..<count + more).map(Self.request)
                let results = try await log.append(requests)
                #expect(results.map(\.stream) == (count..<count + more).map { UInt64($0) })
                count += more
            }
            func tables() throws -> (rows: Int, chunks: Int) {
                log.close()
                let store = try place.open()
                let tables = (try Self.count(.ids, store), try Self.count(.fresh, store))
                store.close()
                log = try place.log()
                return tables
            }
            for _ in 0..<11 { try await append(100) }
            try Self.expectAll(count, in: log)
            // A checkpoint begins to move them, and each append after it goes on.
            try log.checkpoint()
            try await append(50)
            try Self.expectAll(count, in: log)
            // A key that was moved and one that was not lead to their streams still.
            for number in [0, 500, 1_149] {
                #expect(try await log.append([Self.request(number)])[0].stream == UInt64(number))
            }
            // An engine that runs each write twice has the writer forget what it was moving.
            let moves = engine != .rehearsing
            let begun = try tables()
            #expect(!moves || begun.rows > 0 && begun.rows < 2 * count && begun.chunks > 0)
            try Self.expectAll(count, in: log)
            for _ in 0..<8 {
                try await append(100)
                try log.checkpoint()
            }
            try Self.expectAll(count, in: log)
            #expect(try !moves || tables().rows > begun.rows + 1_000)
            try Self.expectAll(count, in: log)
            log.close()
        }
    }

    @Test("A key that another process added leads to its stream")
    func otherProcess() async throws {
        let store = InMemoryStore()
        let first = try TallyLog<InMemoryStore>(store: store)
        let second = try TallyLog<InMemoryStore>(store: store)
        for round in 0..<4 as Range<UInt64> {
            let key = "key-\(round)"
            let (one, other) = round.isMultiple(of: 2) ? (first, second) : (second, first)
            #expect(try await one.append([Tally.request(key)])[0].stream == round)
            #expect(try await other.append([Tally.request(key)])[0].stream == round)
        }
        first.close()
        second.close()
    }

    @Test("A snapshot does not see what was added after it, whoever asked in between")
    func olderSnapshot() throws {
        let store = InMemoryStore()
        let first = try TallyLog<InMemoryStore>(store: store)
        let second = try TallyLog<InMemoryStore>(store: store)
        _ = try second.appendBlocking([Tally.request("key-0")])
        try first.read { (old) throws in
            #expect(try old.resolve(Tally.key("key-0")) == 0)
            _ = try second.appendBlocking([Tally.request("key-1")])
            try first.read { (new) throws in
                #expect(try new.resolve(Tally.key("key-1")) == 1)
            }
            #expect(try old.resolve(Tally.key("key-0")) == 0)
            #expect(try old.resolve(Tally.key("key-1")) == nil)
            var seen = 0
            try old.forEachIdentity(from: []) { _, _ in
                seen += 1
                return .more
            }
            #expect(seen == 1)
        }
        first.close()
        second.close()
    }

    @Test("A repeated event may bring a new key, which leads to its stream")
    func keyWithoutEvent() async throws {
        try await withLog(.memory) { log in
            let draft = Tally.draft(dedupe: 5)
            _ = try await log.append([Tally.request("a", drafts: [draft])])
            for key in ["b", "c"] {
                let again = AppendRequest(
                    identities: [Tally.joins("a"), Tally.joins(key), Tally.finds("o")],
                    drafts: [draft])
                #expect(try await log.append([again])[0].entries[0].wasThere)
                #expect(try await log.append([Tally.request(key)])[0].stream == 0)
            }
            #expect(try log.read { try $0.streams(finding: Tally.key("o")) } == [0])
            #expect(try log.verify().isSound)
        }
    }
}
