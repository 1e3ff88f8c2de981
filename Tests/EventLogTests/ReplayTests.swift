import EventLogTestKit
import Testing

@testable import EventLog

@Suite("Replay in parts")
struct ReplayTests {
    /// Streams that begin all along the log; some are heard of again much later.
    private static func append(to log: TallyLog<TestStore>) async throws {
        for part in 0..<30 {
            let requests = (0..<200).map { index in
                let number = part * 100 + index / 2 - (index % 7 == 0 ? part * 40 : 0)
                return Tally.request(
                    "s\(number)",
                    drafts: [
                        Tally.draft(
                            index % 5 == 0 ? TallySchema.closed : TallySchema.added,
                            amount: Int64(index))
                    ])
            }
            _ = try await log.append(requests)
        }
    }

    @Test(
        "Streams that begin in any part, and go on in any other, are folded whole",
        arguments: [2, 3, 5, 64])
    func beginnings(_ workers: Int) async throws {
        try await withLog(.lmdb) { log in
            try await Self.append(to: log)
            let alone = try log.replay(workers: 1)
            let together = try log.replay(workers: workers)
            #expect(alone.states.count > 2_000)
            #expect(together.end == alone.end)
            #expect(together.states == alone.states)
        }
    }

    @Test(
        "A summary that claims impossible streams is called damaged and takes no memory",
        arguments: [UInt64.max, 1 << 40, 1])
    func impossibleStreams(_ claim: UInt64) async throws {
        try await withPlace(.memory) { place in
            let log = try place.log()
            try await Self.append(to: log)
            log.close()
            let store = try place.open()
            try store.write { (writer) throws(LogError) in
                // The summary of the second block, where one worker's first part may end.
                for block in [UInt64(1), 5] {
                    var row = try writer.value(.blocks, block) { $0.copied() } ?? []
                    withUnsafeBytes(of: claim.littleEndian) { bytes in
                        row.replaceSubrange(
                            BlockField.streams..<BlockField.streams + 8, with: bytes)
                    }
                    try writer.put(.blocks, block, row)
                }
            }
            let damaged = try place.log()
            for workers in [1, 8] {
                let error = #expect(throws: LogError.self) {
                    try damaged.replay(workers: workers)
                }
                #expect(error?.code == .damaged)
            }
            damaged.close()
        }
    }
}
