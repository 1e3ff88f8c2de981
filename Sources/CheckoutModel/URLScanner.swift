// The hot file: the only one that walks raw pointers, inside a borrow that its caller holds.
// Single bytes are read below `count` only. Words are loaded at any place up to `count`, because
// whoever makes a scanner for words keeps `URLScanner.padding` zero bytes behind the text: a check
// of how many bytes are left would cost as much as the rest of the loop.
// The `&+` arithmetic is safe because `count` is at most `ModelLimits.urlBytes`.

/// What each of the 256 bytes may do before the path: `a` a letter, `0` another byte that a scheme
/// may have, `/` ends the authority, `@` and `:` themselves, `!` breaks it, `.` is nothing special.
///
/// A string because a constant one is in the program's data; an array would be made at run time and
/// guarded at every use. A browser reads a backslash as a slash, so text with one before the path
/// has two readings: it breaks, like blanks, controls and brackets do.
private let byteClasses: StaticString = """
    !!!!!!!!!!!!!!!!\
    !!!!!!!!!!!!!!!!\
    !.!/.......0.00/\
    0000000000:.!.!/\
    @aaaaaaaaaaaaaaa\
    aaaaaaaaaaa.!.!.\
    !aaaaaaaaaaaaaaa\
    aaaaaaaaaaa!!!.!\
    ................\
    ................\
    ................\
    ................\
    ................\
    ................\
    ................\
    ................
    """

/// One forward pass over the bytes of a URL.
struct URLScanner {
    /// Zero bytes that must follow the text for everything but `split`.
    static let padding = 64

    let bytes: UnsafePointer<UInt8>
    let count: Int

