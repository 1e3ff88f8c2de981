import EventLog
import EventLogTestKit
import Testing

@Suite("Appending")
struct AppendTests {
    @Test(
        "An appended event is read back with everything the log added", arguments: Engine.allCases)
    func readBack(_ engine: Engine) async throws {
        let clock = StepClock(step: 0)
        try await withLog(engine, clock: clock) { log in
            clock.set(5_000_000)
            let draft = EventDraft(
                type: 2, eventID: EventID(value: 77), occurredAt: 42,
                dedupe: DedupeHash(value: 9), flags: [.clockHeld, RecordFlags(rawValue: 0x30)],
                domain: Tally.draft(amount: 5).domain, payload: [1, 2, 3])
            let result = try await log.append([Tally.request("a", drafts: [draft])])
            #expect(result[0].stream == 0)
            #expect(result[0].entries.map(\.position) == [0])
            try log.read { (snapshot) throws in
                #expect(snapshot.end == 1)
                let record = try snapshot.record(at: 0)
                #expect(record.position == 0)
                #expect(record.stream == 0)
                #expect(record.revision == 0)
                #expect(record.type == 2)
                #expect(record.eventID == EventID(value: 77))
                #expect(record.occurredAt == 42)
                #expect(record.recordedAt == 5_000_000)
                #expect(record.dedupe == DedupeHash(value: 9))
                #expect(record.flags == RecordFlags(rawValue: 0x30))
                #expect(record.previous == nil)
                #expect(record.cause == nil)
                #expect(record.payload == [1, 2, 3])
                #expect(record.domain == draft.domain)
                #expect(record.bytes.count == StorageLayout.recordHeaderByteCount + 3)
                #expect(record.withView { $0.payload.byteCount } == 3)
                #expect(try snapshot.resolve(Tally.key("a")) == 0)
                #expect(try snapshot.resolve(Tally.key("b")) == nil)
            }
        }
    }

    @Test("Streams are chains of their records", arguments: Engine.allCases)
    func chains(_ engine: Engine) async throws {
        try await withLog(engine) { log in
            for _ in 0..<10 {
                for name in ["a", "b", "c"] { _ = try await log.append([Tally.request(name)]) }
            }
            try log.read { (snapshot) throws in
                #expect(snapshot.end == 30)
                #expect(try snapshot.streamCount() == 3)
                #expect(try snapshot.positions(of: 1) == (0..<10).map { UInt64($0 * 3 + 1) })
                #expect(try snapshot.positions(of: 1, before: 5) == [1, 4])
                let records = try snapshot.records(of: 2)
                #expect(records.map(\.revision) == Array(0..<10))
                #expect(records.map(\.previous) == [nil] + records.dropLast().map(\.position))
                var walked: [UInt64] = []
                try snapshot.walk(2) { record in
                    walked.append(record.position)
                    return walked.count < 4 ? .more : .stop
                }
                #expect(walked == [29, 26, 23, 20])
                #expect(try snapshot.positions(of: 3) == [])
            }
        }
    }

    /// One attempt against a stream that has three events.
    struct Expectation: Sendable, CustomTestStringConvertible {
        let id: String
        let name: String
        let expected: ExpectedRevision
        let isAccepted: Bool
        var testDescription: String { id }
    }

    static let expectations = [
        Expectation(id: "any, known", name: "a", expected: .any, isAccepted: true),
        Expectation(id: "any, new", name: "b", expected: .any, isAccepted: true),
        Expectation(id: "none, new", name: "b", expected: .none, isAccepted: true),
        Expectation(id: "none, known", name: "a", expected: .none, isAccepted: false),
        Expectation(id: "exactly 3, known", name: "a", expected: .exactly(3), isAccepted: true),
        Expectation(id: "exactly 2, known", name: "a", expected: .exactly(2), isAccepted: false),
        Expectation(id: "exactly 4, known", name: "a", expected: .exactly(4), isAccepted: false),
        Expectation(id: "exactly 0, known", name: "a", expected: .exactly(0), isAccepted: false),
        Expectation(id: "exactly 0, new", name: "b", expected: .exactly(0), isAccepted: true),
        Expectation(id: "exactly 1, new", name: "b", expected: .exactly(1), isAccepted: false),
    ]

