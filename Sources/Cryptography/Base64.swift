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
        let padCount = utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        let characterCount = utf8.count - padCount
        let missing = (4 - characterCount % 4) % 4
        let isPadded =
            switch padding {
            case .required: padCount == missing
            case .optional: padCount == missing || padCount == 0
            case .none: padCount == 0
            }
        guard isPadded, missing != 3 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characterCount * 3 / 4)
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for byte in utf8.prefix(characterCount) {
            guard let value = value(of: byte, alphabet) else { return nil }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            }
        }
        let unused = bits & ((1 << bitCount) - 1)
        return canonical && unused != 0 ? nil : bytes
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

    private static func value(of character: UInt8, _ alphabet: Alphabet) -> UInt8? {
        switch (character, alphabet) {
        case (UInt8(ascii: "A")...UInt8(ascii: "Z"), _): character - UInt8(ascii: "A")
        case (UInt8(ascii: "a")...UInt8(ascii: "z"), _): character - UInt8(ascii: "a") + 26
        case (UInt8(ascii: "0")...UInt8(ascii: "9"), _): character - UInt8(ascii: "0") + 52
        case (UInt8(ascii: "+"), .standard), (UInt8(ascii: "-"), .urlSafe): 62
        case (UInt8(ascii: "/"), .standard), (UInt8(ascii: "_"), .urlSafe): 63
        default: nil
        }
    }
}
