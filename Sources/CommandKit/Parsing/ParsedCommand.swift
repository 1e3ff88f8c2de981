/// A command with its options and arguments, all checked.
///
/// Asking for a name the command does not have, or with the accessor of another kind, is a mistake
/// in the program and stops it.
package struct ParsedCommand: Sendable {
    /// Names from the program down, the default verb included: `["sessions", "list"]`.
    package let path: [String]
    /// Values by option name, in the order given; a flag has one empty value.
    package let options: [String: [String]]
    /// Words by argument name, in the order given.
    package let arguments: [String: [String]]

    let tree: CommandTree
    let chain: [Command]

    /// Whether a flag, or an option with any value, was given.
    package func has(_ name: String) -> Bool {
        _ = option(name)
        return options[name] != nil
    }

    /// The option's value, else its default, else nil.
    ///
    /// For an option with optional value: nil also when only its name was given.
    package func value(_ name: String) -> String? { values(name).first }

    /// All values of an option, else its default alone.
    package func values(_ name: String) -> [String] {
        let option = option(name)
        precondition(option.shape != .flag, "--\(name) is a flag and has no value")
        if let given = options[name] { return given.filter { !isBareOptional($0, option) } }
        return option.defaultValue.map { [$0] } ?? []
    }

    package func integer(_ name: String) -> Int? {
        value(name).map { text in converted(name, Int(text)) }
    }

    package func moment(_ name: String) -> Moment? {
        value(name).map { text in converted(name, Moment(text)) }
    }

    package func position(_ name: String) -> UInt64? {
        value(name).map { text in converted(name, Position.parse(text)) }
    }

    /// A span of time in microseconds.
    package func microseconds(_ name: String) -> Int64? {
        value(name).map { text in converted(name, Span.microseconds(text)) }
    }

    /// The value as one of an enumeration's words; the tree lists the same words.
    package func choice<Word: RawRepresentable<String>>(
        _ name: String, as type: Word.Type = Word.self
    ) -> Word? {
        value(name).map { text in converted(name, Word(rawValue: text)) }
    }

    /// The word of an argument that must be there.
    package func argument(_ name: String) -> String {
        guard let word = words(name).first else {
            preconditionFailure(
                "argument '\(name)' of \(path) may be missing: use argument(ifAny:)")
        }
        return word
    }

    /// The word of an argument that may be left out.
    package func argument(ifAny name: String) -> String? { words(name).first }

    /// All words of an argument.
    package func words(_ name: String) -> [String] {
        guard let words = arguments[name] else {
            preconditionFailure("\(path) has no argument '\(name)'")
        }
        return words
    }

    /// A usage error that only the command can know of, such as two options that exclude each
    /// other.
    ///
    /// `subject` names the option or argument whose help line is shown.
    package func usageError(_ message: String, about subject: String? = nil) -> UsageError {
        let option = subject.flatMap { name in known.first { $0.name == name } }
        let argument = subject.flatMap { name in
            chain.last?.arguments.first { $0.name == name }
        }
        return tree.usageError(
            .invalidValue, message, at: chain,
            about: option.map(tree.helpLine) ?? argument.map(tree.helpLine))
    }

    private var known: [Option] { chain.reversed().flatMap(\.options) + tree.globalOptions }

    private func option(_ name: String) -> Option {
        guard let option = known.first(where: { $0.name == name }) else {
            preconditionFailure("\(path) has no option '--\(name)'")
        }
        return option
    }

    private func isBareOptional(_ value: String, _ option: Option) -> Bool {
        if case .optionalValue = option.shape { value.isEmpty } else { false }
    }

    private func converted<Value>(_ name: String, _ value: Value?) -> Value {
        guard let value else {
            preconditionFailure("--\(name) of \(path) was declared as another kind")
        }
        return value
    }
}
