import CheckoutLedger
import CommandKit
import LedgerViews

extension Entry {
    static let initialise = Entry(
        .start,
        Command(
            "init", "Create an empty ledger",
            discussion: """
                Makes the directory, the log in it and a root key outside it. The root key opens \
                the private fields of events; keep a copy of it apart from the ledger.
                """,
            examples: [Example("init --ledger shop.ledger", "Create a ledger in shop.ledger")])
    ) { context in
        let path = context.command.value("ledger") ?? context.ledgerPath
        _ = try context.createLedger(at: path)
        if context.isJSON {
            var writer = JSONWriter()
            writer.object { $0.field("ledger", path) }
            try context.output.line(&writer)
            return .done
        }
        try context.output.line("Created an empty ledger at \(path).")
        if !context.isQuiet {
            context.errors.say(
                """
                Next:
                  \(Program.name) record session --provider dodo --session cks_1 --ledger \(path)
                  \(Program.name) demo
                """)
        }
        return .done
    }
}
