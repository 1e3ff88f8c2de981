import CheckoutModel
import Cryptography
import EventLog
import Foundation
import ProviderKit
import TestSupport
import Testing

@Suite("audit answers, exports, and is itself recorded")
struct AuditCommandTests {
    /// A ledger with two checkouts, one of them paid and resolved by hand.
    static func shop(_ body: (WritingProgram) throws -> Void) async throws {
        try await withProgram { program in
            _ = try program.run(["init"])
            for session in ["cks_1", "cks_2"] {
                _ = try program.run([
                    "record", "session", "--provider", "dodo", "--session", session, "--amount",
                    "25.00", "--currency", "EUR",
                ])
            }
            _ = try program.run([
                "resolve", "cks_1", "--outcome", "failed", "--reason", "=1+1, said the bank",
                "--actor", "ada",
            ])
            try body(program)
        }
    }

    @Test("audit list names 24 reports")
    func list() async throws {
        try await withProgram { program in
            let run = try program.run(["audit", "list", "--json"])
            let lines = run.text.split(separator: "\n")
            #expect(run.exitCode == 0 && lines.count == 24)
            #expect(lines[0].contains(#""report":"Q1""#))
        }
    }

    @Test("A report's rows come as JSON or CSV, and say what they covered")
    func formats() async throws {
        try await Self.shop { program in
            let json = try program.run(["audit", "run", "Q4", "--format", "json"])
            #expect(json.exitCode == 0, "\(json.errors)")
            let lines = json.text.split(separator: "\n").map { String($0) }
            #expect(lines.count == 2)
            #expect(lines[0].contains(#""actor":"ada""#))
            #expect(lines[1].contains(#""endPosition":3"#) && lines[1].contains(#""rows":1"#))
            let csv = try program.run(["audit", "run", "Q4", "--format", "csv"])
            #expect(csv.text.hasPrefix("position,recordedAt,session,outcome,actor"))
            #expect(csv.text.contains(#","'=1+1, said the bank""#))
            #expect(csv.errors.contains("1 row"))
        }
    }

    @Test("An empty answer says so in a sentence")
    func empty() async throws {
        try await Self.shop { program in
            let run = try program.run(["audit", "run", "Q11"])
            #expect(run.exitCode == 0)
            #expect(run.errors.contains("Every webhook was verified, understood and applied."))
        }
    }

