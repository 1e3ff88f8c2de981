// The hot file: the only one that walks raw pointers, inside a borrow that its caller holds.
// Every read stays below `count`; a word is loaded whole only where eight bytes are left.
// The `&+` arithmetic is safe because `count` is at most `ModelLimits.urlBytes`.

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

/// One non-empty pair between two ampersands, as offsets into the text.
struct RawPair {
    var start: UInt32
    /// The first `=`, or `end` when there is none.
    var nameEnd: UInt32
    var end: UInt32
    /// Bit 0: a percent sign in the name.
    ///
    /// Bit 1: one in the value. Bits 2 and 3: what they decode to is not ASCII.
    var escapes: UInt32

    var hasEscapedName: Bool { escapes & 1 != 0 }
    var hasEscapedValue: Bool { escapes & 2 != 0 }
    var hasValue: Bool { nameEnd < end }
    /// After the `=`, where there is one.
    var valueStart: UInt32 { nameEnd &+ (hasValue ? 1 : 0) }
    var value: Range<Int> { Int(valueStart)..<Int(end) }
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

/// One forward pass over the bytes of a URL.
struct URLScanner {
    let bytes: UnsafePointer<UInt8>
    let count: Int

    /// Finds scheme, authority and path.
    ///
    /// Leaves the query unread: `queryEnd` is not yet set.
    @inline(__always)
    func split() throws(URLTextError) -> URLParts {
        guard count <= ModelLimits.urlBytes else { throw URLTextError(.tooLong) }
        var parts = URLParts()
        var index = 0
        while index < count, bytes[index] != UInt8(ascii: ":") {
            let byte = bytes[index]
            guard
                Self.isLetter(byte)
                    || (index > 0 && (Self.isDigit(byte) || Self.isSchemeMark(byte)))
            else { throw URLTextError(.notAURL) }
            index &+= 1
        }
        guard index > 0, index < count else { throw URLTextError(.notAURL) }
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
        loop: while index < count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break loop
            // The last @ ends the user info, as in every browser: what comes after is the host.
            case UInt8(ascii: "@"):
                parts.hasUserInfo = true
                hostStart = index &+ 1
                colon = -1
            case UInt8(ascii: ":"): colon = index
            // A browser reads a backslash as a slash, so text with one has two readings.
            case 0...0x20, 0x7F, UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: ">"),
                UInt8(ascii: "\""), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
                UInt8(ascii: "|"), UInt8(ascii: "}"):
                isBroken = true
            default: break
            }
            index &+= 1
        }
        guard !isBroken else { throw URLTextError(.malformedHost) }
        let hostEnd: Int
        if hostStart < index, bytes[hostStart] == UInt8(ascii: "[") {
            hostEnd = try endOfAddress(from: hostStart, to: index)
        } else {
            hostEnd = colon < 0 ? index : colon
            try refuseColon(from: hostStart, to: hostEnd)
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

    @inline(__always)
    private func refuseColon(from start: Int, to end: Int) throws(URLTextError) {
        var index = start
        while index < end {
            guard bytes[index] != UInt8(ascii: ":") else { throw URLTextError(.malformedPort) }
            index &+= 1
        }
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

    /// Cuts the query into its non-empty pairs, up to the fragment.
    ///
    /// Writes at most `capacity` pairs and goes on counting, so that a caller with too little room
    /// learns how much is needed.
    @inline(__always)
    func pairs(
        of parts: inout URLParts, into pairs: UnsafeMutablePointer<RawPair>, capacity: Int
    ) -> Int {
        guard parts.hasQuery else { return 0 }
        var found = 0
        var index = Int(parts.pathEnd) &+ 1
        var pair = RawPair(
            start: UInt32(truncatingIfNeeded: index), nameEnd: .max, end: 0, escapes: 0)
        var end = count

        @inline(__always) func close(at end: Int) {
            pair.end = UInt32(truncatingIfNeeded: end)
            if pair.end > pair.start {
                pair.nameEnd = min(pair.nameEnd, pair.end)
                if found < capacity { (pairs + found).initialize(to: pair) }
                found &+= 1
            }
            pair = RawPair(start: pair.end &+ 1, nameEnd: .max, end: 0, escapes: 0)
        }

        // Sixty-four bytes become one mask first: a loop that ends in every eighth byte is
        // mispredicted there, and that costs more than the looking.
        scan: while index < count {
            var mask: UInt64 = 0
            var place = index
            while place < min(index &+ 64, count) {
                mask |= Self.marks(in: word(at: place)) &<< UInt64(place &- index)
                place &+= 8
            }
            while mask != 0 {
                let at = index &+ mask.trailingZeroBitCount
                let byte = bytes[at]
                mask &= mask &- 1
                if byte == UInt8(ascii: "&") {
                    close(at: at)
                } else if byte == UInt8(ascii: "#") {
                    end = at
                    break scan
                } else {
                    let isEquals = byte == UInt8(ascii: "=")
                    let isEscape: UInt32 = byte == UInt8(ascii: "%") ? 1 : 0
                    pair.escapes |= isEscape &<< (pair.nameEnd == .max ? 0 : 1)
                    pair.nameEnd = min(
                        pair.nameEnd, isEquals ? UInt32(truncatingIfNeeded: at) : .max)
                }
            }
            index &+= 64
        }
        close(at: end)
        parts.queryEnd = UInt32(truncatingIfNeeded: end)
        return found
    }

    /// Eight bytes, the first in the lowest place; zeros past the end.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        let left = count &- index
        let raw = UnsafeRawPointer(bytes)
        if left >= 8 {
            return UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        }
        guard left > 0 else { return 0 }
        guard count < 8 else {
            let last = raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            return UInt64(littleEndian: last) &>> UInt64(8 &* (8 &- left))
        }
        var word: UInt64 = 0
        for offset in (0..<left).reversed() { word = word << 8 | UInt64(bytes[index &+ offset]) }
        return word
    }

    /// One bit a byte, set when it is `=` or in 0x20...0x27, which holds `&`, `%` and `#`.
    ///
    /// May also mark a byte after a marked one; the caller looks at each marked byte anyway, and
    /// the exact test costs more than those few looks.
    @inline(__always)
    private static func marks(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let block = (word & (0xF8 &* ones)) ^ (0x20 &* ones)
        let equals = word ^ (0x3D &* ones)
        let high = ((block &- ones) & ~block | (equals &- ones) & ~equals) & (0x80 &* ones)
        // Moves the eight high bits together: no two of the partial products meet.
        return (high &* 0x0002_0408_1020_4081) &>> 56
    }

    /// Decodes the escapes of one span to `target`; nil when one of them is malformed, and then
    /// what was written is rubbish.
    @inline(__always)
    func decode(
        from start: UInt32, to end: UInt32, into target: UnsafeMutablePointer<UInt8>
    ) -> (count: Int, isASCII: Bool)? {
        var index = Int(start)
        let end = Int(end)
        var written = 0
        var all: UInt8 = 0
        while index < end {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard index &+ 2 < end else { return nil }
                let high = Self.hexDigit(bytes[index &+ 1])
                let low = Self.hexDigit(bytes[index &+ 2])
                guard high | low < 16 else { return nil }
                target[written] = high &<< 4 | low
                index &+= 3
            } else {
                target[written] = byte
                index &+= 1
            }
            all |= target[written]
            written &+= 1
        }
        return (written, all < 0x80)
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

    @inline(__always)
    static func isSchemeMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
}
