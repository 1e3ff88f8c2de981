import Foundation
import LMDB
import Synchronization
import TestSupport
import Testing

@Suite("Growing stores")
struct GrowthTests {
    static func fill(
        _ store: Store, batches: Range<UInt64>, rows: UInt64 = 100, length: Int = 3_000
    ) throws -> Int {
        var runs = 0
        for batch in batches {
            try store.environment.write { transaction in
                runs += 1
                for row in 0..<rows {
                    try transaction.append(
                        store.log, batch * rows + row,
                        [UInt8](repeating: UInt8(batch), count: length))
                }
            }
        }
        return runs
    }

    @Test("begin in one megabyte and take whole batches, some of which run again in a larger map")
    func growth() throws {
        try withStore { store in
            #expect(try store.environment.statistics().mapBytes == 1 << 20)
            let runs = try Self.fill(store, batches: 0..<40)
            #expect(runs > 40, "no batch ever met a full map")
            #expect(runs < 50)
            #expect(try store.logKeys() == Array(0..<4_000))
            #expect(try store.environment.statistics().mapBytes >= 16 << 20)
        }
    }

    @Test("run a closure again when only the commit finds the map full, after every put said yes")
    func fullAtCommit() throws {
        var options = twoDatabases
        options.mapBytes = 1 << 17
        var fullAtCommit = 0
        for length in stride(from: 500, through: 9_000, by: 500) {
            try withStore(options) { store in
                for row in UInt64(0)..<60 {
                    var runs = 0
                    var fullInBody = 0
                    try store.environment.write { transaction in
                        runs += 1
                        do throws(LMDBError) {
                            try transaction.append(
                                store.log, row, [UInt8](repeating: 1, count: length))
                        } catch {
                            fullInBody += 1
                            throw error
                        }
                    }
                    fullAtCommit += runs - 1 - fullInBody
                }
                #expect(try store.logKeys() == Array(0..<60))
            }
        }
        #expect(fullAtCommit > 0, "no commit ever met a full map")
    }

    @Test("grow for one transaction as often as it takes")
    func manyGrowths() throws {
        try withStore { store in
            let runs = try Self.fill(store, batches: 0..<1, rows: 4_000)
            #expect(runs == 5)
            #expect(try store.environment.read { try $0.count(store.log) } == 4_000)
        }
    }

    @Test("run a closure again even when it swallowed the error of the full map")
    func swallowed() throws {
        try withStore { store in
            try store.environment.write { transaction in
                for key in UInt64(0)..<1_000 {
                    try? transaction.append(store.log, key, [UInt8](repeating: 1, count: 3_000))
                }
            }
            #expect(try store.environment.read { try $0.count(store.log) } == 1_000)
        }
    }

    @Test("stop at the byte ceiling with the whole batch absent, and stay usable")
    func ceiling() throws {
        var options = twoDatabases
        options.maximumBytes = 2 << 20
        try withStore(options) { store in
            _ = try Self.fill(store, batches: 0..<2)
            #expect(code { _ = try Self.fill(store, batches: 2..<3, rows: 1_000) } == .mapFull)
            #expect(try store.logKeys() == Array(0..<200))
            #expect(try store.environment.statistics().mapBytes == 2 << 20)
            try store.environment.write { try $0.append(store.log, UInt64(200), [UInt8(1)]) }
            #expect(try store.logKeys() == Array(0...200))
        }
    }

