extension CommandTree {
    /// A script for zsh, to be saved as `_NAME` in a folder of `fpath`.
    func zshCompletions() -> String {
        let places = completionPlaces()
        let steps = places.dropFirst().map { place in
            "            (\(Quote.single(place.path))) place=$step ;;\n"
        }
        return """
            #compdef \(program)
            # zsh completion for \(program), written by '\(program) completions zsh'
            _\(functionName)() {
                local place="" step word index
                local -a commands options values
                for ((index = 2; index < CURRENT; index++)); do
                    word=${words[index]}
                    case "$word" in
                        (\(valueOptionPattern())) ((index++)); continue ;;
                    esac
                    step="${place:+$place }$word"
                    case "$step" in
            \(steps.joined())        esac
                done
                case "${words[CURRENT-1]}" in
            \(zshValues())    esac
                case "$place" in
            \(places.map(zshPlace).joined())    esac
            }
            if [[ $funcstack[1] == _\(functionName) ]]; then
                _\(functionName) "$@"
            else
                compdef _\(functionName) \(program)
            fi

            """
    }

    private func zshValues() -> String {
        valueOptions().map { option in
            let pattern = option.words.joined(separator: "|")
            let action =
                switch option.kind {
                case .choice(let words):
                    "values=(\(words.map(Quote.single).joined(separator: " "))); "
                        + "_describe -t values value values; return"
                case .path, .stream: "_files; return"
                default: "_message \(Quote.single(option.placeholder)); return"
                }
            return "        (\(pattern)) \(action) ;;\n"
        }.joined()
    }

    private func zshPlace(_ place: CompletionPlace) -> String {
        let commands =
            place.commands.map { entry($0.name, $0.summary) }
            + place.argumentWords.map { entry($0, "") }
        let options = place.options.map { entry("--\($0.name)", $0.help) }
        let files = place.takesFiles ? "            [[ $PREFIX == -* ]] || _files\n" : ""
        return """
                    (\(Quote.single(place.path)))
                        commands=(\(commands.joined(separator: " ")))
                        options=(\(options.joined(separator: " ")))
                        [[ $PREFIX == -* ]] || _describe -t commands command commands
                        _describe -o -t options option options
            \(files)            ;;

            """
    }

    /// `'name:what it does'` with the colons of the name escaped.
    private func entry(_ name: String, _ text: String) -> String {
        let safe = name.map { $0 == ":" ? "\\:" : String($0) }.joined()
        return Quote.single(text.isEmpty ? safe : "\(safe):\(text)")
    }
}
