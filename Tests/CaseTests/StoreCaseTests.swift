import CheckoutLedger
import CheckoutModel
import EventLog
import Foundation
import LMDB
import ProviderKit
import TestSupport
import Testing

/// Store cases that no test of the storage targets shows whole.
@Suite("Public store cases")
struct StoreCaseTests {
    private func item(_ id: String) throws -> PublicCase {
        try #require(PublicCase.all.first { $0.id == id })
    }

    @Test("pub-store-03: positions are scanned in the order of their numbers")
    func numberOrder() throws {
        let value = try item("pub-store-03").input["append_positions"]?.elements
        let listed = try #require(value)
        let positions = listed.compactMap { $0.integer.map { UInt64($0) } }
        try withTemporaryDirectory { folder in
            let store = try LMDBStore(directory: folder.appendingPathComponent("store").path)
            defer { store.close() }
            try store.write { (writer) throws(LogError) in
                for position in positions { try writer.append(.log, position, [1].span.bytes) }
            }
            for first in [0, 256] as [UInt64] {
                var found: [UInt64] = []
                try store.read { (reader) throws(LogError) in
                    try reader.scan(.log, from: first) { position, _ in
                        found.append(position)
                        return .more
                    }
                }
                #expect(found == positions.sorted().filter { $0 >= first })
            }
        }
    }

    @Test("pub-store-05: a killed reader holds no pages once somebody else opens the store")
    func killedReader() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.appendingPathComponent("store").path
            try Self.rewrite(path, times: 20)
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                let store = try LMDBStore(directory: path)
                try store.read { _ in _ = kill(getpid(), SIGKILL) }
            }
            try Self.rewrite(path, times: 20)
            let usual = try Self.size(path)
            try Self.rewrite(path, times: 200)
            #expect(try Self.size(path) <= 2 * usual)
            let store = try LMDBStore(directory: path)
            #expect(try store.environment.readers().isEmpty)
            store.close()
        }
    }

    /// Replaces the same rows again and again: pages are used again unless a reader holds them.
    private static func rewrite(_ path: String, times: Int) throws {
        let store = try LMDBStore(directory: path)
        defer { store.close() }
        for round in 0..<times {
            let value = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: 3_000)
            try store.write { (writer) throws(LogError) in
                for row in 0..<50 as Range<UInt64> { try writer.put(.log, row, value.span.bytes) }
            }
        }
    }

    private static func size(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "/data.mdb")
        return try #require(attributes[.size] as? Int)
    }

    @Test("pub-store-09: an event that was read stays as it was while ten thousand more come")
    func keptValue() async throws {
        try await withTemporaryDirectory { folder in
            var options = try CaseLedger.options()
            options.rootKeyPath = folder.appendingPathComponent("root.key").path
            let ledger = try Ledger.create(
                at: folder.appendingPathComponent("shop.ledger").path, options: options)
            defer { ledger.close() }
            try await ledger.record(note(0))
            let kept = try ledger.event(at: 0)
            let record = try ledger.log.read { try $0.record(at: 0) }
            let before = ("\(kept)", Array(record.bytes))
            for batch in 0..<5 {
                let entries = (1...2_000).map { EventEntry(note(batch * 2_000 + $0)) }
                _ = try await ledger.record(entries)
            }
            #expect(try ledger.endPosition() == 10_001)
            #expect("\(kept)" == before.0 && record.bytes == before.1)
            #expect(try ledger.event(at: 0) == kept)
        }
    }

    private func note(_ number: Int) -> CheckoutEvent {
        CheckoutEvent(
            .noteAdded, source: .host, provider: "dodo",
            ids: ProviderIDs(session: "cks_\(number % 9)"), reason: "note \(number)",
            deliveryID: "msg_\(number)")
    }
}
