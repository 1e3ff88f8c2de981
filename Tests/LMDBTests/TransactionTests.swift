import Foundation
import LMDB
import Synchronization
import Testing

@Suite("Transactions")
struct TransactionTests {
    struct Refused: Error {}

    @Test("leave nothing behind when their closure throws")
    func rollback() throws {
        try withStore { store throws in
            let before = try store.environment.lastTransactionID()
            #expect(throws: Refused.self) {
                try store.environment.write { transaction throws in
                    try transaction.put(store.log, UInt64(1), [UInt8(1)])
                    throw Refused()
                }
            }
            #expect(try store.logKeys() == [])
            #expect(try store.environment.lastTransactionID() == before)
            try store.environment.write { try $0.put(store.log, UInt64(2), [UInt8(1)]) }
            #expect(try store.logKeys() == [2])
            #expect(try store.environment.lastTransactionID() == before + 1)
        }
    }

    @Test("see one unchanging state while others write")
    func snapshot() throws {
        try withStore { store throws in
            try store.environment.write { try $0.put(store.log, UInt64(1), [UInt8(1)]) }
            try store.environment.read { transaction throws in
                onThreads([
                    {
                        _ = try? store.environment.write {
                            try $0.put(store.log, UInt64(2), [UInt8(1)])
                        }
                    }
                ])
                #expect(try transaction.count(store.log) == 1)
                // A second read on the same thread begins now, not then.
                #expect(try store.environment.read { try $0.count(store.log) } == 2)
            }
        }
    }

    @Test("that write come one after the other")
    func serialized() throws {
        try withStore { store throws in
            let failures = Atomic<Int>(0)
            onThreads(
                (0..<8).map { _ in
                    {
                        for _ in 0..<25 {
                            do {
                                try store.environment.write { transaction throws in
                                    let old = try transaction.getBytes(store.ids, [1]) ?? [0]
                                    try transaction.put(store.ids, [1], [old[0] + 1])
                                }
                            } catch {
                                failures.add(1, ordering: .relaxed)
                            }
                        }
                    }
                })
            #expect(failures.load(ordering: .relaxed) == 0)
            #expect(try store.environment.read { try $0.getBytes(store.ids, [1]) } == [200])
        }
    }

    @Test("that read wait for each other beyond the bound")
    func readerBound() throws {
        var options = twoDatabases
        options.concurrentReaders = 2
        try withStore(options) { store in
            let inside = Atomic<Int>(0)
            let most = Atomic<Int>(0)
            let done = Atomic<Int>(0)
            onThreads(
                (0..<6).map { _ in
                    {
                        for _ in 0..<200 {
                            try? store.environment.read { _ in
                                let count = inside.add(1, ordering: .relaxed).newValue
                                most.max(count, ordering: .relaxed)
                                sched_yield()
                                inside.subtract(1, ordering: .relaxed)
                            }
                            done.add(1, ordering: .relaxed)
                        }
                    }
                })
            #expect(most.load(ordering: .relaxed) <= 2)
            #expect(done.load(ordering: .relaxed) == 1_200)
        }
    }

    @Test("fail with a typed error when all reader slots are taken, and work again afterwards")
    func readersFull() throws {
        var options = twoDatabases
        options.maximumReaders = 2
        options.concurrentReaders = 1
        try withStore(options) { store in
            try store.environment.read { _ in
                try store.environment.read { _ in
                    #expect(code { try store.environment.read { _ in } } == .readersFull)
                }
            }
            try store.environment.read { _ in }
        }
    }

    @Test("that read may begin inside one that writes")
    func readInsideWrite() throws {
        try withStore { store throws in
            try store.environment.write { transaction throws in
                try transaction.put(store.log, UInt64(1), [UInt8(1)])
                #expect(try store.environment.read { try $0.count(store.log) } == 0)
            }
            #expect(try store.logKeys() == [1])
        }
    }

    @Test("that write inside another end the process instead of waiting for ever")
    func nestedWrite() async {
        // `try?`: an error would end the process well, so only a trap counts.
        await #expect(processExitsWith: .failure) {
            _ = try? withStore { store in
                try store.environment.write { _ in try store.environment.write { _ in } }
            }
        }
        await #expect(processExitsWith: .failure) {
            _ = try? withStore { store in
                try store.environment.read { _ in try store.environment.write { _ in } }
            }
        }
    }

    @Test("are waited for by closing, and refused afterwards")
    func closing() throws {
        try withStore { store throws in
            let isReading = DispatchSemaphore(value: 0)
            let isClosing = DispatchSemaphore(value: 0)
            let sawEnd = Atomic<Bool>(false)
            let sawOrder = Atomic<Bool>(false)
            onThreads([
                {
                    try? store.environment.read { transaction in
                        isReading.signal()
                        isClosing.wait()
                        for _ in 0..<1_000 { _ = try transaction.count(store.log) }
                        sawEnd.store(true, ordering: .sequentiallyConsistent)
                    }
                },
                {
                    isReading.wait()
                    isReading.signal()
                    store.environment.close()
                    sawOrder.store(
                        sawEnd.load(ordering: .sequentiallyConsistent), ordering: .relaxed)
                },
                {
                    // Refusing others is the first thing that closing does.
                    isReading.wait()
                    isReading.signal()
                    while (try? store.environment.lastTransactionID()) != nil { sched_yield() }
                    isClosing.signal()
                },
            ])
            #expect(sawOrder.load(ordering: .relaxed) == true)
            #expect(code { try store.environment.read { _ in } } == .closed)
            #expect(code { try store.environment.write { _ in } } == .closed)
            #expect(code { _ = try store.environment.lastTransactionID() } == .closed)
            store.environment.close()
        }
    }
}
