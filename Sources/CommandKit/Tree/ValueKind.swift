/// What an option's value or an argument may be.
///
/// Every word is checked while parsing, so a command starts with values that convert.
package enum ValueKind: Sendable, Hashable {
    /// Any text.
    case text
    /// A whole number inside a range.
    case integer(ClosedRange<Int>)
    /// One of a few words, with suggestions for a misspelt one.
    case choice([String])
    /// The path of a file or folder; not looked at while parsing.
    case path
    /// The path of a file, or `-` for standard input (or output).
    case stream
    /// A place in the log or in time: `@311`, an ISO 8601 time, or an age such as `2h`.
    case moment
    /// A position in the log: `311` or `@311`.
    case position
    /// A span of time: `30s`, `5min`, `2h`, `3d`.
    case span

    /// The word that stands for a value in help, unless the option names a better one.
    var placeholder: String {
        switch self {
        case .text: "TEXT"
        case .integer: "N"
        case .choice(let words): words.joined(separator: "|")
        case .path: "PATH"
        case .stream: "FILE"
        case .moment: "WHEN"
        case .position: "POSITION"
        case .span: "SPAN"
        }
    }
}