    @Test("The expected revision is kept", arguments: Engine.allCases, expectations)
    func expectedRevision(_ engine: Engine, _ expectation: Expectation) async throws {
        try await withLog(engine) { log in
            _ = try await log.append([
                Tally.request("a", drafts: Array(repeating: Tally.draft(), count: 3))
            ])
            let request = Tally.request(expectation.name, expected: expectation.expected)
            if expectation.isAccepted {
                _ = try await log.append([request])
            } else {
                let error = await #expect(throws: LogError.self) { try await log.append([request]) }
                #expect(error?.code == .revisionConflict)
            }
            try log.read { #expect($0.end == (expectation.isAccepted ? 4 : 3)) }
        }
    }

    @Test("The requests of one batch see each other", arguments: Engine.allCases)
    func batchSeesItself(_ engine: Engine) async throws {
        try await withLog(engine) { log in
            let results = try await log.append([
                Tally.request("a", expected: .none),
                Tally.request("a", expected: .exactly(1)),
                Tally.request("b", expected: .none),
                Tally.request(
                    "a", drafts: [Tally.draft(cause: .position(0))], expected: .exactly(2)),
            ])
            #expect(results.map(\.stream) == [0, 0, 1, 0])
            #expect(results.flatMap(\.entries).map(\.position) == [0, 1, 2, 3])
            #expect(results.flatMap(\.entries).map(\.revision) == [0, 1, 0, 2])
            try log.read { (snapshot) throws in
                #expect(try snapshot.record(at: 3).cause == 0)
                #expect(try snapshot.record(at: 3).previous == 1)
            }
        }
    }

    @Test("A refused batch leaves nothing, whatever of it was sound", arguments: Engine.allCases)
    func refusedBatch(_ engine: Engine) async throws {
        try await withLog(engine) { log in
            _ = try await log.append([Tally.request("a")])
            let before = try log.read { try $0.frontier() }
            let error = await #expect(throws: LogError.self) {
                try await log.append([
                    Tally.request("new", "other"), Tally.request("a"),
                    Tally.request("a", expected: .none),
                ])
            }
            #expect(error?.code == .revisionConflict)
            try log.read { (snapshot) throws in
                #expect(snapshot.end == 1)
                #expect(try snapshot.resolve(Tally.key("new")) == nil)
                #expect(try snapshot.streamCount() == 1)
                #expect(try snapshot.frontier() == before)
            }
            let next = try await log.append([Tally.request("new", expected: .none)])
            #expect(next[0].stream == 1)
            #expect(next[0].entries[0].position == 1)
            #expect(try log.verify().isSound)
        }
    }

    @Test("A time never goes back, and the record says that the clock did")
    func heldClock() async throws {
        let clock = StepClock(0, step: 0)
        try await withLog(.memory, clock: clock) { log in
            clock.set(2_000_000)
            _ = try await log.append([Tally.request("a")])
            clock.set(1_000_000)
            _ = try await log.append([Tally.request("a")])
            clock.set(3_000_000)
            _ = try await log.append([Tally.request("a")])
            try log.read { (snapshot) throws in
                let records = try snapshot.records(of: 0)
                #expect(records.map(\.recordedAt) == [2_000_000, 2_000_000, 3_000_000])
                #expect(records.map { $0.flags.contains(.clockHeld) } == [false, true, false])
            }
        }
    }

    @Test("What breaks a limit is refused before it waits")
    func limits() async throws {
        try await withLog(.memory) { log in
            let large = [UInt8](repeating: 0, count: Limits.payloadBytes)
            let refused: [AppendRequest] = [
                Tally.request("a", drafts: []),
                Tally.request("a", drafts: [Tally.draft(payload: large + [0])]),
                Tally.request(""),
                Tally.request(String(repeating: "k", count: Limits.identityKeyBytes + 1)),
                Tally.request("a", drafts: [Tally.draft(cause: .member(0))]),
                Tally.request("a", drafts: [Tally.draft(cause: .position(0))]),
                Tally.request(
                    "a",
                    drafts: Array(repeating: Tally.draft(), count: Limits.eventsPerAppend + 1)),
                Tally.request(
                    "a", drafts: [EventDraft(type: 1, eventID: EventID(value: 1), occurredAt: .min)]
                ),
            ]
            for request in refused {
                let error = await #expect(throws: LogError.self) { try await log.append([request]) }
                #expect(error?.code == .invalidRequest)
            }
            try log.read { #expect($0.end == 0) }
            let longest = String(repeating: "k", count: Limits.identityKeyBytes)
            let result = try await log.append([
                AppendRequest(
                    identities: [Tally.joins(longest), Tally.finds(longest)],
                    drafts: [Tally.draft(payload: large)])
            ])
            #expect(result[0].entries.count == 1)
            try log.read { (snapshot) throws in
                #expect(try snapshot.record(at: 0).bytes.count == Limits.recordBytes)
                #expect(try snapshot.streams(finding: Tally.key(longest)) == [0])
            }
        }
    }

    @Test("A closed log takes no more and reads no more")
    func closed() async throws {
        let log = try TallyLog<InMemoryStore>(store: InMemoryStore())
        log.close()
        log.close()
        let append = await #expect(throws: LogError.self) {
            try await log.append([Tally.request("a")])
        }
        let read = #expect(throws: LogError.self) { try log.read { $0.end } }
        #expect(append?.code == .closed)
        #expect(read?.code == .closed)
    }
}