    @Test("do not move under a reader: growing waits for it")
    func readerDuringGrowth() throws {
        try withStore { store in
            _ = try Self.fill(store, batches: 0..<1)
            let isReading = DispatchSemaphore(value: 0)
            let didMeetFullMap = DispatchSemaphore(value: 0)
            let rows = Atomic<Int>(0)
            let order = Mutex<[String]>([])
            onThreads([
                {
                    try? store.environment.read { transaction in
                        isReading.signal()
                        didMeetFullMap.wait()
                        for _ in 0..<300 {
                            try transaction.forEach(store.log) { _, value in
                                let sum = value.withUnsafeBytes { $0.reduce(0) { $0 &+ Int($1) } }
                                rows.add(sum == 0 ? 1 : 1_000_000, ordering: .relaxed)
                                return .next
                            }
                        }
                        order.withLock { $0.append("read") }
                    }
                },
                {
                    isReading.wait()
                    _ = try? store.environment.write { transaction in
                        for row in UInt64(100)..<1_000 {
                            do throws(LMDBError) {
                                try transaction.append(
                                    store.log, row, [UInt8](repeating: 1, count: 3_000))
                            } catch {
                                if error.code == .mapFull { didMeetFullMap.signal() }
                                throw error
                            }
                        }
                    }
                    order.withLock { $0.append("grown") }
                },
            ])
            #expect(rows.load(ordering: .relaxed) == 30_000)
            #expect(order.withLock { $0 } == ["read", "grown"])
            #expect(try store.environment.read { try $0.count(store.log) } == 1_000)
        }
    }

    @Test("are followed by other processes that have them open")
    func otherProcess() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.path
            let store = try Store(path)
            defer { store.environment.close() }
            await #expect(processExitsWith: .success) { [path = path as String] in
                let store = try Store(path)
                _ = try GrowthTests.fill(store, batches: 0..<20)
                store.environment.close()
            }
            #expect(try store.logKeys() == Array(0..<2_000))
            await #expect(processExitsWith: .success) { [path = path as String] in
                let store = try Store(path)
                _ = try GrowthTests.fill(store, batches: 20..<60)
                store.environment.close()
            }
            // The first thing this process does now is to write, not to read.
            try store.environment.write { try $0.append(store.log, UInt64(6_000), [UInt8(1)]) }
            #expect(try store.environment.read { try $0.count(store.log) } == 6_001)
            #expect(try store.environment.statistics().mapBytes >= 16 << 20)
        }
    }

    @Test("take a smaller map where the address space is short, and say so when that ends")
    func addressSpace() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.path
            await #expect(processExitsWith: .success) { [path = path as String] in
                // Room for what is mapped already and for 100 MB more.
                let pages =
                    try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
                    .split(separator: " ").first.flatMap { UInt($0) } ?? 0
                let bytes = pages * UInt(getpagesize()) + (100 << 20)
                var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
                setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
                var options = twoDatabases
                options.mapBytes = 1 << 40
                let store = try Store(path, options)
                #expect(try store.environment.statistics().mapBytes == 64 << 20)
                var batches: UInt64 = 0
                let error = #expect(throws: LMDBError.self) {
                    while batches < 100 {
                        _ = try GrowthTests.fill(
                            store, batches: batches..<batches + 1, rows: 10, length: 100_000)
                        batches += 1
                    }
                }
                #expect(error?.code == .mapFull)
                #expect(try store.logKeys() == Array(0..<batches * 10))
            }
        }
    }

    @Test("report a full disk as such, keep what was there, and go on when there is room")
    func fullDisk() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.path
            await #expect(processExitsWith: .success) { [path = path as String] in
                signal(SIGXFSZ, SIG_IGN)
                var options = twoDatabases
                options.mapBytes = 64 << 20
                let store = try Store(path, options)
                _ = try GrowthTests.fill(store, batches: 0..<3)
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                limit.rlim_cur = 2 << 20
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                for rows in [UInt64(1_000), 2_000] {
                    do {
                        _ = try GrowthTests.fill(store, batches: 3..<4, rows: rows)
                        preconditionFailure("3 MB fit into 2 MB")
                    } catch let error as LMDBError {
                        precondition(error.code == .diskFull && !error.outcomeUnknown, "\(error)")
                    }
                }
                #expect(try store.logKeys() == Array(0..<300))
                limit.rlim_cur = limit.rlim_max
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                _ = try GrowthTests.fill(store, batches: 3..<20)
                #expect(try store.logKeys() == Array(0..<2_000))
            }
        }
    }
}
