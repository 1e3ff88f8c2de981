extension CommandTree {
    /// A script for fish 3 and later.
    func fishCompletions() -> String {
        let places = completionPlaces()
        let steps = places.dropFirst().map { place in
            "            case \(Quote.fish(place.path))\n                set place $step\n"
        }
        let skips = valueOptionPattern().split(separator: "|").joined(separator: " ")
        return """
            # fish completion for \(program), written by '\(program) completions fish'
            function __\(functionName)_at
                set -l place ''
                set -l skip 0
                for word in (commandline -opc)[2..-1]
                    if test $skip = 1
                        set skip 0
                        continue
                    end
                    if contains -- $word \(skips)
                        set skip 1
                        continue
                    end
                    set -l step (string trim -- "$place $word")
                    switch $step
            \(steps.joined())        end
                end
                test "$place" = "$argv[1]"
            end
            complete -c \(program) -f
            \(places.map(fishPlace).joined())
            """
    }

    private func fishPlace(_ place: CompletionPlace) -> String {
        let test = Quote.fish("__\(functionName)_at \(Quote.fish(place.path))")
        let start = "complete -c \(program) -n \(test)"
        var lines = place.commands.map { command in
            "\(start) -a \(Quote.fish(command.name)) -d \(Quote.fish(command.summary))"
        }
        lines += place.argumentWords.map { "\(start) -a \(Quote.fish($0))" }
        if place.takesFiles { lines.append("\(start) -F") }
        lines += place.options.map { option in
            let short = option.short.map { " -s \($0)" } ?? ""
            let name = "-l \(option.name)\(short) -d \(Quote.fish(option.help))"
            return "\(start) \(name)\(fishValue(option))"
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func fishValue(_ option: Option) -> String {
        guard option.takesNextWord else { return "" }
        return switch option.kind {
        case .choice(let words): " -x -a \(Quote.fish(words.joined(separator: " ")))"
        case .path, .stream: " -r -F"
        default: " -x"
        }
    }
}
