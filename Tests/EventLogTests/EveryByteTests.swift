import Cryptography
import EventLogTestKit
import Testing

@testable import EventLog

@Suite("Every byte of every row")
struct EveryByteTests {
    private enum Key: Hashable {
        case number(UInt64)
        case bytes([UInt8])
    }

    private struct Row: Hashable {
        let table: LogTable
        let key: Key
        var value: [UInt8]
    }

    /// What a log answers: records, states, open streams, outcomes, and its signed seals.
    private struct Answers: Equatable {
        var records: [[UInt8]] = []
        var states: [TallySchema.State] = []
        var open: [UInt64] = []
        var outcomes: [UInt64] = []
        var seals: [[UInt8]] = []
        /// Where the names lead.
        var found: [UInt64] = []
    }

    private static let sealing = Sealing(
        origin: "test/log", signers: TestSigners.all, clock: StepClock())

    /// The rows of a sealed log of two streams, one of them closed.
    private static func soundRows() async throws -> [Row] {
        let store = InMemoryStore()
        let log = try TallyLog<InMemoryStore>(store: store, clock: StepClock(), ids: CountingIDs())
        try log.beginSealing(sealing)
        _ = try await log.append([
            AppendRequest(
                identities: [Tally.joins("a"), Tally.finds("o")],
                drafts: [Tally.draft(payload: [1, 2, 3]), Tally.draft(dedupe: 9)]),
            Tally.request("b", drafts: [Tally.draft(TallySchema.closed, payload: [4])]),
        ])
        _ = try log.seal()
        try log.checkpoint()
        log.close()
        return try store.read { (reader) throws(LogError) in
            var rows: [Row] = []
            for table in LogTable.allCases {
                if table.isNumbered {
                    try reader.scan(table, from: 0) { key, value in
                        rows.append(Row(table: table, key: .number(key), value: value.copied()))
                        return .more
                    }
                } else {
                    let first: [UInt8] = []
                    try reader.scan(table, from: first.span.bytes) { key, value in
                        rows.append(
                            Row(table: table, key: .bytes(key.copied()), value: value.copied()))
                        return .more
                    }
                }
            }
            return rows
        }
    }

    private static func log(of rows: [Row]) throws(LogError) -> TallyLog<InMemoryStore> {
        let store = InMemoryStore()
        try store.write { (writer) throws(LogError) in
            for row in rows {
                switch row.key {
                case .number(let key): try writer.put(row.table, key, row.value)
                case .bytes(let key): try writer.put(row.table, key, row.value)
                }
            }
        }
        return try TallyLog<InMemoryStore>(store: store, clock: StepClock(), ids: CountingIDs())
    }

    private static func answers(_ log: TallyLog<InMemoryStore>) throws -> Answers {
        var answers = Answers()
        try log.read { snapshot in
            for position in 0..<snapshot.end {
                answers.records.append(try snapshot.record(at: position).bytes)
            }
            for stream in 0..<2 as Range<UInt64> {
                if let state = try snapshot.state(of: stream) { answers.states.append(state) }
            }
            for name in ["a", "b"] {
                answers.found.append(try snapshot.resolve(Tally.key(name)) ?? .max)
            }
            answers.found += try snapshot.streams(finding: Tally.key("o"))
            try snapshot.forEachOpen { stream, _ in
                answers.open.append(stream)
                return .more
            }
            try snapshot.forEachOutcome { position, _ in
                answers.outcomes.append(position)
                return .more
            }
        }
        for seal in try log.seals() {
            _ = try seal.note.check(with: TestSigners.verifiers)
            answers.seals.append(seal.head.text)
        }
        return answers
    }

    /// What a verification says of the rows: the words that it found, `refused` where the log is
    /// not even opened; none where it is called sound.
    private static func words(_ rows: [Row], _ anchor: Anchor) -> Set<String> {
        do {
            let log = try log(of: rows)
            defer { log.close() }
            let report = try log.verify(against: [anchor], sealedBy: TestSigners.verifiers)
            // A stored seal that no known key vouches for any more is told by their number.
            if report.isSound, report.signedSeals < report.seals { return ["seal not signed"] }
            return Set(report.findings.map(\.word.rawValue))
        } catch {
            return ["refused"]
        }
    }

    /// The words that belong to a table; at least one of them is found for each of its bytes.
    private static let expected: [LogTable: Set<String>] = [
        .log: ["edited"],
        .seals: ["seal broken", "seal not signed", "history rewritten", "rolled back"],
        .blocks: ["tree damaged", "block differs", "refused"],
        .streamsA: ["row differs"], .openA: ["row differs"], .outcomesA: ["row differs"],
        .fresh: ["identity lost", "refused"], .ids: ["identity lost"],
        .meta: ["refused", "row differs"],
    ]

    @Test("A changed byte is found by its table's word, or every answer is what it was")
    func flips() async throws {
        let sound = try await Self.soundRows()
        let log = try Self.log(of: sound)
        let answers = try Self.answers(log)
        let report = try log.verify()
        log.close()
        let seal = try TreeHead(answers.seals.last ?? [])
        let anchor = Anchor(seal, keptAt: "elsewhere", isOutside: true)
        #expect(Self.words(sound, anchor).isEmpty)
        #expect(seal.size == 3 && report.root == seal.root)
        var found: [LogTable: Int] = [:]
        var harmless: [LogTable: Int] = [:]
        for index in sound.indices {
            let table = sound[index].table
            for place in sound[index].value.indices {
                var rows = sound
                rows[index].value[place] ^= 0x01
                let words = Self.words(rows, anchor)
                guard words.isEmpty else {
                    found[table, default: 0] += 1
                    #expect(
                        !words.isDisjoint(with: Self.expected[table] ?? []),
                        "\(table) \(sound[index].key), byte \(place): \(words)")
                    continue
                }
                harmless[table, default: 0] += 1
                let changed = try Self.log(of: rows)
                var same = try Self.answers(changed)
                // An id's own letters stand in no record that a log without a domain could read:
                // one that was renamed leads where it led, under another name.
                if table == .fresh { same.found = answers.found }
                #expect(
                    same == answers,
                    "\(table) \(sound[index].key), byte \(place) is called sound")
                changed.close()
            }
        }
        // A record or a derived row has no byte that does not count; in a seal the name of its
        // second signature may become a stranger's.
        #expect(Set(harmless.keys).isSubset(of: [.meta, .fresh, .seals]), "\(harmless)")
        #expect(found[.log] == sound.filter { $0.table == .log }.map(\.value.count).reduce(0, +))
        #expect(found[.seals] ?? 0 > 250)
    }

    @Test("No change to a seal's file lets it vouch for anything else")
    func sealFiles() async throws {
        let rows = try await Self.soundRows()
        let bytes = try #require(rows.first { $0.table == .seals }).value
        let seal = try Seal(bytes)
        var passed = 0
        for place in bytes.indices {
            for bit in 0..<8 as Range<UInt8> {
                var changed = bytes
                changed[place] ^= 1 << bit
                guard let other = try? Seal(changed),
                    let checked = try? other.note.check(with: TestSigners.verifiers),
                    checked.contains(where: { $0.verifier.kind == .ed25519 })
                else { continue }
                // The second signature may have become a stranger's; what is stated has not.
                #expect(other.head == seal.head, "byte \(place), bit \(bit)")
                #expect(checked.count == 1)
                passed += 1
            }
        }
        #expect(passed > 0 && passed < 8 * 32)
    }
}
