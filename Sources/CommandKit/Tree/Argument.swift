/// A word a command takes by its place.
package struct Argument: Sendable, Hashable {
    package enum Arity: Sendable, Hashable {
        case one
        case optional
        case oneOrMore
        case any
    }

    package let name: String
    package let kind: ValueKind
    package let arity: Arity
    /// One line without a period.
    package let help: String

    package init(
        _ name: String, _ kind: ValueKind = .text, _ arity: Arity = .one, _ help: String
    ) {
        self.name = name
        self.kind = kind
        self.arity = arity
        self.help = help
    }

    var isRequired: Bool { arity == .one || arity == .oneOrMore }
    var isVariadic: Bool { arity == .any || arity == .oneOrMore }

    /// `SESSION`, `[SESSION]`, `FILE…` or `[FILE…]`.
    var spelling: String {
        let word = name.uppercased()
        return switch arity {
        case .one: word
        case .optional: "[\(word)]"
        case .oneOrMore: "\(word)…"
        case .any: "[\(word)…]"
        }
    }
}
