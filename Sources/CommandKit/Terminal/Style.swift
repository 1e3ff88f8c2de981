/// Why a text is coloured.
///
/// Each of these states is also said by a word: colour alone says nothing to a pipe, or to a person
/// who does not see it.
package enum Tone: Sendable, Hashable {
    /// An outcome that holds.
    case good
    /// A hint, something pending.
    case caution
    /// A failure or a refusal.
    case bad
    /// Times and ids.
    case dim
    /// Headings.
    case strong
    case plain

    fileprivate var code: String? {
        switch self {
        case .good: "32"
        case .caution: "33"
        case .bad: "31"
        case .dim: "2"
        case .strong: "1"
        case .plain: nil
        }
    }
}

/// Paints text, or leaves it as it is.
package struct Style: Sendable, Hashable {
    package let colours: Bool

    package static let plain = Style(colours: false)

    package init(colours: Bool) { self.colours = colours }

    package func paint(_ text: String, _ tone: Tone) -> String {
        guard colours, let code = tone.code, !text.isEmpty else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}
