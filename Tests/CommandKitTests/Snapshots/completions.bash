# bash completion for ledger, written by 'ledger completions bash'
_ledger() {
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
            --ledger|--color|--status|--limit|-n|--after|--at|--older-than|--reason|--type|-t)
                ((index++))
                if [[ ${COMP_WORDS[index]} == "=" ]]; then ((index++)); fi
                continue ;;
        esac
        step="${path:+$path }$word"
        case "$step" in
            'demo') path=$step ;;
            'init') path=$step ;;
            'sessions') path=$step ;;
            'sessions list') path=$step ;;
            'sessions show') path=$step ;;
            'timeline') path=$step ;;
            'events') path=$step ;;
            'import') path=$step ;;
            'completions') path=$step ;;
            'manual') path=$step ;;
            'help') path=$step ;;
        esac
    done
    case "$previous" in
        --ledger) COMPREPLY=($(compgen -f -- "$current")); return ;;
        --color) COMPREPLY=($(compgen -W 'auto always never' -- "$current")); return ;;
        --status) COMPREPLY=($(compgen -W 'succeeded failed pending' -- "$current")); return ;;
        --limit|-n) COMPREPLY=(); return ;;
        --after) COMPREPLY=(); return ;;
        --at) COMPREPLY=(); return ;;
        --older-than) COMPREPLY=(); return ;;
        --reason) COMPREPLY=(); return ;;
        --type|-t) COMPREPLY=(); return ;;
    esac
    case "$path" in
        '') words='demo init sessions timeline events import completions manual help --ledger --json --color --no-input --quiet --verbose --help --version' ;;
        'demo') words='--ledger --json --color --no-input --quiet --verbose --help --version' ;;
        'init') words='--ledger --json --color --no-input --quiet --verbose --help --version' files=1 ;;
        'sessions') words='list show --status --limit --ledger --json --color --no-input --quiet --verbose --help --version' ;;
        'sessions list') words='--status --limit --ledger --json --color --no-input --quiet --verbose --help --version' ;;
        'sessions show') words='--ledger --json --color --no-input --quiet --verbose --help --version' ;;
        'timeline') words='--raw --ledger --json --color --no-input --quiet --verbose --help --version' ;;
        'events') words='--after --at --older-than --reason --type --ledger --json --color --no-input --quiet --verbose --help --version' ;;
        'import') words='--ledger --json --color --no-input --quiet --verbose --help --version' files=1 ;;
        'completions') words='bash zsh fish --ledger --json --color --no-input --quiet --verbose --help --version' ;;
        'manual') words='--ledger --json --color --no-input --quiet --verbose --help --version' ;;
        'help') words='demo init sessions timeline events import completions manual help exit-codes --ledger --json --color --no-input --quiet --verbose --help --version' ;;
    esac
    if [[ $current != -* && -n $files ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"; compgen -f -- "$current"))
    else
        COMPREPLY=($(compgen -W "$words" -- "$current"))
    fi
}
complete -F _ledger ledger
