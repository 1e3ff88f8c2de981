/// A command line as data: parsing, help, completions and the manual page are all read from it, so
/// none of them can say what another does not.
///
/// Holds no handlers; running a command is the caller's.
package struct CommandTree: Sendable {
    /// The name the program was called by.
    ///
    /// Set it from `ProcessArguments.name`, so that help under a symlink shows what was typed.
    package var name: String
    /// The name it is installed under; completions and the manual page are for that one.
    package let program: String
    package let version: String
    /// One line that says what the program is for.
    package let summary: String
    package let sections: [Section]
    package let globalOptions: [Option]
    package let topics: [HelpTopic]
    package let examples: [Example]

    /// Commands under one heading of the overview.
    package struct Section: Sendable {
        package let title: String
        package let commands: [Command]

        package init(_ title: String, _ commands: [Command]) {
            self.title = title
            self.commands = commands
        }
    }

    package init(
        name: String, version: String, summary: String, sections: [Section],
        globalOptions: [Option] = Option.standard, topics: [HelpTopic] = [],
        examples: [Example] = []
    ) {
        self.name = name
        program = name
        self.version = version
        self.summary = summary
        self.sections = sections
        self.globalOptions = globalOptions
        self.topics = topics
        self.examples = examples
    }

    var commands: [Command] { sections.flatMap(\.commands) }

    /// The commands that a path of names leads through; empty for the program itself, nil when a
    /// name is unknown.
    func chain(_ path: [String]) -> [Command]? {
        var chain: [Command] = []
        var candidates = commands
        for name in path {
            guard let next = candidates.first(where: { $0.name == name }) else { return nil }
            chain.append(next)
            candidates = next.subcommands
        }
        return chain
    }
}

/// One command: a leaf that runs, or a noun with verbs below it.
package struct Command: Sendable {
    /// Commands that the parser answers itself.
    enum Role: Sendable { case ordinary, help, completions, manual }

    package let name: String
    /// One imperative line without a period.
    package let summary: String
    /// Paragraphs, separated by an empty line.
    package let discussion: String
    package let arguments: [Argument]
    package let options: [Option]
    package let examples: [Example]
    package let subcommands: [Command]
    /// The verb meant when only the noun is typed.
    package let defaultSubcommand: String?
    let role: Role

    package init(
        _ name: String, _ summary: String, discussion: String = "", arguments: [Argument] = [],
        options: [Option] = [], examples: [Example] = []
    ) {
        self.init(
            name, summary, discussion, arguments, options, examples, subcommands: [], nil, .ordinary
        )
    }

    /// A noun with verbs.
    package init(
        _ name: String, _ summary: String, discussion: String = "", options: [Option] = [],
        examples: [Example] = [], verbs: [Command], default defaultVerb: String? = nil
    ) {
        self.init(
            name, summary, discussion, [], options, examples, subcommands: verbs, defaultVerb,
            .ordinary)
    }

    private init(
        _ name: String, _ summary: String, _ discussion: String, _ arguments: [Argument],
        _ options: [Option], _ examples: [Example], subcommands: [Command],
        _ defaultSubcommand: String?, _ role: Role
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.arguments = arguments
        self.options = options
        self.examples = examples
        self.subcommands = subcommands
        self.defaultSubcommand = defaultSubcommand
        self.role = role
    }

    var defaultCommand: Command? {
        defaultSubcommand.flatMap { name in subcommands.first { $0.name == name } }
    }
}

extension Command {
    package static let help = Command(
        "help", "Show help about a command or a topic", "",
        [Argument("topic", .text, .any, "A command's path, or a topic's name")], [], [],
        subcommands: [], nil, .help)

    package static let completions = Command(
        "completions", "Print a shell completion script", "",
        [Argument("shell", .choice(Shell.allCases.map(\.rawValue)), .one, "The shell")], [], [],
        subcommands: [], nil, .completions)

    package static let manual = Command(
        "manual", "Print the manual page (roff)", "", [], [], [], subcommands: [], nil, .manual)
}

/// A command line worth copying, with what it is for.
package struct Example: Sendable, Hashable {
    /// Without the program's name.
    package let line: String
    /// What it does, without a period.
    package let purpose: String

    package init(_ line: String, _ purpose: String) {
        self.line = line
        self.purpose = purpose
    }
}

/// A page of help that belongs to no command.
package struct HelpTopic: Sendable, Hashable {
    package let name: String
    /// One line without a period.
    package let summary: String
    /// The page itself, printed as it stands.
    package let text: String

    package init(_ name: String, _ summary: String, text: String) {
        self.name = name
        self.summary = summary
        self.text = text
    }
}

/// A shell that completions can be printed for.
package enum Shell: String, Sendable, CaseIterable { case bash, zsh, fish }
