/// How JSON is written; libraries differ in these, and each difference breaks a signature.
struct JSONStyle: Sendable, Hashable, CaseIterable {
    /// A blank behind commas and colons.
    var isSpaced = false
    /// `\u00eb` for `ë`.
    var escapesNonASCII = false
    /// `\/` for `/`.
    var escapesSlash = false

    /// What this module writes.
    static let compact = JSONStyle()

    static var allCases: [JSONStyle] {
        [false, true].flatMap { spaced in
            [false, true].flatMap { nonASCII in
                [false, true].map { slash in
                    JSONStyle(isSpaced: spaced, escapesNonASCII: nonASCII, escapesSlash: slash)
                }
            }
        }
    }
}

/// Writes the JSON of request bodies; the order of members is kept.
extension JSONValue {
    /// A number from an exact integer.
    public static func integer(_ value: Int64) -> JSONValue {
        .number(JSONNumber(text: String(value)))
    }

    /// An object of the members whose value is there.
    public static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(
            members.compactMap { name, value in value.map { JSONMember(name: name, value: $0) } })
    }

    /// Compact JSON in UTF-8.
    public var json: [UInt8] { json(.compact) }

    func json(_ style: JSONStyle) -> [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, style)
        return bytes
    }

    private func write(to bytes: inout [UInt8], _ style: JSONStyle) {
        let comma = Array(style.isSpaced ? ", ".utf8 : ",".utf8)
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let number): bytes += number.text.utf8
        case .string(let text): Self.write(text, to: &bytes, style)
        case .brokenString(let units):
            bytes.append(UInt8(ascii: "\""))
            for unit in units { Self.writeEscape(unit, to: &bytes) }
            bytes.append(UInt8(ascii: "\""))
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes += comma }
                element.write(to: &bytes, style)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes += comma }
                Self.write(member.name, to: &bytes, style)
                bytes += style.isSpaced ? ": ".utf8 : ":".utf8
                member.value.write(to: &bytes, style)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8], _ style: JSONStyle) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
            case "/" where style.escapesSlash: bytes += "\\/".utf8
            case "\n": bytes += "\\n".utf8
            case "\r": bytes += "\\r".utf8
            case "\t": bytes += "\\t".utf8
            case "\u{0}"..<" ": writeEscape(UInt16(scalar.value), to: &bytes)
            case "\u{80}"... where style.escapesNonASCII:
                for unit in String(scalar).utf16 { writeEscape(unit, to: &bytes) }
            default: bytes += String(scalar).utf8
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func writeEscape(_ unit: UInt16, to bytes: inout [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        bytes += "\\u".utf8
        for shift in [12, 8, 4, 0] as [UInt16] { bytes.append(digits[Int(unit >> shift & 0xF)]) }
    }
}
