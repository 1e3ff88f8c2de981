// What a scan leaves behind: places in the bytes, and nothing that owns them.

/// Where the parts of a URL stand in its bytes; an absent part is nil, an empty one is not.
struct URLParts: Sendable, Hashable {
    typealias Offset = UInt32

    /// The scheme ends before the first colon; it starts at 0.
    var schemeEnd: Offset = 0
    var hasAuthority = false
    var hasUserInfo = false
    var hasQuery = false
    /// Only when it is written out and not empty.
    var port: UInt16?
    var hostStart: Offset = 0
    var hostEnd: Offset = 0
    var pathStart: Offset = 0
    var pathEnd: Offset = 0
    /// Set by the scan of the query; a fragment, if any, begins here.
    var queryEnd: Offset = 0

    var scheme: Range<Int> { 0..<Int(schemeEnd) }
    var host: Range<Int> { Int(hostStart)..<Int(hostEnd) }
    var path: Range<Int> { Int(pathStart)..<Int(pathEnd) }
    var userInfo: Range<Int>? { hasUserInfo ? Int(schemeEnd) + 3..<Int(hostStart) - 1 : nil }
    var query: Range<Int>? { hasQuery ? Int(pathEnd) + 1..<Int(queryEnd) : nil }
}

/// Where one parameter stands in its URL's buffer, as written and as decoded.
struct ParameterSpans {
    var rawStart: UInt32
    /// The first `=`, or `rawEnd` when there is none.
    var rawNameEnd: UInt32
    var rawEnd: UInt32
    /// Bit 0: a percent sign in the name; bit 1: one in the value; bits 2 and 3: what they decode
    /// to is not ASCII.
    var escapes: UInt32
    var nameStart: UInt32
    var nameEnd: UInt32
    var valueStart: UInt32
    var valueEnd: UInt32

    /// Nothing decoded yet: name and value are what is written.
    @inline(__always)
    init(_ start: Int, _ nameEnd: Int, _ end: Int, escapes: UInt32) {
        rawStart = UInt32(truncatingIfNeeded: start)
        rawNameEnd = UInt32(truncatingIfNeeded: nameEnd)
        rawEnd = UInt32(truncatingIfNeeded: end)
        self.escapes = escapes
        nameStart = rawStart
        self.nameEnd = rawNameEnd
        valueStart = min(rawNameEnd &+ 1, rawEnd)
        valueEnd = rawEnd
    }

    var hasEscapedName: Bool { escapes & 1 != 0 }
    var hasEscapedValue: Bool { escapes & 2 != 0 }
    /// True when what the escapes decode to may be no UTF-8, so that the text has to be checked.
    var hasForeignName: Bool { escapes & 4 != 0 }
    var hasForeignValue: Bool { escapes & 8 != 0 }
    var hasEqualsSign: Bool { rawNameEnd < rawEnd }

    // In order by the scan that wrote them, hence unchecked.
    var name: Range<Int> { Range(uncheckedBounds: (Int(nameStart), Int(nameEnd))) }
    var value: Range<Int> { Range(uncheckedBounds: (Int(valueStart), Int(valueEnd))) }
    var rawName: Range<Int> { Range(uncheckedBounds: (Int(rawStart), Int(rawNameEnd))) }
    var rawValueStart: UInt32 { rawNameEnd &+ (hasEqualsSign ? 1 : 0) }
    var rawValue: Range<Int> { Range(uncheckedBounds: (Int(rawValueStart), Int(rawEnd))) }
}

/// A set of bytes below 128, tested with one shift.
struct ByteSet: Sendable {
    private let low: UInt64
    private let high: UInt64

    init(_ characters: StaticString) {
        var low: UInt64 = 0
        var high: UInt64 = 0
        characters.withUTF8Buffer { bytes in
            for byte in bytes where byte < 64 { low |= 1 << UInt64(byte) }
            for byte in bytes where byte >= 64 { high |= 1 << UInt64(byte & 63) }
        }
        self.low = low
        self.high = high
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        byte < 128 && ((byte < 64 ? low : high) &>> UInt64(byte & 63)) & 1 != 0
    }
}
