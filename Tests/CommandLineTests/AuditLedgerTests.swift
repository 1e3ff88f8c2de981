import Cryptography
import EventLog
import Foundation
import ProviderKit
import TestSupport
import Testing

@Suite("Reports on gaps and on seals, of real ledgers")
struct AuditLedgerTests {
    /// The rows of a report without its last line, each by column.
    private func rows(_ report: String, _ shop: ProvingShop) throws -> [JSONValue] {
        let run = try shop.run("audit", "run", report, "--format", "json")
        #expect(run.exitCode == 0, "\(run.errors)")
        return run.text.split(separator: "\n").dropLast().compactMap {
            try? JSONValue(json: Array($0.utf8))
        }
    }

    private static func gap(
        _ what: String, _ stream: Int64?, _ expected: Int64, _ found: Int64, _ position: Int64?
    ) -> JSONValue {
        .object([
            "what": .string(what), "stream": stream.map { .integer($0) } ?? .null,
            "expected": .integer(expected), "found": .integer(found),
            "position": position.map { .integer($0) } ?? .null,
        ])
    }

    @Test("Q14 names what was removed from the files, by position and by revision")
    func gaps() async throws {
        try await ProvingShop.with { shop in
            // Streams 0, 1, 2; then a second and a third event of the streams 0 and 1.
            try shop.record("cks_1", "cks_2", "cks_3")
            for name in ["cks_1", "cks_2", "cks_1"] {
                let run = try shop.run("note", name, "looked at")
                #expect(run.exitCode == 0, "\(run.errors)")
            }
            #expect(try rows("Q14", shop).isEmpty)
            // Each reading adds an event: the log has 7 now.
            try shop.tamper { (writer) throws(LogError) in
                for position in [1, 3, 4] as [UInt64] { try writer.delete(.log, position) }
            }
            let found = try rows("Q14", shop)
            #expect(
                found == [
                    Self.gap("positions missing", nil, 1, 2, 2),
                    Self.gap("positions missing", nil, 3, 5, 5),
                    Self.gap("revisions missing", 0, 1, 2, 5),
                ], "\(found.map { String(decoding: $0.json, as: UTF8.self) })")
            let verified = try shop.run("verify", "--json").json["findings"]?.elements ?? []
            #expect(verified.contains { $0["word"]?.text == "missing" })
        }
    }

    /// The root over the first records, by RFC 6962's own words.
    private static func root(_ leaves: ArraySlice<Digest>) -> Digest {
        guard leaves.count > 1 else { return leaves.first ?? SHA256.hash([]) }
        var half = 1
        while half * 2 < leaves.count { half *= 2 }
        let middle = leaves.startIndex + half
        return SHA256.hash(
            [0x01] + root(leaves[..<middle]).bytes + root(leaves[middle...]).bytes)
    }

    @Test("Q23 tells every seal, where it is kept, what was compared, and the longest time without")
    func seals() async throws {
        try await ProvingShop.with { shop in
            let folder = shop.program.path("anchors")
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            // One seal a command, at its end: sizes 1 to 7.
            try shop.record("cks_1", "cks_2")
            try shop.seal("two.seal")
            #expect(try shop.run("seal", "--anchor-dir", folder).exitCode == 0)
            try shop.record("cks_3", "cks_4", "cks_5")
            let kept = shop.program.path("two.seal")
            // Sound, and of its six records only two are vouched for.
            let verified = try shop.run("verify", "--anchor", kept, "--record")
            #expect(verified.exitCode == 0, "\(verified.errors)")
            try shop.record("cks_6")

            let leaves = try shop.records().records.map { SHA256.hash([0x00] + $0) }
            #expect(leaves.count == 7)
            let found = try rows("Q23", shop)
            let told = found.map { row in
                ["what", "size", "recordsSinceLast", "position"].map { name in
                    row[name]?.text ?? row[name]?.integer.map { "\($0)" } ?? ""
                }
            }
            #expect(
                told == (1...7).map { ["sealed", "\($0)", "1", ""] } + [
                    ["own last seal", "7", "7", ""], ["compared", "2", "2", "5"],
                    ["largest unanchored", "7", "5", ""],
                ])
            for (row, size) in zip(found, 1...7) {
                #expect(row["root"]?.text == Self.root(leaves[..<size]).hex)
            }
            #expect(found[7]["root"]?.text == Self.root(leaves[...]).hex)
            // Where an anchor directory is named, its seal counts: everything but the last reading.
            let environment = ["CHECKOUT_LEDGER_ANCHORS": folder]
            let again = try shop.program.run(
                ["audit", "run", "Q23", "--format", "json"], environment: environment)
            #expect(again.text.contains(#""what":"kept elsewhere""#), "\(again.text)")
            #expect(again.text.contains(folder))
        }
    }
}
