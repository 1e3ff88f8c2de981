import Foundation
import LMDB
import TestSupport
import Testing

@Suite("Copies and statistics")
struct BackupTests {
    private func contents(_ store: Store) throws -> [[UInt8]] {
        try store.environment.read { transaction in
            var rows: [[UInt8]] = []
            try transaction.forEach(store.log) { key, value in
                rows.append([UInt8(truncatingIfNeeded: key)] + [UInt8](copying: value))
                return .next
            }
            try transaction.forEach(store.ids) { key, value in
                rows.append([UInt8](copying: key) + [UInt8](copying: value))
                return .next
            }
            return rows
        }
    }

    @Test("of a store in use have the same content, fewer pages and no leftovers")
    func copy() throws {
        try withStore { store in
            for round in UInt8(0)..<3 {
                try store.environment.write { transaction in
                    for key in UInt64(0)..<500 {
                        try transaction.put(
                            store.log, key, [UInt8](repeating: round, count: 1_500))
                    }
                    try transaction.put(store.ids, [round], [round])
                }
            }
            try store.environment.write { transaction in
                for key in UInt64(100)..<500 { try transaction.delete(store.log, key) }
            }
            let path = store.environment.path + "/copies"
            try store.environment.read { _ in
                try store.environment.copy(compactingTo: path)
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            #expect(names == ["data.mdb"])
            let copy = try Store(path)
            #expect(try contents(copy) == contents(store))
            let (old, new) = try (store.environment.statistics(), copy.environment.statistics())
            #expect(new.usedPages < old.usedPages)
            #expect(old.freePages > 0)
            #expect(new.freePages == 0)
            #expect(old.entries == ["log": 100, "ids": 3])
            #expect(new.entries == old.entries)
            #expect(old.lastTransactionID == (try store.environment.lastTransactionID()))
        }
    }

    @Test("never overwrite a store, and leave nothing when they fail")
    func refused() throws {
        try withStore { store in
            let path = store.environment.path + "/copies"
            try store.environment.copy(compactingTo: path)
            let first = try Data(contentsOf: URL(fileURLWithPath: path + "/data.mdb"))
            try store.environment.write { try $0.put(store.log, UInt64(1), [UInt8(1)]) }
            #expect(code { try store.environment.copy(compactingTo: path) } == .alreadyExists)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path + "/data.mdb")) == first)
            #expect(
                code { try store.environment.copy(compactingTo: path + "/none/deeper") }
                    == .notFound)
            #expect(
                code { try store.environment.copy(compactingTo: path + "/data.mdb") } != nil)
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            #expect(names == ["data.mdb"])
        }
    }

    @Test("count readers with the state that each keeps")
    func readers() throws {
        try withStore { store in
            try store.environment.write { try $0.put(store.log, UInt64(1), [UInt8(1)]) }
            try store.environment.read { transaction in
                let live = try store.environment.readers()
                #expect(live.map(\.transactionID) == [transaction.id])
                #expect(live.map(\.processID) == [getpid()])
            }
            try store.environment.sync()
        }
    }
}
