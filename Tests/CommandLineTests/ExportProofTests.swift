import CheckoutLedger
import Cryptography
import EventLog
import Foundation
import ProviderKit
import TestSupport
import Testing

@Suite("An export is checked against its manifest, without the ledger")
struct ExportProofTests {
    /// The three files of an export of all events but the last one, in a shop without its ledger.
    private struct Taken {
        let shop: ProvingShop
        var rows: [UInt8]
        var proof: [UInt8]
        var manifest: [UInt8]

        init(_ shop: ProvingShop) throws {
            self.shop = shop
            rows = try shop.program.read("out")
            proof = try shop.program.read("out.proof.jsonl")
            manifest = try shop.program.read("out.manifest.json")
        }

        /// Writes the files, with the hashes that they have now in the manifest.
        func put() throws {
            let stated = try JSONValue(json: manifest)
            var text = String(decoding: manifest, as: UTF8.self)
            for (name, bytes) in [("sha256", rows), ("proofSHA256", proof)] {
                text = text.replacingOccurrences(
                    of: "\"\(name)\":\"\(stated[name]?.text ?? "")\"",
                    with: "\"\(name)\":\"\(SHA256.hash(bytes).hex)\"")
            }
            try shop.program.write("out", rows)
            try shop.program.write("out.proof.jsonl", proof)
            try shop.program.write("out.manifest.json", text)
        }

        static func replace(_ old: String, _ new: String, in bytes: inout [UInt8]) {
            let text = String(decoding: bytes, as: UTF8.self)
            let changed = text.replacingOccurrences(of: old, with: new)
            #expect(changed != text, "\(old) does not stand there")
            bytes = Array(changed.utf8)
        }

        static func lines(_ bytes: [UInt8]) -> [String] {
            String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n")
        }

        static func join(_ lines: [String]) -> [UInt8] {
            Array(lines.joined(separator: "\n").utf8)
        }
    }

    private struct Change: Sendable, CustomTestStringConvertible {
        let id: String
        var code = "DAMAGED_FILE"
        var exit: Int32 = 3
        let act: @Sendable (inout Taken) throws -> Void
        var testDescription: String { id }
    }

