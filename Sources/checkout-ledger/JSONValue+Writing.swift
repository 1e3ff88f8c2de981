import CommandKit
import ProviderKit

extension JSONValue {
    /// Writes the value by the command's own writer, whose text is harmless on a terminal.
    func write(to writer: inout JSONWriter) {
        switch self {
        case .array(let elements):
            writer.array { for element in elements { element.write(to: &$0) } }
        case .object(let members): writer.object { Self.write(members, to: &$0) }
        default: writer.value(Plain(value: self))
        }
    }

    /// Writes members into the object at hand.
    static func write(_ members: [JSONMember], to writer: inout JSONWriter) {
        for member in members {
            switch member.value {
            case .array(let elements):
                writer.array(member.name) { for element in elements { element.write(to: &$0) } }
            case .object(let members):
                writer.object(member.name) { write(members, to: &$0) }
            default: writer.field(member.name, Plain(value: member.value))
            }
        }
    }

    /// A value without others in it.
    private struct Plain: JSONWritable {
        let value: JSONValue

        func write(to writer: inout JSONWriter) {
            switch value {
            case .bool(let value): value.write(to: &writer)
            // A fraction has no form in the writer, so its text is kept.
            case .number(let number):
                if let integer = number.integer {
                    integer.write(to: &writer)
                } else {
                    number.text.write(to: &writer)
                }
            case .string(let text): text.write(to: &writer)
            case .brokenString(let units):
                String(decoding: units, as: UTF16.self).write(to: &writer)
            case .null, .array, .object: String?.none.write(to: &writer)
            }
        }
    }
}
