/// How we know a fact.
///
/// Ordered: a later case outranks an earlier one.
///
/// Only `verified` and `operator` evidence makes an outcome.
public enum Evidence: UInt8, Sendable, Hashable, Comparable, CaseIterable {
    /// The app or an unsigned return URL said so; anyone could have typed it.
    case hint = 0
    /// A webhook or return whose signature held, or the provider's own answer to a query.
    case verified = 1
    /// A person decided, with a reason.
    case `operator` = 2

    /// The word used in code, on the command line and in JSON.
    public var name: String {
        switch self {
        case .hint: "hint"
        case .verified: "verified"
        case .operator: "operator"
        }
    }

    /// Orders by strength.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