    private static let changes: [Change] = [
        Change(id: "an amount in a row") { Taken.replace(":2500", ":2400", in: &$0.rows) },
        Change(id: "a name in a row") { Taken.replace("cks_2", "cks_9", in: &$0.rows) },
        Change(id: "two rows change places") {
            var lines = Taken.lines($0.rows)
            lines.swapAt(0, 1)
            $0.rows = Taken.join(lines)
        },
        Change(id: "a row is left out") {
            var lines = Taken.lines($0.rows)
            lines.remove(at: 1)
            $0.rows = Taken.join(lines)
        },
        Change(id: "a row is told twice") {
            var lines = Taken.lines($0.rows)
            lines.insert(lines[1], at: 1)
            $0.rows = Taken.join(lines)
        },
        Change(id: "something stands behind the rows") { $0.rows += Array("{}\n".utf8) },
        Change(id: "the last row is torn") { $0.rows.removeLast() },
        Change(id: "a record's line is left out, with its row") {
            var (rows, proof) = (Taken.lines($0.rows), Taken.lines($0.proof))
            rows.remove(at: 1)
            proof.remove(at: 1)
            ($0.rows, $0.proof) = (Taken.join(rows), Taken.join(proof))
            Taken.replace("\"rows\":4", "\"rows\":3", in: &$0.rows)
            Taken.replace("\"rows\":4", "\"rows\":3", in: &$0.manifest)
        },
        Change(id: "a record gives way to its hash, with its row") {
            var (rows, proof) = (Taken.lines($0.rows), Taken.lines($0.proof))
            let record = try #require(
                Base64.decode(JSONValue(json: Array(proof[1].utf8))["record"]?.text ?? ""))
            rows.remove(at: 1)
            proof[1] =
                #"{"position":1,"level":0,"hash":"\#(MerkleProof.leafHash(of: record).hex)"}"#
            ($0.rows, $0.proof) = (Taken.join(rows), Taken.join(proof))
            Taken.replace("\"rows\":4", "\"rows\":3", in: &$0.rows)
            Taken.replace("\"rows\":4", "\"rows\":3", in: &$0.manifest)
            Taken.replace("\"minorUnits\":\"10000\"", "\"minorUnits\":\"7500\"", in: &$0.manifest)
        },
        Change(id: "a record and its row are changed alike", code: "PROOF_INVALID") {
            var proof = Taken.lines($0.proof)
            var record = try #require(
                Base64.decode(JSONValue(json: Array(proof[1].utf8))["record"]?.text ?? ""))
            let place = try #require(record.firstRange(of: Array("cks_2".utf8)))
            record[place.upperBound - 1] = UInt8(ascii: "9")
            proof[1] = #"{"position":1,"record":"\#(Base64.encode(record))"}"#
            $0.proof = Taken.join(proof)
            Taken.replace("cks_2", "cks_9", in: &$0.rows)
        },
        Change(id: "a hash beside the positions", code: "PROOF_INVALID") {
            let stated = try JSONValue(json: $0.manifest)
            let hash = try #require(stated["rangeProof"]?["right"]?.elements?.first?.text)
            Taken.replace(hash, String(hash.reversed()), in: &$0.manifest)
        },
        Change(id: "the number of rows in the manifest") {
            Taken.replace("\"rows\":4", "\"rows\":5", in: &$0.manifest)
        },
        Change(id: "a sum in the manifest") {
            Taken.replace("\"minorUnits\":\"10000\"", "\"minorUnits\":\"10001\"", in: &$0.manifest)
        },
        Change(id: "the end of the positions in the manifest") {
            Taken.replace("\"endPosition\":4", "\"endPosition\":5", in: &$0.manifest)
        },
        Change(id: "the size of the log", code: "PROOF_INVALID") {
            Taken.replace("\"logSize\":5", "\"logSize\":4", in: &$0.manifest)
        },
        Change(id: "the seal's size", code: "PROOF_INVALID") {
            Taken.replace(#"\n5\n"#, #"\n4\n"#, in: &$0.manifest)
        },
        Change(id: "the seal's origin", code: "SIGNATURE_INVALID") {
            let seal = try #require(JSONValue(json: $0.manifest)["seal"]?.text)
            let origin = try #require(seal.split(separator: "\n").first)
            Taken.replace("\"seal\":\"\(origin)", "\"seal\":\"\(origin)x", in: &$0.manifest)
        },
        Change(id: "no seal", code: "NOT_SEALED", exit: 1) {
            let text = String(decoding: $0.manifest, as: UTF8.self)
            let start = try #require(text.range(of: "\"seal\":"))
            $0.manifest = Array((text[..<start.upperBound] + "null}\n").utf8)
        },
    ]

    private func withExport(
        _ words: String..., format: String = "jsonl", _ body: (Taken) throws -> Void
    ) async throws {
        try await ProvingShop.with { shop in
            for number in 1...5 {
                let run = try shop.run(
                    "record", "session", "--provider", "dodo", "--session", "cks_\(number)",
                    "--amount", "25.00", "--currency", "EUR")
                #expect(run.exitCode == 0, "\(run.errors)")
            }
            let fifth = try shop.run("events", "--at", "4", "--json=recordedAt").json
            let time = try #require(fifth["recordedAt"]?.text)
            let run = try shop.program.run(
                ["audit", "export", "out", "--until", time, "--format", format] + words)
            #expect(run.exitCode == 0, "\(run.errors)")
            try shop.program.write("log.vkey", try shop.run("keys", "show").output)
            try FileManager.default.removeItem(atPath: shop.program.path("shop.ledger"))
            try body(try Taken(shop))
        }
    }

    @Test(
        "As it was exported it holds, in either form and with records left out",
        arguments: [
            ["jsonl"], ["csv"], ["jsonl", "--session", "cks_2"], ["csv", "--type", "refund"],
        ])
    func sound(_ words: [String]) async throws {
        try await ProvingShop.with { shop in
            for name in ["cks_1", "cks_2", "cks_3"] { try shop.record(name) }
            let run = try shop.program.run(
                ["audit", "export", "out", "--format"] + words)
            #expect(run.exitCode == 0, "\(run.errors)")
            let keys = try shop.program.write("log.vkey", try shop.run("keys", "show").output)
            try FileManager.default.removeItem(atPath: shop.program.path("shop.ledger"))
            let checked = try shop.run("verify-export", "out", "--key", keys, "--json")
            #expect(checked.exitCode == 0, "\(checked.errors)")
            let rows = words.count == 1 ? 3 : words[1] == "--session" ? 1 : 0
            #expect(checked.json["rows"]?.integer == Int64(rows))
            #expect(checked.json["leftOut"]?.integer == Int64(3 - rows))
            #expect(checked.json["size"]?.integer == 3)
            guard SecondVerifier.python != nil else { return }
            #expect(try SecondVerifier.export(shop.program.path("out"), keys) == 0)
        }
    }

    @Test("Whatever is changed is found, even where the hashes of the files are made anew")
    func changes() async throws {
        try await withExport { taken in
            let keys = taken.shop.program.path("log.vkey")
            func check() throws -> WritingProgram.Run {
                try taken.shop.run("verify-export", "out", "--key", keys, "--json")
            }
            let good = try check()
            #expect(good.exitCode == 0, "\(good.errors)")
            #expect(good.json["rows"]?.integer == 4 && good.json["size"]?.integer == 5)
            for change in Self.changes {
                var changed = taken
                try change.act(&changed)
                try changed.put()
                let run = try check()
                #expect(run.exitCode == change.exit, "\(change.id): \(run.errors)")
                #expect(run.code == change.code, "\(change.id): \(run.errors)")
                guard SecondVerifier.python != nil else { continue }
                let path = taken.shop.program.path("out")
                #expect(try SecondVerifier.export(path, keys) == 3, "\(change.id)")
            }
            try taken.put()
            #expect(try check().exitCode == 0)
        }
    }

    /// What the command does, without the program around it, so that it can be done often.
    private static func holds(_ taken: Taken, _ keys: [NoteVerifier]) -> JSONValue? {
        func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
            bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        }
        do {
            var check = try ExportCheck(manifest: taken.manifest)
            var rows: [UInt8] = []
            let proof = lines(taken.proof)
            for (number, line) in proof.enumerated() where number < proof.count - 1 || !line.isEmpty
            {
                let line = TextLine(
                    number: number + 1, offset: 0, bytes: Array(line),
                    isEnded: number < proof.count - 1)
                guard let recorded = try check.take(line) else { continue }
                rows += EventExport.line(recorded) + [UInt8(ascii: "\n")]
            }
            guard taken.rows.starts(with: rows) else { return nil }
            _ = try check.finish(
                sha256: SHA256.hash(taken.rows), proofSHA256: SHA256.hash(taken.proof), with: keys)
            return try JSONValue(json: taken.manifest)
        } catch {
            return nil
        }
    }

    @Test("No byte of the three files can change but in what the manifest says of its making")
    func everyByte() async throws {
        // Who ran it and why stands in the ledger's own record of the export.
        let making: Set<String> = [
            "tool", "executedBy", "reason", "executedAt", "file", "proofFile", "ledger", "epoch",
        ]
        try await withExport { taken in
            let keys = try String(decoding: taken.shop.program.read("log.vkey"), as: UTF8.self)
                .split(separator: "\n").compactMap { NoteVerifier(String($0)) }
            let sound = try #require(Self.holds(taken, keys))
            guard case .object(let members) = sound else { return }
            let head = try Seal(Array(try #require(sound["seal"]?.text).utf8)).head
            for file in [\Taken.rows, \Taken.proof, \Taken.manifest] {
                for place in taken[keyPath: file].indices {
                    var changed = taken
                    changed[keyPath: file][place] ^= 0x01
                    guard let stated = Self.holds(changed, keys) else { continue }
                    #expect(file == \Taken.manifest, "byte \(place)")
                    // The name of the seal's second signature may become a stranger's.
                    let seal = try Seal(Array(try #require(stated["seal"]?.text).utf8))
                    #expect(seal.head == head, "byte \(place)")
                    for member in members
                    where member.name != "seal" && stated[member.name] != member.value {
                        #expect(making.contains(member.name), "byte \(place): \(member.name)")
                    }
                }
            }
        }
    }

    @Test("Another log's key does not vouch for an export")
    func stranger() async throws {
        try await withExport { taken in
            let key = try taken.shop.run(
                "keys", "new", "--name", "example.com/x", "--out", taken.shop.program.path("x.key"))
            let keys = try taken.shop.program.write("x.vkey", key.output)
            let run = try taken.shop.run("verify-export", "out", "--key", keys, "--json")
            #expect(run.exitCode == 1 && run.code == "NOTE_NOT_SIGNED")
        }
    }

    @Test("A ledger whose files were changed gives no export away")
    func rewritten() async throws {
        try await ProvingShop.with { shop in
            try shop.record("cks_1", "cks_2", "cks_3")
            try shop.tamper { (writer) throws(LogError) in
                var row = try writer.value(.log, 1) { $0.withUnsafeBytes { [UInt8]($0) } } ?? []
                let place = row.firstRange(of: Array("cks_2".utf8))
                row[(place?.upperBound ?? 1) - 1] = UInt8(ascii: "9")
                try writer.put(.log, 1, row.span.bytes)
            }
            let run = try shop.run("audit", "export", "out", "--json")
            #expect(run.exitCode == 3, "\(run.text) \(run.errors)")
            let files = try FileManager.default.contentsOfDirectory(
                atPath: shop.program.directory.path)
            #expect(!files.contains { $0.hasPrefix("out") })
        }
    }
}