    @Test("Who read what, and why, stands in the log afterwards")
    func reading() async throws {
        try await Self.shop { program in
            _ = try program.run([
                "audit", "run", "Q5", "--since", "2020-01-01", "--by", "grace", "--reason", "AUD-7",
            ])
            let run = try program.run(["audit", "run", "Q17", "--format", "json"])
            let first = run.text.split(separator: "\n").first.map { String($0) } ?? ""
            for part in [
                #""actor":"grace""#, #""what":"Q5""#, #""reason":"AUD-7""#, "since 2020-01-01",
            ] { #expect(first.contains(part), "\(first)") }
            let again = try program.run(["audit", "run", "Q17", "--format", "json"])
            #expect(again.text.split(separator: "\n").count == 3)
        }
    }

    @Test("An export's manifest fits its file: rows, totals, hash, who and why")
    func export() async throws {
        try await Self.shop { program in
            let run = try program.run([
                "audit", "export", "out.csv", "--type", "session", "--by", "grace", "--reason",
                "Audit",
            ])
            #expect(run.exitCode == 0, "\(run.errors)")
            let file = try program.read("out.csv")
            let rows = String(decoding: file, as: UTF8.self).components(separatedBy: "\r\n")
            #expect(rows.count == 4 && rows[0].hasPrefix("position,recordedAt,id"))
            #expect(rows[1].contains(",2500,EUR,"))
            let manifest = try JSONValue(json: program.read("out.csv.manifest.json"))
            #expect(manifest["sha256"]?.text == SHA256.hash(file).hex)
            #expect(manifest["rows"]?.integer == 2 && manifest["logSize"]?.integer == 3)
            #expect(manifest["executedBy"]?.text == "grace")
            let types = manifest["query"]?["types"]?.elements?.compactMap(\.text) ?? []
            #expect(types.contains("session.created") && !types.contains("payment.failed"))
            let seal = try Seal(Array(try #require(manifest["seal"]?.text).utf8))
            #expect(seal.head.size == 3 && seal.head.root.hex == manifest["root"]?.text)
            let total = manifest["controlTotals"]?.elements?.first
            #expect(total?["minorUnits"]?.text == "5000" && total?["currency"]?.text == "EUR")
            let events = try program.run(["events", "--type", "audit.exported", "--json"])
            #expect(events.text.contains(#""actor":"grace""#))
            let twice = try program.run(["audit", "export", "out.csv"])
            #expect(twice.exitCode == 1)
        }
    }

    @Test("A verification changes nothing, and is recorded where that is asked for")
    func verification() async throws {
        try await Self.shop { program in
            #expect(try program.run(["verify"]).exitCode == 0)
            #expect(try program.run(["verify", "--json"]).json["events"]?.integer == 3)
            // Who says who verifies, or why, wants it to be known.
            #expect(try program.run(["verify", "--by", "grace"]).exitCode == 0)
            let run = try program.run(["audit", "run", "Q24", "--format", "json"])
            for part in [#""result":"sound""#, #""endPosition":3"#, #""actor":"grace""#] {
                #expect(run.text.contains(part), "\(run.text)")
            }
        }
    }

    @Test("Opening sealed fields is recorded")
    func privateReading() async throws {
        try await Self.shop { program in
            _ = try program.run([
                "record", "return-url", "--provider", "dodo", "--session", "cks_2",
                "shop://return?status=failed",
            ])
            _ = try program.run(["events", "--at", "3", "--private"])
            let run = try program.run(["audit", "run", "Q17", "--format", "json"])
            #expect(run.text.contains(#""what":"events --private""#))
        }
    }

    @Test("Opening sealed fields is recorded before anything is shown, and so is sending them")
    func recordedFirst() async throws {
        try await withProgram { program in
            _ = try program.run(["init"])
            let body = #"{"type":"bird.seen","data":{}}"#
            let sent = try program.webhook("record", WritingDelivery(signing: body, id: "msg_1"))
            #expect(sent.exitCode == 0, "\(sent.errors)")
            // The answer goes nowhere: its reader is gone, or the disk is full.
            for words in [
                ["events", "--at", "0", "--private"], ["timeline", "msg_1", "--private"],
            ] {
                let child = try program.start(
                    words, output: .file("/dev/full"), errors: .file(program.path("errors")))
                #expect(child.wait().code == 1)
            }
            let resent = try program.run(["resend", "msg_1", "--to", "http://127.0.0.1:9/"])
            #expect(resent.exitCode == 1)
            let dry = ["resend", "msg_1", "--to", "http://127.0.0.1:9/", "--dry-run"]
            #expect(try program.run(dry).exitCode == 0)
            let run = try program.run(["audit", "run", "Q17", "--format", "json"])
            let what = run.text.split(separator: "\n").compactMap {
                try? JSONValue(json: Array($0.utf8))["what"]?.text
            }
            #expect(what == ["events --private", "timeline --private", "resend"])
        }
    }

    @Test("Each reading of the log adds one event, also a reading of readings, and no long one")
    func bounded() async throws {
        try await Self.shop { program in
            for number in 0..<4 {
                let run = try program.run(["audit", "run", "Q17", "--format", "json"])
                #expect(run.text.split(separator: "\n").count == number + 1)
                let events = try program.run(["stats", "--json"]).json["events"]?.integer
                #expect(events == Int64(4 + number))
            }
            let long = String(repeating: "a", count: 70_000)
            for words in [["run", "Q3"], ["export", "out.csv"]] {
                let run = try program.run(["audit"] + words + ["--actor", long, "--json"])
                #expect(run.exitCode == 1 && run.code == "TOO_LONG" && run.output.isEmpty)
            }
            #expect(try program.run(["stats", "--json"]).json["events"]?.integer == 7)
        }
    }

    @Test("What cannot be written is read all the same, and says that the reading is not recorded")
    func unwritable() async throws {
        try await ProvingShop.with { shop in
            try shop.record("cks_1", "cks_2")
            let old = try shop.copy(to: "old")
            try shop.record("cks_3")
            let run = try old.run("audit", "run", "Q1", "--session", "cks_1", "--format", "json")
            #expect(run.exitCode == 0, "\(run.errors)")
            #expect(run.text.contains(#""session":"cks_1""#))
            #expect(run.errors.contains("not recorded") && run.errors.contains("rolled back"))
            #expect(try old.run("stats", "--json").json["events"]?.integer == 2)
        }
    }

    @Test("A note with a card's track is refused by rule and field, and nowhere shown")
    func refusedNote() async throws {
        try await Self.shop { program in
            let pan = "4539" + "945807302151"
            let run = try program.run([
                "note", "cks_1", "swiped ;\(pan)=29121010000012345678?", "--json",
            ])
            #expect(run.exitCode == 1 && run.code == "SENSITIVE_DATA")
            #expect(run.errors.contains("R5") && !run.errors.contains(pan))
            let report = try program.run(["audit", "run", "Q19", "--format", "json"])
            #expect(report.text.contains(#""rule":"R5""#))
            #expect(report.text.contains(#""action":"refuse""#))
        }
    }
}
