import LMDB
import Testing

@Suite("Scans and cursors")
struct ScanTests {
    private func withTens(_ body: (Store) throws -> Void) throws {
        try withStore { store throws in
            try store.environment.write { transaction throws in
                for key in stride(from: UInt64(10), through: 100, by: 10) {
                    try transaction.append(store.log, key, [UInt8(key)])
                    try transaction.append(store.ids, [UInt8(key), 1], [UInt8(key)])
                }
            }
            try body(store)
        }
    }

    @Test(
        "of numbers begin at the first bound and end before the second",
        arguments: [
            (from: UInt64(0), to: UInt64?.none, keys: 10), (from: 15, to: nil, keys: 9),
            (from: 20, to: 20, keys: 0), (from: 20, to: 21, keys: 1), (from: 20, to: 40, keys: 2),
            (from: 101, to: nil, keys: 0), (from: 40, to: 20, keys: 0),
        ])
    func integerBounds(_ sample: (from: UInt64, to: UInt64?, keys: Int)) throws {
        try withTens { store in
            var keys: [UInt64] = []
            try store.environment.read { transaction throws in
                try transaction.forEach(store.log, from: sample.from, to: sample.to) { key, value in
                    #expect(value.withUnsafeBytes { Array($0) } == [UInt8(key)])
                    keys.append(key)
                    return .next
                }
            }
            #expect(keys.count == sample.keys)
            #expect(keys == keys.sorted())
            #expect(keys.allSatisfy { $0 >= sample.from && $0 < sample.to ?? .max })
        }
    }

    @Test("of bytes keep to bounds and prefixes")
    func byteBounds() throws {
        try withTens { store in
            try store.environment.read { transaction throws in
                var first: [UInt8] = []
                let note: (RawSpan, RawSpan) -> ScanStep = { key, _ in
                    first.append(key.withUnsafeBytes { $0[0] })
                    return .next
                }
                try transaction.forEach(store.ids, note)
                #expect(first == Array(stride(from: 10, through: 100, by: 10)))
                first = []
                try transaction.forEach(store.ids, from: [20, 1], to: [40], note)
                #expect(first == [20, 30])
                first = []
                try transaction.forEach(store.ids, from: [20, 2], to: [40, 1, 0], note)
                #expect(first == [30, 40])
                first = []
                try transaction.forEach(store.ids, prefix: [50], note)
                #expect(first == [50])
                first = []
                try transaction.forEach(store.ids, prefix: [51], note)
                #expect(first == [])
            }
        }
    }

    @Test("stop when told to, and pass on what the body throws")
    func early() throws {
        struct Enough: Error {}
        try withTens { store in
            var seen = 0
            try store.environment.read { transaction throws in
                try transaction.forEach(store.log) { _, _ in
                    seen += 1
                    return seen == 3 ? .stop : .next
                }
            }
            #expect(seen == 3)
            #expect(throws: Enough.self) {
                try store.environment.read { transaction throws in
                    try transaction.forEach(store.log) { _, _ in throw Enough() }
                }
            }
            #expect(try store.environment.readers().isEmpty, "the read was ended")
        }
    }

    @Test("move both ways, seek to the next higher key, and say when there is none")
    func cursor() throws {
        try withTens { store in
            try store.environment.read { transaction throws in
                try transaction.withCursor(store.log) { cursor throws in
                    #expect(try cursor.seek(UInt64(11)))
                    #expect(cursor.key == 20)
                    #expect(cursor.withValue { $0.withUnsafeBytes { Array($0) } } == [20])
                    #expect(try cursor.previous())
                    #expect(cursor.key == 10)
                    #expect(try !cursor.previous())
                    #expect(try cursor.last())
                    #expect(cursor.key == 100)
                    #expect(try !cursor.next())
                    #expect(cursor.withValue { $0.byteCount } == 0, "nothing stale is lent")
                    #expect(try cursor.first())
                    #expect(try cursor.next())
                    #expect(cursor.key == 20)
                    #expect(try !cursor.seek(UInt64(101)))
                }
                try transaction.withCursor(store.ids) { cursor throws in
                    #expect(try cursor.seek([30]))
                    #expect(cursor.withKey { [UInt8](copying: $0) } == [30, 1])
                }
            }
        }
    }

    @Test("of an empty database find nothing")
    func empty() throws {
        try withStore { store throws in
            #expect(try store.logKeys() == [])
            try store.environment.read { transaction throws in
                #expect(try transaction.lastKey(store.log) == nil)
                try transaction.withCursor(store.ids) { cursor throws in
                    #expect(try !cursor.first())
                    #expect(try !cursor.last())
                    #expect(try !cursor.seek([1]))
                }
            }
        }
    }
}
