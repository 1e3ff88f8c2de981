import EventLog
import EventLogTestKit
import Testing

@Suite("States, rows and replay")
struct FoldTests {
    /// A story of requests over few streams: opened, added to, closed, linked, repeated.
    static func story(_ count: Int, seed: UInt64, names: Int = 9) -> [AppendRequest] {
        var numbers = SeededNumbers(seed: seed)
        return (0..<count).map { index in
            let name = "s\(Int.random(in: 0..<names, using: &numbers))"
            let other = "s\(Int.random(in: 0..<names, using: &numbers))"
            let isLink = Int.random(in: 0..<12, using: &numbers) == 0
            let types: [UInt16] = [TallySchema.opened, TallySchema.added, TallySchema.closed]
            let drafts = (0..<Int.random(in: 1...3, using: &numbers)).map { _ in
                Tally.draft(
                    types.randomElement(using: &numbers) ?? 1,
                    amount: Int64.random(in: -50...50, using: &numbers),
                    dedupe: UInt128(max(0, Int.random(in: -99..<40, using: &numbers))),
                    payload: Array(repeating: UInt8(index & 255), count: index % 64))
            }
            let names = isLink ? [name, other] : [name]
            return AppendRequest(identities: names.map(Tally.joins), drafts: drafts)
        }
    }

    /// Everything a snapshot says of states, open streams and outcomes.
    struct Told: Equatable {
        var states: [UInt64: TallySchema.State] = [:]
        var order: [UInt64] = []
        var open: [UInt64: Int64] = [:]
        var outcomes: [UInt64] = []

        init(_ log: TallyLog<TestStore>) throws {
            try log.read { (snapshot) throws in
                try snapshot.forEachState { stream, state in
                    states[stream] = state
                    order.append(stream)
                    return .more
                }
                try snapshot.forEachOpen { stream, openedAt in
                    open[stream] = openedAt
                    return .more
                }
                try snapshot.forEachOutcome { position, _ in
                    outcomes.append(position)
                    return .more
                }
            }
        }
    }

