/// Bytes as base64 text, read strictly: no blanks, no line ends, no characters of another alphabet.
///
/// Source: RFC 4648 §4, §5.
public enum Base64 {
    /// Which characters stand for 62 and 63.
    public enum Alphabet: Sendable, Hashable {
        /// `+` and `/`.
        case standard
        /// `-` and `_`.
        case urlSafe
    }

    /// What is accepted at the end of a text whose last group is not full.
    public enum Padding: Sendable, Hashable {
        /// `=` up to a multiple of four characters.
        case required
        /// Either all of the `=` or none of them.
        case optional
        /// No `=` at all.
        case none
    }

    /// The text of the bytes, padded with `=`.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        encode(bytes, alphabet: .standard, padded: true)
    }

    /// The text of the bytes.
    public static func encode(
        _ bytes: some Collection<UInt8>, alphabet: Alphabet, padded: Bool
    ) -> String {
        bytes.withContiguousBytes { encode($0, alphabet, padded: padded) }
    }

    private static func encode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ alphabet: Alphabet, padded: Bool
    ) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                text.append(character(of: UInt8(bits >> bitCount & 0x3F), alphabet))
            }
        }
        if bitCount > 0 {
            text.append(character(of: UInt8(bits << (6 - bitCount) & 0x3F), alphabet))
        }
        while padded, !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes; nil when the text is not base64 of this alphabet and padding.
    ///
    /// With `canonical` the unused bits of the last character must be zero, so that bytes have one
    /// text only; without it they are not looked at, as most libraries do. Use the default for
    /// whatever is compared or signed, and false for secrets that people paste.
    public static func decode(
        _ text: some StringProtocol, padding: Padding = .required,
        alphabet: Alphabet = .standard, canonical: Bool = true
    ) -> [UInt8]? {
        text.withUTF8Bytes { decode($0, padding, alphabet, canonical: canonical) }
    }

    private static func decode(
        _ utf8: UnsafeBufferPointer<UInt8>, _ padding: Padding, _ alphabet: Alphabet,
        canonical: Bool
    ) -> [UInt8]? {
        var characterCount = utf8.count
        while characterCount > 0, utf8[characterCount - 1] == UInt8(ascii: "=") {
            characterCount -= 1
        }
        let padCount = utf8.count - characterCount
        let missing = (4 - characterCount % 4) % 4
        let isPadded =
            switch padding {
            case .required: padCount == missing
            case .optional: padCount == missing || padCount == 0
            case .none: padCount == 0
            }
        guard isPadded, missing != 3 else { return nil }
        let characters = UnsafeBufferPointer(rebasing: utf8[..<characterCount])
        var isValid = false
        let bytes = [UInt8](unsafeUninitializedCapacity: characterCount * 3 / 4) { buffer, count in
            isValid = decode(
                characters, with: alphabet == .standard ? standardValues : urlSafeValues,
                canonical: canonical, into: buffer)
            count = isValid ? characterCount * 3 / 4 : 0
        }
        return isValid ? bytes : nil
    }

    /// Four characters at a time by table, then the rest; false when one of them is a stranger.
    private static func decode(
        _ characters: UnsafeBufferPointer<UInt8>, with values: [UInt8], canonical: Bool,
        into bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        values.withUnsafeBufferPointer { values in
            var seen: UInt8 = 0
            func value(_ index: Int) -> UInt32 {
                let value = values[Int(characters[index])]
                seen |= value
                return UInt32(value)
            }
            var read = 0
            var written = 0
            while read + 4 <= characters.count {
                let group =
                    value(read) << 18 | value(read + 1) << 12 | value(read + 2) << 6
                    | value(read + 3)
                bytes[written] = UInt8(truncatingIfNeeded: group >> 16)
                bytes[written + 1] = UInt8(truncatingIfNeeded: group >> 8)
                bytes[written + 2] = UInt8(truncatingIfNeeded: group)
                read += 4
                written += 3
            }
            var bits: UInt32 = 0
            var unused: UInt32 = 0
            switch characters.count - read {
            case 2:
                bits = value(read) << 6 | value(read + 1)
                bytes[written] = UInt8(truncatingIfNeeded: bits >> 4)
                unused = bits & 0xF
            case 3:
                bits = value(read) << 12 | value(read + 1) << 6 | value(read + 2)
                bytes[written] = UInt8(truncatingIfNeeded: bits >> 10)
                bytes[written + 1] = UInt8(truncatingIfNeeded: bits >> 2)
                unused = bits & 0x3
            default: break
            }
            return seen < stranger && !(canonical && unused != 0)
        }
    }

    private static func character(of value: UInt8, _ alphabet: Alphabet) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + value - 26
        case 52..<62: UInt8(ascii: "0") + value - 52
        case 62: alphabet == .standard ? UInt8(ascii: "+") : UInt8(ascii: "-")
        default: alphabet == .standard ? UInt8(ascii: "/") : UInt8(ascii: "_")
        }
    }

    /// Stands in a table for characters of no value; no value has this bit.
    private static let stranger: UInt8 = 0x80
    private static let standardValues = values(of: .standard)
    private static let urlSafeValues = values(of: .urlSafe)

    /// The value of each byte as a character.
    private static func values(of alphabet: Alphabet) -> [UInt8] {
        var values = [UInt8](repeating: stranger, count: 256)
        for value in 0..<UInt8(64) { values[Int(character(of: value, alphabet))] = value }
        return values
    }
}
