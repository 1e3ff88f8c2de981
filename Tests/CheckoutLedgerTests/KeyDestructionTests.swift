import CheckoutLedger
import CheckoutModel
import EventLog
import Foundation
import LMDB
import TestSupport
import Testing

/// The steps in their order, for tables of cases.
private let steps = ErasureStep.allCases

@Suite("Destroying keys on disk")
struct KeyDestructionTests {
    /// The wrapped rows of a keystore as they stand in its newest file, by key.
    private static func rows(_ directory: String) throws -> [[UInt8]: [UInt8]] {
        var options = EnvironmentOptions(databases: [DatabaseDeclaration("keys", keys: .bytes)])
        options.isReadOnly = true
        options.mapBytes = 1 << 30
        let environment = try Environment.open(directory: directory, options)
        defer { environment.close() }
        let keys = try environment.byteDatabase("keys")
        return try environment.read { transaction in
            var rows: [[UInt8]: [UInt8]] = [:]
            try transaction.forEach(keys) { key, value in
                rows[key.withUnsafeBytes { Array($0) }] = value.withUnsafeBytes { Array($0) }
                return .next
            }
            return rows
        }
    }

    @Test("After an erasure no file of the keystore holds the wrapped key any more")
    func residue() async throws {
        try await withPlace { place in
            let ledger = try place.create()
            try await Fixture.pay("cks_1", "pay_1", in: ledger)
            try await Fixture.pay("cks_2", "pay_2", in: ledger)
            let blob = try #require(try ledger.event(at: 0).payload.sealed.first)
            let id = Array(blob[1..<17])
            ledger.close()
            let row = try #require(try Self.rows(place.keysPath)[[0x6B] + id])
            let oldRoot = try Data(contentsOf: URL(fileURLWithPath: place.keyPath))
            let copy = place.directory.appendingPathComponent("copy").path
            try FileManager.default.copyItem(atPath: place.keysPath, toPath: copy)

            let again = try place.open()
            let entry = try again.erase(ErasureOrder(.session("cks_1")), at: Fixture.now).entry
            #expect(entry?.level == .rootReplaced)
            #expect(entry?.receipt?.isOverwritten == true)
            guard case .fields = try again.answer(at: 3) else {
                Issue.record("another session's key went too")
                return
            }
            again.close()

            for (name, bytes) in try place.files(in: place.keysPath) {
                #expect(bytes.range(of: Data(row)) == nil, "\(name)")
                #expect(bytes.range(of: Data(row[12...])) == nil, "\(name)")
            }
            let newRoot = try Data(contentsOf: URL(fileURLWithPath: place.keyPath))
            #expect(newRoot != oldRoot)
            #expect(newRoot.count == oldRoot.count)

            // An older copy of the keystore opens nothing with the root key that is left.
            try FileManager.default.removeItem(atPath: place.keysPath)
            try FileManager.default.moveItem(atPath: copy, toPath: place.keysPath)
            let restored = try place.open()
            let error = #expect(throws: LedgerError.self) { try restored.answer(at: 0) }
            #expect(error?.code == .malformedKey)
            restored.close()
        }
    }

    @Test("A restored keystore with its old root key has destroyed keys destroyed again")
    func restored() async throws {
        try await withPlace { place in
            let ledger = try place.create()
            try await Fixture.pay("cks_1", "pay_1", in: ledger)
            ledger.close()
            let manager = FileManager.default
            let copy = place.directory.appendingPathComponent("copy").path
            let oldRoot = place.directory.appendingPathComponent("old.key").path
            try manager.copyItem(atPath: place.keysPath, toPath: copy)
            try manager.copyItem(atPath: place.keyPath, toPath: oldRoot)
            let again = try place.open()
            try again.erase(ErasureOrder(.session("cks_1")), at: Fixture.now)
            again.close()
            try manager.removeItem(atPath: place.keysPath)
            try manager.moveItem(atPath: copy, toPath: place.keysPath)
            try manager.removeItem(atPath: place.keyPath)
            try manager.moveItem(atPath: oldRoot, toPath: place.keyPath)
            let restored = try place.open()
            #expect(try restored.answer(at: 0).lossWord == nil)
            #expect(try restored.sweepReturnedKeys(at: Fixture.now) == 2)
            #expect(try restored.answer(at: 0).lossWord == "erased")
            #expect(try restored.sweepReturnedKeys(at: Fixture.now) == 0)
            restored.close()
        }
    }

