import CommandKit

/// Pages of help that belong to no command.
enum HelpTopics {
    static let all = [
        .glossary, .formats, .config, .sandbox, .signatures, .privacy,
        HelpTopic(
            "exit-codes", "What the program tells the shell",
            text: ExitCode.all.map { code in
                let number = String(code.rawValue)
                return String(repeating: " ", count: 4 - number.count) + number + "  "
                    + code.meaning
            }.joined(separator: "\n") + "\n"),
        HelpTopic(
            "environment", "Variables that the program looks at",
            text: """
                CHECKOUT_LEDGER_PATH      the ledger's directory, unless --ledger names one
                CHECKOUT_LEDGER_ROOT_KEY  the root key's file, unless --root-key names one
                CHECKOUT_LEDGER_SEAL_KEY  the seal key's file, else made in the state directory
                CHECKOUT_LEDGER_ANCHORS   directories that keep the last seal too, with : between
                CHECKOUT_LEDGER_CONFIG    your accounts at providers, unless --config names the file
                XDG_STATE_HOME            where root and seal keys are kept (else ~/.local/state)
                XDG_DATA_HOME             where the default ledger is (else ~/.local/share)
                NO_COLOR, CLICOLOR, CLICOLOR_FORCE   whether to colour

                """),
    ]
}
