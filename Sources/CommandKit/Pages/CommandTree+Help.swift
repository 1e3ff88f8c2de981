extension CommandTree {
    /// The text of a page, with its last line break.
    ///
    /// - `width` and `style` matter for help only; completions and the manual page are the same
    ///   everywhere.
    package func text(
        of page: Page, width: Int = Limits.defaultWidth, style: Style = .plain
    ) -> String {
        let layout = HelpLayout(width: width, style: style)
        switch page {
        case .help(let path): return help(path, layout)
        case .topic(let name):
            guard let topic = topics.first(where: { $0.name == name }) else {
                preconditionFailure("no help topic '\(name)'")
            }
            return topic.text.utf8.last == UInt8(ascii: "\n") ? topic.text : topic.text + "\n"
        case .version: return "\(program) \(version)\n"
        case .completions(.bash): return bashCompletions()
        case .completions(.zsh): return zshCompletions()
        case .completions(.fish): return fishCompletions()
        case .manual:
            var tree = self
            tree.name = program
            return tree.manual()
        }
    }

    private func help(_ path: [String], _ layout: HelpLayout) -> String {
        guard let chain = chain(path) else { preconditionFailure("no command \(path)") }
        guard let command = chain.last else { return overview(layout) }
        var blocks = [command.summary, "Usage: " + usage(chain)]
        blocks += layout.paragraphs(command.discussion)
        blocks += layout.section("ARGUMENTS", command.arguments.map { ($0.spelling, $0.help) })
        blocks += layout.section("COMMANDS", rows(command.subcommands, command.defaultSubcommand))
        let own = chain.reversed().flatMap(\.options) + (command.defaultCommand?.options ?? [])
        blocks += layout.section("OPTIONS", own.map { ($0.spelling, $0.fullHelp) })
        blocks += layout.section(
            "OPTIONS OF EVERY COMMAND", globalOptions.map { ($0.spelling, $0.fullHelp) })
        blocks += exampleBlock(command.examples, layout)
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private func overview(_ layout: HelpLayout) -> String {
        var blocks = [summary, "Usage: " + usage([])]
        let all = sections.flatMap { rows($0.commands, nil) } + topics.map { ($0.name, $0.summary) }
        let column = layout.column(all)
        for section in sections {
            blocks += layout.section(section.title, rows(section.commands, nil), column: column)
        }
        blocks += layout.section(
            "TOPICS", topics.map { ($0.name, $0.summary) }, column: column)
        blocks += layout.section("OPTIONS", globalOptions.map { ($0.spelling, $0.fullHelp) })
        blocks += exampleBlock(examples, layout)
        blocks.append("Help about a command: \(name) <command> --help")
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private func rows(_ commands: [Command], _ standard: String?) -> [(String, String)] {
        commands.map { command in
            let note = command.name == standard ? " (default)" : ""
            return (command.name, command.summary + note)
        }
    }

    private func exampleBlock(_ examples: [Example], _ layout: HelpLayout) -> [String] {
        guard !examples.isEmpty else { return [] }
        let lines = examples.map { example in
            "  \(layout.style.paint("# " + example.purpose, .dim))\n  \(name) \(example.line)"
        }
        return [layout.title("EXAMPLES") + "\n" + lines.joined(separator: "\n")]
    }
}

/// Where help puts its words.
struct HelpLayout {
    let width: Int
    let style: Style

    /// Names wider than this get a line of their own, so that one of them does not push every text
    /// to the right.
    private static let widestName = 30

    func title(_ text: String) -> String { style.paint(text, .strong) }

    func column(_ rows: [(String, String)]) -> Int {
        let widths = rows.map { DisplayWidth.of($0.0) }.filter { $0 <= Self.widestName }
        return 4 + (widths.max() ?? 0)
    }

    func section(_ name: String, _ rows: [(String, String)], column: Int? = nil) -> [String] {
        guard !rows.isEmpty else { return [] }
        let column = column ?? self.column(rows)
        return [title(name) + "\n" + rows.map { row($0, column) }.joined(separator: "\n")]
    }

    func paragraphs(_ text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        return split(text).map { wrapped($0, width).joined(separator: "\n") }
    }

    private func row(_ row: (name: String, text: String), _ column: Int) -> String {
        let margin = String(repeating: " ", count: column)
        let name = "  " + row.name
        let lines = wrapped(row.text, max(width - column, 20))
        let used = DisplayWidth.of(name)
        let start =
            used + 2 > column
            ? name + "\n" + margin : name + String(repeating: " ", count: column - used)
        return start + lines.joined(separator: "\n" + margin)
    }

    private func split(_ text: String) -> [String] {
        var paragraphs = [""]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                paragraphs.append("")
            } else {
                let before = paragraphs.removeLast()
                paragraphs.append(before.isEmpty ? String(line) : before + " " + line)
            }
        }
        return paragraphs.filter { !$0.isEmpty }
    }

    private func wrapped(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            let fits = DisplayWidth.of(line) + 1 + DisplayWidth.of(String(word)) <= width
            if line.isEmpty {
                line = String(word)
            } else if fits {
                line += " " + word
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return lines + [line]
    }
}
