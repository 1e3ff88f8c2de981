import CheckoutLedger
import CheckoutModel
import EventLog
import Foundation
import ProviderKit
import Testing

@Suite("Exports, imports and backups")
struct WritingExchangeTests {
    /// A ledger with sealed and clear events in several sessions.
    static func fill(_ program: WritingProgram) throws {
        _ = try program.run(["init"])
        for id in ["pub-hook-01", "pub-hook-13", "pub-hook-16", "pub-hook-17"] {
            let item = try WritingRecordTests.item(id)
            _ = try program.webhook("record", item.deliveries[0])
        }
        _ = try program.run([
            "record", "return-url", "--provider", "dodo", "--session", "cks_9",
            "a://b?status=succeeded&email=mira@mail.example",
        ])
        _ = try program.run(["note", "cks_9", "hello"])
    }

    static func leftovers(_ program: WritingProgram, like name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: program.directory.path)
            .filter { $0.hasPrefix(name) }
    }

    @Test("An exported ledger is restored byte for byte, and its names lead to the same sessions")
    func roundTrip() async throws {
        try await withProgram { program in
            try Self.fill(program)
            let exported = try program.run(["export", "shop.jsonl", "--json"])
            #expect(exported.exitCode == 0)
            let imported = try program.run(
                ["import", "shop.jsonl", "--into", "copy.ledger", "--json"])
            #expect(imported.exitCode == 0, "\(imported.errors)")
            #expect(imported.json["root"] == exported.json["root"])
            let again = try program.run(["export"], ledger: "copy.ledger")
            #expect(again.output == (try program.read("shop.jsonl")))
            let piped = try program.run(
                ["import", "-", "--into", "piped.ledger"], input: again.output)
            #expect(piped.exitCode == 0)

            let ledger = try WritingRecordTests.ledger(program)
            defer { ledger.close() }
            let copy = try WritingRecordTests.ledger(program, "copy.ledger")
            defer { copy.close() }
            for name in ["cks_41aa", "pay_41aa", "dodo/cks_9"] {
                let (old, new) = (try ledger.timeline(of: name), try copy.timeline(of: name))
                #expect(old.session == new.session)
                #expect(old.events == new.events)
            }
            let sealed = try copy.timeline(of: "cks_9").events[0]
            #expect(try copy.privateFields(of: sealed) == .keyMissing)
        }
    }

    @Test("Listed events can be taken in again, and what was one checkout is one there too")
    func links() async throws {
        func line(_ ids: String) -> String {
            #"{"type":"payment.succeeded","source":"webhook","evidence":"verified","#
                + #""provider":"dodo",\#(ids),"amount":{"minorUnits":5,"currency":"EUR"}}"# + "\n"
        }
        try await withProgram { program in
            _ = try program.run(["init"])
            _ = try program.run(["record", "session", "--provider", "dodo", "--session", "cks_1"])
            let lines =
                line(#""payment":"pay_1""#) + line(#""payment":"pay_1","session":"cks_1""#)
            let recorded = try program.run(["record", "event"], input: Array(lines.utf8))
            #expect(recorded.exitCode == 0, "\(recorded.errors)")
            let listed = try program.run(["events", "--json"])
            #expect(listed.text.contains(#""type":"session.linked""#))
            for words in [["import", "-"], ["record", "event"]] {
                let name = "\(words[0]).ledger"
                _ = try program.run(["init"], ledger: name)
                let taken = try program.run(words, input: listed.output, ledger: name)
                #expect(taken.exitCode == 0, "\(words): \(taken.errors)")
                let sessions = try program.run(
                    ["sessions", "--json=outcome,payments"], ledger: name)
                #expect(
                    sessions.text
                        == #"{"outcome":"succeeded","payments":["pay_1"]}"# + "\n"
                )
            }
        }
    }

    @Test("A restored ledger goes on: what it knows is not recorded twice")
    func goesOn() async throws {
        try await withProgram { program in
            try Self.fill(program)
            _ = try program.run(["export", "shop.jsonl"])
            _ = try program.run(["import", "shop.jsonl", "--into", "copy.ledger"])
            let delivery = try WritingRecordTests.item("pub-hook-01").deliveries[0]
            let headers = delivery.headers.map { "\($0.name): \($0.value)\n" }.joined()
            let run = try program.run(
                [
                    "record", "webhook", "--provider", "dodo", "--at", "\(delivery.now)", "--json",
                    "--secret-file", program.path("secrets"),
                ], input: Array((headers + "\n").utf8) + delivery.body, ledger: "copy.ledger")
            #expect(run.json["verdict"]?.text == "duplicate", "\(run.errors)")
            let note = try program.run(["note", "cks_9", "on"], ledger: "copy.ledger")
            #expect(note.exitCode == 0)
        }
    }

    /// Ways to spoil a file; lines are without their LF, the last element is empty.
    static let damages: [(name: String, spoil: @Sendable (inout [[UInt8]]) -> Void)] = [
        ("the last line is missing", { $0.remove(at: $0.count - 2) }),
        ("the first line is missing", { $0.remove(at: 0) }),
        ("a record is missing", { $0.remove(at: 3) }),
        ("a record stands twice", { $0.insert($0[3], at: 3) }),
        ("two records are swapped", { $0.swapAt(3, 4) }),
        ("the file is cut in a record", { $0 = Array($0[..<3]) + [Array($0[3].prefix(50))] }),
        ("the file is cut behind a record", { $0 = Array($0[..<4]) + [[]] }),
        ("only the first line is left", { $0 = [$0[0], []] }),
        ("the end is cut", { $0 = $0.dropLast(2) + [$0[$0.count - 2].dropLast(3)] }),
        ("something follows", { $0.insert(Array("{}".utf8), at: $0.count - 1) }),
        ("the line ends are CRLF", { $0 = $0.dropLast().map { $0 + [0x0D] } + [[]] }),
        ("an empty line stands in it", { $0.insert([], at: 3) }),
        ("a blank was added", { $0[0].append(0x20) }),
        (
            "the number of records was changed",
            { lines in
                let text = String(decoding: lines[0], as: UTF8.self)
                lines[0] = Array(text.replacing("\"records\":8}", with: "\"records\":7}").utf8)
            }
        ),
    ]

    @Test("A damaged export is refused whole, and nothing stays behind")
    func damaged() async throws {
        try await withProgram { program in
            try Self.fill(program)
            _ = try program.run(["export", "shop.jsonl"])
            let whole = try program.read("shop.jsonl")
            func refuse(_ bytes: [UInt8], _ name: String) throws {
                try program.write("damaged.jsonl", bytes)
                let run = try program.run(
                    ["import", "damaged.jsonl", "--into", "damaged.ledger", "--json"])
                #expect(run.exitCode != 0, "\(name)")
                #expect(run.output.isEmpty, "\(name)")
                #expect(run.code != nil && run.code != "UNEXPECTED", "\(name)")
                let found = try Self.leftovers(program, like: "damaged.ledger")
                #expect(found.isEmpty, "\(name)")
            }
            for damage in Self.damages {
                var lines = whole.split(separator: 0x0A, omittingEmptySubsequences: false)
                    .map { Array($0) }
                damage.spoil(&lines)
                let bytes = Array(lines.joined(separator: [0x0A]))
                #expect(bytes != whole, "\(damage.name)")
                try refuse(bytes, damage.name)
            }
            // A bit anywhere: in each line's beginning, middle and end.
            var start = 0
            for line in whole.split(separator: 0x0A) {
                for offset in [start, start + 3, start + line.count / 2, start + line.count - 1] {
                    var bytes = whole
                    bytes[offset] ^= 1
                    try refuse(bytes, "bit at \(offset)")
                }
                start += line.count + 1
            }
        }
    }

    @Test("An export never replaces a ledger, and a ledger never a file")
    func neverReplaces() async throws {
        try await withProgram { program in
            try Self.fill(program)
            _ = try program.run(["export", "shop.jsonl"])
            let before = try program.read("shop.jsonl")
            let again = try program.run(["export", "shop.jsonl", "--json"])
            #expect(again.exitCode == 1)
            #expect(try program.read("shop.jsonl") == before)
            let onto = try program.run(["import", "shop.jsonl", "--json"])
            #expect(onto.exitCode == 1)
            #expect(onto.code == "LEDGER_EXISTS")
        }
    }

    @Test("Lines that end in CRLF are as many records as they are lines")
    func crlf() async throws {
        let item = try #require(WritingCase.all(area: "cli").first { $0.id == "pub-cli-02" })
        let text = try #require(item.input["stdin"]?.text)
        try await withProgram { program in
            let run = try program.run(["import", "-", "--json"], input: Array(text.utf8))
            #expect(run.exitCode == 0)
            #expect(run.json["added"]?.integer == 3)
            let ledger = try WritingRecordTests.ledger(program)
            defer { ledger.close() }
            #expect(try ledger.endPosition() == 3)
        }
    }

    @Test("A torn tail is named by its offset, and the repaired file adds only what is missing")
    func torn() async throws {
        let item = try #require(WritingCase.all(area: "cli").first { $0.id == "pub-cli-05" })
        let text = try #require(item.input["stdin"]?.text)
        try await withProgram { program in
            let run = try program.run(["import", "-", "--json"], input: Array(text.utf8))
            #expect(run.exitCode == 1)
            #expect(run.json["added"]?.integer == 2)
            #expect(run.code == "TORN_TAIL")
            #expect(run.errors.contains("byte offset 16"))
            let repaired = try program.run(
                ["import", "-", "--json"], input: Array((text + "3}\n").utf8))
            #expect(repaired.exitCode == 0)
            #expect(repaired.json["added"]?.integer == 1)
            #expect(repaired.json["known"]?.integer == 2)
        }
    }

    @Test("A bad line in the middle stops the import there, and the lines before it stay")
    func badLine() async throws {
        let good = #"{"type":"session.created","provider":"dodo","session":"s1"}"#
        let long = String(repeating: "x", count: 5_000)
        for (bad, code) in [
            (#"{"type":"nonsense","provider":"dodo"}"#, "MALFORMED_EVENT"),
            ("not json", "MALFORMED_EVENT"),
            (
                #"{"type":"note.added","provider":"dodo","reason":"\#(long)"}"#,
                "TOO_LONG"
            ),
        ] {
            try await withProgram { program in
                let run = try program.run(
                    ["import", "-", "--json"],
                    input: Array("\(good)\n\(bad)\n\(good.replacing("s1", with: "s2"))\n".utf8))
                #expect(run.exitCode == 1)
                #expect(run.code == code)
                #expect(run.errors.contains("Line 2, at byte offset \(good.utf8.count + 1)"))
                #expect(run.json["added"]?.integer == 1)
            }
        }
    }

    @Test("A file without one good line leaves no ledger behind")
    func nothing() async throws {
        try await withProgram { program in
            for text in ["{\"n\":", "nonsense\n"] {
                let run = try program.run(["import", "-", "--json"], input: Array(text.utf8))
                #expect(run.exitCode == 1)
                #expect(run.errors.contains("byte offset 0"))
                #expect(try Self.leftovers(program, like: "shop.ledger").isEmpty)
            }
        }
    }

    @Test("A backup is the same ledger; sealed fields open only where its keys are put back")
    func backup() async throws {
        try await withProgram { program in
            try Self.fill(program)
            let made = try program.run(["backup", "b.ledger", "--with-keys", "b.keys", "--json"])
            #expect(made.exitCode == 0, "\(made.errors)")
            #expect(made.json["sound"] == .bool(true))
            let original = try program.run(["export"])
            let copied = try program.run(["export"], ledger: "b.ledger")
            #expect(copied.output == original.output)
            #expect(original.text.contains(try #require(made.json["root"]?.text)))
            let again = try program.run(["backup", "b.ledger", "--json"])
            #expect(again.exitCode == 1)
            #expect(again.code == "LEDGER_EXISTS")

            func email() throws -> PrivateFieldsAnswer {
                let ledger = try WritingRecordTests.ledger(program, "b.ledger")
                defer { ledger.close() }
                let event = try ledger.timeline(of: "cks_9").events[0]
                return try ledger.privateFields(of: event)
            }
            #expect(try email() == .keyMissing)
            try FileManager.default.moveItem(
                atPath: program.path("b.keys"), toPath: program.path("b.ledger/keys"))
            guard case .fields(let fields) = try email() else {
                Issue.record("the keys do not open the copy")
                return
            }
            #expect(fields.customerEmail == "mira@mail.example")
        }
    }
}
