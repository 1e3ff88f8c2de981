/// One pass over the words of a command line.
struct CommandParser {
    let tree: CommandTree
    let words: [String]
    private var next = 0
    private var chain: [Command] = []
    private var options: [String: [String]] = [:]
    private var positionals: [String] = []
    private var takesOptions = true

    init(tree: CommandTree, words: [String]) {
        self.tree = tree
        self.words = words
    }

    mutating func parse() throws(UsageError) -> Invocation {
        while next < words.count {
            let word = words[next]
            next += 1
            if let page = try read(word) { return .show(page) }
        }
        return try finish()
    }

    private mutating func read(_ word: String) throws(UsageError) -> Page? {
        guard takesOptions, word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 1 else {
            try readPlain(word)
            return nil
        }
        if word.utf8.elementsEqual("--".utf8) {
            takesOptions = false
            return nil
        }
        if word.utf8.starts(with: "--".utf8) { return try readLong(word) }
        if isNegativeNumber(word), chain.last?.arguments.isEmpty == false {
            try readPlain(word)
            return nil
        }
        return try readShort(word)
    }

    // MARK: Commands and arguments

    private mutating func readPlain(_ word: String) throws(UsageError) {
        let candidates = chain.last?.subcommands ?? (chain.isEmpty ? tree.commands : [])
        guard !candidates.isEmpty else {
            positionals.append(word)
            return
        }
        if let command = candidates.first(where: { $0.name == word }) {
            chain.append(command)
            return
        }
        let names = candidates.map(\.name)
        if let fallback = chain.last?.defaultCommand, !fallback.arguments.isEmpty {
            chain.append(fallback)
            positionals.append(word)
            return
        }
        let place = chain.isEmpty ? "" : " of '\(chain.map(\.name).joined(separator: " "))'"
        throw error(
            .unknownCommand,
            "Unknown command \(quoted(word))\(place)."
                + Suggestion.sentence(for: word, among: names))
    }

    private func isNegativeNumber(_ word: String) -> Bool {
        word.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    }

    // MARK: Options

    private mutating func readLong(_ word: String) throws(UsageError) -> Page? {
        let body = word.utf8.dropFirst(2)
        let equals = body.firstIndex(of: UInt8(ascii: "="))
        let name = String(Substring(body[..<(equals ?? body.endIndex)]))
        let attached = equals.map { String(Substring(body[body.index(after: $0)...])) }
        guard let option = find({ $0.name == name }) else { throw unknownOption("--" + name) }
        return try take(option, attached: attached)
    }

    /// `-q`, `-qv`, `-n5`, `-n 5`.
    private mutating func readShort(_ word: String) throws(UsageError) -> Page? {
        var rest = Substring(word).dropFirst()
        while let letter = rest.popFirst() {
            guard let option = find({ $0.short == letter }) else {
                throw unknownOption("-" + String(letter))
            }
            if option.takesNextWord, !rest.isEmpty {
                let value = rest.utf8.first == UInt8(ascii: "=") ? rest.dropFirst() : rest
                return try take(option, attached: String(value))
            }
            if let page = try take(option, attached: nil) { return page }
        }
        return nil
    }

    private mutating func take(
        _ option: Option, attached: String?
    ) throws(UsageError) -> Page? {
        if option == .help { return .help(path: chain.map(\.name)) }
        if option == .version { return .version }
        let value: String
        switch option.shape {
        case .flag:
            guard attached == nil else {
                throw error(.unexpectedValue, "--\(option.name) takes no value.", about: option)
            }
            value = ""
        case .optionalValue:
            guard let attached else {
                value = ""
                break
            }
            guard !attached.isEmpty else {
                throw error(
                    .missingValue, "--\(option.name)= has nothing after its '='.", about: option)
            }
            value = attached
        case .value:
            if let attached { value = attached } else { value = try nextValue(option) }
        }
        if !value.isEmpty || option.takesNextWord, let fault = option.kind?.fault(of: value) {
            throw error(.invalidValue, "--\(option.name) \(fault)", about: option)
        }
        if option.kind != nil, !option.repeats, let given = options[option.name] {
            guard given != [value] else { return nil }
            throw error(.repeatedOption, "--\(option.name) was given twice.", about: option)
        }
        if option.kind == nil {
            options[option.name] = [""]
        } else {
            options[option.name, default: []].append(value)
        }
        return nil
    }

    private mutating func nextValue(_ option: Option) throws(UsageError) -> String {
        guard next < words.count else {
            throw error(.missingValue, "--\(option.name) needs a value.", about: option)
        }
        let word = words[next]
        if isKnownOption(word) {
            throw error(
                .missingValue,
                "--\(option.name) needs a value; the next word is the option \(quoted(word)). "
                    + "If that is the value, write --\(option.name)=\(SafeText.visible(word)).",
                about: option)
        }
        next += 1
        return word
    }

