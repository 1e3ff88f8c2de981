import EventLog
import EventLogTestKit
import Foundation
import TestSupport
import Testing

/// A small file system in memory, mounted for one test.
private struct SmallDisk {
    let directory: URL

    /// Nil when this process may not mount.
    init?(at directory: URL, bytes: Int) {
        self.directory = directory
        guard Self.run("/bin/mount", "-t", "tmpfs", "-o", "size=\(bytes)", "tmpfs", directory.path)
        else { return nil }
    }

    func unmount() { _ = Self.run("/bin/umount", directory.path) }

    static var canMount: Bool {
        let made: Bool? = try? withTemporaryDirectory { directory in
            let disk = SmallDisk(at: directory, bytes: 1 << 16)
            disk?.unmount()
            return disk != nil
        }
        return made ?? false
    }

    private static func run(_ program: String, _ arguments: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

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
