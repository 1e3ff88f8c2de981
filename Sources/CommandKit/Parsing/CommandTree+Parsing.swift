extension CommandTree {
    /// Reads a command line of this process.
    ///
    /// Words that are not UTF-8 are refused.
    package func parse(bytes: [[UInt8]]) throws(UsageError) -> Invocation {
        var words: [String] = []
        words.reserveCapacity(bytes.count)
        for (index, word) in bytes.enumerated() {
            guard let text = String(validating: word, as: UTF8.self) else {
                throw usageError(
                    .notUTF8,
                    "Word \(index + 1) of the command line is not UTF-8. "
                        + "Put it in a file, or give it on standard input with '-'.", at: [])
            }
            words.append(text)
        }
        return try parse(words)
    }

    /// Reads the words after the program's name.
    ///
    /// Never traps, whatever they are.
    package func parse(_ words: [String]) throws(UsageError) -> Invocation {
        try checkLimits(words)
        var parser = CommandParser(tree: self, words: words)
        return try parser.parse()
    }

    /// Whether the words ask for JSON, for the shape of an error about words that do not parse.
    package func asksForJSON(_ words: [[UInt8]]) -> Bool {
        for word in words where word.starts(with: "--".utf8) {
            if word.count == 2 { return false }
            if word.elementsEqual("--json".utf8) || word.starts(with: "--json=".utf8) {
                return true
            }
        }
        return false
    }

    private func checkLimits(_ words: [String]) throws(UsageError) {
        guard words.count <= Limits.words else {
            throw usageError(
                .limitExceeded,
                "The command line has \(words.count) words; \(Limits.words) is the most.", at: [])
        }
        var total = 0
        for word in words {
            total += word.utf8.count
            guard word.utf8.count <= Limits.wordBytes, total <= Limits.allWordsBytes else {
                throw usageError(
                    .limitExceeded,
                    "The command line is too long: \(Limits.wordBytes) bytes a word and "
                        + "\(Limits.allWordsBytes) in all are the most. "
                        + "Give long input on standard input with '-'.", at: [])
            }
        }
    }

    func usageError(
        _ code: UsageError.Code, _ message: String, at chain: [Command],
        about argumentHelp: String? = nil
    ) -> UsageError {
        let path = ([name] + chain.map(\.name)).joined(separator: " ")
        return UsageError(
            code: code, message: message, argumentHelp: argumentHelp, usage: usage(chain),
            pointer: "See '\(path) --help'.")
    }

    /// The line after "Usage:", such as `checkout-ledger timeline SESSION [options]`.
    func usage(_ chain: [Command]) -> String {
        guard let command = chain.last else { return "\(name) <command> [options]" }
        var parts = [name] + chain.map(\.name)
        if !command.subcommands.isEmpty {
            parts.append(command.defaultSubcommand == nil ? "<command>" : "[<command>]")
        }
        parts += command.arguments.map(\.spelling)
        parts += command.options.filter(\.isRequired).map { "--\($0.name) \($0.placeholder)" }
        return (parts + ["[options]"]).joined(separator: " ")
    }

    func helpLine(_ option: Option) -> String { "\(option.spelling)  \(option.fullHelp)" }
    func helpLine(_ argument: Argument) -> String { "\(argument.spelling)  \(argument.help)" }
}