    private func isKnownOption(_ word: String) -> Bool {
        if word.utf8.starts(with: "--".utf8) {
            let name = word.utf8.dropFirst(2).prefix { $0 != UInt8(ascii: "=") }
            return name.isEmpty || visible.contains { $0.name.utf8.elementsEqual(name) }
        }
        guard word.utf8.first == UInt8(ascii: "-"), word.count == 2 else { return false }
        return visible.contains { $0.short == word.last }
    }

    /// The options that may stand here: the commands' own, the default verb's, the global ones.
    private var visible: [Option] {
        chain.reversed().flatMap(\.options) + (chain.last?.defaultCommand?.options ?? [])
            + tree.globalOptions
    }

    /// An option of the default verb chooses that verb.
    private mutating func find(_ matches: (Option) -> Bool) -> Option? {
        let own = chain.reversed().flatMap(\.options)
        if let option = own.first(where: matches) { return option }
        if let fallback = chain.last?.defaultCommand,
            let option = fallback.options.first(where: matches)
        {
            chain.append(fallback)
            return option
        }
        return tree.globalOptions.first(where: matches)
    }

    private func unknownOption(_ spelling: String) -> UsageError {
        let name = String(spelling.drop { $0 == "-" })
        if chain.isEmpty, let owner = owner(of: name) {
            return error(
                .unknownOption,
                "\(quoted(spelling)) is an option of '\(owner)' and stands after that word.")
        }
        let names = visible.map { "--" + $0.name }
        return error(
            .unknownOption,
            "Unknown option \(quoted(spelling))." + Suggestion.sentence(for: spelling, among: names)
        )
    }

    private func owner(of name: String) -> String? {
        tree.commands.first { command in
            (command.options + command.subcommands.flatMap(\.options)).contains { $0.name == name }
        }?.name
    }

    private func error(
        _ code: UsageError.Code, _ message: String, about option: Option? = nil
    ) -> UsageError {
        tree.usageError(code, message, at: chain, about: option.map(tree.helpLine))
    }
}

extension CommandParser {
    // MARK: The end of the line

    private mutating func finish() throws(UsageError) -> Invocation {
        guard let last = chain.last else { return .show(.help(path: [])) }
        if !last.subcommands.isEmpty {
            guard let fallback = last.defaultCommand else {
                let verbs = last.subcommands.map { "'\($0.name)'" }.joined(separator: ", ")
                throw error(
                    .missingCommand, "'\(last.name)' needs one of its commands: \(verbs).")
            }
            chain.append(fallback)
        }
        guard let command = chain.last else { return .show(.help(path: [])) }
        try checkRequired(command)
        let arguments = try assign(command)
        switch command.role {
        case .help: return .show(try helpPage(arguments["topic"] ?? []))
        case .manual: return .show(.manual)
        case .completions:
            let shell = arguments["shell"]?.first.flatMap(Shell.init(rawValue:))
            return .show(.completions(shell ?? .bash))
        case .ordinary:
            return .run(
                ParsedCommand(
                    path: chain.map(\.name), options: options, arguments: arguments, tree: tree,
                    chain: chain))
        }
    }

    private func checkRequired(_ command: Command) throws(UsageError) {
        for option in chain.flatMap(\.options) + tree.globalOptions
        where option.isRequired && options[option.name] == nil {
            throw error(.missingOption, "Missing option '--\(option.name)'.", about: option)
        }
    }

    private func assign(_ command: Command) throws(UsageError) -> [String: [String]] {
        var rest = positionals[...]
        var assigned: [String: [String]] = [:]
        for argument in command.arguments {
            let words = argument.isVariadic ? rest : rest.prefix(1)
            rest = rest.dropFirst(words.count)
            if words.isEmpty, argument.isRequired {
                throw tree.usageError(
                    .missingArgument, "Missing argument '\(argument.name.uppercased())'.",
                    at: chain, about: tree.helpLine(argument))
            }
            for word in words {
                guard let fault = argument.kind.fault(of: word) else { continue }
                throw tree.usageError(
                    .invalidValue, "'\(argument.name.uppercased())' \(fault)", at: chain,
                    about: tree.helpLine(argument))
            }
            assigned[argument.name] = Array(words)
        }
        if let extra = rest.first {
            throw error(.unexpectedArgument, "Unexpected argument \(quoted(extra)).")
        }
        return assigned
    }

    private func helpPage(_ words: [String]) throws(UsageError) -> Page {
        if tree.chain(words) != nil { return .help(path: words) }
        if words.count == 1, tree.topics.contains(where: { $0.name == words[0] }) {
            return .topic(words[0])
        }
        let known = tree.commands.map(\.name) + tree.topics.map(\.name)
        throw error(
            .unknownTopic,
            "No help about \(quoted(words.joined(separator: " ")))."
                + Suggestion.sentence(for: words[0], among: known))
    }
}
