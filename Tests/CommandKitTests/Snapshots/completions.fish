# fish completion for ledger, written by 'ledger completions fish'
function __ledger_at
    set -l place ''
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        if contains -- $word --ledger --color --status --limit -n --after --at --older-than --reason --type -t
            set skip 1
            continue
        end
        set -l step (string trim -- "$place $word")
        switch $step
            case 'demo'
                set place $step
            case 'init'
                set place $step
            case 'sessions'
                set place $step
            case 'sessions list'
                set place $step
            case 'sessions show'
                set place $step
            case 'timeline'
                set place $step
            case 'events'
                set place $step
            case 'import'
                set place $step
            case 'completions'
                set place $step
            case 'manual'
                set place $step
            case 'help'
                set place $step
        end
    end
    test "$place" = "$argv[1]"
end
complete -c ledger -f
complete -c ledger -n '__ledger_at \'\'' -a 'demo' -d 'Show what it can do'
complete -c ledger -n '__ledger_at \'\'' -a 'init' -d 'Create an empty ledger'
complete -c ledger -n '__ledger_at \'\'' -a 'sessions' -d 'List or show checkout sessions'
complete -c ledger -n '__ledger_at \'\'' -a 'timeline' -d 'Tell one session\'s story in order'
complete -c ledger -n '__ledger_at \'\'' -a 'events' -d 'List stored events'
complete -c ledger -n '__ledger_at \'\'' -a 'import' -d 'Read events from files'
complete -c ledger -n '__ledger_at \'\'' -a 'completions' -d 'Print a shell completion script'
complete -c ledger -n '__ledger_at \'\'' -a 'manual' -d 'Print the manual page (roff)'
complete -c ledger -n '__ledger_at \'\'' -a 'help' -d 'Show help about a command or a topic'
complete -c ledger -n '__ledger_at \'\'' -l ledger -d 'Use the ledger in this folder' -r -F
complete -c ledger -n '__ledger_at \'\'' -l json -d 'Print JSON, one object a line'
complete -c ledger -n '__ledger_at \'\'' -l color -d 'Colour the output' -x -a 'auto always never'
complete -c ledger -n '__ledger_at \'\'' -l no-input -d 'Never ask a question'
complete -c ledger -n '__ledger_at \'\'' -l quiet -s q -d 'Print data and errors only'
complete -c ledger -n '__ledger_at \'\'' -l verbose -s v -d 'Say more about what is done'
complete -c ledger -n '__ledger_at \'\'' -l help -s h -d 'Show help'
complete -c ledger -n '__ledger_at \'\'' -l version -d 'Show the version'
complete -c ledger -n '__ledger_at \'demo\'' -l ledger -d 'Use the ledger in this folder' -r -F
complete -c ledger -n '__ledger_at \'demo\'' -l json -d 'Print JSON, one object a line'
complete -c ledger -n '__ledger_at \'demo\'' -l color -d 'Colour the output' -x -a 'auto always never'
complete -c ledger -n '__ledger_at \'demo\'' -l no-input -d 'Never ask a question'
complete -c ledger -n '__ledger_at \'demo\'' -l quiet -s q -d 'Print data and errors only'
complete -c ledger -n '__ledger_at \'demo\'' -l verbose -s v -d 'Say more about what is done'
complete -c ledger -n '__ledger_at \'demo\'' -l help -s h -d 'Show help'
complete -c ledger -n '__ledger_at \'demo\'' -l version -d 'Show the version'
complete -c ledger -n '__ledger_at \'init\'' -F
complete -c ledger -n '__ledger_at \'init\'' -l ledger -d 'Use the ledger in this folder' -r -F
complete -c ledger -n '__ledger_at \'init\'' -l json -d 'Print JSON, one object a line'
complete -c ledger -n '__ledger_at \'init\'' -l color -d 'Colour the output' -x -a 'auto always never'
complete -c ledger -n '__ledger_at \'init\'' -l no-input -d 'Never ask a question'
complete -c ledger -n '__ledger_at \'init\'' -l quiet -s q -d 'Print data and errors only'
complete -c ledger -n '__ledger_at \'init\'' -l verbose -s v -d 'Say more about what is done'
complete -c ledger -n '__ledger_at \'init\'' -l help -s h -d 'Show help'
complete -c ledger -n '__ledger_at \'init\'' -l version -d 'Show the version'
complete -c ledger -n '__ledger_at \'sessions\'' -a 'list' -d 'List sessions'
complete -c ledger -n '__ledger_at \'sessions\'' -a 'show' -d 'Show one session'
complete -c ledger -n '__ledger_at \'sessions\'' -l status -d 'Only these' -x -a 'succeeded failed pending'
complete -c ledger -n '__ledger_at \'sessions\'' -l limit -s n -d 'At most so many' -x
complete -c ledger -n '__ledger_at \'sessions\'' -l ledger -d 'Use the ledger in this folder' -r -F
complete -c ledger -n '__ledger_at \'sessions\'' -l json -d 'Print JSON, one object a line'
complete -c ledger -n '__ledger_at \'sessions\'' -l color -d 'Colour the output' -x -a 'auto always never'
complete -c ledger -n '__ledger_at \'sessions\'' -l no-input -d 'Never ask a question'
complete -c ledger -n '__ledger_at \'sessions\'' -l quiet -s q -d 'Print data and errors only'
complete -c ledger -n '__ledger_at \'sessions\'' -l verbose -s v -d 'Say more about what is done'
complete -c ledger -n '__ledger_at \'sessions\'' -l help -s h -d 'Show help'
complete -c ledger -n '__ledger_at \'sessions\'' -l version -d 'Show the version'
complete -c ledger -n '__ledger_at \'sessions list\'' -l status -d 'Only these' -x -a 'succeeded failed pending'
complete -c ledger -n '__ledger_at \'sessions list\'' -l limit -s n -d 'At most so many' -x
complete -c ledger -n '__ledger_at \'sessions list\'' -l ledger -d 'Use the ledger in this folder' -r -F
complete -c ledger -n '__ledger_at \'sessions list\'' -l json -d 'Print JSON, one object a line'
complete -c ledger -n '__ledger_at \'sessions list\'' -l color -d 'Colour the output' -x -a 'auto always never'
complete -c ledger -n '__ledger_at \'sessions list\'' -l no-input -d 'Never ask a question'
complete -c ledger -n '__ledger_at \'sessions list\'' -l quiet -s q -d 'Print data and errors only'
complete -c ledger -n '__ledger_at \'sessions list\'' -l verbose -s v -d 'Say more about what is done'
complete -c ledger -n '__ledger_at \'sessions list\'' -l help -s h -d 'Show help'
complete -c ledger -n '__ledger_at \'sessions list\'' -l version -d 'Show the version'
complete -c ledger -n '__ledger_at \'sessions show\'' -l ledger -d 'Use the ledger in this folder' -r -F
complete -c ledger -n '__ledger_at \'sessions show\'' -l json -d 'Print JSON, one object a line'
complete -c ledger -n '__ledger_at \'sessions show\'' -l color -d 'Colour the output' -x -a 'auto always never'
complete -c ledger -n '__ledger_at \'sessions show\'' -l no-input -d 'Never ask a question'
complete -c ledger -n '__ledger_at \'sessions show\'' -l quiet -s q -d 'Print data and errors only'
complete -c ledger -n '__ledger_at \'sessions show\'' -l verbose -s v -d 'Say more about what is done'
complete -c ledger -n '__ledger_at \'sessions show\'' -l help -s h -d 'Show help'
complete -c ledger -n '__ledger_at \'sessions show\'' -l version -d 'Show the version'
complete -c ledger -n '__ledger_at \'timeline\'' -l raw -d 'Show stored bytes'
complete -c ledger -n '__ledger_at \'timeline\'' -l ledger -d 'Use the ledger in this folder' -r -F
complete -c ledger -n '__ledger_at \'timeline\'' -l json -d 'Print JSON, one object a line'
complete -c ledger -n '__ledger_at \'timeline\'' -l color -d 'Colour the output' -x -a 'auto always never'
complete -c ledger -n '__ledger_at \'timeline\'' -l no-input -d 'Never ask a question'
complete -c ledger -n '__ledger_at \'timeline\'' -l quiet -s q -d 'Print data and errors only'
complete -c ledger -n '__ledger_at \'timeline\'' -l verbose -s v -d 'Say more about what is done'
complete -c ledger -n '__ledger_at \'timeline\'' -l help -s h -d 'Show help'
complete -c ledger -n '__ledger_at \'timeline\'' -l version -d 'Show the version'
complete -c ledger -n '__ledger_at \'events\'' -l after -d 'From here on' -x
complete -c ledger -n '__ledger_at \'events\'' -l at -d 'This one' -x
complete -c ledger -n '__ledger_at \'events\'' -l older-than -d 'Only what is older' -x
complete -c ledger -n '__ledger_at \'events\'' -l reason -d 'Why you look' -x
complete -c ledger -n '__ledger_at \'events\'' -l type -s t -d 'Only this type' -x
complete -c ledger -n '__ledger_at \'events\'' -l ledger -d 'Use the ledger in this folder' -r -F
complete -c ledger -n '__ledger_at \'events\'' -l json -d 'Print JSON, one object a line'
complete -c ledger -n '__ledger_at \'events\'' -l color -d 'Colour the output' -x -a 'auto always never'
complete -c ledger -n '__ledger_at \'events\'' -l no-input -d 'Never ask a question'
complete -c ledger -n '__ledger_at \'events\'' -l quiet -s q -d 'Print data and errors only'
complete -c ledger -n '__ledger_at \'events\'' -l verbose -s v -d 'Say more about what is done'
complete -c ledger -n '__ledger_at \'events\'' -l help -s h -d 'Show help'
complete -c ledger -n '__ledger_at \'events\'' -l version -d 'Show the version'
complete -c ledger -n '__ledger_at \'import\'' -F
complete -c ledger -n '__ledger_at \'import\'' -l ledger -d 'Use the ledger in this folder' -r -F
complete -c ledger -n '__ledger_at \'import\'' -l json -d 'Print JSON, one object a line'
complete -c ledger -n '__ledger_at \'import\'' -l color -d 'Colour the output' -x -a 'auto always never'
complete -c ledger -n '__ledger_at \'import\'' -l no-input -d 'Never ask a question'
complete -c ledger -n '__ledger_at \'import\'' -l quiet -s q -d 'Print data and errors only'
complete -c ledger -n '__ledger_at \'import\'' -l verbose -s v -d 'Say more about what is done'
complete -c ledger -n '__ledger_at \'import\'' -l help -s h -d 'Show help'
complete -c ledger -n '__ledger_at \'import\'' -l version -d 'Show the version'
complete -c ledger -n '__ledger_at \'completions\'' -a 'bash'
complete -c ledger -n '__ledger_at \'completions\'' -a 'zsh'
complete -c ledger -n '__ledger_at \'completions\'' -a 'fish'
complete -c ledger -n '__ledger_at \'completions\'' -l ledger -d 'Use the ledger in this folder' -r -F
complete -c ledger -n '__ledger_at \'completions\'' -l json -d 'Print JSON, one object a line'
complete -c ledger -n '__ledger_at \'completions\'' -l color -d 'Colour the output' -x -a 'auto always never'
complete -c ledger -n '__ledger_at \'completions\'' -l no-input -d 'Never ask a question'
complete -c ledger -n '__ledger_at \'completions\'' -l quiet -s q -d 'Print data and errors only'
complete -c ledger -n '__ledger_at \'completions\'' -l verbose -s v -d 'Say more about what is done'
complete -c ledger -n '__ledger_at \'completions\'' -l help -s h -d 'Show help'
complete -c ledger -n '__ledger_at \'completions\'' -l version -d 'Show the version'
complete -c ledger -n '__ledger_at \'manual\'' -l ledger -d 'Use the ledger in this folder' -r -F
complete -c ledger -n '__ledger_at \'manual\'' -l json -d 'Print JSON, one object a line'
complete -c ledger -n '__ledger_at \'manual\'' -l color -d 'Colour the output' -x -a 'auto always never'
complete -c ledger -n '__ledger_at \'manual\'' -l no-input -d 'Never ask a question'
complete -c ledger -n '__ledger_at \'manual\'' -l quiet -s q -d 'Print data and errors only'
complete -c ledger -n '__ledger_at \'manual\'' -l verbose -s v -d 'Say more about what is done'
complete -c ledger -n '__ledger_at \'manual\'' -l help -s h -d 'Show help'
complete -c ledger -n '__ledger_at \'manual\'' -l version -d 'Show the version'
complete -c ledger -n '__ledger_at \'help\'' -a 'demo'
complete -c ledger -n '__ledger_at \'help\'' -a 'init'
complete -c ledger -n '__ledger_at \'help\'' -a 'sessions'
complete -c ledger -n '__ledger_at \'help\'' -a 'timeline'
complete -c ledger -n '__ledger_at \'help\'' -a 'events'
complete -c ledger -n '__ledger_at \'help\'' -a 'import'
complete -c ledger -n '__ledger_at \'help\'' -a 'completions'
complete -c ledger -n '__ledger_at \'help\'' -a 'manual'
complete -c ledger -n '__ledger_at \'help\'' -a 'help'
complete -c ledger -n '__ledger_at \'help\'' -a 'exit-codes'
complete -c ledger -n '__ledger_at \'help\'' -l ledger -d 'Use the ledger in this folder' -r -F
complete -c ledger -n '__ledger_at \'help\'' -l json -d 'Print JSON, one object a line'
complete -c ledger -n '__ledger_at \'help\'' -l color -d 'Colour the output' -x -a 'auto always never'
complete -c ledger -n '__ledger_at \'help\'' -l no-input -d 'Never ask a question'
complete -c ledger -n '__ledger_at \'help\'' -l quiet -s q -d 'Print data and errors only'
complete -c ledger -n '__ledger_at \'help\'' -l verbose -s v -d 'Say more about what is done'
complete -c ledger -n '__ledger_at \'help\'' -l help -s h -d 'Show help'
complete -c ledger -n '__ledger_at \'help\'' -l version -d 'Show the version'
