/// Writes the JSON of request bodies; the order of members is kept.
extension JSONValue {
    /// A number from an exact integer.
    public static func integer(_ value: Int64) -> JSONValue {
        .number(JSONNumber(text: String(value)))
    }

    /// An object of the members whose value is there.
    public static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { name, value in value.map { JSONMember(name: name, value: $0) } })
    }

    /// Compact JSON in UTF-8.
    public var json: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let number): bytes += number.text.utf8
        case .string(let text): Self.write(text, to: &bytes)
        case .brokenString(let units):
            bytes.append(UInt8(ascii: "\""))
            for unit in units { Self.writeEscape(unit, to: &bytes) }
            bytes.append(UInt8(ascii: "\""))
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: writeEscape(UInt16(byte), to: &bytes)
            default: bytes.append(byte)
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
