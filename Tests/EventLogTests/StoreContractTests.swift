import EventLog
import EventLogTestKit
import Testing

/// What the log relies on, the same for every engine.
@Suite("Storage engines")
struct StoreContractTests {
    private func bytes(_ byte: UInt8) -> [UInt8] { [byte] }

    private func keys(_ store: TestStore, _ table: LogTable, from: UInt64 = 0) throws -> [UInt64] {
        try store.read { (reader) throws(LogError) in
            var keys: [UInt64] = []
            try reader.scan(table, from: from) { key, _ in
                keys.append(key)
                return .more
            }
            return keys
        }
    }

    @Test("Number keys keep the order of their numbers", arguments: Engine.allCases)
    func numberOrder(_ engine: Engine) async throws {
        try await withPlace(engine) { place in
            let store = try place.open()
            defer { store.close() }
            let numbers: [UInt64] = [256, 1, 65_536, 255, 0, .max - 1, 1 << 40]
            try store.write { (writer) throws(LogError) in
                for number in numbers { try writer.put(.streamsA, number, bytes(1).span.bytes) }
            }
            #expect(try keys(store, .streamsA) == numbers.sorted())
            #expect(try keys(store, .streamsA, from: 2) == numbers.sorted().filter { $0 >= 2 })
            let last = try store.read { (reader) throws(LogError) in
                try reader.lastKey(.streamsA)
            }
            #expect(last == UInt64.max - 1)
        }
    }

    @Test("Byte keys keep the order of their bytes", arguments: Engine.allCases)
    func byteOrder(_ engine: Engine) async throws {
        try await withPlace(engine) { place in
            let store = try place.open()
            defer { store.close() }
            let rows: [[UInt8]] = [[2], [1, 255], [1], [1, 0], [255], [0, 9, 9], [1, 0, 0]]
            try store.write { (writer) throws(LogError) in
                for key in rows { try writer.put(.ids, key.span.bytes, key.span.bytes) }
            }
            let found = try store.read { (reader) throws(LogError) in
                var found: [[UInt8]] = []
                let start: [UInt8] = [1]
                try reader.scan(.ids, from: start.span.bytes) { key, value in
                    found.append(value.withUnsafeBytes { [UInt8]($0) })
                    return key.byteCount == 1 && value.byteCount == 1 && found.count > 4
                        ? .stop : .more
                }
                return found
            }
            #expect(found == [[1], [1, 0], [1, 0, 0], [1, 255], [2]])
        }
    }

    @Test("A write that throws leaves nothing", arguments: Engine.allCases)
    func rollback(_ engine: Engine) async throws {
        try await withPlace(engine) { place in
            let store = try place.open()
            defer { store.close() }
            try store.write { (writer) throws(LogError) in
                try writer.put(.streamsA, 1, bytes(1).span.bytes)
            }
            let before = store.commitCounter
            #expect(throws: LogError.self) {
                try store.write { (writer) throws(LogError) in
                    try writer.put(.streamsA, 1, bytes(2).span.bytes)
                    try writer.put(.streamsA, 2, bytes(2).span.bytes)
                    throw LogError(.invalidRequest, "no", hint: "no")
                }
            }
            #expect(try keys(store, .streamsA) == [1])
            #expect(store.commitCounter == before)
            let value = try store.read { (reader) throws(LogError) in
                try reader.value(.streamsA, 1) { $0.withUnsafeBytes { [UInt8]($0) } }
            }
            #expect(value == [1])
        }
    }

    @Test("Each commit raises the counter", arguments: Engine.allCases)
    func counter(_ engine: Engine) async throws {
        try await withPlace(engine) { place in
            let store = try place.open()
            defer { store.close() }
            var last = store.commitCounter
            for number in 0..<5 as Range<UInt64> {
                try store.write { (writer) throws(LogError) in
                    try writer.put(.seals, number, bytes(1).span.bytes)
                }
                #expect(store.commitCounter > last)
                last = store.commitCounter
            }
        }
    }

    @Test("Appending takes rising keys only", arguments: Engine.allCases, [5, 4] as [UInt64])
    func appendOrder(_ engine: Engine, _ key: UInt64) async throws {
        try await withPlace(engine) { place in
            let store = try place.open()
            defer { store.close() }
            let error = #expect(throws: LogError.self) {
                try store.write { (writer) throws(LogError) in
                    try writer.append(.log, 5, bytes(1).span.bytes)
                    try writer.append(.log, key, bytes(2).span.bytes)
                }
            }
            #expect(error?.code == .invariantBroken)
            #expect(error?.position == key)
        }
    }

    @Test("A writer sees what it wrote and deleted", arguments: Engine.allCases)
    func ownWrites(_ engine: Engine) async throws {
        try await withPlace(engine) { place in
            let store = try place.open()
            defer { store.close() }
            let found = try store.write { (writer) throws(LogError) in
                for number in 0..<600 as Range<UInt64> {
                    try writer.put(.openA, number, bytes(UInt8(number & 255)).span.bytes)
                }
                for number in stride(from: 0 as UInt64, to: 600, by: 2) {
                    try writer.delete(.openA, number)
                }
                var found: [UInt64] = []
                try writer.scan(.openA, from: 0) { key, _ in
                    found.append(key)
                    return .more
                }
                let again = try writer.delete(.openA, 2)
                return (found, again, try writer.lastKey(.openA))
            }
            #expect(found.0 == Array(stride(from: 1, to: 600, by: 2)))
            #expect(!found.1)
            #expect(found.2 == 599)
        }
    }

    @Test("A reader keeps seeing what was there when it began", arguments: Engine.allCases)
    func snapshot(_ engine: Engine) async throws {
        try await withPlace(engine) { place in
            let store = try place.open()
            defer { store.close() }
            try store.write { (writer) throws(LogError) in
                try writer.put(.streamsA, 1, bytes(1).span.bytes)
            }
            let task = Mailbox()
            try store.read { (reader) throws(LogError) in
                task.run {
                    try store.write { (writer) throws(LogError) in
                        try writer.put(.streamsA, 1, bytes(9).span.bytes)
                        try writer.put(.streamsA, 2, bytes(9).span.bytes)
                    }
                }
                let value = try reader.value(.streamsA, 1) { $0.withUnsafeBytes { $0[0] } }
                #expect(value == 1)
                #expect(try reader.lastKey(.streamsA) == 1)
            }
            #expect(try keys(store, .streamsA) == [1, 2])
        }
    }
}
