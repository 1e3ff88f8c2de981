extension CommandTree {
    /// A script for bash 3.2 and later; needs no `bash-completion` package.
    func bashCompletions() -> String {
        let places = completionPlaces()
        let steps = places.dropFirst().map { place in
            "            \(Quote.single(place.path))) path=$step ;;\n"
        }
        return """
            # bash completion for \(program), written by '\(program) completions bash'
            _\(functionName)() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
                local path="" step word index words="" files=""
                if [[ $current == "=" ]]; then current=""; fi
                if [[ $previous == "=" ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi
                if [[ ${COMP_WORDS[COMP_CWORD]} == "=" ]]; then
                    previous=${COMP_WORDS[COMP_CWORD-1]}
                fi
                for ((index = 1; index < COMP_CWORD; index++)); do
                    word=${COMP_WORDS[index]}
                    case "$word" in
                        \(valueOptionPattern()))
                            ((index++))
                            if [[ ${COMP_WORDS[index]} == "=" ]]; then ((index++)); fi
                            continue ;;
                    esac
                    step="${path:+$path }$word"
                    case "$step" in
            \(steps.joined())        esac
                done
                case "$previous" in
            \(bashValues())    esac
                case "$path" in
            \(places.map(bashPlace).joined())    esac
                if [[ $current != -* && -n $files ]]; then
                    COMPREPLY=($(compgen -W "$words" -- "$current"; compgen -f -- "$current"))
                else
                    COMPREPLY=($(compgen -W "$words" -- "$current"))
                fi
            }
            complete -F _\(functionName) \(program)

            """
    }

    private func bashValues() -> String {
        valueOptions().map { option in
            let pattern = option.words.joined(separator: "|")
            let reply: String
            switch option.kind {
            case .choice(let words):
                reply = "-W \(Quote.single(words.joined(separator: " ")))"
            case .path, .stream: reply = "-f"
            default: return "        \(pattern)) COMPREPLY=(); return ;;\n"
            }
            return "        \(pattern)) "
                + "COMPREPLY=($(compgen \(reply) -- \"$current\")); return ;;\n"
        }.joined()
    }

    private func bashPlace(_ place: CompletionPlace) -> String {
        let words =
            place.commands.map(\.name) + place.argumentWords
            + place.options.map { "--\($0.name)" }
        let files = place.takesFiles ? " files=1" : ""
        return "        \(Quote.single(place.path))) "
            + "words=\(Quote.single(words.joined(separator: " ")))\(files) ;;\n"
    }
}

/// Quoting for shells.
enum Quote {
    /// `'it'\''s'`: good for bash and zsh.
    static func single(_ text: String) -> String {
        "'" + text.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }

    /// `'it\'s'`: fish reads backslashes inside single quotes.
    static func fish(_ text: String) -> String {
        "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
    }
}
