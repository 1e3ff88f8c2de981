import Cryptography
import EventLogTestKit
import Testing

@testable import EventLog

@Suite("Verification")
struct VerifyTests {
    /// A change behind the log's back, and the word that verification must have for it.
    struct Damage: Sendable, CustomTestStringConvertible {
        let id: String
        let word: VerificationReport.Word
        var position: UInt64?
        let change: @Sendable (TestStore.Writer) throws(LogError) -> Void
        var testDescription: String { id }
    }

    /// Replaces a record with another that is hashed rightly.
    private static func rewrite(
        _ position: UInt64, _ offset: Int, _ bytes: [UInt8], _ writer: TestStore.Writer
    ) throws(LogError) {
        var stored = try writer.value(.log, position) { $0.copied() } ?? []
        stored.removeLast(StorageLayout.checksumByteCount)
        stored.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        try writer.put(.log, position, stored + SHA256.hash([0x00] + stored).bytes.prefix(8))
    }

    private static func number<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) }
    }

    /// The log that is damaged has the streams a (positions 0, 2, 4, …) and b (1, 3, 5, …).
    static let damages: [Damage] = [
        Damage(id: "a payload is edited", word: .edited, position: 4) { (w) throws(LogError) in
            var stored = try w.value(.log, 4) { $0.copied() } ?? []
            stored[145] ^= 1
            try w.put(.log, 4, stored)
        },
        Damage(id: "a record is edited and hashed anew", word: .treeDamaged) {
            (w) throws(LogError) in try rewrite(4, 145, [99], w)
        },
        Damage(id: "a record is deleted", word: .missing, position: 5) { (w) throws(LogError) in
            try w.delete(.log, 5)
        },
        Damage(id: "a record is cut short", word: .unreadable, position: 6) {
            (w) throws(LogError) in try w.put(.log, 6, [1, 2, 3])
        },
        Damage(id: "a record is empty but for its hash", word: .unreadable, position: 6) {
            (w) throws(LogError) in
            try w.put(.log, 6, Array(SHA256.hash([0x00] as [UInt8]).bytes.prefix(8)))
        },
        Damage(id: "a payload length lies", word: .unreadable, position: 7) {
            (w) throws(LogError) in
            try rewrite(7, RecordField.payloadLength, number(UInt32.max), w)
        },
        Damage(id: "two records change places", word: .displaced, position: 2) {
            (w) throws(LogError) in
            let first = try w.value(.log, 2) { $0.copied() } ?? []
            let second = try w.value(.log, 3) { $0.copied() } ?? []
            try w.put(.log, 2, second)
            try w.put(.log, 3, first)
        },
        Damage(id: "a revision is skipped", word: .chainBroken, position: 4) {
            (w) throws(LogError) in try rewrite(4, RecordField.revision, number(UInt32(7)), w)
        },
        Damage(id: "a chain leads elsewhere", word: .chainBroken, position: 4) {
            (w) throws(LogError) in try rewrite(4, RecordField.previous, number(UInt64(1)), w)
        },
        Damage(id: "a stream number is out of turn", word: .chainBroken, position: 4) {
            (w) throws(LogError) in
            try rewrite(4, RecordField.stream, number(UInt64.max - 1), w)
        },
        Damage(id: "a cause lies in the future", word: .causeBroken, position: 4) {
            (w) throws(LogError) in try rewrite(4, RecordField.causation, number(UInt64(4)), w)
        },
        Damage(id: "a time goes back", word: .timeBroken, position: 4) { (w) throws(LogError) in
            try rewrite(4, RecordField.recordedAt, number(Int64(5)), w)
        },
        Damage(id: "a dedupe hash stands twice", word: .duplicate, position: 4) {
            (w) throws(LogError) in try rewrite(4, RecordField.dedupe, number(UInt128(1_000)), w)
        },
        Damage(id: "the frontier is another", word: .treeDamaged) { (w) throws(LogError) in
            let last = try w.lastKey(.blocks) ?? 0
            var row = try w.value(.blocks, last) { $0.copied() } ?? []
            row[row.count - 1] ^= 1
            try w.put(.blocks, last, row)
        },
        Damage(id: "the frontier cannot be read", word: .treeDamaged) { (w) throws(LogError) in
            let last = try w.lastKey(.blocks) ?? 0
            var row = try w.value(.blocks, last) { $0.copied() } ?? []
            row.removeLast(7)
            row[BlockField.frontier] -= 7
            try w.put(.blocks, last, row)
        },
        Damage(id: "a tree node is another", word: .treeDamaged) { (w) throws(LogError) in
            try w.put(.tree, TreeKey.key(level: 8, index: 0), Digest.zero.bytes)
        },
        Damage(id: "a tree node is missing", word: .treeDamaged) { (w) throws(LogError) in
            try w.delete(.tree, TreeKey.key(level: 8, index: 0))
        },
        Damage(id: "a tree node is too many", word: .treeDamaged) { (w) throws(LogError) in
            try w.put(.tree, TreeKey.key(level: 8, index: 5), Digest.zero.bytes)
        },
        Damage(id: "a block is another", word: .blockDiffers, position: 0) {
            (w) throws(LogError) in
            var row = try w.value(.blocks, 0) { $0.copied() } ?? []
            row[BlockField.types] ^= 1
            try w.put(.blocks, 0, row)
        },
        Damage(id: "an identity leads nowhere", word: .identityLost) { (w) throws(LogError) in
            try w.put(.ids, IdentityKey.route(Tally.key("a")), number(UInt64(99)))
        },
        Damage(id: "an identity cannot be read", word: .identityLost) { (w) throws(LogError) in
            try w.put(.ids, IdentityKey.route(Tally.key("a")), [1])
        },
        Damage(id: "a shared identity contradicts itself", word: .identityLost) {
            (w) throws(LogError) in
            try w.put(.ids, IdentityKey.shared(Tally.key("o"), stream: 1), number(UInt64(0)))
        },
        Damage(id: "a chunk of identities is cut short", word: .identityLost) {
            (w) throws(LogError) in
            let first = try w.lastKey(.fresh) ?? 0
            let chunk = try w.value(.fresh, first) { $0.copied() } ?? []
            try w.put(.fresh, first, chunk.dropLast())
        },
        Damage(id: "a state row is another", word: .rowDiffers) { (w) throws(LogError) in
            var row = try w.value(.streamsA, 0) { $0.copied() } ?? []
            row[StreamField.state] ^= 1
            try w.put(.streamsA, 0, row)
        },
        Damage(id: "a state row has another count", word: .rowDiffers) { (w) throws(LogError) in
            var row = try w.value(.streamsA, 0) { $0.copied() } ?? []
            row[StreamField.count] ^= 1
            try w.put(.streamsA, 0, row)
        },
        Damage(id: "a state row is missing", word: .rowDiffers) { (w) throws(LogError) in
            try w.delete(.streamsA, 0)
        },
        Damage(id: "a state row cannot be read", word: .rowDiffers) { (w) throws(LogError) in
            try w.put(.streamsA, 1, [1, 2])
        },
        Damage(id: "a state row is too many", word: .rowDiffers) { (w) throws(LogError) in
            let row = try w.value(.streamsA, 0) { $0.copied() } ?? []
            try w.put(.streamsA, 2, row)
        },
        Damage(id: "an open row is missing", word: .rowDiffers) { (w) throws(LogError) in
            try w.delete(.openA, 0)
        },
        Damage(id: "an open row is too many", word: .rowDiffers) { (w) throws(LogError) in
            try w.put(.openA, 1, number(Int64(5)))
        },
        Damage(id: "an outcome row is missing", word: .rowDiffers) { (w) throws(LogError) in
            let last = try w.lastKey(.outcomesA) ?? 0
            try w.delete(.outcomesA, last)
        },
        Damage(id: "an outcome row is another", word: .rowDiffers) { (w) throws(LogError) in
            let last = try w.lastKey(.outcomesA) ?? 0
            try w.put(.outcomesA, last, [0])
        },
    ]

    /// A log of 300 records in two streams, a open and b closed, with everything in its rows.
    private func fill(_ log: TallyLog<TestStore>) async throws {
        for index in 0..<150 as Range<UInt128> {
            let type = index == 149 ? TallySchema.closed : TallySchema.opened
            _ = try await log.append([
                AppendRequest(
                    identities: [Tally.joins("a"), Tally.finds("o")],
                    drafts: [
                        Tally.draft(TallySchema.opened, dedupe: 1_000 + index, payload: [7, 8, 9])
                    ]),
                Tally.request("b", drafts: [Tally.draft(type, payload: [1, 2, 3])]),
            ])
        }
    }

    @Test("Each kind of damage has its word", arguments: Engine.allCases, damages)
    func damage(_ engine: Engine, _ damage: Damage) async throws {
        try await withPlace(engine) { place in
            let log = try place.log()
            try await fill(log)
            try log.checkpoint()
            let before = try log.verify()
            #expect(before.isSound && before.comparedRows)
            #expect(before.end == 300 && before.streams == 2 && before.blocks == 1)
            #expect(before.identities == 3 && before.nodes == 2 && before.rows == 4)
            log.close()
            let store = try place.open()
            try store.write { (writer) throws(LogError) in try damage.change(writer) }
            store.close()
            // What the writer would refuse is looked at all the same.
            let damaged = try place.log()
            let report = try damaged.verify()
            #expect(!report.isSound)
            let found = report.findings.first { $0.word == damage.word }
            #expect(found != nil, "found \(report.findings.map(\.word))")
            #expect(damage.position == nil || found?.position == damage.position)
            damaged.close()
        }
    }

    @Test("A bit flipped in any byte of any stored record is found, by its position")
    func flips() async throws {
        let store = InMemoryStore()
        let log = try TallyLog<InMemoryStore>(store: store, clock: StepClock(), ids: CountingIDs())
        _ = try await log.append([
            Tally.request(
                "a", drafts: [Tally.draft(payload: [1, 2, 3, 4]), Tally.draft(dedupe: 9)]),
            Tally.request("b", drafts: [Tally.draft(TallySchema.closed, payload: [5])]),
        ])
        try log.checkpoint()
        var flips = 0
        for position in 0..<3 as Range<UInt64> {
            let stored = try store.read { (reader) throws(LogError) in
                try reader.value(.log, position) { $0.copied() } ?? []
            }
            for index in stored.indices {
                for bit in [0, 7] {
                    var flipped = stored
                    flipped[index] ^= 1 << UInt8(bit)
                    try store.write { (writer) throws(LogError) in
                        try writer.put(.log, position, flipped)
                    }
                    let report = try log.verify()
                    let named = report.findings.contains {
                        $0.position == position && $0.word == .edited
                    }
                    #expect(named, "position \(position), byte \(index), bit \(bit)")
                    flips += 1
                }
            }
            try store.write { (writer) throws(LogError) in
                try writer.put(.log, position, stored)
            }
        }
        #expect(flips == 2 * (3 * 152 + 5))
        #expect(try log.verify().isSound)
        log.close()
    }

    @Test("Rows that cannot be compared are not called sound")
    func uncompared() async throws {
        let store = InMemoryStore()
        let log = try TallyLog<InMemoryStore>(store: store)
        _ = try await log.append([Tally.request("a"), Tally.request("b")])
        try store.write { (writer) throws(LogError) in try writer.put(.log, 1, [1]) }
        let report = try log.verify()
        #expect(!report.comparedRows && !report.isSound)
        #expect(report.end == 2)
        let error = #expect(throws: LogError.self) {
            try log.read { (snapshot) throws in try snapshot.record(at: 1) }
        }
        #expect(error?.code == .damaged && error?.position == 1)
        log.close()
    }

    @Test("Progress reaches the end, and what comes meanwhile is looked at too")
    func progress() async throws {
        try await withLog(.memory) { log in
            try await fill(log)
            let steps = Steps()
            let report = try log.verify { step in
                steps.add(step)
                _ = try? log.appendBlocking([Tally.request("late")])
            }
            #expect(steps.all == [LogProgress(done: 300, total: 300)])
            #expect(report.end == 301 && report.isSound)
            #expect(
                try log.read { (snapshot) throws in try snapshot.frontier().root() } == report.root)
        }
    }
}
