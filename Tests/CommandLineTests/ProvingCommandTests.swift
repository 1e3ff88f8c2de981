import CheckoutLedger
import Cryptography
import EventLog
import Foundation
import ProviderKit
import TestSupport
import Testing

@Suite("Seals and proofs from the command line")
struct ProvingCommandTests {
    /// A shop with a proof of position 1, its record, keys and a proof of growth.
    private func withProof(_ body: (ProvingShop, WritingProgram) throws -> Void) async throws {
        try await ProvingShop.with { shop in
            let program = shop.program
            try shop.record("cks_1", "cks_2", "cks_3")
            try shop.seal("old.seal")
            try shop.record("cks_4", "cks_5")
            let proof = try shop.run(
                "prove", "--position", "1", "--out", program.path("1.proof"), "--record-out",
                program.path("1.record"))
            #expect(proof.exitCode == 0, "\(proof.errors)")
            let growth = try shop.run(
                "prove-growth", "--from", program.path("old.seal"), "--out",
                program.path("growth"))
            #expect(growth.exitCode == 0, "\(growth.errors)")
            try body(shop, program)
        }
    }

    @Test("A proof is checked without the ledger, and no other record passes for it")
    func proof() async throws {
        try await withProof { shop, program in
            try FileManager.default.removeItem(atPath: program.path("shop.ledger"))
            let words = [
                "verify-proof", program.path("1.proof"), "--key", program.path("log.vkey"),
            ]
            let good = try program.run(words + ["--record", program.path("1.record")])
            #expect(good.exitCode == 0, "\(good.errors)")
            #expect(good.text.contains("position 1"))
            let other = try program.write("other", try program.read("1.record") + [0])
            let bad = try program.run(words + ["--record", other, "--json"])
            #expect(bad.exitCode == 3)
            #expect(bad.code == "PROOF_INVALID")
            let stranger = try program.run([
                "keys", "new", "--name", "example.com/x", "--out", program.path("x.key"),
            ])
            #expect(stranger.exitCode == 0)
            let unsigned = try program.run([
                "verify-proof", program.path("1.proof"), "--record", program.path("1.record"),
                "--key", try program.write("x.vkey", stranger.output), "--json",
            ])
            #expect(unsigned.exitCode == 1)
            #expect(unsigned.code == "NOTE_NOT_SIGNED")
        }
    }

    @Test("Growth between two seals is checked without the ledger")
    func growth() async throws {
        try await withProof { shop, program in
            let words = ["--key", program.path("log.vkey"), "--json"]
            let old = program.path("old.seal")
            let good = try program.run(["verify-growth", old, program.path("growth")] + words)
            #expect(good.exitCode == 0, "\(good.errors)")
            #expect(good.json["size"]?.integer == 5)
            var body = String(decoding: try program.read("growth"), as: UTF8.self)
            body = body.replacingOccurrences(of: "old 3\n", with: "old 2\n")
            let bad = try program.run(
                ["verify-growth", old, try program.write("bad", body)] + words)
            #expect(bad.exitCode == 3)
            #expect(bad.code == "PROOF_INVALID")
        }
    }

    @Test(
        "Another program, with no code of this one, comes to the same verdicts",
        .enabled(if: SecondVerifier.python != nil, "needs python3 and PyPI's cryptography"))
    func secondVerifier() async throws {
        try await withProof { shop, program in
            let proof = [program.path("1.proof"), program.path("1.record")]
            let keys = program.path("log.vkey")
            let growth = [program.path("old.seal"), program.path("growth")]
            #expect(try SecondVerifier.proof(proof + [keys]) == 0)
            #expect(try SecondVerifier.proof(proof + [keys] + growth) == 0)
            let other = try program.write("other", try program.read("1.record") + [0])
            #expect(try SecondVerifier.proof([proof[0], other, keys]) == 3)
            var body = String(decoding: try program.read("growth"), as: UTF8.self)
            body = body.replacingOccurrences(of: "old 3\n", with: "old 2\n")
            let bad = try program.write("bad", body)
            #expect(try SecondVerifier.proof(proof + [keys, growth[0], bad]) == 3)
        }
    }

