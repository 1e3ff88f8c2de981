import Foundation
import LMDB
import TestSupport
import Testing

@Suite("Stores and processes")
struct ProcessTests {
    @Test("forget readers that were killed, as soon as another process opens the store")
    func deadReader() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.path
            let store = try Store(path)
            defer { store.environment.close() }
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                let store = try Store(path)
                try store.environment.read { _ in _ = kill(getpid(), SIGKILL) }
            }
            let dead = try store.environment.readers()
            #expect(dead.count == 1)
            #expect(dead.allSatisfy { $0.processID != getpid() })
            await #expect(processExitsWith: .success) { [path = path as String] in
                try Store(path).environment.close()
            }
            #expect(try store.environment.readers().isEmpty)
        }
    }

    @Test("clear killed readers when asked to")
    func clearing() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.path
            let store = try Store(path)
            defer { store.environment.close() }
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                let store = try Store(path)
                try store.environment.read { _ in _ = kill(getpid(), SIGKILL) }
            }
            #expect(try store.environment.clearDeadReaders() == 1)
            #expect(try store.environment.clearDeadReaders() == 0)
        }
    }

    @Test("go on after a writer that was killed, without what it had not committed")
    func deadWriter() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.path
            let store = try Store(path)
            defer { store.environment.close() }
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                let store = try Store(path)
                try store.environment.write { try $0.put(store.log, UInt64(1), [UInt8(1)]) }
                try store.environment.write { transaction in
                    try transaction.put(store.log, UInt64(2), [UInt8(1)])
                    _ = kill(getpid(), SIGKILL)
                }
            }
            try store.environment.write { try $0.put(store.log, UInt64(3), [UInt8(1)]) }
            #expect(try store.logKeys() == [1, 3])
        }
    }

    @Test("lose nothing when two processes write at once")
    func twoWriters() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.path
            let store = try Store(path)
            defer { store.environment.close() }
            async let first: Void = Self.countUp(in: path)
            async let second: Void = Self.countUp(in: path)
            _ = await (first, second)
            let count = try store.environment.read { try $0.getBytes(store.ids, [1]) }
            #expect(count.map { Int($0[0]) << 8 | Int($0[1]) } == 400)
            #expect(try store.environment.read { try $0.count(store.log) } == 400)
        }
    }

    /// Another process that adds 200 to the counter, and as many rows of 5,000 bytes.
    private static func countUp(in path: String) async {
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try Store(path)
            for _ in 0..<200 {
                try store.environment.write { transaction in
                    let old = try transaction.getBytes(store.ids, [1]) ?? [0, 0]
                    let count = UInt64(old[0]) << 8 | UInt64(old[1])
                    let next = count + 1
                    try transaction.put(
                        store.ids, [1], [UInt8(next >> 8), UInt8(truncatingIfNeeded: next)])
                    try transaction.append(
                        store.log, count, [UInt8](repeating: 1, count: 5_000))
                }
            }
        }
    }

    @Test("refuse a child of fork, which may open the store for itself")
    func afterFork() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.path
            await #expect(processExitsWith: .success) { [path = path as String] in
                let store = try Store(path)
                try store.environment.write { try $0.put(store.log, UInt64(1), [UInt8(1)]) }
                // Swift hides fork; other code in a process may still call it.
                typealias Fork = @convention(c) () -> pid_t
                let symbol = try #require(dlsym(nil, "fork"))
                let child = unsafeBitCast(symbol, to: Fork.self)()
                if child == 0 { _exit(ProcessTests.faults(inChildOf: store, path)) }
                var status: Int32 = 0
                waitpid(child, &status, 0)
                precondition(status == 0, "the child met fault \(status >> 8)")
                try store.environment.write { try $0.put(store.log, UInt64(3), [UInt8(1)]) }
                #expect(try store.logKeys() == [1, 2, 3])
            }
        }
    }

    /// The number of the first thing that is wrong; 0 when all is right.
    static func faults(inChildOf store: Store, _ path: String) -> Int32 {
        func isRefused(_ body: () throws -> Void) -> Bool {
            do {
                try body()
                return false
            } catch { return (error as? LMDBError)?.code == .usedAfterFork }
        }
        guard isRefused({ try store.environment.read { _ in } }) else { return 1 }
        guard isRefused({ try store.environment.write { _ in } }) else { return 2 }
        guard isRefused({ _ = try store.environment.lastTransactionID() }) else { return 3 }
        store.environment.close()
        guard let own = try? Store(path) else { return 4 }
        do {
            try own.environment.write { try $0.put(own.log, UInt64(2), [UInt8(1)]) }
        } catch { return 5 }
        own.environment.close()
        return 0
    }

    @Test("see each other's commits by the number of the last transaction")
    func lastTransaction() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.path
            let store = try Store(path)
            defer { store.environment.close() }
            let before = try store.environment.lastTransactionID()
            await #expect(processExitsWith: .success) { [path = path as String] in
                let store = try Store(path)
                try store.environment.write { try $0.put(store.log, UInt64(1), [UInt8(1)]) }
            }
            #expect(try store.environment.lastTransactionID() == before + 1)
            #expect(try store.logKeys() == [1])
        }
    }
}
