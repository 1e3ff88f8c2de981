import EventLogTestKit
import Foundation
import TestSupport
import Testing

@testable import EventLog

@Suite("Opening")
struct OpeningTests {
    @Test("A ledger keeps its identity", arguments: Engine.allCases)
    func identity(_ engine: Engine) async throws {
        try await withPlace(engine) { place in
            let first = try place.log(clock: StepClock(step: 0), ids: RandomLogIDSource())
            let identity = first.identity
            #expect(identity.createdAt == 1_700_000_000_000_000 && identity.epoch == 0)
            first.close()
            let second = try place.log(ids: RandomLogIDSource())
            #expect(second.identity == identity)
            try second.read { #expect($0.identity == identity) }
            second.close()
        }
    }

    @Test("A ledger of a newer format is refused and not changed", arguments: Engine.allCases)
    func newer(_ engine: Engine) async throws {
        try await withPlace(engine) { place in
            let store = try place.open()
            let mark = MetaKey.formatMark + [StorageLayout.formatVersion + 1]
            try store.write { (writer) throws(LogError) in
                try writer.put(.meta, MetaKey.format, mark)
            }
            let commits = store.commitCounter
            let error = #expect(throws: LogError.self) {
                try TallyLog<TestStore>(store: store)
            }
            #expect(error?.code == .formatTooNew)
            #expect(store.commitCounter == commits)
            store.close()
        }
    }

    @Test("What is not a ledger is refused and not changed", arguments: Engine.allCases)
    func foreign(_ engine: Engine) async throws {
        for key in [MetaKey.format, []] as [[UInt8]] {
            try await withPlace(engine) { place in
                let store = try place.open()
                try store.write { (writer) throws(LogError) in
                    if key.isEmpty {
                        try writer.put(.log, 0, [1])
                    } else {
                        try writer.put(.meta, key, Array("else".utf8))
                    }
                }
                let commits = store.commitCounter
                let error = #expect(throws: LogError.self) {
                    try TallyLog<TestStore>(store: store)
                }
                #expect(error?.code == .notALedger)
                #expect(store.commitCounter == commits)
                store.close()
            }
        }
    }

    @Test("A file that is no store is refused and not changed")
    func notAStore() throws {
        try withTemporaryDirectory { directory in
            let file = directory.appendingPathComponent("data.mdb")
            let bytes = Data("this is a text file\n".utf8)
            try bytes.write(to: file)
            let error = #expect(throws: LogError.self) {
                try LMDBStore(directory: directory.path)
            }
            #expect(error?.code == .notALedger)
            #expect(try Data(contentsOf: file) == bytes)
        }
    }

    @Test("A ledger that is opened for reading is read and not written")
    func readOnly() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.appendingPathComponent("log").path
            let log = try TallyLog<LMDBStore>(store: LMDBStore(directory: path))
            _ = try await log.append([Tally.request("a")])
            log.close()
            let store = try LMDBStore(directory: path, isReadOnly: true)
            let reader = try TallyLog<LMDBStore>(store: store)
            #expect(try reader.verify().isSound)
            let error = await #expect(throws: LogError.self) {
                try await reader.append([Tally.request("a")])
            }
            #expect(error?.code.rawValue == "READ_ONLY")
            reader.close()
        }
    }

    @Test("The documented layout is the layout on disk")
    func layout() async throws {
        let store = InMemoryStore()
        let log = try TallyLog<InMemoryStore>(
            store: store, clock: SameClock(), ids: CountingIDs())
        let draft = EventDraft(
            type: 0x0203, eventID: EventID(value: 0x1122), occurredAt: 0x0A0B,
            dedupe: DedupeHash(value: 0x33), domain: Tally.draft(amount: 0x44).domain,
            payload: [0xEE])
        _ = try await log.append([
            Tally.request("a", drafts: [draft]), Tally.request("a", drafts: [draft]),
        ])
        _ = try await log.append([
            Tally.request("a", drafts: [Tally.draft(cause: .position(0))])
        ])
        let stored = try store.read { (reader) throws(LogError) in
            [
                try reader.value(.log, 0) { $0.copied() } ?? [],
                try reader.value(.log, 1) { $0.copied() } ?? [],
            ]
        }
        let none = [UInt8](repeating: 0xFF, count: 8)
        func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
        var expected: [UInt8] = [1, 0, 0x03, 0x02, 1, 0, 0, 0]
        expected += zeros(8) + zeros(8) + zeros(4) + zeros(4) + none + none
        expected += [0x22, 0x11] + zeros(14)
        expected += withUnsafeBytes(of: SameClock().now().littleEndian) { [UInt8]($0) }
        expected += [0x0B, 0x0A] + zeros(6)
        expected += [0x33] + zeros(15) + [0x44] + zeros(47) + [0xEE]
        #expect(stored[0].dropLast(8).elementsEqual(expected))
        #expect(stored[0].count == 144 + 1 + 8)
        #expect(Array(stored[1][24..<48]) == [1] + zeros(7) + zeros(8) + zeros(8))
        #expect(Array(stored[1][72..<80]) == zeros(7) + [0x80])
        log.close()
    }
}
