/// Reads JSON bytes strictly (RFC 8259) into ``JSONValue``.
///
/// Our own, although Foundation has a reader: that one turns `100.0` and `1e2` into the integer
/// 100, keeps the first of two equal keys without a word, and takes byte order marks and trailing
/// commas. Here an amount must be the exact text that was signed, and a body with two readings
/// must be refused. It also keeps Foundation out of adapters.
struct JSONReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var depth = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    static func read(
        _ bytes: [UInt8], limit: Int = Limits.bodyBytes
    ) throws(JSONError) -> JSONValue {
        guard bytes.count <= limit else { throw JSONError(reason: .tooLarge, offset: limit) }
        let result = bytes.withUnsafeBufferPointer { buffer -> Result<JSONValue, JSONError> in
            var reader = JSONReader(buffer)
            do throws(JSONError) {
                return .success(try reader.document())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private mutating func document() throws(JSONError) -> JSONValue {
        let value = try value()
        skipBlanks()
        guard position == bytes.count else { throw malformed }
        return value
    }

    private mutating func value() throws(JSONError) -> JSONValue {
        skipBlanks()
        switch try peek() {
        case UInt8(ascii: "{"):
            return try nested { (reader) throws(JSONError) in try reader.object() }
        case UInt8(ascii: "["):
            return try nested { (reader) throws(JSONError) in try reader.array() }
        case UInt8(ascii: "\""): return try string()
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func nested(
        _ body: (inout Self) throws(JSONError) -> JSONValue
    ) throws(JSONError) -> JSONValue {
        guard depth < Limits.jsonDepth else { throw error(.tooDeep) }
        depth += 1
        position += 1
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func array() throws(JSONError) -> JSONValue {
        var elements: [JSONValue] = []
        if try ends(with: UInt8(ascii: "]")) { return .array([]) }
        while true {
            elements.append(try value())
            if try ends(with: UInt8(ascii: "]")) { return .array(elements) }
            try take(UInt8(ascii: ","))
        }
    }

    private mutating func object() throws(JSONError) -> JSONValue {
        var members: [JSONMember] = []
        var names = NameSet()
        if try ends(with: UInt8(ascii: "}")) { return .object([]) }
        while true {
            skipBlanks()
            let start = position
            guard try peek() == UInt8(ascii: "\"") else { throw malformed }
            let name =
                switch try string() {
                case .string(let text): text
                case .brokenString(let units): String(decoding: units, as: UTF16.self)
                default: ""
                }
            guard names.insert(name) else {
                throw JSONError(reason: .duplicateKey, offset: start)
            }
            skipBlanks()
            try take(UInt8(ascii: ":"))
            members.append(JSONMember(name: name, value: try value()))
            if try ends(with: UInt8(ascii: "}")) { return .object(members) }
            try take(UInt8(ascii: ","))
        }
    }

    private mutating func number() throws(JSONError) -> JSONNumber {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        if next == UInt8(ascii: "0") { position += 1 } else { try digits() }
        if next == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        return JSONNumber(text: String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
        guard position > start else {
            throw position == bytes.count ? error(.truncated) : malformed
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError)
        -> JSONValue
    {
        let isThere = word.withUTF8Buffer { bytes[position...].prefix($0.count).elementsEqual($0) }
        guard isThere else { throw malformed }
        position += word.utf8CodeUnitCount
        return value
    }
}

// MARK: - Text

extension JSONReader {
    /// Reads from the opening quote to behind the closing one.
    private mutating func string() throws(JSONError) -> JSONValue {
        position += 1
        let start = position
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                let text = try utf8(start..<position)
                position += 1
                return .string(text)
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case 0..<0x20: throw malformed
            default: position += 1
            }
        }
        throw error(.truncated)
    }

    /// The slower way for text with escapes: collects UTF-16 units, the only form that can hold
    /// every JSON string.
    private mutating func escapedString(from start: Int) throws(JSONError) -> JSONValue {
        var units: [UInt16] = []
        var plain = start
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                units += try utf8(plain..<position).utf16
                position += 1
                return Self.text(units)
            case UInt8(ascii: "\\"):
                units += try utf8(plain..<position).utf16
                position += 1
                units.append(try escape())
                plain = position
            case 0..<0x20: throw malformed
            default: position += 1
            }
        }
        throw error(.truncated)
    }

    private mutating func escape() throws(JSONError) -> UInt16 {
        let byte = try peek()
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(byte)
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"):
            guard position + 4 <= bytes.count else { throw error(.truncated) }
            var unit: UInt16 = 0
            for digit in bytes[position..<position + 4] {
                guard let value = Self.hexValue(digit) else { throw malformed }
                unit = unit << 4 | value
            }
            position += 4
            return unit
        default: throw malformed
        }
    }

    private static func text(_ units: [UInt16]) -> JSONValue {
        guard let text = String(validating: units, as: UTF16.self) else {
            return .brokenString(units)
        }
        return .string(text)
    }

    private static func hexValue(_ digit: UInt8) -> UInt16? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(digit - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(digit - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    private func utf8(_ range: Range<Int>) throws(JSONError) -> String {
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw JSONError(reason: .notUTF8, offset: range.lowerBound)
        }
        return text
    }
}

// MARK: - Bytes

extension JSONReader {
    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func peek() throws(JSONError) -> UInt8 {
        guard let next else { throw error(.truncated) }
        return next
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    private mutating func take(_ byte: UInt8) throws(JSONError) {
        guard try peek() == byte else { throw malformed }
        position += 1
    }

    /// True, and behind it, when the next thing is this closing bracket.
    private mutating func ends(with byte: UInt8) throws(JSONError) -> Bool {
        skipBlanks()
        guard try peek() == byte else { return false }
        position += 1
        return true
    }

    private var malformed: JSONError { error(.malformed) }

    private func error(_ reason: JSONError.Reason) -> JSONError {
        JSONError(reason: reason, offset: position)
    }
}

/// The keys of one object, told apart byte for byte.
private struct NameSet {
    // Most objects are small, where looking at each is faster than hashing.
    private var few: [String] = []
    private var many: Set<[UInt8]> = []

    /// False when the name was there already.
    mutating func insert(_ name: String) -> Bool {
        if many.isEmpty {
            guard !few.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { return false }
            few.append(name)
            if few.count > 16 { many = Set(few.map { Array($0.utf8) }) }
            return true
        }
        return many.insert(Array(name.utf8)).inserted
    }
}

extension JSONValue {
    /// Reads JSON bytes strictly; `limit` is the most bytes taken.
    ///
    /// Never traps, whatever the bytes.
    public init(json: [UInt8], limit: Int = Limits.bodyBytes) throws(JSONError) {
        self = try JSONReader.read(json, limit: limit)
    }
}
