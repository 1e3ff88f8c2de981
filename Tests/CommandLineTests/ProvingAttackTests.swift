import Cryptography
import EventLog
import Foundation
import ProviderKit
import TestSupport
import Testing

@Suite("Attacks on a sealed ledger")
struct ProvingAttackTests {
    /// What somebody does to the files after the seal, and the word for it.
    struct Attack: Sendable, CustomTestStringConvertible {
        let id: String
        let word: String
        /// True when the ledger agrees with itself afterwards: only what was kept elsewhere tells.
        let isConsistent: Bool
        let act: @Sendable (ProvingShop) throws -> Void
        var testDescription: String { id }
    }

    static let attacks: [Attack] = [
        Attack(id: "a record is edited", word: "edited", isConsistent: false) { shop in
            try shop.tamper { (writer) throws(LogError) in
                var row = try writer.value(.log, 1) { $0.withUnsafeBytes { [UInt8]($0) } } ?? []
                row[row.count - 12] ^= 1
                try writer.put(.log, 1, row.span.bytes)
            }
        },
        Attack(
            id: "a record is edited and everything rebuilt", word: "history rewritten",
            isConsistent: true
        ) { shop in try shop.rebuild { try Forgery.rename(1, &$0) } },
        Attack(
            id: "records are put in another order and everything rebuilt",
            word: "history rewritten", isConsistent: true
        ) { shop in try shop.rebuild { Forgery.swap(0, 2, &$0) } },
        Attack(id: "the last records are cut off", word: "rolled back", isConsistent: true) {
            shop in try shop.rebuild { $0.removeLast(2) }
        },
        Attack(
            id: "the last records are cut off and others follow", word: "history rewritten",
            isConsistent: true
        ) { shop in
            try shop.rebuild { $0.removeLast(2) }
            try shop.forgetOwnSeal()
            try shop.record("cks_x", "cks_y", "cks_z")
        },
        Attack(
            id: "the last record is replaced by another one", word: "fork", isConsistent: true
        ) { shop in
            try shop.rebuild { try Forgery.rename(3, &$0) }
        },
    ]

    @Test(
        "Each attack has its word and exit code 3 against a seal kept elsewhere", arguments: attacks
    )
    func attack(_ attack: Attack) async throws {
        try await ProvingShop.with { shop in
            try shop.record("cks_1", "cks_2", "cks_3", "cks_4")
            try shop.seal("kept.seal")
            if attack.word == "history rewritten" { try shop.record("cks_5") }
            let kept = shop.program.path("kept.seal")
            let before = try shop.words("--anchor", kept)
            #expect(before.words.isEmpty && before.code == 0)
            try attack.act(shop)
            // The machine's own memory of the last seal tells, as long as nobody made it forget.
            let own = try shop.words()
            let forgot = attack.id.contains("others follow")
            #expect(own.code == (forgot ? 0 : 3) && own.words.isEmpty == forgot)
            // The ledger's owner may forget what the machine remembers; not what others keep.
            let state = shop.program.path("state/checkout-ledger")
            if let folder = try FileManager.default.contentsOfDirectory(atPath: state).first {
                try? FileManager.default.removeItem(atPath: "\(state)/\(folder)/e1.seal")
            }
            let alone = try shop.words()
            #expect(alone.code == (attack.isConsistent ? 0 : 3))
            let after = try shop.words("--anchor", kept)
            #expect(after.words.contains(attack.word), "\(after.words)")
            #expect(after.code == 3)
            if attack.isConsistent { #expect(after.words == [attack.word]) }
        }
    }

    @Test("A verification is never plain green without an anchor, and can demand one")
    func noAnchor() async throws {
        try await ProvingShop.with { shop in
            try shop.record("cks_1", "cks_2")
            let alone = try shop.run("verify")
            #expect(alone.exitCode == 0)
            #expect(alone.text.contains("self-consistent only, not proven"))
            #expect(alone.text.contains("own last seal\t1, of 2 events"))
            #expect(try shop.run("verify", "--require-anchor").exitCode == 3)
            try shop.seal("kept.seal")
            try shop.record("cks_3")
            let kept = shop.program.path("kept.seal")
            let anchored = try shop.run("verify", "--anchor", kept, "--require-anchor")
            #expect(anchored.exitCode == 0)
            #expect(
                anchored.text.contains(
                    "Ok: the first 2 events proven by an outside anchor; the last 1 event "
                        + "self-consistent only."))
            let row = try shop.run("verify", "--anchor", kept, "--json").json
            #expect(row["anchored"] == .bool(true))
            #expect(row["provenEvents"]?.integer == 2)
            // An anchor of somebody else's, or one that was changed, proves nothing.
            var text = String(decoding: try shop.program.read("kept.seal"), as: UTF8.self)
            text = text.replacingOccurrences(of: "\n2\n", with: "\n1\n")
            let changed = try shop.program.write("changed.seal", text)
            let refused = try shop.run("verify", "--anchor", changed)
            #expect(refused.exitCode == 1)
            #expect(refused.text.contains("not proven"))
            #expect(refused.errors.contains("does not hold"))
        }
    }

