import ProviderKit
import TestSupport
import Testing

@Suite("Strict JSON")
struct JSONReaderTests {
    struct Refused: Sendable, CustomTestStringConvertible {
        let id: String
        let text: String
        let reason: JSONError.Reason
        var testDescription: String { id }
    }

    static let refused: [Refused] = [
        .init(id: "empty", text: "", reason: .truncated),
        .init(id: "blank", text: " \n", reason: .truncated),
        .init(id: "byte order mark", text: "\u{FEFF}{}", reason: .malformed),
        .init(id: "trailing comma in object", text: #"{"a":1,}"#, reason: .malformed),
        .init(id: "trailing comma in array", text: "[1,]", reason: .malformed),
        .init(id: "two values", text: "{}{}", reason: .malformed),
        .init(id: "leading zero", text: "0100", reason: .malformed),
        .init(id: "plus sign", text: "+5", reason: .malformed),
        .init(id: "no digit before the point", text: ".5", reason: .malformed),
        .init(id: "no digit behind the point", text: "5.", reason: .truncated),
        .init(id: "bare exponent", text: "[1e]", reason: .malformed),
        .init(id: "not a number", text: "NaN", reason: .malformed),
        .init(id: "duplicate key", text: #"{"amount":1,"amount":2}"#, reason: .duplicateKey),
        .init(id: "duplicate key by escape", text: #"{"a":1,"\u0061":2}"#, reason: .duplicateKey),
        .init(id: "single quotes", text: "{'a':1}", reason: .malformed),
        .init(id: "comment", text: "{}//", reason: .malformed),
        .init(id: "line end in text", text: "\"a\nb\"", reason: .malformed),
        .init(id: "unknown escape", text: #""\x41""#, reason: .malformed),
        .init(id: "short escape", text: #""\u00"#, reason: .truncated),
        .init(id: "open text", text: "\"abc", reason: .truncated),
        .init(id: "open object", text: #"{"a":"#, reason: .truncated),
        .init(id: "full-width digits", text: "１２", reason: .malformed),
        .init(
            id: "too deep", text: String(repeating: "[", count: 65), reason: .tooDeep),
    ]

    @Test("JSON with a mistake or two readings is refused", arguments: refused)
    func refuses(_ item: Refused) {
        #expect { try JSONValue(json: Array(item.text.utf8)) } throws: { error in
            (error as? JSONError)?.reason == item.reason
        }
    }

    @Test("Keys that only look alike are different keys")
    func keysByBytes() throws {
        let value = try JSONValue(json: Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8))
        #expect(value["\u{E9}"]?.integer == 1)
        #expect(value["e\u{301}"]?.integer == 2)
    }

    @Test("A duplicate is found in an object of any size")
    func manyKeys() throws {
        let members = (0..<1_000).map { "\"k\($0)\":0" }
        _ = try JSONValue(json: Array("{\(members.joined(separator: ","))}".utf8))
        #expect(throws: JSONError.self) {
            try JSONValue(json: Array("{\((members + ["\"k3\":1"]).joined(separator: ","))}".utf8))
        }
    }

    @Test("Numbers keep their text, and only plain integers are integers")
    func numbers() throws {
        let cases: [(String, Int64?)] = [
            ("0", 0), ("-0", 0), ("100", 100), ("-5", -5), ("100.0", nil), ("1e2", nil),
            ("7840.000000000001", nil), ("9223372036854775807", .max),
            ("9223372036854775808", nil), ("-9223372036854775808", .min),
        ]
        for (text, integer) in cases {
            let value = try JSONValue(json: Array(text.utf8))
            #expect(value.integer == integer)
            #expect(value.json == Array(text.utf8))
        }
    }

    @Test("Half a surrogate pair is kept and spoils no other field")
    func surrogates() throws {
        let text = #"{"note":"a\ud83c","id":"pay_1","gift":"\ud83c\udf81"}"#
        let value = try JSONValue(json: Array(text.utf8))
        #expect(value["note"] == .brokenString([0x61, 0xD83C]))
        #expect(value["id"]?.text == "pay_1")
        #expect(value["gift"]?.text == "\u{1F381}")
        #expect(try JSONValue(json: value.json) == value)
    }

    @Test("Bytes that are no UTF-8 are refused inside text")
    func notUTF8() {
        #expect { try JSONValue(json: [0x22, 0xFF, 0x22]) } throws: { error in
            (error as? JSONError)?.reason == .notUTF8
        }
    }

    @Test("More bytes than allowed are refused before they are read")
    func tooLarge() {
        let body = [UInt8](repeating: UInt8(ascii: " "), count: Limits.bodyBytes + 1)
        #expect { try JSONValue(json: body) } throws: { error in
            (error as? JSONError)?.reason == .tooLarge
        }
    }

    @Test("Random and damaged bytes give a value or an error")
    func fuzz() {
        var random = SeededGenerator(seed: 7)
        let seed = Array(#"{"a":[1,-2.5e3,"x\u00e9\ud83c",{"b":null}],"c":true}"#.utf8)
        for round in 0..<20_000 {
            var bytes = seed
            if round.isMultiple(of: 2) {
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            } else {
                bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            }
            if let value = try? JSONValue(json: bytes) {
                #expect((try? JSONValue(json: value.json)) == value)
            }
        }
    }
}
