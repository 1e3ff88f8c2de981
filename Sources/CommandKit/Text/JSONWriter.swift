/// Writes JSON into bytes: keys in the order written, integers exact, no space, no float.
///
/// Equal calls make equal bytes.
///
///     var writer = JSONWriter()
///     writer.object {
///         $0.field("session", "dodo/cks_1")
///         $0.object("amount") {
///             $0.field("minorUnits", 9_900)
///             $0.field("currency", "CNY")
///         }
///         $0.field("reasons", ["amount differs"])
///     }
///     try output.line(&writer)
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8] = []
    private let selection: FieldSelection?
    private var depth = 0
    private var needsComma = false

    /// With a selection, members of the outermost object that it does not name are left out.
    package init(only selection: FieldSelection? = nil) { self.selection = selection }

    /// What was written, with a line break; the writer is empty afterwards.
    package mutating func line() -> [UInt8] {
        bytes.append(UInt8(ascii: "\n"))
        defer { removeAll() }
        return bytes
    }

    /// Empties the writer and keeps its memory for the next line.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    // MARK: Values, at the top or inside an array

    package mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
        try nested("{", "}", body)
    }

    package mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
        try nested("[", "]", body)
    }

    package mutating func value(_ value: some JSONWritable) {
        separate()
        value.write(to: &self)
        needsComma = true
    }

    // MARK: Members of an object

    package mutating func field(_ name: String, _ value: some JSONWritable) {
        guard wants(name) else { return }
        key(name)
        value.write(to: &self)
        needsComma = true
    }

    package mutating func object(
        _ name: String, _ body: (inout JSONWriter) throws -> Void
    ) rethrows {
        guard wants(name) else { return }
        key(name)
        try object(body)
    }

    package mutating func array(
        _ name: String, _ body: (inout JSONWriter) throws -> Void
    ) rethrows {
        guard wants(name) else { return }
        key(name)
        try array(body)
    }

    // MARK: Bytes

    /// False for a member that would be left out, so that it need not be made.
    package func wants(_ name: String) -> Bool {
        depth != 1 || selection.map { $0.names.contains(name) } ?? true
    }

    private mutating func key(_ name: String) {
        separate()
        name.write(to: &self)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    private mutating func nested(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar,
        _ body: (inout JSONWriter) throws -> Void
    ) rethrows {
        separate()
        bytes.append(UInt8(ascii: open))
        depth += 1
        needsComma = false
        try body(&self)
        depth -= 1
        bytes.append(UInt8(ascii: close))
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        // A value that is an object or array itself comes by here twice.
        needsComma = false
    }

    fileprivate mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { bytes += $0 }
    }

    fileprivate mutating func digits(_ number: some BinaryInteger) {
        bytes += String(number).utf8
    }

    /// Escapes what JSON must, and also DEL, C1 controls and U+2028/9: the line may be read on a
    /// terminal or inside a script.
    fileprivate mutating func string(_ text: some StringProtocol) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        let isWritten = text.utf8.withContiguousStorageIfAvailable { buffer in
            guard buffer.allSatisfy(Self.isPlain) else { return false }
            bytes.append(contentsOf: buffer)
            return true
        }
        if isWritten == true { return }
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22: raw("\\\"")
            case 0x5C: raw("\\\\")
            case 0x08: raw("\\b")
            case 0x09: raw("\\t")
            case 0x0A: raw("\\n")
            case 0x0C: raw("\\f")
            case 0x0D: raw("\\r")
            case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: escape(scalar.value)
            case ..<0x80: bytes.append(UInt8(scalar.value))
            default: bytes += String(scalar).utf8
            }
        }
    }

    /// Bytes that stand for themselves whatever follows: most text is nothing else.
    ///
    /// 0xC2 may begin a C1 control and 0xE2 a line separator, so texts with them take the slow way.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x22, 0x5C, 0xC2, 0xE2: false
        case 0x20..<0x7F, 0x80...: true
        default: false
        }
    }

    private mutating func escape(_ value: UInt32) {
        let hex = String(value, radix: 16)
        raw("\\u")
        bytes += String(repeating: "0", count: 4 - hex.count).utf8
        bytes += hex.utf8
    }
}

/// A value JSON has a form for.
///
/// There is none for floating point: amounts are integers here.
package protocol JSONWritable {
    func write(to writer: inout JSONWriter)
}

extension String: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Substring: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Bool: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.raw(self ? "true" : "false") }
}

extension Int: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.digits(self) }
}

extension Int64: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.digits(self) }
}

extension UInt64: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.digits(self) }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.raw("null") }
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.raw("[")
        for (index, element) in enumerated() {
            if index > 0 { writer.raw(",") }
            element.write(to: &writer)
        }
        writer.raw("]")
    }
}

/// The members asked for by `--json=id,status`.
package struct FieldSelection: Sendable, Hashable {
    package let names: Set<String>

    /// Why a list of fields was refused, as a sentence.
    package struct Refusal: Error, Sendable, Hashable {
        package let message: String
    }

    /// Reads a comma-separated list.
    ///
    /// `known` are the members of the row, in their order.
    package init(_ list: String, known: [String]) throws(Refusal) {
        var names: Set<String> = []
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            let name = String(part)
            guard known.contains(name) else {
                throw Refusal(
                    message: "Unknown field \(quoted(name))."
                        + Suggestion.sentence(for: name, among: known)
                        + " The fields are \(known.joined(separator: ", ")).")
            }
            names.insert(name)
        }
        self.names = names
    }

    /// Whether the list is `?`, the question which fields there are.
    package static func isQuestion(_ list: String) -> Bool { list == "?" }
}
