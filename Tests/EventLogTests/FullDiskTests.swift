import EventLog
import EventLogTestKit
import Foundation
import TestSupport
import Testing

@Suite("A full disk")
struct FullDiskTests {
    @Test(
        "A full disk fails the append, keeps what was there, and lets writing go on with room",
        .enabled(if: SmallDisk.canMount, "this process may not mount a small file system"))
    func fullDisk() async throws {
        try await withTemporaryDirectory { directory in
            let disk = try #require(SmallDisk(at: directory, bytes: 3 << 20))
            defer { disk.unmount() }
            let ballast = directory.appendingPathComponent("ballast")
            try Data(count: 1 << 20).write(to: ballast)
            let log = try TallyLog<LMDBStore>(
                store: LMDBStore(directory: directory.appendingPathComponent("log").path))
            defer { log.close() }
            var acknowledged = 0
            let request = Tally.request(
                "a", drafts: [Tally.draft(payload: [UInt8](repeating: 7, count: 20_000))])
            let error = await #expect(throws: LogError.self) {
                while acknowledged < 1_000 {
                    _ = try await log.append([request])
                    acknowledged += 1
                }
            }
            #expect(error?.code == .storageFull)
            #expect(acknowledged > 10)
            let full = try log.verify()
            #expect(full.isSound && full.end == UInt64(acknowledged))
            // It stays full, and says so each time.
            let again = await #expect(throws: LogError.self) { try await log.append([request]) }
            #expect(again?.code == .storageFull)
            try FileManager.default.removeItem(at: ballast)
            _ = try await log.append([request])
            try log.checkpoint()
            let after = try log.verify()
            #expect(after.isSound && after.end == UInt64(acknowledged + 1))
        }
    }
}
