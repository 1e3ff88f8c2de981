import CommandKit
import Foundation
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
    @Test("Keys keep their order and nothing is between them")
    func order() {
        var writer = JSONWriter()
        writer.object {
            $0.field("z", "dodo/cks_1")
            $0.field("a", Int64.min)
            $0.field("big", UInt64.max)
            $0.field("none", String?.none)
            $0.field("some", String?("x"))
            $0.object("amount") {
                $0.field("minorUnits", 9_900)
                $0.field("held", true)
            }
            $0.field("reasons", ["a", "b"])
            $0.field("empty", [Int]())
            $0.array("rows") { rows in
                for name in ["x", "y"] { rows.object { $0.field("name", name) } }
                rows.value(3)
                rows.array { $0.value(false) }
            }
            $0.object("nothing") { _ in }
        }
        let expected = #"""
            {"z":"dodo/cks_1","a":-9223372036854775808,"big":18446744073709551615,"none":null,\#
            "some":"x","amount":{"minorUnits":9900,"held":true},"reasons":["a","b"],"empty":[],\#
            "rows":[{"name":"x"},{"name":"y"},3,[false]],"nothing":{}}

            """#
        #expect(String(decoding: writer.line(), as: UTF8.self) == expected)
        #expect(writer.bytes == [])
    }

    @Test("Every byte of a string comes back through a JSON reader, and none is a control byte")
    func everyByte() throws {
        for byte in UInt8.min...UInt8.max {
            let text = "a" + String(Unicode.Scalar(byte)) + "b"
            let written = string(text)
            #expect(written.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "byte \(byte)")
            let back = try JSONDecoder().decode(
                [String].self, from: Data("[".utf8 + written + "]".utf8))
            #expect(Array(back[0].utf8) == Array(text.utf8), "byte \(byte)")
        }
    }

    @Test(
        "Characters with a meaning elsewhere are escaped",
        arguments: [
            ("\"", #""\"""#), ("\\", #""\\""#), ("/", #""/""#), ("\0", #""\u0000""#),
            ("\n\t\r", #""\n\t\r""#), ("\u{8}\u{c}", #""\b\f""#), ("\u{1F}", #""\u001f""#),
            ("\u{7F}", #""\u007f""#), ("\u{9B}", #""\u009b""#), ("\u{2028}", #""\u2028""#),
            ("\u{2029}", #""\u2029""#), ("ü€", #""ü€""#), ("\u{1F600}", "\"\u{1F600}\""),
            ("\r\n", #""\r\n""#), ("e\u{301}", "\"e\u{301}\""),
        ])
    func escapes(_ text: String, _ expected: String) {
        #expect(Array(string(text)) == Array(expected.utf8))
    }

    @Test("Only the members asked for are written, and only of the outer object")
    func selection() throws {
        let selection = try FieldSelection("amount,id", known: ["id", "status", "amount"])
        var writer = JSONWriter(only: selection)
        for id in 1...2 {
            writer.object {
                $0.field("id", id)
                $0.field("status", "x")
                $0.object("amount") { $0.field("currency", "EUR") }
                $0.array("reasons") { $0.value("no") }
            }
            let line = String(decoding: writer.line(), as: UTF8.self)
            #expect(line == "{\"id\":\(id),\"amount\":{\"currency\":\"EUR\"}}\n")
        }
    }

    @Test("Lines go out one by one through the same writer")
    func lines() throws {
        let text = try captured(Terminal(isTerminal: false)) { output in
            var writer = JSONWriter()
            for number in 1...3 {
                writer.object { $0.field("n", number) }
                try output.line(&writer)
            }
        }
        #expect(text == "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n")
    }

    @Test("An unknown member is refused with the nearest one and the list")
    func unknownField() {
        let refusal = #expect(throws: FieldSelection.Refusal.self) {
            try FieldSelection("id,staus", known: ["id", "status"])
        }
        #expect(
            refusal?.message
                == "Unknown field 'staus'. Did you mean 'status'? The fields are id, status.")
        #expect(throws: FieldSelection.Refusal.self) { try FieldSelection("", known: ["id"]) }
        #expect(FieldSelection.isQuestion("?"))
    }

    private func string(_ text: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.value(text)
        return writer.bytes
    }
}
