/// Text as one segment of a URL's path or as a form value.
public enum URLSegment {
    /// The id with every byte escaped that RFC 3986 does not leave unreserved, so that an id from
    /// outside cannot reach another path.
    ///
    /// Throws `unusable_id` for empty text, `.`, `..`, and more than ``Limits/identifierBytes``.
    public static func encoded(_ id: String) throws(RequestPlanError) -> String {
        guard !id.isEmpty, id != ".", id != "..", id.utf8.count <= Limits.identifierBytes else {
            throw .unusableID
        }
        return escaped(id)
    }

    /// An `application/x-www-form-urlencoded` body of these pairs, in their order.
    public static func form(_ pairs: [(name: String, value: String)]) -> [UInt8] {
        Array(
            pairs.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&").utf8)
    }

    private static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.append(byte)
            default:
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
