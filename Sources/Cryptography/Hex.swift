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
        bytes.withContiguousBytes { encode($0, letters) }
    }

    private static func encode(_ bytes: UnsafeBufferPointer<UInt8>, _ letters: Letters) -> String {
        let ten = letters == .upper ? UInt8(ascii: "A") : UInt8(ascii: "a")
        return String(unsafeUninitializedCapacity: 2 * bytes.count) { buffer in
            for (index, byte) in bytes.enumerated() {
                buffer[2 * index] = digit(of: byte >> 4, ten)
                buffer[2 * index + 1] = digit(of: byte & 0xF, ten)
            }
            return 2 * bytes.count
        }
    }

    /// The bytes; nil for an odd count of digits, any other character, or letters not accepted.
    public static func decode(
        _ text: some StringProtocol, accepting letters: Letters = .lower
    ) -> [UInt8]? {
        text.withUTF8Bytes { decode($0, letters) }
    }

    private static func decode(
        _ digits: UnsafeBufferPointer<UInt8>, _ letters: Letters
    ) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(of: digits[index], letters),
                let low = value(of: digits[index + 1], letters)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Writes the digits of a secret into memory of the caller's, which has room for them.
    package static func encode(
        _ bytes: UnsafeBufferPointer<UInt8>, into digits: UnsafeMutableRawBufferPointer
    ) {
        for (index, byte) in bytes.enumerated() {
            digits[2 * index] = digit(of: byte >> 4, UInt8(ascii: "a"))
            digits[2 * index + 1] = digit(of: byte & 0xF, UInt8(ascii: "a"))
        }
    }

    /// Writes the bytes of a secret into memory of the caller's, which has room for half as many as
    /// there are digits; false for an odd count, and for any other character.
    package static func decode(
        _ digits: some RandomAccessCollection<UInt8>, into bytes: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard digits.count.isMultiple(of: 2) else { return false }
        var high: UInt8?
        var count = 0
        for digit in digits {
            guard let value = value(of: digit, .lower) else { return false }
            if let first = high {
                bytes[count] = first << 4 | value
                count += 1
                high = nil
            } else {
                high = value
            }
        }
        return true
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
