import CheckoutModel
import EventLog
import Foundation
import ProviderKit
import TestSupport
import Testing

@Suite("What became of private fields stands in every form of an event")
struct PrivateStateTests {
    /// What happens to the fields of the return at position 1, and the word for it.
    private struct Fate: Sendable, CustomTestStringConvertible {
        let word: String?
        var ledger = "shop.ledger"
        let act: @Sendable (ProvingShop) throws -> Void
        var testDescription: String { word ?? "null" }
    }

    private static let fates: [Fate] = [
        Fate(word: "kept") { _ in },
        Fate(word: "erased") { shop in
            let run = try shop.run("privacy", "erase", "cks_1", "--yes")
            #expect(run.exitCode == 0, "\(run.errors)")
        },
        Fate(word: "key_missing", ledger: "copy.ledger") { shop in
            // A backup leaves the keys out.
            let run = try shop.run("backup", "copy.ledger")
            #expect(run.exitCode == 0, "\(run.errors)")
        },
        Fate(word: "tampered") { shop in
            try shop.tamper { (writer) throws(LogError) in
                var row = try writer.value(.log, 1) { $0.withUnsafeBytes { [UInt8]($0) } } ?? []
                let payload = try? EventPayload(decoding: Array(row[144..<(row.count - 8)]))
                let blob = payload?.sealed.first ?? []
                let place = row.firstRange(of: blob)?.lowerBound ?? 0
                // Behind algorithm, key and nonce stands the sealed text.
                row[place + 29] ^= 1
                try writer.put(.log, 1, row.span.bytes)
            }
        },
        Fate(word: nil) { shop in
            let state = shop.program.path("state/checkout-ledger")
            for folder in try FileManager.default.contentsOfDirectory(atPath: state) {
                try FileManager.default.removeItem(atPath: "\(state)/\(folder)/root.key")
            }
        },
    ]

    @Test("Kept, erased, key missing, tampered: each its own word", arguments: fates)
    private func word(_ fate: Fate) async throws {
        try await ProvingShop.with { shop in
            try shop.record("cks_1")
            let url = "shop://return?status=failed&email=mira%40mail.example"
            let sent = try shop.run(
                "record", "return-url", "--provider", "dodo", "--session", "cks_1", url)
            #expect(sent.exitCode == 0, "\(sent.errors)")
            try fate.act(shop)
            func states(_ words: String...) throws -> [JSONValue] {
                let run = try shop.program.run(words, ledger: fate.ledger)
                #expect(run.exitCode == 0, "\(run.errors)")
                #expect(!run.text.contains("mira"))
                return run.text.split(separator: "\n").compactMap {
                    try? JSONValue(json: Array($0.utf8))["privateFields"]
                }
            }
            let expected = JSONValue.object(["contact": fate.word.map { .string($0) } ?? .null])
            #expect(try states("events", "--session", "cks_1", "--json").first == expected)
            #expect(try states("events", "--at", "1", "--json").first == expected)
            #expect(try states("timeline", "cks_1", "--json")[1] == expected)
            #expect(try states("timeline", "cks_1", "--json")[0] == .null)
            // The lines can still be taken in elsewhere.
            let lines = try shop.program.run(["events", "--json"], ledger: fate.ledger)
            let taken = try shop.program.run(
                ["import", "-", "--into", shop.program.path("other.ledger")], input: lines.output,
                ledger: "other.ledger")
            #expect(taken.exitCode == 0, "\(taken.errors)")
        }
    }
}