    @Test("An event is proven by its id too, and under an older seal")
    func byID() async throws {
        try await withProof { shop, program in
            let row = try shop.run("events", "--json=id,position", "--limit", "2")
            let line = try #require(row.text.split(separator: "\n").last)
            let row1 = try JSONValue(json: Array(line.utf8))
            let id = try #require(row1["id"]?.text)
            let proof = try shop.run("prove", "--event", id, "--at", "3", "--json")
            #expect(proof.json["position"]?.integer == 1)
            #expect(proof.json["size"]?.integer == 3)
            #expect(
                try shop.run("prove", "--position", "4", "--at", "3", "--json").code == "NOT_SEALED"
            )
            #expect(
                try shop.run("prove", "--event", String(repeating: "0", count: 32), "--json").code
                    == "NOT_FOUND")
        }
    }

    @Test("A witness signs a log that grows and remembers how far it came")
    func witness() async throws {
        try await withProof { shop, program in
            let key = program.path("w.key")
            _ = try shop.run("keys", "new", "--witness", "--name", "example.org/w", "--out", key)
            let words = ["witness", "--state", program.path("w.state"), "--key", key, "--json"]
            let growth = try program.read("growth")
            // A log that nobody vouched for is a stranger's.
            #expect(try program.run(words, input: growth).code == "NOTE_NOT_SIGNED")
            let first = try program.run(
                words + ["--log", program.path("log.vkey")], input: growth)
            #expect(first.exitCode == 0, "\(first.errors)")
            #expect(first.text.hasPrefix("\u{2014} example.org/w "))
            try shop.record("cks_6")
            let stale = try shop.run("prove-growth", "--from", "3")
            let refused = try program.run(words, input: stale.output)
            #expect(refused.code == "OLD_SIZE_DIFFERS")
            let next = try shop.run("prove-growth", "--from", "5")
            #expect(try program.run(words, input: next.output).exitCode == 0)
        }
    }

    @Test("The key file is private, made on first use, and outside the ledger")
    func keyFile() async throws {
        try await ProvingShop.with { shop in
            try shop.record("cks_1")
            let state = shop.program.path("state/checkout-ledger")
            let folder = try #require(FileManager.default.contentsOfDirectory(atPath: state).first)
            let path = "\(state)/\(folder)/seal.key"
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(FileManager.default.fileExists(atPath: "\(state)/\(folder)/e1.seal"))
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("PRIVATE+KEY+") })
            let shown = try shop.run("keys", "show")
            #expect(!shown.text.contains("PRIVATE"))
            #expect(shown.text.split(separator: "\n").count == 2)
            chmod(path, 0o644)
            #expect(try shop.run("seal", "--json").code == "MALFORMED_KEY")
        }
    }

    @Test("The last seal is kept in an anchor directory, which counts as one")
    func anchorDirectory() async throws {
        try await ProvingShop.with { shop in
            let folder = shop.program.path("anchors")
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try shop.record("cks_1")
            #expect(try shop.run("seal", "--anchor-dir", folder).exitCode == 0)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files.count == 1)
            let anchored = try shop.run(
                "verify", "--anchor", "\(folder)/\(files[0])", "--require-anchor")
            #expect(anchored.exitCode == 0)
        }
    }

    @Test("Tiles are the tree of the last seal, and the records only where they are asked for")
    func tiles() async throws {
        try await withProof { shop, program in
            let run = try shop.run("export", "tiles", "--format", "tiles", "--json")
            #expect(run.exitCode == 0, "\(run.errors)")
            let hashes = try program.read("tiles/tile/0/000.p/5")
            #expect(hashes.count == 5 * 32)
            let leaf = MerkleProof.leafHash(of: try program.read("1.record"))
            #expect(Array(hashes[32..<64]) == leaf.bytes)
            let seal = try Seal(try program.read("tiles/checkpoint"))
            #expect(seal.head.root.hex == run.json["root"]?.text)
            #expect(!FileManager.default.fileExists(atPath: program.path("tiles/tile/entries")))
            let full = try shop.run("export", "full", "--format", "tiles", "--with-entries")
            #expect(full.exitCode == 0)
            let entries = try program.read("full/tile/entries/000.p/5")
            let length = Int(entries[0]) << 8 | Int(entries[1])
            #expect(entries.count > 2 + length)
            #expect(try shop.run("export", "full", "--format", "tiles").exitCode == 1)
        }
    }

    @Test("Processes that record and seal at once make one row of seals that grows")
    func together() async throws {
        try await ProvingShop.with { shop in
            try shop.record("cks_0")
            try await withThrowingTaskGroup { group in
                for writer in 1...4 {
                    group.addTask {
                        for number in 0..<3 {
                            try shop.record("cks_\(writer)_\(number)")
                            _ = try shop.run("seal")
                        }
                    }
                }
                try await group.waitForAll()
            }
            let verified = try shop.run("verify", "--json").json
            #expect(verified["sound"] == .bool(true))
            #expect(verified["events"]?.integer == 13)
            #expect(verified["signedSeals"]?.integer == verified["seals"]?.integer)
            let own = verified["anchors"]?.elements?.first
            #expect(own?["size"]?.integer == 13)
        }
    }
}
