/// One JSON value as it was written: numbers keep their text, objects keep their order.
///
/// Holds no floating-point number anywhere. Object keys are compared byte for byte, not by
/// Unicode equivalence as Swift's `String` does.
public enum JSONValue: Sendable, Hashable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number's own text, such as `-12`, `1e2` or `7840.000000000001`.
    case number(JSONNumber)
    /// Text without escapes.
    case string(String)
    /// Text that holds half of a surrogate pair and so is no Unicode text; its UTF-16 units.
    ///
    /// A case of its own, so that nothing is lost and one bad note does not spoil the other fields.
    case brokenString([UInt16])
    /// Values in their order.
    case array([JSONValue])
    /// Members in their order; no key occurs twice.
    case object([JSONMember])

    /// The member of this name; nil when there is none or this is no object.
    public subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// The text; nil when this is no well-formed text.
    public var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The values of an array; nil when this is none.
    public var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The exact integer; nil when this is no number, not written as an integer, or does not fit.
    public var integer: Int64? {
        if case .number(let number) = self { number.integer } else { nil }
    }
}

/// A name and a value of a JSON object.
public struct JSONMember: Sendable, Hashable {
    /// The key without escapes; half surrogates in it are replaced by U+FFFD.
    public let name: String
    /// What stands behind it.
    public let value: JSONValue

    /// Pairs a name with its value.
    public init(name: String, value: JSONValue) {
        self.name = name
        self.value = value
    }
}

/// A JSON number as text that follows the JSON grammar.
public struct JSONNumber: Sendable, Hashable {
    /// The characters of the number, unchanged.
    public let text: String

    init(text: String) { self.text = text }

    /// True when written with digits only, after at most one minus sign: `1.0` and `1e2` are not.
    public var isInteger: Bool {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    }

    /// The value; nil when not written as an integer or outside `Int64`.
    public var integer: Int64? { isInteger ? Int64(text) : nil }
}

/// Why bytes are no JSON that we take; carries a place, never content.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: String, Sendable, Hashable {
        /// Not the JSON grammar: RFC 8259, without a byte order mark or trailing commas.
        case malformed
        /// The bytes end too early.
        case truncated
        /// A string is not UTF-8.
        case notUTF8 = "not_utf8"
        /// The same key twice in one object: two readers could disagree about its value.
        case duplicateKey = "duplicate_key"
        /// Nested deeper than ``Limits/jsonDepth``.
        case tooDeep = "too_deep"
        /// More bytes than the caller allows.
        case tooLarge = "too_large"
    }

    /// What is wrong.
    public let reason: Reason
    /// The byte, from 0, at which it was seen.
    public let offset: Int

    /// The reason and the place on one line.
    public var description: String { "\(reason.rawValue) at byte \(offset)" }
}
