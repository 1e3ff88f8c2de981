/// How many columns a terminal gives a text.
///
/// Knows combining characters, East Asian wide ones and emoji; the widths of "ambiguous" characters
/// are 1, as in every locale that is not East Asian.
package enum DisplayWidth {
    package static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    /// The text cut to `columns` with `…` as its last one, or whole when it fits.
    ///
    /// Never cuts inside a character.
    package static func truncated(_ text: String, to columns: Int) -> String {
        guard of(text) > columns else { return text }
        guard columns > 0 else { return "" }
        var used = 0
        var result = ""
        for character in text {
            let width = width(of: character)
            guard used + width <= columns - 1 else { break }
            used += width
            result.append(character)
        }
        return result + "…"
    }

    private static func width(of character: Character) -> Int {
        var widest = 0
        for scalar in character.unicodeScalars {
            if scalar.value == 0xFE0F { return 2 }
            widest = max(widest, width(of: scalar))
        }
        return widest
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.value < 0x20 ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        return isWide(scalar.value) || scalar.properties.isEmojiPresentation ? 2 : 1
    }

    /// Blocks of East Asian Width W and F.
    ///
    /// Source: Unicode `EastAsianWidth.txt`, by block.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
        0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
        0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]

    private static func isWide(_ value: UInt32) -> Bool {
        wide.contains { $0.contains(value) }
    }
}
