import ProviderKit

extension Redactor {
    /// One that also masks the texts of a body's members of these names, wherever in the body they
    /// stand again, such as in a URL.
    ///
    /// Looks at the bytes and not at a parsed value: a body that is cut off, or no JSON at all, has
    /// its secrets masked as well. Names are found as they are usually written, without escapes.
    func adding(valuesOf names: [String], in body: [UInt8]) -> Redactor {
        guard !names.isEmpty else { return self }
        let texts = names.flatMap { Self.texts(named: $0, in: body) }
        return texts.isEmpty ? self : adding(texts)
    }

    /// Each text as it is written, and as it is meant where that is another.
    private static func texts(named name: String, in body: [UInt8]) -> [String] {
        let quote = UInt8(ascii: "\"")
        let key = [quote] + Array(name.utf8) + [quote]
        var texts: [String] = []
        var rest = body[...]
        while texts.count < Limits.secretTextsPerBody, let found = rest.firstRange(of: key) {
            rest = rest[found.upperBound...]
            var value = rest.drop(while: isBlank)
            guard value.first == UInt8(ascii: ":") else { continue }
            value = value.dropFirst().drop(while: isBlank)
            guard value.first == quote else { continue }
            let written = text(after: value.dropFirst())
            let text = String(decoding: written, as: UTF8.self)
            guard !texts.contains(text) else { continue }
            texts.append(text)
            if written.contains(UInt8(ascii: "\\")),
                let meant = (try? JSONValue(json: [quote] + Array(written) + [quote]))?.text
            {
                texts.append(meant)
            }
        }
        return texts
    }

    /// The bytes up to the quote that ends the text, or to the end.
    private static func text(after start: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var isEscaped = false
        return start.prefix { byte in
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                return false
            }
            return true
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
