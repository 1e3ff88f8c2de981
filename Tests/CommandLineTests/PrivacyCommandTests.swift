import CheckoutLedger
import Foundation
import ProviderKit
import TestSupport
import Testing

@Suite("The command privacy")
struct PrivacyCommandTests {
    private static func fill(_ program: WritingProgram) throws {
        #expect(try program.run(["init"]).exitCode == 0)
        let body =
            #"{"business_id":"bus_demo","type":"payment.succeeded","#
            + #""timestamp":"2026-03-04T05:06:05Z","data":{"payload_type":"Payment","#
            + #""payment_id":"pay_9","checkout_session_id":"cks_9","status":"succeeded","#
            + #""total_amount":2500,"currency":"EUR","customer":{"customer_id":"cus_9","#
            + #""email":"mira@mail.example","name":"Mira"}}}"#
        let run = try program.webhook("record", WritingDelivery(signing: body, id: "msg_9"))
        #expect(run.exitCode == 0, "\(run.errors)")
    }

    @Test("Erasing asks to be confirmed, shows what it would do, does it once, and keeps a receipt")
    func erase() async throws {
        try await withProgram { program in
            try Self.fill(program)
            let unconfirmed = try program.run(["privacy", "erase", "cks_9"])
            #expect(unconfirmed.exitCode == 2)
            let dry = try program.run(["privacy", "erase", "cks_9", "--dry-run", "--json"])
            #expect(dry.exitCode == 0)
            #expect(dry.json["keys"]?.integer == 1)
            #expect(dry.json["done"] == .bool(false))
            let found = try program.run(["privacy", "find", "mira@mail.example", "--json"])
            #expect(found.json["session"]?.text == "cks_9")
            let erased = try program.run([
                "privacy", "erase", "dodo/cus_9", "--customer", "--yes", "--json", "--reason",
                "Asked by letter", "--actor", "ada", "--copy", "offsite=2027-01-31",
            ])
            #expect(erased.exitCode == 0, "\(erased.errors)")
            #expect(erased.json["level"]?.text == "root-replaced")
            let name = try #require(erased.json["request"]?.text)
            let again = try program.run([
                "privacy", "erase", "dodo/cus_9", "--customer", "--yes", "--json",
            ])
            #expect(again.exitCode == 0)
            #expect(again.json["request"] == .null)

            let status = try program.run(["privacy", "status", "--json"])
            #expect(status.exitCode == 0)
            #expect(status.json["state"]?.text == "done")
            #expect(status.json["actor"]?.text == "ada")
            #expect(try program.run(["seal"]).exitCode == 0)
            let out = try program.run([
                "privacy", "receipt", String(name.prefix(6)), "--out", "receipt.bin",
            ])
            #expect(out.exitCode == 0, "\(out.errors)")
            #expect(out.text.contains("offsite, until 2027-01-31"))
            #expect(out.text.contains("Asked by letter"))
            let record = try program.read("receipt.bin")
            #expect(!record.isEmpty)
            #expect(try !program.read("receipt.bin.tlog-proof").isEmpty)
            #expect(!String(decoding: record, as: UTF8.self).contains("mira"))
            let none = try program.run(["privacy", "find", "mira@mail.example", "--json"])
            #expect(none.output.isEmpty)

            let shown = try program.run(["timeline", "cks_9", "--private"])
            #expect(shown.text.contains("erased at "))
            #expect(!shown.text.contains("mira"))
            let json = try program.run(["events", "--at", "0", "--private", "--json"])
            let lost = json.json["private"]?["lost"]?.elements?.first
            #expect(lost?["why"]?.text == "erased")
            #expect(lost?["class"]?.text == "contact")
            let verbose = try program.run(["timeline", "cks_9", "-v", "--format", "table"])
            #expect(verbose.text.contains("fields erased at "))
        }
    }

    @Test("A lost key and a broken blob are told apart from an erasure")
    func outcomes() async throws {
        try await withProgram { program in
            try Self.fill(program)
            #expect(try program.run(["backup", "b.ledger"]).exitCode == 0)
            let missing = try program.run(
                ["events", "--at", "0", "--private", "--json"], ledger: "b.ledger")
            let lost = missing.json["private"]?["lost"]?.elements?.first
            #expect(lost?["why"]?.text == "key_missing")
            let text = try program.run(
                ["events", "--at", "0", "--private"], ledger: "b.ledger")
            #expect(text.text.contains("the key is missing"))
        }
    }