    @Test("doctor and verify tell where seals stop, are kept in one place alone, or contradict")
    func trouble() async throws {
        try await ProvingShop.with { shop in
            func doctor(_ shop: ProvingShop) throws -> JSONValue? {
                let lines = try shop.run("doctor", "--json").text.split(separator: "\n")
                return lines.compactMap { try? JSONValue(json: Array($0.utf8)) }
                    .first { $0["check"]?.text == "seals" }
            }
            try shop.record("cks_1")
            let state = shop.program.path("state/checkout-ledger")
            let folder = try #require(
                FileManager.default.contentsOfDirectory(atPath: state).first { $0.count == 32 })
            let kept = "state/checkout-ledger/\(folder)/e1.seal"
            let first = try shop.program.read(kept)
            let old = try shop.copy(to: "old")
            try shop.record("cks_2")
            #expect(try doctor(shop)?["state"]?.text == "ok")
            #expect(try shop.run("verify", "--json").json["sealedEvents"]?.integer == 2)
            let behind = try doctor(old)
            #expect(behind?["state"]?.text == "fail")
            #expect(behind?["message"]?.text?.contains("rolled back") == true)
            // As it is where the state directory could not be written since.
            try shop.program.write(kept, first)
            #expect(try doctor(shop)?["state"]?.text == "warn")
            try shop.tamper { (writer) throws(LogError) in
                for size in [1, 2] as [UInt64] { try writer.delete(.seals, size) }
            }
            #expect(try shop.run("verify").text.contains("; 2 events unsealed"))
        }
    }

    @Test("An old copy is opened for reading only until a person begins a new epoch")
    func oldCopy() async throws {
        try await ProvingShop.with { shop in
            try shop.record("cks_1", "cks_2")
            let old = try shop.copy(to: "old")
            try shop.record("cks_3")
            try shop.seal("lost.seal")
            let refused = try old.run(
                "record", "session", "--provider", "dodo", "--session", "cks_4", "--json")
            #expect(refused.exitCode == 3)
            #expect(refused.code == "ROLLED_BACK")
            #expect(try old.run("seal", "--json").code == "ROLLED_BACK")
            let reading = try old.run("sessions", "--json=session")
            #expect(reading.exitCode == 0)
            #expect(try old.run("sessions").errors.contains("it was rolled back"))
            let warned = try old.run("sessions", "--json", "--quiet").complaints
            #expect(warned.map { $0["schema"]?.text } == ["warning/1"])
            #expect(warned.first?["code"]?.text == "ROLLED_BACK")
            let found = try old.words()
            #expect(found.words == ["rolled back"] && found.code == 3)
            #expect(try old.words("--copy").code == 0)

            #expect(try old.run("recover", "--reason", "Disk lost").exitCode == 2)
            let recovered = try old.run(
                "recover", "--new-epoch", "--reason", "Disk lost", "--operator", "mira")
            #expect(recovered.exitCode == 0, "\(recovered.errors)")
            #expect(recovered.text.contains("Epoch 2 begins at position 2, after 2 events"))
            #expect(recovered.text.contains("size 3; lost: 1 event"))
            try old.record("cks_4")
            let seal = try old.run("seal").text
            #expect(seal.split(separator: "\n").first?.hasSuffix("/e2") == true)
            let genesis = try old.run("events", "--at", "2").text
            #expect(genesis.contains("ledger.epoch_began"))
            #expect(genesis.contains("Disk lost"))
            #expect(genesis.contains("Last known seal"))
            // What was sealed before and is lost is no anchor of the new epoch; what is here is.
            let lost = try old.run("verify", "--anchor", shop.program.path("lost.seal"))
            #expect(lost.exitCode == 1)
            #expect(lost.errors.contains("earlier epoch"))
            #expect(try old.run("verify").exitCode == 0)
            // The ledger that was believed to be lost is the older epoch now.
            let late = try shop.run(
                "record", "session", "--provider", "dodo", "--session", "cks_9", "--json")
            #expect(late.code == "ROLLED_BACK")
        }
    }

    @Test("Two histories for two witnesses are a fork as soon as they compare")
    func fork() async throws {
        try await ProvingShop.with { shop in
            try shop.record("cks_1", "cks_2")
            let other = try shop.copy(to: "other")
            try shop.record("cks_3")
            try shop.seal("a.seal")
            let keys = shop.program.path("log.vkey")
            try shop.forgetOwnSeal()
            try other.record("cks_other")
            try other.seal("b.seal")
            var lines: [String: WritingProgram.Run] = [:]
            for (witness, from) in [("w1", shop), ("w2", other)] {
                let key = shop.program.path("\(witness).key")
                let made = try shop.run(
                    "keys", "new", "--witness", "--name", "example.org/\(witness)", "--out", key)
                #expect(made.exitCode == 0, "\(made.errors)")
                let growth = try from.run("prove-growth", "--from", "0")
                #expect(growth.exitCode == 0, "\(growth.errors)")
                lines[witness] = try shop.run(
                    "witness", "--state", shop.program.path("\(witness).state"), "--key", key,
                    "--log", keys, input: growth.output)
                #expect(lines[witness]?.exitCode == 0, "\(lines[witness]?.errors ?? "")")
            }
            // Each is shown what the other signed.
            let crossed = try other.run("prove-growth", "--from", "3")
            let refused = try shop.run(
                "witness", "--state", shop.program.path("w1.state"), "--key",
                shop.program.path("w1.key"), "--json", input: crossed.output)
            #expect(refused.exitCode == 3)
            #expect(refused.code == "FORK")
            let found = try shop.words("--anchor", shop.program.path("b.seal"), "--copy")
            #expect(found.words == ["fork"] && found.code == 3)
            // The line of signature belongs below the seal, and then counts.
            let seal = try shop.program.read("a.seal") + (lines["w1"]?.output ?? [])
            let cosigned = try Seal(seal)
            #expect(cosigned.note.signatures.last?.name == "example.org/w1")
            let own = try shop.words("--anchor", try shop.program.write("c.seal", seal), "--copy")
            #expect(own.words.isEmpty && own.code == 0)
        }
    }
}
