import CheckoutLedger
import CommandKit
import Cryptography
import EventLog

/// `export --format tiles`: the tree of the last seal as static files.
func exportTiles<Store: LogStore>(
    of ledger: Ledger<Store>, to path: String, _ context: Context
) throws -> ExitCode {
    guard path != "-" else {
        throw context.command.usageError("Tiles need a directory.", about: "file")
    }
    let export = try ledger.exportTiles(
        to: path, withEntries: context.command.has("with-entries")
    ) { Interrupt.isRequested }
    let head = export.seal.head
    if context.isJSON {
        try context.writeObject(["directory", "files", "size", "root"]) {
            $0.field("directory", path)
            $0.field("files", export.files)
            $0.field("size", head.size)
            $0.field("root", head.root.hex)
        }
    } else if !context.isQuiet {
        context.errors.say(
            "Wrote \(Wording.count(export.files, "file")) of \(context.events(head.size)) to "
                + "\(path). Root \(head.root.hex).")
    }
    return .done
}