    @Test("What is told does not depend on where the rows end", arguments: Engine.allCases)
    func anyWatermark(_ engine: Engine) async throws {
        let story = Self.story(60, seed: 11)
        let reference = try await withLog(.memory) { log in
            var told: [Told] = []
            for request in story {
                _ = try await log.append([request])
                told.append(try Told(log))
            }
            return told
        }
        for watermark in stride(from: 0, to: story.count, by: engine == .memory ? 1 : 7) {
            try await withPlace(engine) { place in
                let log = try place.log(clock: SameClock())
                for (index, request) in story.enumerated() {
                    _ = try await log.append([request])
                    if index == watermark { try log.checkpoint() }
                }
                let told = try Told(log)
                #expect(
                    told.states.mapValues(\.digest) == reference.last?.states.mapValues(\.digest))
                #expect(told.order == told.order.sorted())
                #expect(told.open.keys == reference.last?.open.keys)
                #expect(told.outcomes == reference.last?.outcomes)
                log.close()
                let again = try place.log()
                #expect(try Told(again) == told)
                let report = try again.verify()
                #expect(report.isSound && report.comparedRows)
                again.close()
            }
        }
    }

    @Test("A state is the fold of the stream's records, at every position")
    func asOf() async throws {
        try await withLog(.memory) { log in
            for request in Self.story(80, seed: 5) { _ = try await log.append([request]) }
            try log.read { (snapshot) throws in
                var states: [UInt64: TallySchema.State] = [:]
                for position in 0..<snapshot.end {
                    for (stream, state) in states {
                        #expect(try snapshot.state(of: stream, before: position) == state)
                    }
                    let record = try snapshot.record(at: position)
                    var changes = ProjectionChanges()
                    record.withView {
                        TallySchema.fold(
                            $0, into: &states[record.stream, default: TallySchema.State()],
                            changes: &changes)
                    }
                }
                for (stream, state) in states { #expect(try snapshot.state(of: stream) == state) }
            }
        }
    }

    @Test("Older and newer snapshots each see their own end")
    func snapshots() async throws {
        try await withLog(.memory) { log in
            _ = try await log.append([Tally.request("a")])
            try log.read { (old) throws in
                Mailbox().run { _ = try log.appendBlocking([Tally.request("a")]) }
                try log.read { (new) throws in #expect(try new.state(of: 0)?.count == 2) }
                #expect(try old.state(of: 0)?.count == 1)
                #expect(try old.end(of: 0)?.count == 1)
                Mailbox().run {
                    try log.checkpoint()
                    _ = try log.appendBlocking([Tally.request("a")])
                }
                try log.read { (new) throws in #expect(try new.state(of: 0)?.count == 3) }
                #expect(try old.state(of: 0)?.count == 1)
            }
        }
    }

    @Test("What rows took in since somebody read last is counted once", arguments: Engine.allCases)
    func rowsBeyondTheTail(_ engine: Engine) async throws {
        try await withLog(engine) { log in
            _ = try await log.append([Tally.request("a"), Tally.request("b")])
            try log.checkpoint()
            // Whoever reads next knows of this end, and has not the first stream at hand.
            try log.read { (snapshot) throws in
                #expect(try snapshot.state(of: 1)?.count == 1)
            }
            _ = try await log.append([Tally.request("a")])
            try log.checkpoint()
            _ = try await log.append([Tally.request("b")])
            try log.read { (snapshot) throws in
                #expect(try snapshot.state(of: 0)?.count == 2)
                #expect(try snapshot.state(of: 1)?.count == 2)
            }
            #expect(try log.verify().isSound)
        }
    }

    @Test("What another process took into the rows is counted once by this one")
    func rowsOfAnotherProcess() async throws {
        let store = InMemoryStore()
        let first = try TallyLog<InMemoryStore>(store: store)
        let second = try TallyLog<InMemoryStore>(store: store)
        _ = try await first.append([Tally.request("a"), Tally.request("b")])
        try first.checkpoint()
        // This one comes to know where the log ends, and has neither stream at hand.
        _ = try await second.append([Tally.request("c")])
        _ = try await first.append([Tally.request("a")])
        try first.checkpoint()
        _ = try await second.append([Tally.request("b")])
        try second.checkpoint()
        for log in [first, second] {
            try log.read { (snapshot) throws in
                #expect(try snapshot.state(of: 0)?.count == 2)
                #expect(try snapshot.state(of: 1)?.count == 2)
            }
            #expect(try log.verify().isSound)
        }
        first.close()
        second.close()
    }

    @Test("An older snapshot keeps its outcomes when newer rows have them")
    func outcomesOfOlder() async throws {
        try await withLog(.memory) { log in
            _ = try await log.append([
                Tally.request("a", drafts: [Tally.draft(TallySchema.closed)])
            ])
            func outcomes(
                _ snapshot: borrowing Snapshot<TallySchema, TestStore>
            ) throws -> [UInt64] {
                var positions: [UInt64] = []
                try snapshot.forEachOutcome { position, _ in
                    positions.append(position)
                    return .more
                }
                return positions
            }
            try log.read { (old) throws in
                #expect(try outcomes(old) == [0])
                Mailbox().run { try log.checkpoint() }
                try log.read { (new) throws in #expect(try outcomes(new) == [0]) }
                #expect(try outcomes(old) == [0])
                #expect(try old.state(of: 0)?.closedAt == 0)
            }
        }
    }

    @Test(
        "A replay in any number of parts gives the states that are told", arguments: [1, 2, 3, 7])
    func replay(_ workers: Int) async throws {
        try await withLog(.lmdb) { log in
            for part in 0..<30 {
                let story = Self.story(100, seed: UInt64(part), names: 40)
                _ = try await log.append(story)
            }
            let told = try Told(log)
            let replayed = try log.replay(workers: workers)
            try log.read { #expect($0.end == replayed.end && $0.end > 4 * 1_024) }
            #expect(replayed.states.count == told.states.count)
            for (stream, state) in replayed.states.enumerated() {
                #expect(TallySchema.statesAreEqual(state, told.states[UInt64(stream)] ?? .init()))
            }
        }
    }

    @Test("An empty log replays to nothing and is sound", arguments: Engine.allCases)
    func empty(_ engine: Engine) async throws {
        try await withLog(engine) { log in
            #expect(try log.replay(workers: 4).states.isEmpty)
            #expect(try log.verify().isSound)
            try log.checkpoint()
            try log.rebuild()
            try log.read { (snapshot) throws in
                #expect(snapshot.end == 0)
                #expect(try snapshot.position(atOrAfter: 0) == 0)
                #expect(try snapshot.streamCount() == 0)
            }
        }
    }

    @Test("A rebuild gives the same rows while events go on coming", arguments: Engine.allCases)
    func rebuild(_ engine: Engine) async throws {
        try await withPlace(engine) { place in
            let log = try place.log()
            for part in 0..<60 { _ = try await log.append(Self.story(100, seed: UInt64(part))) }
            try log.checkpoint()
            let steps = Steps()
            try log.rebuild { step in
                steps.add(step)
                // The writer is free between the slices.
                _ = try? log.appendBlocking([Tally.request("late")])
            }
            #expect(steps.count >= 2)
            #expect(try log.verify().isSound)
            try log.read { (snapshot) throws in
                let late = try snapshot.resolve(Tally.key("late"))
                #expect(
                    try late.flatMap { try snapshot.state(of: $0) }?.count == UInt64(steps.count))
            }
            log.close()
            let again = try place.log()
            #expect(try again.verify().isSound)
            try again.rebuild()
            #expect(try again.verify().isSound)
            again.close()
        }
    }

    @Test("A changed fold is rebuilt at the next opening", arguments: Engine.allCases)
    func changedFold(_ engine: Engine) async throws {
        try await withPlace(engine) { place in
            let log = try place.log()
            _ = try await log.append(Self.story(200, seed: 3))
            let before = try Told(log)
            log.close()
            let newer = try EventLog<DoublingSchema, TestStore>(store: try place.open())
            #expect(try newer.verify().isSound)
            try newer.read { (snapshot) throws in
                for (stream, state) in before.states {
                    #expect(try snapshot.state(of: stream)?.sum == 2 * state.sum)
                }
                #expect(try snapshot.statistics().foldVersion == 2)
            }
            newer.close()
        }
    }

    @Test("Several openers of a changed fold rebuild it once between them")
    func changedFoldTwice() async throws {
        let store = InMemoryStore()
        let log = try TallyLog<InMemoryStore>(store: store)
        for part in 0..<60 { _ = try await log.append(Self.story(100, seed: UInt64(part))) }
        let before = try log.replay()
        log.close()
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    Mailbox().run {
                        let newer = try EventLog<DoublingSchema, InMemoryStore>(store: store)
                        let report = try newer.verify()
                        #expect(report.isSound && report.comparedRows)
                        newer.close()
                    }
                }
            }
        }
        let newer = try EventLog<DoublingSchema, InMemoryStore>(store: store)
        #expect(try newer.replay().states.map(\.sum) == before.states.map { 2 * $0.sum })
        #expect(try newer.verify().isSound)
        newer.close()
    }

    @Test("A log whose fold another process replaced says so")
    func replacedFold() async throws {
        let store = InMemoryStore()
        let older = try TallyLog<InMemoryStore>(store: store)
        _ = try await older.append([Tally.request("a")])
        let newer = try EventLog<DoublingSchema, InMemoryStore>(store: store)
        let append = await #expect(throws: LogError.self) {
            try await older.append([Tally.request("a")])
        }
        let read = #expect(throws: LogError.self) {
            try older.read { (snapshot) throws in try snapshot.state(of: 0) }
        }
        #expect(append?.code == .foldVersionChanged)
        #expect(read?.code == .foldVersionChanged)
        try older.read { (snapshot) throws in #expect(try snapshot.record(at: 0).position == 0) }
        _ = try await newer.append([Tally.request("a")])
        newer.close()
        older.close()
    }
}