    @Test("A hold refuses to erase, a rotation keeps every key")
    func holdAndRotate() async throws {
        try await withProgram { program in
            try Self.fill(program)
            let held = try program.run(["privacy", "hold", "cks_9", "--reason", "Court file"])
            #expect(held.exitCode == 0, "\(held.errors)")
            let refused = try program.run(["privacy", "erase", "cks_9", "--yes", "--json"])
            #expect(refused.exitCode == 1)
            #expect(refused.code == "LEGAL_HOLD")
            let rotated = try program.run(["privacy", "rotate", "--yes", "--json"])
            #expect(rotated.exitCode == 0, "\(rotated.errors)")
            #expect(rotated.json["level"]?.text == "root-replaced")
            let shown = try program.run(["events", "--at", "1", "--private", "--json"])
            #expect(shown.json["private"]?["customerEmail"]?.text == "mira@mail.example")
            let released = try program.run([
                "privacy", "hold", "cks_9", "--release", "--reason", "Closed",
            ])
            #expect(released.exitCode == 0)
            let kept = try program.run(["privacy", "sweep", "--yes"])
            #expect(kept.exitCode == 0, "\(kept.errors)")
            #expect(
                try program.run(["privacy", "erase", "cks_9", "--yes"]).exitCode == 0)
        }
    }

    @Test("Status tells refused, done and returned requests apart, and counts each kind of loss")
    func status() async throws {
        try await withProgram { program in
            try Self.fill(program)
            #expect(try program.run(["privacy", "hold", "cks_9"]).exitCode == 2)
            _ = try program.run(["privacy", "hold", "cks_9", "--reason", "Court file"])
            let refused = try program.run(["privacy", "erase", "cks_9", "--yes"])
            #expect(refused.exitCode == 1)
            #expect(refused.errors.contains("privacy hold dodo/cks_9 --release"))
            let first = try program.run(["privacy", "status", "--fields", "--json"])
            #expect(first.exitCode == 0)
            #expect(first.text.contains(#""state":"refused""#))
            #expect(first.text.contains(#""fields":"contact","readable":2,"erased":0"#))
            let report = try program.run(["audit", "run", "Q20", "--format", "json"])
            #expect(report.text.contains("privacy.erase_refused"))
            _ = try program.run(["privacy", "hold", "cks_9", "--release", "--reason", "Closed"])

            let manager = FileManager.default
            try manager.copyItem(
                atPath: program.path("shop.ledger/keys"), toPath: program.path("k"))
            try manager.copyItem(atPath: program.path("state"), toPath: program.path("s"))
            #expect(try program.run(["privacy", "erase", "cks_9", "--yes"]).exitCode == 0)
            let done = try program.run(["privacy", "status", "--fields"])
            #expect(done.exitCode == 0)
            #expect(done.text.contains("contact fields: 0 readable; 2 erased; 0 without a key"))

            // An old copy of the keystore with its root key; the seals are of now.
            try manager.removeItem(atPath: program.path("shop.ledger/keys"))
            try manager.moveItem(
                atPath: program.path("k"), toPath: program.path("shop.ledger/keys"))
            try Self.putBack("root.key", from: program.path("s"), to: program.path("state"))
            let returned = try program.run(["privacy", "status", "--json"])
            #expect(returned.exitCode == 5, "\(returned.errors)")
            #expect(returned.text.contains(#""state":"returned""#))
            let swept = try program.run(["privacy", "sweep", "--yes"])
            #expect(swept.exitCode == 0, "\(swept.errors)")
            #expect(swept.errors.contains("1 key of erased subjects had come back"))
            #expect(try program.run(["privacy", "status", "--fields"]).exitCode == 0)
        }
    }

    /// Puts a file of that name, wherever it stands below a directory, in the place of another's.
    private static func putBack(_ name: String, from old: String, to new: String) throws {
        let manager = FileManager.default
        let names = manager.enumerator(atPath: old)
        while let found = names?.nextObject() as? String {
            guard found.hasSuffix(name) else { continue }
            try manager.removeItem(atPath: "\(new)/\(found)")
            try manager.copyItem(atPath: "\(old)/\(found)", toPath: "\(new)/\(found)")
        }
    }

    @Test("The configuration names where the root key comes from, and how long fields are kept")
    func configuration() async throws {
        try await withProgram { program in
            try program.write(
                "c.json",
                #"{"privacy":{"rootKey":{"file":"own.key"},"keepDays":{"contact":400}}}"#)
            let made = try program.run(["init", "--config", program.path("c.json")])
            #expect(made.exitCode == 0, "\(made.errors)")
            #expect(FileManager.default.fileExists(atPath: program.path("own.key")))
            let swept = try program.run([
                "privacy", "sweep", "--dry-run", "--config", program.path("c.json"),
            ])
            #expect(swept.exitCode == 0, "\(swept.errors)")
            try program.write("bad.json", #"{"privacy":{"rootKey":{"command":["kms"]}}}"#)
            let bad = try program.run(["privacy", "status", "--config", program.path("bad.json")])
            #expect(bad.exitCode == 2)
        }
    }
}
