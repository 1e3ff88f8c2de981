import Redaction
import Testing

/// A body, what is left of it, and what was found.
struct BodyCase: Sendable, CustomTestStringConvertible {
    let id: String
    let body: String
    let kept: String
    let findings: [String]
    var testDescription: String { id }
}

@Suite("A body keeps every byte but those that may not stay")
struct BodyTests {
    static let pan = "4111" + "111111111111"
    static let cases: [BodyCase] = [
        BodyCase(
            id: "a card number in a value", body: #"{"a": {"note" : "card \#(pan) declined"} }"#,
            kept: #"{"a": {"note" : "card [pan visa ****1111] declined"} }"#,
            findings: ["R1 a.note pan:visa"]),
        BodyCase(
            id: "a card number as a number", body: #"{"metadata":{"n":\#(pan),"m":4.1e15}}"#,
            kept: #"{"metadata":{"n":"[pan visa ****1111]","m":4.1e15}}"#,
            findings: ["R1 metadata.n pan:visa"]),
        BodyCase(
            id: "a card number as a number with a fraction", body: "[\(pan).0]",
            kept: #"["[pan visa ****1111]"]"#, findings: ["R1  pan:visa"]),
        BodyCase(
            id: "a card number in escapes",
            body: #"{"n":"\u0034111\u0031111 say \"hi\" 11111111","x":"\u0034111111111111111"}"#,
            kept: #"{"n":"\u0034111\u0031111 say \"hi\" 11111111","x":"[pan visa ****1111]"}"#,
            findings: ["R1 x pan:visa"]),
        BodyCase(
            id: "fields by name",
            body: #"{"card":{"number":"4","cvc":"123","exp_month": 12},"pin":""}"#,
            kept: #"{"card":{"number":null,"cvc":null,"exp_month": null},"pin":""}"#,
            findings: [
                "R3 card.number field:cardnumber", "R4 card.cvc field:cvc",
                "R7 card.exp_month field:expmonth",
            ]),
        BodyCase(
            id: "fields in a list",
            body: #"{"cards":[{"cvv":"1"},{"cvv":"2"}],"pwd":["a","b"]}"#,
            kept:
                #"{"cards":[{"cvv":null},{"cvv":null}],"pwd":["[secret field]","[secret field]"]}"#,
            findings: [
                "R4 cards.cvv field:cvv", "R4 cards.cvv field:cvv",
                "R9 pwd field:pwd", "R9 pwd field:pwd",
            ]),
        BodyCase(
            id: "personal fields stay in what is sealed",
            body: #"{"customer":{"email":"ada@example.com","name":"Ada"}}"#,
            kept: #"{"customer":{"email":"ada@example.com","name":"Ada"}}"#, findings: []),
        BodyCase(
            id: "an identifier with a card's digits", body: #"{"id":"pay_\#(pan)"}"#,
            kept: #"{"id":"pay_\#(pan)"}"#, findings: []),
        BodyCase(
            id: "a name that is a card number", body: #"{"\#(pan)":"a","b":{"\#(pan)":"\#(pan)"}}"#,
            kept: #"{"[pan visa ****1111]":"a","b":{"[pan visa ****1111]":"[pan visa ****1111]"}}"#,
            findings: ["R1 * pan:visa", "R1 b.* pan:visa", "R1 b.* pan:visa"]),
        BodyCase(
            id: "track data", body: #"{"raw":";\#(pan)=29121010000012345678?"}"#,
            kept: #"{"raw":"[track]"}"#, findings: ["R5 raw track"]),
        BodyCase(
            id: "a chip's tag with its length in front",
            body: #"{"emv":"5713\#(pan)D29121010000012345678F"}"#, kept: #"{"emv":"[track]"}"#,
            findings: ["R5 emv track"]),
        BodyCase(
            id: "a form", body: "a=1&note=card+\(pan)%21&cvv=123&card%5Bnumber%5D=4&e=",
            kept:
                "a=1&note=card%20%5Bpan%20visa%20%2A%2A%2A%2A1111%5D%21&cvv=&card%5Bnumber%5D=&e=",
            findings: ["R1 note pan:visa", "R4 cvv field:cvv", "R3 * field:cardnumber"]),
        BodyCase(
            id: "a card number where a form's name is due", body: "a=1&\(pan)&\(pan)=b",
            kept:
                "a=1&[pan visa ****1111]&[pan visa ****1111]=b",
            findings: ["R1 * pan:visa", "R1 * pan:visa"]),
        BodyCase(
            id: "JSON in a form", body: "list=%5B%7B%22cvc%22%3A%22123%22%7D%5D&b=%7B%7D",
            kept: "list=%5B%7B%22cvc%22%3Anull%7D%5D&b=%7B%7D", findings: ["R4 list field:cvc"]),
        BodyCase(
            id: "neither JSON nor a form", body: "PAN \(pan)\r\n",
            kept: "PAN [pan visa ****1111]\r\n",
            findings: ["R1  pan:visa"]),
        BodyCase(
            id: "a text that only begins like JSON",
            body: #"{oops} password=hunter2299 4111 1111 1111 1111 {"a":"b"}"#,
            kept: #"{oops} [secret assignment] [pan visa ****1111] {"a":"b"}"#,
            findings: ["R9  secret:assignment", "R1  pan:visa"]),
        BodyCase(
            id: "groups of digits where a value is due", body: #"{"a":4111 1111 1111 1111}"#,
            kept: #"{"a":[pan visa ****1111]}"#, findings: ["R1 a pan:visa"]),
        BodyCase(
            id: "JSON that ends in the middle", body: #"{"a":["\#(pan)"#,
            kept: #"{"a":["[pan visa ****1111]"#, findings: ["R1 a pan:visa"]),
    ]

    @Test("Spans give way, by name and by value", arguments: cases)
    func spans(item: BodyCase) {
        let found = bytes(item.body) { RedactionBook().redact(body: $0) }
        #expect(found?.text ?? item.body == item.kept)
        let findings = (found?.findings ?? []).map { "\($0.rule.name) \($0.path) \($0.word)" }
        #expect(findings == item.findings)
        let again = bytes(item.kept) { RedactionBook().redact(body: $0) }
        #expect(again?.text == nil)
    }

    @Test("What is kept in clear gives up its personal fields too")
    func clear() {
        let body = #"{"customer":{"email":"x","name":"Ada"},"city":"Ulm","mail":"a@b.example"}"#
        let found = bytes(body) { RedactionBook().redact(body: $0, in: .clear) }
        #expect(
            found?.text
                == #"{"customer":{"email":null,"name":null},"city":"Ulm","mail":"[email]"}"#)
    }

    @Test("No finding holds a part of what was found")
    func findings() {
        let text = "\(Self.pan) cvv: 987 password=hunter2299"
        let found = bytes(text) { RedactionBook().redact(text: $0, in: .clear) }
        for finding in found?.findings ?? [] {
            let words = "\(finding)"
            #expect(!words.contains("1111") && !words.contains("987") && !words.contains("hunter"))
        }
        #expect(found?.findings.count == 3)
    }

    @Test(
        "An own secret is masked however JSON, a form or a URL writes it",
        arguments: [
            (#"{"a":"own/secret+0123"}"#, #"{"a":"[secret known]"}"#),
            (#"{"a":"own\/secret+0123"}"#, #"{"a":"[secret known]"}"#),
            (#"{"a":"\u006fwn/secret+0123 x"}"#, #"{"a":"[secret known] x"}"#),
            (#"{"own/secret+0123":1}"#, #"{"[secret known]":1}"#),
            ("a=own%2Fsecret%2B0123&b=1", "a=%5Bsecret%20known%5D&b=1"),
            ("own/secret+0123", "[secret known]"),
        ])
    func ownSecret(body: String, kept: String) {
        let book = RedactionBook(ownSecrets: [Array("own/secret+0123".utf8)])
        #expect(bytes(body) { book.redact(body: $0) }?.text == kept)
        let url = "shop://back/own%2Fsecret%2B0123?x=own%2Fsecret%2B0123"
        let masked = bytes(url) { book.redact(url: $0, in: .sealed) }?.text
        #expect(masked == "shop://back/%5Bsecret%20known%5D?x=%5Bsecret%20known%5D")
    }

    @Test("Deep nesting is scanned to its end")
    func deep() {
        let body =
            String(repeating: #"{"a":["#, count: 5_000) + "\"\(Self.pan)\""
            + String(repeating: "]}", count: 5_000)
        let found = bytes(body) { RedactionBook().redact(body: $0) }
        #expect(found?.findings.count == 1)
    }
}
