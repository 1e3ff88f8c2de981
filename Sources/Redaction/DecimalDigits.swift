/// Decimal digits of every script, and what may stand between a card's groups of digits.
enum DecimalDigits {
    /// Each script's zero; its other nine digits follow it.
    private static let zeros: [UInt32] = [
        0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6,
        0xE50, 0xED0, 0xF20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50,
        0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
        0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650,
        0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x16A60, 0x16AC0, 0x16B50,
        0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E950, 0x1FBF0,
    ]

    /// The value of a digit beyond ASCII; nil when it is none.
    static func value(of scalar: UInt32) -> UInt8? {
        // The last zero that does not stand behind the scalar.
        var low = 0
        var high = zeros.count
        while low < high {
            let middle = (low + high) / 2
            if zeros[middle] <= scalar { low = middle + 1 } else { high = middle }
        }
        guard low > 0, scalar - zeros[low - 1] < 10 else { return nil }
        return UInt8(scalar - zeros[low - 1])
    }

    /// No-break spaces, hyphens and dashes.
    static func isSeparator(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xA0, 0x2007, 0x202F, 0x2009, 0x2010...0x2015, 0x2212: true
        default: false
        }
    }

    /// What is there and cannot be seen.
    static func isInvisible(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xAD, 0x200B...0x200D, 0x2060, 0xFEFF: true
        default: false
        }
    }

    /// The scalar at an index and its length in bytes; nil where the bytes are no UTF-8.
    static func scalar(
        _ text: UnsafeBufferPointer<UInt8>, at index: Int, before end: Int
    ) -> (scalar: UInt32, count: Int)? {
        let first = text[index]
        let count = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
        guard count > 0, index + count <= end else { return nil }
        var scalar = UInt32(first) & (count == 2 ? 0x1F : count == 3 ? 0x0F : 0x07)
        for offset in 1..<count {
            let byte = text[index + offset]
            guard byte & 0xC0 == 0x80 else { return nil }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
        }
        return (scalar, count)
    }
}
