/// A piece of HTML or SVG in which every value that was put in is escaped.
///
/// Written as a string literal: what stands in the literal is markup, what is interpolated is text.
///
///     let cell: Markup = "<td title=\"\(hint)\">\(name)</td>"
///
/// A value of type `Markup` goes in as it is, so pieces nest. Text that was not written in the
/// source comes in by interpolation alone: nobody calls `init(stringLiteral:)`. Attribute values
/// stand in double quotes; nothing is interpolated into `style`, `script`, a comment, an
/// attribute's name or the start of a URL.
package struct Markup: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The HTML.
    package private(set) var text: String

    package init(stringLiteral value: String) {
        text = value
    }

    package init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    private init(joined text: String) {
        self.text = text
    }

    /// Nothing.
    package static var empty: Markup { "" }

    /// A text, escaped.
    package static func text(_ value: some StringProtocol) -> Markup { "\(String(value))" }

    /// The pieces one after the other.
    package init(_ pieces: some Sequence<Markup>) {
        self.init(joined: pieces.reduce(into: "") { $0 += $1.text })
    }

    package static func + (left: Markup, right: Markup) -> Markup {
        Markup(joined: left.text + right.text)
    }

    package static func += (left: inout Markup, right: Markup) {
        left.text += right.text
    }

    /// True when there is nothing in it.
    package var isEmpty: Bool { text.isEmpty }

    /// Collects the literal parts as they are and escapes the others.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        package mutating func appendInterpolation(_ value: Markup) {
            text += value.text
        }

        package mutating func appendInterpolation(_ value: Markup?) {
            text += value?.text ?? ""
        }

        package mutating func appendInterpolation(_ pieces: [Markup]) {
            for piece in pieces { text += piece.text }
        }

        package mutating func appendInterpolation(_ value: some StringProtocol) {
            MarkupEscaping.append(value.utf8, to: &text)
        }

        package mutating func appendInterpolation(_ value: some BinaryInteger) {
            text += String(value)
        }

        /// One segment of a path, percent-encoded: no slash, dot segment or query comes out of it.
        package mutating func appendInterpolation(segment value: some StringProtocol) {
            MarkupEscaping.appendPercentEncoded(value.utf8, to: &text)
        }

        /// The name or the value of a query parameter, percent-encoded.
        package mutating func appendInterpolation(query value: some StringProtocol) {
            MarkupEscaping.appendPercentEncoded(value.utf8, to: &text)
        }
    }
}
