/// An option of a command, or of all commands when the tree lists it as global.
package struct Option: Sendable, Hashable {
    /// Whether a value follows the name.
    package enum Shape: Sendable, Hashable {
        /// `--quiet`
        case flag
        /// `--limit 5` or `--limit=5`
        case value(ValueKind)
        /// `--json` or `--json=id,status`: a value only after `=`
        case optionalValue(ValueKind)
    }

    /// The long name without its dashes.
    package let name: String
    package let short: Character?
    package let shape: Shape
    package let placeholder: String
    /// Shown in help and given by accessors when the option does not stand on the command line.
    package let defaultValue: String?
    package let isRequired: Bool
    /// May be given more than once.
    ///
    /// Otherwise a second value is refused: silently preferring one of two contradicting values
    /// would hide a mistake.
    package let repeats: Bool
    /// One imperative line without a period.
    package let help: String

    package static func flag(_ name: String, short: Character? = nil, _ help: String) -> Option {
        Option(
            name: name, short: short, shape: .flag, placeholder: "", defaultValue: nil,
            isRequired: false, repeats: false, help: help)
    }

    package static func value(
        _ name: String, short: Character? = nil, _ kind: ValueKind, placeholder: String? = nil,
        default defaultValue: String? = nil, isRequired: Bool = false, repeats: Bool = false,
        _ help: String
    ) -> Option {
        Option(
            name: name, short: short, shape: .value(kind),
            placeholder: placeholder ?? kind.placeholder, defaultValue: defaultValue,
            isRequired: isRequired, repeats: repeats, help: help)
    }

    /// A flag that also takes a value after `=`, never from the next word.
    package static func optionalValue(
        _ name: String, _ kind: ValueKind, placeholder: String? = nil, _ help: String
    ) -> Option {
        Option(
            name: name, short: nil, shape: .optionalValue(kind),
            placeholder: placeholder ?? kind.placeholder, defaultValue: nil, isRequired: false,
            repeats: false, help: help)
    }

    var kind: ValueKind? {
        switch shape {
        case .flag: nil
        case .value(let kind), .optionalValue(let kind): kind
        }
    }

    var takesNextWord: Bool {
        if case .value = shape { true } else { false }
    }

    /// `-q, --quiet` or `--limit N`, as help shows it.
    var spelling: String {
        let long =
            switch shape {
            case .flag: "--\(name)"
            case .value: "--\(name) \(placeholder)"
            case .optionalValue: "--\(name)[=\(placeholder)]"
            }
        return short.map { "-\($0), \(long)" } ?? long
    }

    /// The help text with what else one must know about the value.
    var fullHelp: String {
        var notes: [String] = []
        if isRequired { notes.append("required") }
        if repeats { notes.append("may be repeated") }
        if let defaultValue { notes.append("default \(defaultValue)") }
        return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: ", ")))"
    }
}

extension Option {
    package static let help = flag("help", short: "h", "Show help")
    package static let version = flag("version", "Show the version")
    package static let quiet = flag("quiet", short: "q", "Print data and errors only")
    package static let verbose = flag("verbose", short: "v", "Say more about what is done")
    package static let noInput = flag("no-input", "Never ask a question")
    package static let color = value(
        "color", .choice(ColorPolicy.allCases.map(\.rawValue)), default: "auto",
        "Colour the output")

    /// What every command line of this kind has.
    ///
    /// `help` and `version` are answered by the parser.
    package static let standard = [color, noInput, quiet, verbose, help, version]
}
