/// JSON's way of writing strings and numbers.
enum JSONText {
    /// The bytes that a string's content stands for; what is no escape stays as it is.
    static func decode(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            guard text[index] == 0x5C, index + 1 < text.endIndex else {
                bytes.append(text[index])
                index += 1
                continue
            }
            let escape = text[index + 1]
            if escape == 0x75, let unit = codeUnit(text, at: index + 2) {
                index += 6
                var scalar = UInt32(unit)
                if 0xD800..<0xDC00 ~= unit, index + 1 < text.endIndex, text[index] == 0x5C,
                    text[index + 1] == 0x75, let low = codeUnit(text, at: index + 2),
                    0xDC00..<0xE000 ~= low
                {
                    scalar = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
                    index += 6
                }
                bytes += Array(String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
                continue
            }
            switch escape {
            case 0x6E: bytes.append(0x0A)
            case 0x74: bytes.append(0x09)
            case 0x72: bytes.append(0x0D)
            default: bytes.append(escape)
            }
            index += 2
        }
        return bytes
    }

    private static func codeUnit(_ text: Slice<UnsafeBufferPointer<UInt8>>, at index: Int)
        -> UInt16?
    {
        guard index + 4 <= text.endIndex else { return nil }
        let digits = String(decoding: text[index..<(index + 4)], as: UTF8.self)
        return digits.utf8.allSatisfy(\.isHexadecimal) ? UInt16(digits, radix: 16) : nil
    }

    /// The content of a string with these bytes.
    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        for byte in bytes {
            switch byte {
            case 0x22, 0x5C: text += [0x5C, byte]
            case 0x00..<0x20:
                let digits = String(byte, radix: 16)
                text += Array("\\u00\(digits.utf8.count < 2 ? "0" : "")\(digits)".utf8)
            default: text.append(byte)
            }
        }
        return text
    }

    /// The digits of a number that is whole and long enough for a card's; nil for any other.
    static func wholeDigits(_ number: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8]? {
        var digits: [UInt8] = []
        var fraction = 0
        var isBehindPoint = false
        var exponent = 0
        var index = number.startIndex
        if number.first == 0x2D { index += 1 }
        while index < number.endIndex, number[index].isDigit || number[index] == 0x2E {
            if number[index] == 0x2E {
                guard !isBehindPoint else { return nil }
                isBehindPoint = true
            } else {
                digits.append(number[index])
                if isBehindPoint { fraction += 1 }
            }
            index += 1
            // More digits than any card has, even with a fraction of zeros.
            guard digits.count <= 40 else { return nil }
        }
        if index < number.endIndex, number[index] | 0x20 == 0x65 {
            let text = String(decoding: number[(index + 1)...], as: UTF8.self)
            guard let value = Int(text), (-40...40).contains(value) else { return nil }
            exponent = value
        }
        var shift = exponent - fraction
        while shift < 0, digits.last == 0x30 {
            digits.removeLast()
            shift += 1
        }
        guard shift >= 0 else { return nil }
        let isCard = Limits.cardDigits.contains(digits.count + shift)
        return isCard ? digits + [UInt8](repeating: 0x30, count: shift) : nil
    }
}

/// The percent encoding of URLs and forms.
enum PercentText {
    /// The bytes that a text stands for; a broken escape stays as it is.
    static func decode(
        _ text: Slice<UnsafeBufferPointer<UInt8>>, plusIsSpace: Bool = false
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            let (byte, next) = unit(text, at: index, plusIsSpace: plusIsSpace)
            bytes.append(byte)
            index = next
        }
        return bytes
    }

    /// Lends the bytes that a text stands for, in memory of this call where it is encoded.
    static func withDecoded<R>(
        _ text: Slice<UnsafeBufferPointer<UInt8>>, _ body: (UnsafeBufferPointer<UInt8>) -> R
    ) -> R {
        guard text.contains(where: { $0 == 0x25 || $0 == 0x2B }) else {
            return body(UnsafeBufferPointer(rebasing: text))
        }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { buffer in
            var count = 0
            var index = text.startIndex
            while index < text.endIndex {
                let (byte, next) = unit(text, at: index, plusIsSpace: true)
                buffer[count] = byte
                count += 1
                index = next
            }
            return body(UnsafeBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// The byte that stands at an index, and where the next one does.
    private static func unit(
        _ text: Slice<UnsafeBufferPointer<UInt8>>, at index: Int, plusIsSpace: Bool
    ) -> (byte: UInt8, next: Int) {
        let byte = text[index]
        if byte == 0x25, index + 2 < text.endIndex, text[index + 1].isHexadecimal,
            text[index + 2].isHexadecimal
        {
            return (value(text[index + 1]) << 4 | value(text[index + 2]), index + 3)
        }
        return (plusIsSpace && byte == 0x2B ? 0x20 : byte, index + 1)
    }

    private static func value(_ digit: UInt8) -> UInt8 {
        digit.isDigit ? digit - 0x30 : digit.lower - 0x61 + 10
    }

    /// Everything but letters, digits and `-._~` as an escape.
    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            if byte.isLetterOrDigit || "-._~".utf8.contains(byte) {
                text.append(byte)
            } else {
                text += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return text
    }
}
