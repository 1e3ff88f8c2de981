/// The fields of a form that a browser sent, `application/x-www-form-urlencoded`.
///
/// Files and `multipart/form-data` are not read.
package struct WebForm: Sendable, Hashable {
    /// The fields in their order; a name may be repeated.
    package let fields: [WebField]

    /// The hidden field in which a form carries ``WebRequest/formToken`` back.
    package static let tokenField = "form_token"

    /// Reads a request's body; nil when it is of another type or cannot be read.
    package init?(_ request: WebRequest) {
        let type = request.header("content-type")?.prefix { $0 != ";" }
            .lowercased().filter { $0 != " " }
        guard type == "application/x-www-form-urlencoded",
            let fields = PercentText.fields(request.body)
        else { return nil }
        self.fields = fields
    }

    /// The first field of that name.
    package subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }
}

/// Percent-encoded text.
enum PercentText {
    /// Decodes one part; nil for a broken escape, a zero byte or what is no UTF-8.
    static func decode(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool) -> String? {
        var decoded: [UInt8] = []
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+") where plusIsSpace: decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit)
                else { return nil }
                decoded.append(high << 4 | low)
            default: decoded.append(byte)
            }
        }
        return decoded.contains(0) ? nil : String(validating: decoded, as: UTF8.self)
    }

    /// The pairs of a query or a form, in their order; nil when one cannot be read.
    static func fields(_ bytes: some Collection<UInt8>) -> [WebField]? {
        var fields: [WebField] = []
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            guard fields.count < ServerLimits.fields else { return nil }
            let sides = part.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decode(sides[0], plusIsSpace: true),
                let value = sides.count == 2 ? decode(sides[1], plusIsSpace: true) : ""
            else { return nil }
            fields.append(WebField(name, value))
        }
        return fields
    }

    /// The segments of a path, empty ones left out; nil when one cannot be read.
    static func segments(_ bytes: some Collection<UInt8>) -> [String]? {
        var segments: [String] = []
        for part in bytes.split(separator: UInt8(ascii: "/")) {
            guard let segment = decode(part, plusIsSpace: false) else { return nil }
            segments.append(segment)
        }
        return segments
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
