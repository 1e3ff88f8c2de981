/// How text becomes harmless inside markup.
enum MarkupEscaping {
    /// Escapes for element content and for quoted attribute values alike.
    ///
    /// Control characters that HTML does not allow are written as U+FFFD, and so are the characters
    /// that turn the direction of writing: a name cannot make its neighbours read otherwise.
    static func append(_ bytes: some Sequence<UInt8>, to text: inout String) {
        var run: [UInt8] = []
        for byte in bytes {
            guard let escape = escape(byte) else {
                run.append(byte)
                continue
            }
            flush(&run, to: &text)
            text += escape
        }
        flush(&run, to: &text)
    }

    private static func flush(_ run: inout [UInt8], to text: inout String) {
        guard !run.isEmpty else { return }
        let piece = String(decoding: run, as: UTF8.self)
        if piece.unicodeScalars.contains(where: isTurning) {
            for scalar in piece.unicodeScalars {
                text.unicodeScalars.append(isTurning(scalar) ? "\u{FFFD}" : scalar)
            }
        } else {
            text += piece
        }
        run.removeAll(keepingCapacity: true)
    }

    private static func escape(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        case 0x09, 0x0A, 0x0D: nil
        case 0x00..<0x20, 0x7F: "\u{FFFD}"
        default: nil
        }
    }

    /// The embeddings, overrides and isolates of bidirectional text.
    private static func isTurning(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
        default: false
        }
    }

    /// Keeps the unreserved characters of RFC 3986 and encodes every other byte; `.` and `..`,
    /// which a browser would resolve, are encoded whole.
    static func appendPercentEncoded(_ bytes: some Collection<UInt8>, to text: inout String) {
        let isDots = bytes.count <= 2 && bytes.allSatisfy { $0 == UInt8(ascii: ".") }
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: ".") where !isDots:
                text += "."
            default:
                text += "%" + hex(byte >> 4) + hex(byte & 15)
            }
        }
    }

    private static func hex(_ nibble: UInt8) -> String {
        String(nibble, radix: 16, uppercase: true)
    }
}