    /// Lends a padded copy of a short text.
    static func withPadded<R>(_ text: some Sequence<UInt8>, _ body: (URLScanner) -> R) -> R {
        let bytes = Array(text)
        let padded = bytes + repeatElement(0, count: padding)
        return padded.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("padding is empty") }
            return body(URLScanner(bytes: base, count: bytes.count))
        }
    }

    /// Finds scheme, authority and path; leaves the query unread, and `queryEnd` not yet set.
    @inline(__always)
    func split() throws(URLTextError) -> URLParts {
        guard count <= ModelLimits.urlBytes else { throw URLTextError(.tooLong) }
        var parts = URLParts()
        var index = 0
        let classes = byteClasses.utf8Start
        while index < count {
            let kind = classes[Int(bytes[index])]
            if kind != UInt8(ascii: "a"), kind != UInt8(ascii: "0") || index == 0 { break }
            index &+= 1
        }
        guard index > 0, index < count, bytes[index] == UInt8(ascii: ":") else {
            throw URLTextError(.notAURL)
        }
        parts.schemeEnd = UInt32(truncatingIfNeeded: index)
        index &+= 1
        let slash = UInt8(ascii: "/")
        if index &+ 1 < count, bytes[index] == slash, bytes[index &+ 1] == slash {
            index = try authority(from: index &+ 2, into: &parts)
        }
        parts.pathStart = UInt32(truncatingIfNeeded: index)
        index = end(ofPathFrom: index)
        parts.pathEnd = UInt32(truncatingIfNeeded: index)
        parts.queryEnd = parts.pathEnd
        parts.hasQuery = index < count && bytes[index] == UInt8(ascii: "?")
        return parts
    }

    /// Splits a padded text: the usual one in a few looks, all others as `split` does.
    @inline(__always)
    func splitPadded() throws(URLTextError) -> URLParts {
        if let parts = usualParts() { return parts }
        return try splitSlowly()
    }

    /// Kept out of line, where it takes no registers from the usual case.
    @inline(never)
    private func splitSlowly() throws(URLTextError) -> URLParts { try split() }

    /// The parts of `scheme://host/path` with nothing else before the query and its path's end
    /// among the first 64 bytes; nil for all other texts.
    @inline(__always)
    private func usualParts() -> URLParts? {
        var marks = headMarks(at: 0)
        let schemeEnd = marks.trailingZeroBitCount
        let hostStart = schemeEnd &+ 3
        guard Self.isLetter(bytes[0]), hostStart < 64, word(at: schemeEnd) & 0xFF_FFFF == 0x2F_2F3A
        else { return nil }
        marks &= UInt64.max &<< UInt64(truncatingIfNeeded: hostStart)
        let hostEnd = marks.trailingZeroBitCount
        var end = hostEnd
        // A zero byte behind the text is a mark too, so an end below 64 is one in the text.
        while end < min(count, 64), bytes[end] != UInt8(ascii: "?"), bytes[end] != UInt8(ascii: "#")
        {
            guard bytes[hostEnd] == UInt8(ascii: "/") else { return nil }
            marks &= marks &- 1
            end = marks.trailingZeroBitCount
        }
        guard end < 64, count <= ModelLimits.urlBytes else { return nil }
        var parts = URLParts()
        parts.schemeEnd = UInt32(truncatingIfNeeded: schemeEnd)
        parts.hasAuthority = true
        parts.hostStart = UInt32(truncatingIfNeeded: hostStart)
        parts.hostEnd = UInt32(truncatingIfNeeded: hostEnd)
        parts.pathStart = parts.hostEnd
        parts.pathEnd = UInt32(truncatingIfNeeded: end)
        parts.queryEnd = parts.pathEnd
        parts.hasQuery = end < count && bytes[end] == UInt8(ascii: "?")
        return parts
    }

    /// Reads up to the slash, question mark or hash that ends the authority.
    @inline(__always)
    private func authority(
        from start: Int, into parts: inout URLParts
    ) throws(URLTextError) -> Int {
        parts.hasAuthority = true
        var index = start
        var hostStart = start
        var colon = -1
        var isBroken = false
        var colons = 0
        let classes = byteClasses.utf8Start
        loop: while index < count {
            let kind = classes[Int(bytes[index])]
            if kind == UInt8(ascii: "a") {
                index &+= 1
                continue
            }
            if kind < UInt8(ascii: ":") {
                if kind == UInt8(ascii: "/") { break loop }
                if kind == UInt8(ascii: "!") { isBroken = true }
            } else if kind == UInt8(ascii: "@") {
                // The last @ ends the user info, as in every browser: the host comes after it.
                parts.hasUserInfo = true
                hostStart = index &+ 1
                colon = -1
                colons = 0
            } else if kind == UInt8(ascii: ":") {
                colon = index
                colons &+= 1
            }
            index &+= 1
        }
        guard !isBroken else { throw URLTextError(.malformedHost) }
        let hostEnd: Int
        if hostStart < index, bytes[hostStart] == UInt8(ascii: "[") {
            hostEnd = try endOfAddress(from: hostStart, to: index)
        } else {
            hostEnd = colon < 0 ? index : colon
            guard colons < 2 else { throw URLTextError(.malformedPort) }
        }
        parts.hostStart = UInt32(truncatingIfNeeded: hostStart)
        parts.hostEnd = UInt32(truncatingIfNeeded: hostEnd)
        if hostEnd < index { parts.port = try port(from: hostEnd &+ 1, to: index) }
        return index
    }

    /// The end of `[2001:db8::1]`, brackets included.
    private func endOfAddress(from start: Int, to end: Int) throws(URLTextError) -> Int {
        var index = start &+ 1
        while index < end, bytes[index] != UInt8(ascii: "]") { index &+= 1 }
        guard index < end, index &+ 1 == end || bytes[index &+ 1] == UInt8(ascii: ":") else {
            throw URLTextError(.malformedHost)
        }
        return index &+ 1
    }

    private func port(from start: Int, to end: Int) throws(URLTextError) -> UInt16? {
        guard start < end else { return nil }
        var value: UInt32 = 0
        for index in start..<end {
            guard Self.isDigit(bytes[index]) else { throw URLTextError(.malformedPort) }
            value = value * 10 + UInt32(bytes[index] &- 0x30)
            guard value <= UInt16.max else { throw URLTextError(.malformedPort) }
        }
        return UInt16(value)
    }

    @inline(__always)
    private func end(ofPathFrom start: Int) -> Int {
        var index = start
        while index < count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
            index &+= 1
        }
        return index
    }

    /// Eight bytes, the first in the lowest place; zeros past the end.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        UInt64(
            littleEndian: UnsafeRawPointer(bytes).loadUnaligned(
                fromByteOffset: index, as: UInt64.self))
    }

    /// Whether two ranges hold the same bytes; `folded` folds A to Z in this text, not in `other`.
    @inline(__always)
    func isEqual(
        _ range: Range<Int>, to other: URLScanner, _ otherRange: Range<Int>, folded: Bool = false
    ) -> Bool {
        guard range.count == otherRange.count else { return false }
        @inline(__always) func difference(at offset: Int) -> UInt64 {
            let theirs = word(at: range.lowerBound &+ offset)
            let mine = other.word(at: otherRange.lowerBound &+ offset)
            return (folded ? URLNormal.fold(theirs) : theirs) ^ mine
        }
        let last = range.count &- 8
        guard last >= 0 else {
            let mask = ((1 as UInt64) &<< UInt64(8 &* range.count)) &- 1
            return difference(at: 0) & mask == 0
        }
        var offset = 0
        while offset < last {
            guard difference(at: offset) == 0 else { return false }
            offset &+= 8
        }
        // The last word reaches back into the one before.
        return difference(at: last) == 0
    }

    /// Text of padded bytes, repaired where it is not UTF-8.
    @inline(__always)
    func string(_ range: Range<Int>) -> String {
        let length = range.count
        guard length < 16 else { return String(decoding: slice(range), as: UTF8.self) }
        // So short that it is kept in the string itself: two words are all its bytes, and the
        // decoding initializer would take them one by one. What is behind the length is dropped.
        let head = word(at: range.lowerBound)
        let tail = word(at: range.lowerBound &+ 7)
        return String(unsafeUninitializedCapacity: 15) { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            let target = UnsafeMutableRawPointer(base)
            // In this order the string's own load of its first word meets one whole store.
            if length > 8 {
                target.storeBytes(of: tail.littleEndian, toByteOffset: 7, as: UInt64.self)
            }
            target.storeBytes(of: head.littleEndian, as: UInt64.self)
            return length
        }
    }

    func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count)
    }

    /// 0...15, or a number with a high bit set.
    @inline(__always)
    static func hexDigit(_ byte: UInt8) -> UInt8 {
        let digit = byte &- 0x30
        if digit < 10 { return digit }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : 0xFF
    }

    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
