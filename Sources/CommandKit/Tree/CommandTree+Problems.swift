extension CommandTree {
    /// Mistakes of whoever wrote the tree, one sentence each; empty for a sound one.
    ///
    /// A test of the program asserts that, so the parser need not look at every start.
    package func problems() -> [String] {
        var found: [String] = []
        noteDuplicates(commands.map(\.name), in: "the program", &found)
        noteDuplicates(topics.map(\.name), in: "the topics", &found)
        for topic in topics where commands.contains(where: { $0.name == topic.name }) {
            found.append("Topic '\(topic.name)' hides behind the command of that name.")
        }
        for command in commands { check(command, path: command.name, inherited: [], &found) }
        return found
    }

    private func check(
        _ command: Command, path: String, inherited: [Option], _ found: inout [String]
    ) {
        let options = command.options + inherited
        noteDuplicates((options + globalOptions).map(\.name), in: "'\(path)'", &found)
        noteDuplicates(
            (options + globalOptions).compactMap { $0.short.map { String($0) } },
            in: "'\(path)'", &found)
        noteDuplicates(command.arguments.map(\.name), in: "'\(path)'", &found)
        noteDuplicates(command.subcommands.map(\.name), in: "'\(path)'", &found)
        if command.arguments.dropLast().contains(where: \.isVariadic) {
            found.append("'\(path)': only the last argument may take several words.")
        }
        let firstOptional = command.arguments.firstIndex { !$0.isRequired }
        if let firstOptional, command.arguments[firstOptional...].contains(where: \.isRequired) {
            found.append("'\(path)': a required argument follows an optional one.")
        }
        if command.defaultSubcommand != nil, command.defaultCommand == nil {
            found.append("'\(path)': its default verb is not among its verbs.")
        }
        for text in [command.summary] + options.map(\.help) where text.hasSuffix(".") {
            found.append("'\(path)': help ends with a period: \(text)")
        }
        for option in options {
            guard let value = option.defaultValue, let kind = option.kind else { continue }
            if let fault = kind.fault(of: value) {
                found.append("'\(path)': the default of --\(option.name) \(fault)")
            }
        }
        for verb in command.subcommands {
            check(verb, path: "\(path) \(verb.name)", inherited: options, &found)
        }
    }

    private func noteDuplicates(_ names: [String], in place: String, _ found: inout [String]) {
        var seen: Set<String> = []
        for name in names where !seen.insert(name).inserted {
            found.append("'\(name)' stands twice in \(place).")
        }
    }
}
