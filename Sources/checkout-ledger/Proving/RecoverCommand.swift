import CheckoutLedger
import CommandKit
import EventLog

extension Entry {
    static let recover = Entry(
        .care,
        Command(
            "recover", "Go on with a ledger that was put back from a copy",
            discussion: """
                A ledger that has fewer events than were sealed, or others, is opened for reading \
                only: to go on as if nothing had happened would make two histories. Look for the \
                newer ledger first. Where it is lost, a new epoch begins: the events that are here \
                stay, the next record names the reason and the last seal that is known, and seals \
                name the log anew ('…/e2'). Proofs of the epoch before stay valid.
                """,
            options: [
                .flag("new-epoch", "Begin a new epoch; there is no way back"),
                .value(
                    "reason", .text, isRequired: true,
                    "What happened; it is kept in clear, for ever"),
                .value("operator", .text, placeholder: "NAME", "Who decides: a role or a name"),
            ],
            examples: [
                Example(
                    "recover --new-epoch --reason 'Disk lost, backup of Monday' --operator mira",
                    "Go on from a backup")
            ])
    ) { context in
        let command = context.command
        guard command.has("new-epoch") else {
            throw command.usageError(
                "Nothing is done without --new-epoch: it cannot be taken back.", about: "new-epoch")
        }
        let recovery = try await Ledger.recover(
            at: context.ledgerPath, reason: command.value("reason") ?? "",
            actor: command.value("operator"), at: context.now,
            options: try context.options(writing: true))
        if context.isJSON {
            try context.writeObject(["epoch", "position", "localSize", "lastKnownSize", "origin"]) {
                $0.field("epoch", Int(recovery.epoch))
                $0.field("position", recovery.position)
                $0.field("localSize", recovery.localSize)
                $0.field("lastKnownSize", recovery.lastKnown?.head.size)
                $0.field("origin", recovery.seal?.head.origin)
            }
            return .done
        }
        try context.output.line(
            "Epoch \(recovery.epoch) begins at position \(recovery.position), after "
                + "\(context.events(recovery.localSize)) that stay.")
        if let last = recovery.lastKnown?.head {
            let lost = last.size > recovery.localSize ? last.size - recovery.localSize : 0
            try context.output.line(
                "  last known seal  size \(last.size)"
                    + (lost > 0 ? "; lost: \(context.events(lost))" : ""))
        }
        if let seal = recovery.seal {
            try context.output.line("  new seals name   \(seal.head.origin)")
        }
        return .done
    }
}
