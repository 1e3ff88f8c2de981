// Normal forms of URL pieces. Escapes are data: they are compared, and `%2F` never becomes `/`.

enum URLNormal {
    private static let unreserved = ByteSet(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    /// Everything that may stand in a path, query or fragment as it is.
    private static let allowed = ByteSet(
        """
        ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?#[]
        """)

    /// Only A to Z are folded.
    @inline(__always)
    static func fold(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// The same for eight bytes at once.
    @inline(__always)
    static func fold(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let low = word & (0x7F &* ones)
        let fromA = low &+ (0x3F &* ones)
        let pastZ = low &+ (0x25 &* ones)
        let capitals = fromA & ~pastZ & ~word & (0x80 &* ones)
        return word | capitals &>> 2
    }

    /// The form two paths are compared in, by RFC 3986 §6.2.2: escapes of unreserved characters
    /// decoded (`%72` is `r`), the hex digits of all others upper-case, what should have been
    /// escaped is, and a percent sign that begins no escape reads as `%25`.
    ///
    /// Dot segments and double slashes stand; removing them would make more paths equal than the
    /// app registered.
    static func path(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let bytes = Array(bytes)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if let value = escape(in: bytes, at: index) {
                if unreserved.contains(value) {
                    result.append(value)
                } else {
                    appendEscape(value, to: &result)
                }
                index += 3
            } else {
                append(bytes[index], to: &result)
                index += 1
            }
        }
        return result
    }

    /// Escapes what may not stand in a URL and leaves the rest, existing escapes included.
    static func escaped(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let bytes = Array(bytes)
        var result: [UInt8] = []
        for index in bytes.indices {
            if escape(in: bytes, at: index) != nil {
                result.append(bytes[index])
            } else {
                append(bytes[index], to: &result)
            }
        }
        return result
    }

    /// All slashes at the end are dropped; the empty path and `/` are the same.
    static func withoutTrailingSlashes(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var path = path
        while path.count > 1, path.last == UInt8(ascii: "/") { path.removeLast() }
        return path.isEmpty ? [UInt8(ascii: "/")] : path
    }

    /// Decodes every escape; nil when one is malformed.
    static func decoded(_ bytes: some Collection<UInt8>) -> [UInt8]? {
        let bytes = Array(bytes)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if let value = escape(in: bytes, at: index) {
                result.append(value)
                index += 3
            } else if bytes[index] == UInt8(ascii: "%") {
                return nil
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    /// The byte that `%XX` at this place stands for.
    private static func escape(in bytes: [UInt8], at index: Int) -> UInt8? {
        guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count else { return nil }
        let high = URLScanner.hexDigit(bytes[index + 1])
        let low = URLScanner.hexDigit(bytes[index + 2])
        return high | low < 16 ? high << 4 | low : nil
    }

    private static func append(_ byte: UInt8, to result: inout [UInt8]) {
        if allowed.contains(byte) { result.append(byte) } else { appendEscape(byte, to: &result) }
    }

    private static func appendEscape(_ byte: UInt8, to result: inout [UInt8]) {
        result.append(UInt8(ascii: "%"))
        result.append(hex(byte >> 4))
        result.append(hex(byte & 15))
    }

    private static func hex(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 + digit : 0x37 + digit }
}
