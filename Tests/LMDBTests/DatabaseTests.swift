import LMDB
import Testing

@Suite("Databases")
struct DatabaseTests {
    static let mixedKeys: [UInt64] = [65_536, 1, 256, 16_777_216, 65_535, 255, .max, 0]

    @Test("of numbers are scanned in the order of the numbers")
    func integerOrder() throws {
        try withStore { store throws in
            try store.environment.write { transaction throws in
                for key in Self.mixedKeys { try transaction.put(store.log, key, [UInt8(1)]) }
            }
            #expect(try store.logKeys() == Self.mixedKeys.sorted())
            #expect(try store.environment.read { try $0.lastKey(store.log) } == .max)
        }
    }

    @Test("of bytes keep big-endian numbers in the order of the numbers")
    func bigEndianOrder() throws {
        try withStore { store throws in
            try store.environment.write { transaction throws in
                for key in Self.mixedKeys {
                    try transaction.put(store.ids, BigEndianKey(key), [UInt8]())
                }
            }
            var found: [UInt64] = []
            try store.environment.read { transaction throws in
                try transaction.forEach(store.ids) { key, value in
                    #expect(value.byteCount == 0)
                    found.append(BigEndianKey(key)?.value ?? 0)
                    return .next
                }
            }
            #expect(found == Self.mixedKeys.sorted())
        }
    }

    @Test("give back values of any length")
    func values() throws {
        try withStore { store throws in
            let lengths = [0, 1, 100, 2_000, 5_000, 300_000]
            try store.environment.write { transaction throws in
                for length in lengths {
                    let value = [UInt8](repeating: UInt8(length % 251), count: length)
                    try transaction.put(store.log, UInt64(length), value)
                }
            }
            for length in lengths {
                let value = try store.environment.read { transaction throws in
                    try transaction.getBytes(store.log, UInt64(length))
                }
                #expect(value == [UInt8](repeating: UInt8(length % 251), count: length))
            }
            let absent = try store.environment.read { try $0.getBytes(store.log, UInt64(7)) }
            #expect(absent == nil)
        }
    }

    @Test("refuse byte keys that are empty or longer than 511 bytes", arguments: [0, 512, 600])
    func keySize(_ length: Int) throws {
        try withStore { store throws in
            let key = [UInt8](repeating: 1, count: length)
            #expect(
                code {
                    try store.environment.write { try $0.put(store.ids, key, [UInt8(1)]) }
                } == .keySize)
            #expect(
                code { try store.environment.read { _ = try $0.getBytes(store.ids, key) } }
                    == .keySize)
            #expect(try store.environment.read { try $0.count(store.ids) } == 0)
        }
    }

    @Test("take byte keys of 1 and of 511 bytes")
    func longestKey() throws {
        try withStore { store throws in
            for length in [1, 511] {
                let key = [UInt8](repeating: 1, count: length)
                try store.environment.write { try $0.put(store.ids, key, [UInt8(9)]) }
                #expect(try store.environment.read { try $0.getBytes(store.ids, key) } == [9])
            }
        }
    }

    @Test("append only above the last key, and the transaction goes on after a refusal")
    func append() throws {
        try withStore { store throws in
            try store.environment.write { transaction throws in
                try transaction.append(store.log, UInt64(5), [UInt8(5)])
                for key: UInt64 in [5, 4, 0] {
                    let error = #expect(throws: LMDBError.self) {
                        try transaction.append(store.log, key, [UInt8(0)])
                    }
                    #expect(error?.code == .keyExists)
                }
                try transaction.append(store.log, UInt64(6), [UInt8(6)])
            }
            #expect(try store.logKeys() == [5, 6])
            #expect(try store.environment.read { try $0.getBytes(store.log, UInt64(5)) } == [5])
        }
    }

    @Test("insert only new keys, put over old ones, delete and empty")
    func changes() throws {
        try withStore { store throws in
            try store.environment.write { transaction throws in
                try transaction.insert(store.ids, [1], [UInt8(1)])
                let error = #expect(throws: LMDBError.self) {
                    try transaction.insert(store.ids, [1], [UInt8(2)])
                }
                #expect(error?.code == .keyExists)
                #expect(try transaction.getBytes(store.ids, [1]) == [1])
                try transaction.put(store.ids, [1], [UInt8(3)])
                #expect(try transaction.getBytes(store.ids, [1]) == [3])
                #expect(try transaction.delete(store.ids, [1]))
                #expect(try !transaction.delete(store.ids, [1]))
                try transaction.put(store.ids, [2], [UInt8(1)])
                #expect(try transaction.count(store.ids) == 1)
                try transaction.deleteAll(store.ids)
                #expect(try transaction.count(store.ids) == 0)
                #expect(try transaction.lastKey(store.ids) == nil)
            }
        }
    }

    @Test("have values written in place")
    func reserve() throws {
        try withStore { store throws in
            try store.environment.write { transaction throws in
                for key in UInt64(0)..<3 {
                    try transaction.reserve(store.log, key, byteCount: 4, appending: true) {
                        $0.copyBytes(from: [UInt8](repeating: UInt8(key), count: 4))
                    }
                }
            }
            #expect(
                try store.environment.read { try $0.getBytes(store.log, UInt64(2)) } == [
                    2, 2, 2, 2,
                ])
        }
    }

    @Test("give copies that later writes do not change")
    func copies() throws {
        try withStore { store throws in
            try store.environment.write {
                try $0.put(store.ids, [1], [UInt8](repeating: 1, count: 99))
            }
            let kept = try store.environment.read { transaction throws in
                try transaction.get(store.ids, [1]) { [UInt8](copying: $0) }
            }
            for round in UInt8(2)..<20 {
                try store.environment.write {
                    try $0.put(store.ids, [1], [UInt8](repeating: round, count: 99))
                }
            }
            #expect(kept == [UInt8](repeating: 1, count: 99))
        }
    }

    @Test("are known by the names and kinds they were declared with")
    func declarations() throws {
        try withStore { store throws in
            #expect(code { _ = try store.environment.byteDatabase("other") } == .unknownDatabase)
            #expect(code { _ = try store.environment.byteDatabase("log") } == .incompatible)
            #expect(code { _ = try store.environment.integerDatabase("ids") } == .incompatible)
        }
    }
}