    @Test(
        "A process that is killed at any step of an erasure leaves one that goes on",
        arguments: steps)
    func crash(step: ErasureStep) async throws {
        try await withPlace { place in
            let ledger = try place.create()
            try await Fixture.pay("cks_1", "pay_1", in: ledger)
            try await Fixture.pay("cks_2", "pay_2", in: ledger)
            let sealed = try ledger.event(at: 0).payload.sealed
            ledger.close()
            let peer = try PrivacyPeer(place, dyingAt: step)
            #expect(peer.ask("erase cks_1") == "")
            #expect(peer.end(), "it was not killed")

            // Looked at without resuming: a receipt is there only after destruction.
            let still = try place.open { $0.isReadOnly = true }
            let hadReceipt = try still.erasures().first?.isUnderWay == false
            #expect(hadReceipt == (step == .receipted))
            still.close()

            let after = try place.open()
            let entries = try after.erasures()
            if step == .begun {
                #expect(entries.isEmpty)
                #expect(try after.answer(at: 0).lossWord == nil)
                try after.erase(ErasureOrder(.session("cks_1")), at: Fixture.now)
            }
            let entry = try #require(try after.erasures().first)
            #expect(try after.erasures().count == 1)
            #expect(entry.receipts.count == 1)
            #expect(entry.level == .rootReplaced)
            #expect(entry.receipt?.keyCount == 2)
            #expect(entry.receipt?.eventCount == 2)
            #expect(try after.answer(at: 0).lossWord == "erased")
            #expect(try after.answer(at: 3).lossWord == nil)
            let late = try await after.record(Fixture.opened("cks_1"))
            #expect(try after.event(at: late.position).payload.discarded != nil)
            let fresh = try await after.record(Fixture.opened("cks_3"))
            #expect(try after.answer(at: fresh.position).lossWord == nil)
            #expect(try after.log.verify().findings.isEmpty)
            #expect(try after.resumeErasures().isEmpty)
            after.close()
            for (name, bytes) in try place.files(in: place.keysPath) {
                for blob in sealed {
                    #expect(bytes.range(of: Data([0x6B] + blob[1..<17])) == nil, "\(name)")
                }
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: place.keysPath)
            #expect(!names.contains { $0.contains("unfinished") })
            #expect(names.filter { $0.hasPrefix("g") }.count == 1)
            let lines = try String(contentsOfFile: place.keyPath, encoding: .utf8)
            #expect(lines.split(separator: "\n").count == 1)
        }
    }

    @Test("A process that is killed at any step of a rotation loses no key", arguments: steps)
    func rotationCrash(step: ErasureStep) async throws {
        // A rotation has no subject to mark, and no key to remove.
        if step == .marked || step == .removed { return }
        try await withPlace { place in
            let ledger = try place.create()
            try await Fixture.pay("cks_1", "pay_1", in: ledger)
            ledger.close()
            let peer = try PrivacyPeer(place, dyingAt: step)
            #expect(peer.ask("rotate") == "")
            #expect(peer.end())
            let after = try place.open()
            #expect(try after.answer(at: 0).lossWord == nil)
            let fresh = try await after.record(Fixture.opened("cks_3"))
            #expect(try after.answer(at: fresh.position).lossWord == nil)
            var query = AuditQuery()
            query.types = [.keysRotated]
            var rotations = 0
            try after.forEachEvent(matching: query) { _ in
                rotations += 1
                return .more
            }
            #expect(rotations == (step == .begun ? 0 : 1))
            after.close()
        }
    }

    @Test("Another process notices an erasure at its next event, and keeps nothing of it")
    func twoProcesses() async throws {
        try await withPlace { place in
            let ledger = try place.create()
            try await ledger.record(Fixture.opened("cks_1"))
            let peer = try PrivacyPeer(place)
            #expect(peer.ask("record cks_1 \(Fixture.address)") == "1")
            #expect(peer.ask("record cks_2 noor@mail.example") == "2")
            #expect(peer.ask("read 0") == Fixture.address)
            try ledger.erase(ErasureOrder(.session("cks_1")), at: Fixture.now)
            #expect(peer.ask("read 0") == "erased")
            #expect(peer.ask("read 1") == "erased")
            #expect(peer.ask("read 2") == "noor@mail.example")
            let late = try #require(UInt64(peer.ask("record cks_1 \(Fixture.address)")))
            #expect(peer.ask("read \(late)") == "erased")
            #expect(try ledger.event(at: late).payload.sealed.isEmpty)
            // And the other way round, the keystore in another place twice by now.
            #expect(peer.ask("erase cks_2") == "root-replaced")
            #expect(try ledger.answer(at: 2).lossWord == "erased")
            for number in 0..<40 {
                try await ledger.record(Fixture.opened("cks_n\(number)"))
                let position = peer.ask("record cks_m\(number) m\(number)@mail.example")
                #expect(peer.ask("read \(position)") == "m\(number)@mail.example")
                guard case .fields = try ledger.answer(at: try #require(UInt64(position))) else {
                    Issue.record("the other process's key does not open here")
                    break
                }
            }
            peer.end()
            ledger.close()
        }
    }

