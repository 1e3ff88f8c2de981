import Foundation
import LMDB
import TestSupport
import Testing

@Suite("Disks that fail")
struct FailingDiskTests {
    /// Puts another file in the place of the data file's descriptors of this process.
    static func replaceDataFile(_ path: String, by substitute: String, _ flags: Int32) {
        let other = open(substitute, flags)
        for descriptor in Int32(3)..<256 where descriptor != other {
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(descriptor)")
            if target?.hasSuffix(path + "/data.mdb") == true {
                dup2(other, descriptor)
            }
        }
    }

    @Test("leave the outcome of a commit unknown, and nothing is written until reopening")
    func unknownOutcome() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.path
            try Store(path).environment.close()
            await #expect(processExitsWith: .success) { [path = path as String] in
                let store = try Store(path)
                try store.environment.write { try $0.put(store.log, UInt64(1), [UInt8(1)]) }
                FailingDiskTests.replaceDataFile(path, by: "/dev/null", O_RDONLY)
                let error = #expect(throws: LMDBError.self) {
                    try store.environment.write { try $0.put(store.log, UInt64(2), [UInt8(1)]) }
                }
                #expect(error?.outcomeUnknown == true)
                for _ in 0..<2 {
                    let later = #expect(throws: LMDBError.self) {
                        try store.environment.write { _ in }
                    }
                    #expect(later?.code == .panic)
                    #expect(later?.outcomeUnknown == false)
                }
                #expect(try store.logKeys() == [1])
                store.environment.close()
                let again = try Store(path)
                try again.environment.write { try $0.put(again.log, UInt64(3), [UInt8(1)]) }
                #expect(try again.logKeys() == [1, 3])
            }
        }
    }

    @Test("for lack of room are reported as full, and writing is not stopped")
    func noSpace() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.path
            try Store(path).environment.close()
            await #expect(processExitsWith: .success) { [path = path as String] in
                let store = try Store(path)
                FailingDiskTests.replaceDataFile(path, by: "/dev/full", O_RDWR)
                for _ in 0..<2 {
                    let error = #expect(throws: LMDBError.self) {
                        try store.environment.write {
                            try $0.put(store.log, UInt64(2), [UInt8](repeating: 1, count: 9_000))
                        }
                    }
                    #expect(error?.code == .diskFull)
                    #expect(error?.number == ENOSPC)
                    #expect(error?.outcomeUnknown == false)
                }
                #expect(try store.logKeys() == [])
            }
        }
    }
}
