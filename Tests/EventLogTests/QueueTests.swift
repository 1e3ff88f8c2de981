import EventLog
import EventLogTestKit
import Synchronization
import Testing

@Suite("The writer's queue")
struct QueueTests {
    /// Holds the writer at a point until it is let go.
    final class Barrier: Sendable {
        private let mailbox = Mutex<(isArmed: Bool, isHeld: Bool)>((false, false))

        func arm() { mailbox.withLock { $0 = (true, true) } }
        func letGo() { mailbox.withLock { $0.isHeld = false } }

        func pass(_ point: WritePoint) {
            guard point == .began, mailbox.withLock({ $0.isArmed }) else { return }
            while mailbox.withLock({ $0.isHeld }) { Mailbox.pause() }
        }
    }

    @Test("Many callers at once share transactions", arguments: [Engine.memory, .lmdb])
    func shared(_ engine: Engine) async throws {
        try await withPlace(engine) { place in
            let store = try place.open()
            let log = try TallyLog<TestStore>(store: store)
            let before = store.commitCounter
            let positions = try await withThrowingTaskGroup(of: [UInt64].self) { group in
                for caller in 0..<256 {
                    group.addTask {
                        var positions: [UInt64] = []
                        for _ in 0..<8 {
                            let result = try await log.append([Tally.request("s\(caller)")])
                            positions += result[0].entries.map(\.position)
                        }
                        return positions
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(positions.sorted() == Array(0..<2_048))
            #expect(store.commitCounter - before < 1_024)
            #expect(try log.verify().isSound)
            log.close()
        }
    }

    @Test("One caller's bad batch fails alone in a shared transaction")
    func failsAlone() async throws {
        let barrier = Barrier()
        let store = InMemoryStore()
        let log = try TallyLog<InMemoryStore>(
            store: store, clock: StepClock(), ids: CountingIDs(), reached: barrier.pass)
        barrier.arm()
        async let first = log.append([Tally.request("first")])
        while store.commitCounter == 0 { await Task.yield() }
        let results = await withTaskGroup(of: Bool.self) { group in
            for caller in 0..<40 {
                group.addTask {
                    let expected: ExpectedRevision = caller % 4 == 0 ? .exactly(9) : .any
                    let result = try? await log.append([
                        Tally.request("s\(caller)", expected: expected)
                    ])
                    return result != nil
                }
            }
            for _ in 0..<2_000 { await Task.yield() }
            barrier.letGo()
            return await group.reduce(into: [Bool: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(results == [true: 30, false: 10])
        #expect(try await first[0].entries.count == 1)
        #expect(try log.verify().isSound)
        try log.read { #expect($0.end == 31) }
        log.close()
    }

    @Test("Beyond the queue's bound callers are held back, and may give up")
    func heldBack() async throws {
        let barrier = Barrier()
        let log = try TallyLog<InMemoryStore>(
            store: InMemoryStore(), clock: StepClock(), ids: CountingIDs(), reached: barrier.pass)
        barrier.arm()
        let large = Tally.request(
            "a", drafts: Array(repeating: Tally.draft(), count: Limits.eventsPerAppend))
        // Sixteen fill the queue; the writer may have taken some already.
        let fillers = (0..<40).map { _ in Task { try await log.append([large]) } }
        for _ in 0..<2_000 { await Task.yield() }
        let late = Task { try await log.append([Tally.request("late")]) }
        for _ in 0..<2_000 { await Task.yield() }
        late.cancel()
        let error = await #expect(throws: LogError.self) { try await late.value }
        #expect(error?.code == .cancelled)
        barrier.letGo()
        for filler in fillers { _ = try await filler.value }
        try log.read { (snapshot) throws in
            #expect(snapshot.end == UInt64(40 * Limits.eventsPerAppend))
            #expect(try snapshot.resolve(Tally.key("late")) == nil)
        }
        log.close()
    }

    @Test("What waits when the log is closed is still written")
    func closing() async throws {
        let barrier = Barrier()
        let store = InMemoryStore()
        let log = try TallyLog<InMemoryStore>(
            store: store, clock: StepClock(), ids: CountingIDs(), reached: barrier.pass)
        barrier.arm()
        let waiting = (0..<20).map { number in
            Task { try await log.append([Tally.request("s\(number)")]) }
        }
        for _ in 0..<2_000 { await Task.yield() }
        barrier.letGo()
        log.close()
        var written = 0
        for task in waiting {
            if (try? await task.value) != nil { written += 1 }
        }
        let again = try TallyLog<InMemoryStore>(store: store)
        try again.read { (snapshot) throws in
            #expect(snapshot.end == UInt64(written))
            #expect(try snapshot.statistics().watermark == snapshot.end)
        }
        again.close()
    }

    @Test("A full disk fails the batch, and writing goes on when there is room")
    func full() async throws {
        let store = InMemoryStore()
        let log = try TallyLog<InMemoryStore>(store: store)
        _ = try await log.append([Tally.request("a")])
        store.failCommits(with: LogError(.storageFull, "full", hint: "make room"))
        let error = await #expect(throws: LogError.self) {
            try await log.append([Tally.request("a")])
        }
        #expect(error?.code == .storageFull)
        try log.read { (snapshot) throws in #expect(try snapshot.state(of: 0)?.count == 1) }
        store.failCommits(with: nil)
        _ = try await log.append([Tally.request("a")])
        #expect(try log.verify().isSound)
        log.close()
    }

    @Test("After an outcome that is not known nothing is written until the log is opened again")
    func unknownOutcome() async throws {
        let store = InMemoryStore()
        let log = try TallyLog<InMemoryStore>(store: store)
        _ = try await log.append([Tally.request("a")])
        store.failCommits(with: LogError(.outcomeUnknown, "who knows", hint: "open again"))
        let first = await #expect(throws: LogError.self) {
            try await log.append([Tally.request("a", drafts: [Tally.draft(dedupe: 1)])])
        }
        #expect(first?.code == .outcomeUnknown)
        store.failCommits(with: nil)
        let second = await #expect(throws: LogError.self) {
            try await log.append([Tally.request("a")])
        }
        #expect(second?.code == .stopped)
        try log.read { #expect($0.end == 1) }
        log.close()
        let again = try TallyLog<InMemoryStore>(store: store)
        _ = try await again.append([Tally.request("a", drafts: [Tally.draft(dedupe: 1)])])
        #expect(try again.verify().isSound)
        again.close()
    }
}
