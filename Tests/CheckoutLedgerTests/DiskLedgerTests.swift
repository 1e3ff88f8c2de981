import CheckoutLedger
import CheckoutModel
import Cryptography
import EventLog
import Foundation
import TestSupport
import Testing

@Suite("A ledger on disk")
struct DiskLedgerTests {
    static func options(_ directory: URL) throws -> LedgerOptions {
        var options = try Fixture.options()
        options.rootKeyPath = directory.appendingPathComponent("root.key").path
        return options
    }

    static func fill(_ ledger: Ledger<LMDBStore>) async throws {
        try await ledger.record(
            CheckoutEvent(
                .sessionOpened, source: .app, occurredAt: Fixture.now, provider: "dodo",
                ids: ProviderIDs(session: "cks_1", order: "o-1")))
        try await ledger.receive(
            Fixture.refund("ref_1", payment: "pay_1", amount: 500), id: "msg_0")
        try await ledger.receive(
            Fixture.payment("payment.succeeded", payment: "pay_1", session: "cks_1"), id: "msg_1")
    }

    @Test("What was recorded is there after reopening, sealed fields included")
    func reopen() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.appendingPathComponent("shop.ledger").path
            let ledger = try Ledger.create(at: path, options: try Self.options(directory))
            try await Self.fill(ledger)
            let before = try ledger.session(named: "cks_1")
            ledger.close()
            let again = try Ledger.open(at: path, options: try Self.options(directory))
            #expect(try again.session(named: "cks_1") == before)
            let delivery = try again.timeline(of: "cks_1").events.first {
                $0.event.type == .deliveryReceived
            }
            let event = try #require(delivery)
            #expect(try again.body(of: event) != nil)
            #expect(try again.log.verify().findings.isEmpty)
            again.close()
        }
    }

    @Test("The ledger's files are its owner's alone, and the root key is not among them")
    func permissions() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.appendingPathComponent("shop.ledger").path
            let ledger = try Ledger.create(at: path, options: try Self.options(directory))
            try await Self.fill(ledger)
            ledger.close()
            let key = try String(
                contentsOfFile: directory.appendingPathComponent("root.key").path, encoding: .utf8)
            let files = try #require(FileManager.default.enumerator(atPath: path))
            for case let name as String in files {
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: "\(path)/\(name)")
                let mode = try #require(attributes[.posixPermissions] as? Int)
                #expect(mode & 0o077 == 0, "\(name)")
                if attributes[.type] as? FileAttributeType == .typeRegular {
                    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
                    #expect(bytes.range(of: Data(key.utf8.prefix(64))) == nil)
                    #expect(bytes.range(of: Data("total_amount".utf8)) == nil)
                }
            }
        }
    }

    @Test("Without its root key a ledger still answers; only sealed fields stay shut")
    func withoutRootKey() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.appendingPathComponent("shop.ledger").path
            let ledger = try Ledger.create(at: path, options: try Self.options(directory))
            try await Self.fill(ledger)
            ledger.close()
            var options = try Self.options(directory)
            options.rootKeyPath = directory.appendingPathComponent("elsewhere.key").path
            let blind = try Ledger.open(at: path, options: options)
            #expect(!blind.canOpenPrivateFields)
            #expect(try blind.session(named: "cks_1").outcome?.status == .succeeded)
            let error = #expect(throws: LedgerError.self) {
                try blind.privateFields(of: try blind.event(at: 1))
            }
            #expect(error?.code == .rootKeyMissing)
            // What has nothing to seal is still recorded.
            try await blind.record(
                CheckoutEvent(
                    .sessionClosed, source: .app, provider: "dodo",
                    ids: ProviderIDs(session: "cks_1")))
            await #expect(throws: LedgerError.self) {
                try await blind.receive(
                    Fixture.payment("payment.failed", payment: "pay_9"), id: "msg_9")
            }
            blind.close()
        }
    }

    @Test("There is no ledger where there is none, and none is made over another")
    func opening() throws {
        try withTemporaryDirectory { directory in
            let path = directory.appendingPathComponent("shop.ledger").path
            let missing = #expect(throws: LedgerError.self) {
                try Ledger.open(at: path, options: try Self.options(directory))
            }
            #expect(missing?.code == .noLedger)
            let ledger = try Ledger.create(at: path, options: try Self.options(directory))
            ledger.close()
            let exists = #expect(throws: LedgerError.self) {
                try Ledger.create(at: path, options: try Self.options(directory))
            }
            #expect(exists?.code == .exists)
        }
    }

    @Test("Restored from its records a ledger is the same: root, ids, sessions, sealed fields")
    func restore() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.appendingPathComponent("shop.ledger").path
            let ledger = try Ledger.create(at: path, options: try Self.options(directory))
            try await Self.fill(ledger)
            let end = try ledger.endPosition()
            let records = try (0..<end).map { position in
                try ledger.log.read { try $0.record(at: position) }.bytes
            }
            let store = InMemoryStore()
            typealias Log = EventLog<CheckoutSchema, InMemoryStore>
            try Log.makeRestored(in: store, identity: ledger.log.identity)
            let restored = try Log(store: store)
            try restored.restore(records)
            #expect(try Self.root(restored) == Self.root(ledger.log))
            #expect(try restored.verify().findings.isEmpty)
            let keys = try ledger.log.read { try Self.identities($0) }
            #expect(try restored.read { try Self.identities($0) } == keys)
            #expect(keys.count > 2)
            // A record out of its place, or altered in what its neighbours say, is refused.
            let other = InMemoryStore()
            try Log.makeRestored(in: other, identity: ledger.log.identity)
            let strict = try Log(store: other)
            #expect(throws: LogError.self) { try strict.restore(Array(records.dropFirst())) }
            #expect(throws: LogError.self) { try strict.restore([records[1], records[0]]) }
            #expect(try strict.read { $0.end } == 0)
            ledger.close()
        }
    }

    static func root<Store: LogStore>(_ log: EventLog<CheckoutSchema, Store>) throws -> String {
        try log.read { try $0.frontier().root().hex }
    }

    static func identities<Store: LogStore>(
        _ snapshot: borrowing Snapshot<CheckoutSchema, Store>
    ) throws -> [[UInt8]: UInt64] {
        var found: [[UInt8]: UInt64] = [:]
        try snapshot.forEachIdentity(from: []) { key, stream in
            found[key.withUnsafeBytes { Array($0) }] = stream
            return .more
        }
        try snapshot.forEachSharedIdentity { key, stream in
            found[[0xFF] + key.withUnsafeBytes { Array($0) }] = stream
            return .more
        }
        return found
    }
}
