import CheckoutModel
import Testing

/// A small seeded generator, so that a failure can be run again.
private struct Lehmer: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F
        return state ^ state >> 29
    }
}

@Suite struct ReturnURLPropertyTests {
    /// Bytes that mean something to a URL come up often, all others sometimes.
    private static func randomBytes(_ random: inout Lehmer) -> [UInt8] {
        let pieces: [[UInt8]] = [
            "&", "=", "%", "#", "?", "+", ";", "/", "@", ":", "%41", "%2F", "%ff", "%C3%A9", "%z",
            "status", "payment_id", "succeeded", "a", "<", "é", " ",
        ].map { Array($0.utf8) }
        let heads = ["app://h/p?", "https://u:p@h:1/p?", "a:?", "", "app://[::1]/?", "x://"]
        var bytes = Array(heads.randomElement(using: &random).unsafelyUnwrapped.utf8)
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            if Bool.random(using: &random) {
                bytes += pieces.randomElement(using: &random) ?? []
            } else {
                bytes.append(UInt8.random(in: 0...255, using: &random))
            }
        }
        return bytes
    }

    /// The query cut the slow way.
    private static func query(_ bytes: [UInt8]) -> [[UInt8]] {
        let text = bytes.prefix { $0 != UInt8(ascii: "#") }
        guard let mark = text.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        return text[(mark + 1)...].split(separator: UInt8(ascii: "&")).map(Array.init)
    }

    /// Decodes one piece the slow way; nil when an escape is malformed.
    private static func decode(_ raw: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        var rest = raw[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2,
                digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            result.append(value)
            rest = rest.dropFirst(2)
        }
        return result
    }

    @Test("Any bytes are read without a trap, lose nothing, and decode once")
    func lossless() {
        var random = Lehmer(state: 20_260_304)
        var readable = 0
        for _ in 0..<2_500 {
            let bytes = Self.randomBytes(&random)
            guard let url = try? ReturnURL(parsing: bytes) else { continue }
            readable += 1
            #expect(url.bytes == bytes)
            let raw = url.parameters.map { parameter in
                parameter.rawName + (parameter.hasEqualsSign ? [UInt8(ascii: "=")] : [])
                    + parameter.rawValue
            }
            #expect(raw == Self.query(bytes))
            for parameter in url.parameters {
                #expect(parameter.nameBytes == Self.decode(parameter.rawName) ?? parameter.rawName)
                #expect(
                    parameter.valueBytes == Self.decode(parameter.rawValue) ?? parameter.rawValue)
            }
            var texts: [String] = []
            url.parameters.forEachText { texts += [$0, $1] }
            #expect(texts == url.parameters.flatMap { [$0.name, $0.value] })
        }
        #expect(readable > 500)
    }

    @Test("The usual head of a URL, seen at one look, has the parts that are read byte by byte")
    func heads() {
        var random = Lehmer(state: 64)
        let pieces = [
            "a", "Z", "9", "-", ".", "+", "/", "://", ":", "@", "?", "#", "_", "%2F", "[",
        ]
        var readable = 0
        for _ in 0..<4_000 {
            let long = String(repeating: "h", count: Int.random(in: 0...70, using: &random))
            var text =
                ["", "app://", "https://h", "a" + long + "://"].randomElement(using: &random) ?? ""
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                text +=
                    Int.random(in: 0...9, using: &random) == 0
                    ? long : pieces.randomElement(using: &random) ?? ""
            }
            // `URLText` has no padding to look behind, so it always reads byte by byte.
            switch (try? URLText(parsing: text), try? ReturnURL(parsing: text)) {
            case (let slow?, let quick?):
                readable += 1
                #expect(quick.scheme == slow.scheme, "\(text)")
                #expect(quick.host == slow.host, "\(text)")
                #expect(quick.port == slow.port, "\(text)")
                #expect(quick.path == slow.path, "\(text)")
                #expect(quick.query == slow.query, "\(text)")
            case (nil, nil): break
            default: Issue.record("one of the two refused \(text)")
            }
        }
        #expect(readable > 1_000)
    }

    @Test("Names and values that reach over several blocks of a scan are cut in the right place")
    func longPairs() throws {
        for length in stride(from: 0, to: 260, by: 3) {
            let name = String(repeating: "n", count: length)
            let url = try ReturnURL(parsing: "app://h?\(name)=%41=\(name)&x\(name)%42&=c#\(name)=d")
            #expect(url.parameters.map(\.name) == [name, "x\(name)B", ""])
            #expect(url.parameters.map(\.value) == ["A=\(name)", "", "c"])
            #expect(url.query?.hasSuffix("&=c") == true)
        }
    }

    @Test("Recognising at once says what matching and reading say")
    func recognising() throws {
        var random = Lehmer(state: 7)
        let pattern = try ReturnURLPattern(registered: "app://h/p")
        var ours = 0
        for _ in 0..<2_000 {
            let text = String(decoding: Self.randomBytes(&random), as: UTF8.self)
            let url = try? ReturnURL(parsing: text)
            let slow = url.flatMap { pattern.match($0).isMatch ? dodoWords.read($0).status : nil }
            #expect(pattern.recognise(text, with: dodoWords) == slow)
            ours += slow == nil ? 0 : 1
        }
        #expect(ours > 50)
    }

    @Test("Lengths around every word and block border read the same")
    func borders() throws {
        for length in 0..<200 {
            let value = String(repeating: "v", count: length)
            let url = try ReturnURL(
                parsing: "app://h/p?status=succeeded&k=\(value)%41&payment_id=1")
            #expect(url.parameters.first(named: "k")?.value == value + "A")
            #expect(dodoWords.read(url).paymentID == "1")
            let pattern = try ReturnURLPattern(registered: "app://h/\(value)")
            #expect(pattern.match("APP://H/\(value)/?status=failed").isMatch)
            #expect(!pattern.match("app://h/\(value)x").isMatch)
            #expect(pattern.recognise("app://h/\(value)?status=failed", with: dodoWords) == .failed)
        }
    }

    @Test("Limits are errors, at the limit and one past it")
    func limits() throws {
        let head = "app://h/p?"
        let longest = head + String(repeating: "a", count: ModelLimits.urlBytes - head.count)
        #expect(try ReturnURL(parsing: longest).parameters.count == 1)
        #expect(throws: URLTextError(.tooLong)) { try ReturnURL(parsing: longest + "a") }
        let most = head + String(repeating: "a&", count: ModelLimits.urlParameters)
        #expect(try ReturnURL(parsing: most).parameters.count == ModelLimits.urlParameters)
        #expect(throws: URLTextError(.tooManyParameters)) { try ReturnURL(parsing: most + "a") }
        let pattern = try ReturnURLPattern(registered: "app://h/p")
        #expect(pattern.recognise(most + "a", with: dodoWords) == nil)
    }
}
