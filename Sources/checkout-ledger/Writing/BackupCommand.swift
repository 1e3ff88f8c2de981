import CheckoutLedger
import CommandKit
import Cryptography
import EventLog

extension Entry {
    static let backup = Entry(
        .care,
        Command(
            "backup", "Copy the ledger while it is in use, and verify the copy",
            discussion: """
                The copy is compact and can be opened like any ledger. Wrapped keys are left out \
                unless --with-keys names a directory for them: without keys everything but the \
                sealed private fields can be read. To put a backup back with its keys, move that \
                directory to 'keys' inside the copy. The root key is never copied; keep a copy of \
                it in another place than the backups.
                """,
            arguments: [Argument("dir", .path, .one, "A directory that is not there yet")],
            options: [
                .value(
                    "with-keys", .path, placeholder: "DIR",
                    "Copy the wrapped keys too, into this directory")
            ],
            examples: [
                Example("backup /mnt/backup/shop-monday.ledger", "Without keys"),
                Example(
                    "backup monday.ledger --with-keys monday.keys", "Keys in a place of their own"),
            ])
    ) { context in
        let directory = context.command.argument("dir")
        let keys = context.command.value("with-keys")
        let backup = try context.ledger().backUp(to: directory, keysTo: keys)
        let report = backup.verification
        if context.isJSON {
            try context.writeObject(["backup", "events", "streams", "root", "sound", "keys"]) {
                $0.field("backup", directory)
                $0.field("events", report.end)
                $0.field("streams", report.streams)
                $0.field("root", report.root.hex)
                $0.field("sound", report.isSound)
                $0.field("keys", backup.keyRows)
            }
        } else {
            let events = Wording.count(Int(clamping: report.end), "event")
            let streams = Wording.count(Int(clamping: report.streams), "session stream")
            try context.output.line("Backed up \(events) of \(streams) to \(directory).")
            try context.output.line("  root  \(report.root.hex)")
            if let rows = backup.keyRows, let keys {
                try context.output.line("  keys  \(Wording.count(rows, "wrapped key")) in \(keys)")
            } else {
                try context.output.line("  keys  left out")
            }
        }
        guard report.isSound else {
            try context.output.flush()
            let first = report.findings.first?.message ?? ""
            context.errors.say(
                "Error: The copy does not verify, so the ledger is damaged too. \(first)\n"
                    + "Hint: Run: \(Program.name) verify")
            return .integrity
        }
        return .done
    }
}
