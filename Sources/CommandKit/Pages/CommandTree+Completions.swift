/// What may be typed at one place of the command line; the three scripts are written from a list
/// of these.
struct CompletionPlace {
    /// Command names from the program down, joined by spaces; empty for the program itself.
    let path: String
    let commands: [Command]
    let options: [Option]
    let arguments: [Argument]

    /// Words the first argument may be, when the tree knows them.
    var argumentWords: [String] {
        arguments.flatMap { if case .choice(let words) = $0.kind { words } else { [String]() } }
    }

    var takesFiles: Bool {
        arguments.contains { $0.kind == .path || $0.kind == .stream }
    }
}

extension CommandTree {
    func completionPlaces() -> [CompletionPlace] {
        var places = [
            CompletionPlace(path: "", commands: commands, options: globalOptions, arguments: [])
        ]
        for command in commands { collect([command], &places) }
        return places
    }

    private func collect(_ chain: [Command], _ places: inout [CompletionPlace]) {
        guard let command = chain.last else { return }
        let fallback = command.defaultCommand
        var arguments = command.arguments + (fallback?.arguments ?? [])
        if command.role == .help {
            let words = commands.map(\.name) + topics.map(\.name)
            arguments = [Argument("topic", .choice(words), .any, "")]
        }
        places.append(
            CompletionPlace(
                path: chain.map(\.name).joined(separator: " "), commands: command.subcommands,
                options: chain.reversed().flatMap(\.options) + (fallback?.options ?? [])
                    + globalOptions,
                arguments: arguments))
        for verb in command.subcommands { collect(chain + [verb], &places) }
    }

    /// Every option of the tree that takes the next word as its value, once each name.
    func valueOptions() -> [Option] {
        var seen: Set<String> = []
        return completionPlaces().flatMap(\.options).filter { option in
            option.takesNextWord && seen.insert(option.name).inserted
        }
    }

    /// `--limit|-n|--after`: a shell pattern of the options whose value is the next word.
    func valueOptionPattern() -> String {
        let names = valueOptions().flatMap { option in
            ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
        }
        return names.isEmpty ? "--" : names.joined(separator: "|")
    }

    /// The program's name as part of a shell function's name.
    var functionName: String {
        String(program.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }
}

extension Option {
    /// Both spellings, for word lists.
    var words: [String] { ["--\(name)"] + (short.map { ["-\($0)"] } ?? []) }
}
