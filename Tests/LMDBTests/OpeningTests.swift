import Foundation
import LMDB
import TestSupport
import Testing

@Suite("Opening a store")
struct OpeningTests {
    @Test("makes a directory and files that only the owner can read")
    func modes() throws {
        try withTemporaryDirectory { directory in
            let path = directory.appendingPathComponent("shop.ledger").path
            let store = try Store(path)
            defer { store.environment.close() }
            let mode = { (path: String) in
                var status = stat()
                return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
            }
            #expect(mode(path) == 0o700)
            #expect(mode(path + "/data.mdb") == 0o600)
            #expect(mode(path + "/lock.mdb") == 0o600)
        }
    }

    @Test("twice in one process is refused by any path, and the first keeps its data and locks")
    func twice() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.appendingPathComponent("a").path
            let store = try Store(path)
            defer { store.environment.close() }
            try store.environment.write { try $0.put(store.log, UInt64(1), [UInt8(1)]) }
            let link = directory.appendingPathComponent("b").path
            symlink(path, link)
            for alias in [path, path + "/", path + "/../a", link] {
                #expect(code { _ = try Store(alias) } == .alreadyOpen)
            }
            #expect(try store.logKeys() == [1])
            try store.environment.write { try $0.put(store.log, UInt64(2), [UInt8(1)]) }
            let lockPath = path + "/lock.mdb"
            await #expect(processExitsWith: .success) { [lockPath = lockPath as String] in
                var lock = flock()
                lock.l_type = Int16(F_WRLCK)
                lock.l_whence = Int16(SEEK_SET)
                lock.l_len = 1
                let descriptor = open(lockPath, O_RDWR)
                precondition(fcntl(descriptor, F_GETLK, &lock) == 0)
                precondition(lock.l_type == Int16(F_RDLCK), "the lock of the parent is gone")
            }
        }
    }

    @Test("is possible again after closing, and after the last reference is gone")
    func again() throws {
        try withTemporaryDirectory { directory in
            for round in UInt64(1)...3 {
                let store = try Store(directory.path)
                try store.environment.write { try $0.put(store.log, round, [UInt8(1)]) }
                #expect(try store.logKeys() == Array(1...round))
                if round == 1 { store.environment.close() }
            }
        }
    }

    @Test("refuses a file that is not LMDB's and leaves the directory as it was")
    func notAStore() throws {
        try withTemporaryDirectory { directory in
            let file = directory.appendingPathComponent("data.mdb")
            for bytes in [
                Data(repeating: 0x5a, count: 4_096), Data(repeating: 0, count: 8_192),
                Data("SQLite format 3\0".utf8), Data([1]),
            ] {
                try bytes.write(to: file)
                #expect(code { _ = try Store(directory.path) } == .notAStore)
                #expect(try Data(contentsOf: file) == bytes)
                let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
                #expect(names == ["data.mdb"])
            }
        }
    }

    @Test("says of a file that stands in the directory's place what it is")
    func file() throws {
        try withTemporaryDirectory { directory in
            let file = directory.appendingPathComponent("notes.txt")
            try Data("notes".utf8).write(to: file)
            #expect(code { _ = try Store(file.path) } == .notAStore)
            #expect(try Data(contentsOf: file) == Data("notes".utf8))
        }
    }

    @Test("refuses another format, a cut file and a link, and changes none of them")
    func damaged() throws {
        try withTemporaryDirectory { directory in
            let path = directory.appendingPathComponent("a").path
            let file = URL(fileURLWithPath: path + "/data.mdb")
            let store = try Store(path)
            try store.environment.write { transaction in
                for key in UInt64(0)..<100 {
                    try transaction.append(store.log, key, [UInt8](repeating: 1, count: 1_000))
                }
            }
            store.environment.close()
            let whole = try Data(contentsOf: file)
            var newer = whole
            newer[20] = 2
            for (bytes, expected) in [
                (newer, LMDBError.Code.versionMismatch), (whole.prefix(12_288), .corrupted),
                (whole.prefix(4_096), .notAStore),
            ] {
                try bytes.write(to: file)
                #expect(code { _ = try Store(path) } == expected)
                #expect(try Data(contentsOf: file) == bytes)
            }
            try whole.write(to: file)
            #expect(try Store(path).logKeys().count == 100)
            for cut in stride(from: 8_192, to: whole.count, by: 4_096) {
                try whole.prefix(cut).write(to: file)
                #expect(code { _ = try Store(path) } == .corrupted)
            }

            let other = directory.appendingPathComponent("b")
            try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
            symlink(file.path, other.appendingPathComponent("data.mdb").path)
            #expect(code { _ = try Store(other.path) } == .notAStore)
        }
    }

    @Test("takes a file that is short because its last pages were never needed")
    func shortFile() throws {
        try withTemporaryDirectory { directory in
            let store = try Store(directory.path)
            // Small changes leave single free pages for the last transaction to use.
            for round in UInt8(0)..<20 {
                try store.environment.write { try $0.put(store.log, UInt64(1), [round]) }
            }
            try store.environment.write { transaction in
                try transaction.put(store.log, UInt64(2), [UInt8](repeating: 2, count: 200_000))
                try transaction.delete(store.log, UInt64(2))
            }
            let pages = try store.environment.statistics().usedPages
            store.environment.close()
            var status = stat()
            #expect(stat(directory.path + "/data.mdb", &status) == 0)
            #expect(Int(status.st_size) < pages * 4_096, "this library writes such pages")
            #expect(try Store(directory.path).logKeys() == [1])
        }
    }

    @Test("for reading takes no writes and makes no store")
    func readOnly() throws {
        var options = twoDatabases
        options.isReadOnly = true
        try withTemporaryDirectory { directory in
            #expect(code { _ = try Store(directory.path + "/none", options) } == .notFound)
            #expect(code { _ = try Store(directory.path, options) } == .notFound)
            let written = try Store(directory.path)
            try written.environment.write { try $0.put(written.log, UInt64(1), [UInt8(1)]) }
            written.environment.close()
            let store = try Store(directory.path, options)
            #expect(try store.logKeys() == [1])
            #expect(code { try store.environment.write { _ in } } == .readOnly)
        }
    }

    @Test("refuses a database that was made with keys of another kind")
    func otherKind() throws {
        try withTemporaryDirectory { directory in
            try Store(directory.path).environment.close()
            let swapped = EnvironmentOptions(databases: [
                DatabaseDeclaration("log", keys: .bytes)
            ])
            #expect(
                code { _ = try Environment.open(directory: directory.path, swapped) }
                    == .incompatible)
            #expect(try Store(directory.path).logKeys() == [])
        }
    }

    @Test("refuses more databases than it was opened for, and can be opened right afterwards")
    func tooManyDatabases() throws {
        try withTemporaryDirectory { directory throws in
            var options = twoDatabases
            options.maximumDatabases = 1
            #expect(code { _ = try Store(directory.path, options) } == .databasesFull)
            #expect(try Store(directory.path).logKeys() == [])
        }
    }

    @Test(
        "refuses network file systems by name unless it is forced",
        arguments: [
            (0x6969, "NFS"), (0x517B, "SMB"), (0xFF53_4D42, "CIFS"), (0xFE53_4D42, "SMB2"),
            (0x0102_1997, "9p"), (0x6573_5546, "FUSE"),
        ] as [(UInt32, String)])
    func network(_ magic: UInt32, _ name: String) throws {
        try withTemporaryDirectory { directory in
            let open = { (options: EnvironmentOptions) in
                try Environment.open(directory: directory.path, options) { _ in
                    NetworkFileSystem.name(magic: magic)
                }
            }
            let error = #expect(throws: LMDBError.self) { _ = try open(twoDatabases) }
            #expect(error?.code == .networkFileSystem)
            #expect(error?.message.contains(name) == true)
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(names.isEmpty)
            var forced = twoDatabases
            forced.allowsNetworkFileSystem = true
            _ = try open(forced)
        }
    }

    @Test("takes the file systems of this machine", arguments: [0xEF53, 0x0102_1994, 0x5846_5342])
    func local(_ magic: UInt32) {
        #expect(NetworkFileSystem.name(magic: magic) == nil)
    }

    @Test("without permission says which path, and never goes on without locks")
    func permissions() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.appendingPathComponent("shop.ledger").path
            try Store(path).environment.close()
            let cases: [(data: mode_t, lock: mode_t, directory: mode_t, blamed: String)] = [
                (0o666, 0o666, 0o000, ""), (0o666, 0o444, 0o777, "/lock.mdb"),
                (0o000, 0o666, 0o777, "/data.mdb"), (0o444, 0o666, 0o777, "/data.mdb"),
                (0o666, 0o666, 0o555, ""),
            ]
            for sample in cases {
                chmod(path + "/data.mdb", sample.data)
                chmod(path + "/lock.mdb", sample.lock)
                chmod(path, sample.directory)
                let blamed = path + sample.blamed
                await #expect(processExitsWith: .success) {
                    [path = path as String, blamed = blamed as String] in
                    try OpeningTests.expectDenied(path, blamed)
                }
            }
            chmod(path, 0o700)
        }
    }

    /// Gives up root, which no permission stops, for good.
    static func expectDenied(_ path: String, _ blamed: String) throws {
        if getuid() == 0 {
            precondition(setgid(65_534) == 0 && setuid(65_534) == 0)
        }
        var readOnly = twoDatabases
        readOnly.isReadOnly = true
        for options in blamed.hasSuffix("/lock.mdb") ? [twoDatabases, readOnly] : [twoDatabases] {
            let error = #expect(throws: LMDBError.self) { _ = try Store(path, options) }
            #expect(error?.code == .permissionDenied)
            #expect(error?.path == blamed)
        }
    }

    @Test("warns of the library versions that break the locks of other processes")
    func versions() {
        let cases = [(25, false), (26, true), (29, true), (31, true), (32, false), (24, false)]
        for (patch, isBroken) in cases {
            #expect(LMDBLibrary.Version(0, 9, patch).breaksSharedLocks == isBroken)
        }
        #expect(LMDBLibrary.version.major == 0)
        #expect(LMDBLibrary.version.minor >= 9)
    }
}
