extension CommandTree {
    /// The manual page, section 1, in roff with the `man` macros.
    ///
    /// Carries no date, so that equal trees make equal pages.
    func manual() -> String {
        var page = [
            ".TH \(Roff.argument(program.uppercased())) 1 \"\" "
                + Roff.argument("\(program) \(version)"),
            ".SH NAME", Roff.text("\(program) - \(summary)"),
            ".SH SYNOPSIS", ".B \(Roff.text(program))", Roff.text("<command> [options]"),
        ]
        for section in sections {
            page.append(".SH \(Roff.argument(section.title))")
            for command in section.commands { page += entry([command]) }
        }
        page += optionEntries("OPTIONS OF EVERY COMMAND", globalOptions)
        for topic in topics {
            page += [".SH \(Roff.argument(topic.name.uppercased()))", ".nf"]
            page += topic.text.split(separator: "\n", omittingEmptySubsequences: false)
                .map { Roff.text(String($0)) }
            page.append(".fi")
        }
        page += exampleEntries(examples)
        return page.joined(separator: "\n") + "\n"
    }

    private func entry(_ chain: [Command]) -> [String] {
        guard let command = chain.last else { return [] }
        let heading = Roff.argument(chain.map(\.name).joined(separator: " "))
        var lines = [".SS \(heading)", Roff.text(command.summary + "."), ".PP"]
        lines += [".B \(Roff.text(usage(chain)))"]
        for line in command.discussion.split(separator: "\n", omittingEmptySubsequences: false) {
            lines.append(line.isEmpty ? ".PP" : Roff.text(String(line)))
        }
        for argument in command.arguments {
            lines += [".TP", ".B \(Roff.text(argument.spelling))", Roff.text(argument.help)]
        }
        lines += optionEntries(nil, command.options)
        lines += exampleEntries(command.examples, heading: nil)
        for verb in command.subcommands { lines += entry(chain + [verb]) }
        return lines
    }

    private func optionEntries(_ heading: String?, _ options: [Option]) -> [String] {
        guard !options.isEmpty else { return [] }
        var lines = heading.map { [".SH \(Roff.argument($0))"] } ?? []
        for option in options {
            lines += [".TP", ".B \(Roff.text(option.spelling))", Roff.text(option.fullHelp)]
        }
        return lines
    }

    private func exampleEntries(_ examples: [Example], heading: String? = "EXAMPLES") -> [String] {
        guard !examples.isEmpty else { return [] }
        var lines = heading.map { [".SH \(Roff.argument($0))"] } ?? []
        for example in examples {
            lines += [".TP", ".B \(Roff.text("\(program) \(example.line)"))"]
            lines.append(Roff.text(example.purpose))
        }
        return lines
    }
}

/// Text that roff prints as it stands.
private enum Roff {
    static func text(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "…": result += "\\&..."
            default: result.unicodeScalars.append(scalar)
            }
        }
        let first = result.utf8.first
        let isRequest = first == UInt8(ascii: ".") || first == UInt8(ascii: "'")
        return isRequest ? "\\&" + result : result
    }

    static func argument(_ text: String) -> String {
        "\"" + self.text(text).split(separator: "\"").joined(separator: "\\(dq") + "\""
    }
}
