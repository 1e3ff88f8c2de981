#compdef ledger
# zsh completion for ledger, written by 'ledger completions zsh'
_ledger() {
    local place="" step word index
    local -a commands options values
    for ((index = 2; index < CURRENT; index++)); do
        word=${words[index]}
        case "$word" in
            (--ledger|--color|--status|--limit|-n|--after|--at|--older-than|--reason|--type|-t) ((index++)); continue ;;
        esac
        step="${place:+$place }$word"
        case "$step" in
            ('demo') place=$step ;;
            ('init') place=$step ;;
            ('sessions') place=$step ;;
            ('sessions list') place=$step ;;
            ('sessions show') place=$step ;;
            ('timeline') place=$step ;;
            ('events') place=$step ;;
            ('import') place=$step ;;
            ('completions') place=$step ;;
            ('manual') place=$step ;;
            ('help') place=$step ;;
        esac
    done
    case "${words[CURRENT-1]}" in
        (--ledger) _files; return ;;
        (--color) values=('auto' 'always' 'never'); _describe -t values value values; return ;;
        (--status) values=('succeeded' 'failed' 'pending'); _describe -t values value values; return ;;
        (--limit|-n) _message 'N'; return ;;
        (--after) _message 'WHEN'; return ;;
        (--at) _message 'POSITION'; return ;;
        (--older-than) _message 'SPAN'; return ;;
        (--reason) _message 'TEXT'; return ;;
        (--type|-t) _message 'TYPE'; return ;;
    esac
    case "$place" in
        ('')
            commands=('demo:Show what it can do' 'init:Create an empty ledger' 'sessions:List or show checkout sessions' 'timeline:Tell one session'\''s story in order' 'events:List stored events' 'import:Read events from files' 'completions:Print a shell completion script' 'manual:Print the manual page (roff)' 'help:Show help about a command or a topic')
            options=('--ledger:Use the ledger in this folder' '--json:Print JSON, one object a line' '--color:Colour the output' '--no-input:Never ask a question' '--quiet:Print data and errors only' '--verbose:Say more about what is done' '--help:Show help' '--version:Show the version')
            [[ $PREFIX == -* ]] || _describe -t commands command commands
            _describe -o -t options option options
            ;;
        ('demo')
            commands=()
            options=('--ledger:Use the ledger in this folder' '--json:Print JSON, one object a line' '--color:Colour the output' '--no-input:Never ask a question' '--quiet:Print data and errors only' '--verbose:Say more about what is done' '--help:Show help' '--version:Show the version')
            [[ $PREFIX == -* ]] || _describe -t commands command commands
            _describe -o -t options option options
            ;;
        ('init')
            commands=()
            options=('--ledger:Use the ledger in this folder' '--json:Print JSON, one object a line' '--color:Colour the output' '--no-input:Never ask a question' '--quiet:Print data and errors only' '--verbose:Say more about what is done' '--help:Show help' '--version:Show the version')
            [[ $PREFIX == -* ]] || _describe -t commands command commands
            _describe -o -t options option options
            [[ $PREFIX == -* ]] || _files
            ;;
        ('sessions')
            commands=('list:List sessions' 'show:Show one session')
            options=('--status:Only these' '--limit:At most so many' '--ledger:Use the ledger in this folder' '--json:Print JSON, one object a line' '--color:Colour the output' '--no-input:Never ask a question' '--quiet:Print data and errors only' '--verbose:Say more about what is done' '--help:Show help' '--version:Show the version')
            [[ $PREFIX == -* ]] || _describe -t commands command commands
            _describe -o -t options option options
            ;;
        ('sessions list')
            commands=()
            options=('--status:Only these' '--limit:At most so many' '--ledger:Use the ledger in this folder' '--json:Print JSON, one object a line' '--color:Colour the output' '--no-input:Never ask a question' '--quiet:Print data and errors only' '--verbose:Say more about what is done' '--help:Show help' '--version:Show the version')
            [[ $PREFIX == -* ]] || _describe -t commands command commands
            _describe -o -t options option options
            ;;
        ('sessions show')
            commands=()
            options=('--ledger:Use the ledger in this folder' '--json:Print JSON, one object a line' '--color:Colour the output' '--no-input:Never ask a question' '--quiet:Print data and errors only' '--verbose:Say more about what is done' '--help:Show help' '--version:Show the version')
            [[ $PREFIX == -* ]] || _describe -t commands command commands
            _describe -o -t options option options
            ;;
        ('timeline')
            commands=()
            options=('--raw:Show stored bytes' '--ledger:Use the ledger in this folder' '--json:Print JSON, one object a line' '--color:Colour the output' '--no-input:Never ask a question' '--quiet:Print data and errors only' '--verbose:Say more about what is done' '--help:Show help' '--version:Show the version')
            [[ $PREFIX == -* ]] || _describe -t commands command commands
            _describe -o -t options option options
            ;;
        ('events')
            commands=()
            options=('--after:From here on' '--at:This one' '--older-than:Only what is older' '--reason:Why you look' '--type:Only this type' '--ledger:Use the ledger in this folder' '--json:Print JSON, one object a line' '--color:Colour the output' '--no-input:Never ask a question' '--quiet:Print data and errors only' '--verbose:Say more about what is done' '--help:Show help' '--version:Show the version')
            [[ $PREFIX == -* ]] || _describe -t commands command commands
            _describe -o -t options option options
            ;;
        ('import')
            commands=()
            options=('--ledger:Use the ledger in this folder' '--json:Print JSON, one object a line' '--color:Colour the output' '--no-input:Never ask a question' '--quiet:Print data and errors only' '--verbose:Say more about what is done' '--help:Show help' '--version:Show the version')
            [[ $PREFIX == -* ]] || _describe -t commands command commands
            _describe -o -t options option options
            [[ $PREFIX == -* ]] || _files
            ;;
        ('completions')
            commands=('bash' 'zsh' 'fish')
            options=('--ledger:Use the ledger in this folder' '--json:Print JSON, one object a line' '--color:Colour the output' '--no-input:Never ask a question' '--quiet:Print data and errors only' '--verbose:Say more about what is done' '--help:Show help' '--version:Show the version')
            [[ $PREFIX == -* ]] || _describe -t commands command commands
            _describe -o -t options option options
            ;;
        ('manual')
            commands=()
            options=('--ledger:Use the ledger in this folder' '--json:Print JSON, one object a line' '--color:Colour the output' '--no-input:Never ask a question' '--quiet:Print data and errors only' '--verbose:Say more about what is done' '--help:Show help' '--version:Show the version')
            [[ $PREFIX == -* ]] || _describe -t commands command commands
            _describe -o -t options option options
            ;;
        ('help')
            commands=('demo' 'init' 'sessions' 'timeline' 'events' 'import' 'completions' 'manual' 'help' 'exit-codes')
            options=('--ledger:Use the ledger in this folder' '--json:Print JSON, one object a line' '--color:Colour the output' '--no-input:Never ask a question' '--quiet:Print data and errors only' '--verbose:Say more about what is done' '--help:Show help' '--version:Show the version')
            [[ $PREFIX == -* ]] || _describe -t commands command commands
            _describe -o -t options option options
            ;;
    esac
}
if [[ $funcstack[1] == _ledger ]]; then
    _ledger "$@"
else
    compdef _ledger ledger
fi