    @Test("Rotating goes on while others append, in this process and in another one")
    func concurrentRotation() async throws {
        try await withPlace { place in
            let ledger = try place.create()
            let peer = try PrivacyPeer(place)
            let writers = Task {
                try await withThrowingTaskGroup(of: [UInt64].self) { group in
                    for writer in 0..<4 {
                        group.addTask {
                            var positions: [UInt64] = []
                            for number in 0..<60 {
                                let event = Fixture.opened("cks_\(writer)_\(number)")
                                positions.append(try await ledger.record(event).position)
                            }
                            return positions
                        }
                    }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
            }
            var theirs: [UInt64] = []
            for number in 0..<5 {
                #expect(try ledger.rotateKeys(at: Fixture.now).event.type == .keysRotated)
                theirs.append(
                    try #require(UInt64(peer.ask("record cks_p\(number) p@mail.example"))))
                #expect(peer.ask("rotate") == "root-replaced")
            }
            for position in try await writers.value {
                #expect(
                    try ledger.answer(at: position)
                        == .fields(PrivateFields(customerEmail: Fixture.address)))
            }
            for position in theirs { #expect(try ledger.answer(at: position).lossWord == nil) }
            peer.end()
            ledger.close()
        }
    }

    @Test("A root key from a credential is not replaced, and the receipt says so")
    func credential() async throws {
        try await withPlace { place in
            let key = RootKey.generate()
            try key.write(to: place.directory.appendingPathComponent("creds/root-key").path)
            func use(_ options: inout LedgerOptions) {
                options.rootKeySource = .credential("root-key")
                options.environment["CREDENTIALS_DIRECTORY"] =
                    place.directory.appendingPathComponent("creds").path
            }
            var options = try place.options()
            use(&options)
            let ledger = try Ledger.create(at: place.ledgerPath, options: options)
            try await Fixture.pay("cks_1", "pay_1", in: ledger)
            let entry = try ledger.erase(ErasureOrder(.session("cks_1")), at: Fixture.now).entry
            #expect(entry?.level == .keystoreRewritten)
            #expect(entry?.receipt?.rootSource == "credential")
            #expect(entry?.receipt?.oldRoot == key.fingerprint)
            #expect(entry?.receipt?.newRoot == key.fingerprint)
            try await Fixture.pay("cks_2", "pay_2", in: ledger)
            ledger.close()

            // Its owner adds another one: keys go under that, and the old one is named.
            let file = place.directory.appendingPathComponent("creds/root-key")
            let old = try String(contentsOf: file, encoding: .utf8)
            let new = String(repeating: "5a", count: 32)
            try "\(old)\(new)\n".write(to: file, atomically: false, encoding: .utf8)
            let two = try place.open(use)
            let rotated = try two.rotateKeys(at: Fixture.now)
            #expect(rotated.payload.privacy?.level == .keystoreRewritten)
            #expect(
                rotated.payload.privacy?.copies.map(\.name)
                    == ["root key \(key.fingerprint) in its credential"])
            two.close()
            try "\(new)\n".write(to: file, atomically: false, encoding: .utf8)
            let one = try place.open(use)
            #expect(try one.parts(at: 3)[.contact]?.lossWord == nil)
            // Once its owner has removed it, the next rotation can say that it is gone.
            #expect(try one.erasures().first?.level == .keystoreRewritten)
            let last = try one.rotateKeys(at: Fixture.now)
            #expect(last.payload.privacy?.retiredRoots == [key.fingerprint])
            #expect(last.payload.privacy?.level == .keystoreRewritten)
            #expect(try one.erasures().first?.level == .rootReplaced)
            let later = try one.erase(ErasureOrder(.session("cks_2")), at: Fixture.now).entry
            #expect(later?.level == .keystoreRewritten)
            #expect(try one.erasures().map(\.level) == [.rootReplaced, .keystoreRewritten])
            one.close()
        }
    }

    @Test("A root key is not made inside the ledger that it opens")
    func keyInside() async throws {
        try await withPlace { place in
            var options = try place.options()
            options.rootKeyPath = place.ledgerPath + "/root.key"
            let error = #expect(throws: LedgerError.self) {
                _ = try Ledger.create(at: place.ledgerPath, options: options)
            }
            #expect(error?.code == .malformedKey)
            #expect(!FileManager.default.fileExists(atPath: place.ledgerPath + "/root.key"))
        }
    }

    @Test("A root key comes from a program that prints it; one that fails is told by its name")
    func command() async throws {
        try await withPlace { place in
            let digits = String(repeating: "a7", count: 32)
            var options = try place.options()
            options.rootKeySource = .command(["/bin/echo", digits])
            let ledger = try Ledger.create(at: place.ledgerPath, options: options)
            try await ledger.record(Fixture.opened("cks_1"))
            #expect(try ledger.answer(at: 0).lossWord == nil)
            ledger.close()
            for words in [["/bin/false"], ["/no/such/program"], ["echo", digits]] {
                let other = try place.open { $0.rootKeySource = .command(words) }
                let error = #expect(throws: LedgerError.self) { try other.answer(at: 0) }
                #expect(error?.code == .rootKeyMissing)
                #expect(error?.message.contains(words[0]) == true)
                other.close()
            }
        }
    }
}
