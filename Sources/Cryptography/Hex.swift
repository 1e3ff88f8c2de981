/// Bytes as hexadecimal digits, two for each byte, and nothing between them.
public enum Hex {
    /// Which letters stand for ten to fifteen.
    public enum Letters: Sendable, Hashable {
        /// `abcdef` only.
        case lower
        /// `ABCDEF` only.
        case upper
        /// Both, also mixed.
        case any
    }

    /// The digits of the bytes; lower case unless `.upper` is asked for.
    public static func encode(_ bytes: some Collection<UInt8>, letters: Letters = .lower) -> String
    {
        let ten = letters == .upper ? UInt8(ascii: "A") : UInt8(ascii: "a")
        return String(unsafeUninitializedCapacity: 2 * bytes.count) { buffer in
            var index = 0
            for byte in bytes {
                buffer[index] = digit(of: byte >> 4, ten)
                buffer[index + 1] = digit(of: byte & 0xF, ten)
                index += 2
            }
            return index
        }
    }

    /// The bytes; nil for an odd count of digits, any other character, or letters not accepted.
    public static func decode(
        _ text: some StringProtocol, accepting letters: Letters = .lower
    ) -> [UInt8]? {
        let digits = text.utf8
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            guard let value = value(of: digit, letters) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }

    private static func digit(of nibble: UInt8, _ ten: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : ten + nibble - 10
    }

    private static func value(of digit: UInt8, _ letters: Letters) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f") where letters != .upper:
            digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F") where letters != .lower:
            digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
