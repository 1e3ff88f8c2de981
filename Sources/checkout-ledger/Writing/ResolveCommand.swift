import CheckoutLedger
import CheckoutModel
import CommandKit

extension Entry {
    static let resolve = Entry(
        .settle,
        Command(
            "resolve", "Decide a session's outcome, with a reason",
            discussion: """
                A person's decision holds only while no payment is verified, and never hides one: \
                both stay, and a difference between them is a discrepancy. A later decision takes \
                the place of an earlier one; nothing is deleted.
                """,
            arguments: [
                Argument("session", .text, .one, "The session's id, or an unambiguous beginning")
            ],
            options: [
                .value(
                    "outcome", .choice(["succeeded", "failed", "cancelled", "expired"]),
                    isRequired: true, "What is to hold true"),
                .value("reason", .text, isRequired: true, "Why, in one sentence"),
                .value("actor", .text, placeholder: "NAME", "Who decided: a role or a name"),
            ],
            examples: [
                Example(
                    "resolve cks_1 --outcome failed --reason 'The customer paid by transfer'",
                    "Close a session that stayed open")
            ])
    ) { context in
        let command = context.command
        guard let outcome = command.value("outcome").flatMap({ CheckoutStatus(name: $0) }) else {
            throw command.usageError("Give --outcome.", about: "outcome")
        }
        let ledger = try context.ledger(writing: true)
        let name = command.argument("session")
        let recorded = try await ledger.resolve(
            name, as: outcome, reason: command.value("reason") ?? "",
            actor: command.value("actor"), at: context.now)
        let session = try ledger.session(named: name)
        let isHeld = session.outcome?.evidence == .operator
        if context.isJSON {
            try context.writeObject(["session", "outcome", "evidence", "position"]) {
                $0.field("session", session.qualifiedName)
                $0.field("outcome", session.outcome?.status.name)
                $0.field("evidence", session.outcome?.evidence.name)
                $0.field("position", recorded.position)
            }
            return .done
        }
        let held = session.outcome?.status.name ?? "unknown"
        try context.output.line(
            SafeText.visible(session.qualifiedName)
                + (isHeld
                    ? " is \(held), by operator's decision, at position \(recorded.position)."
                    : " stays \(held), by verified payment; the decision is kept at position "
                        + "\(recorded.position)."))
        return .done
    }

    static let note = Entry(
        .settle,
        Command(
            "note", "Leave a remark on a session; it changes nothing",
            arguments: [
                Argument("session", .text, .one, "The session's id, or an unambiguous beginning"),
                Argument("text", .text, .one, "The remark; it is kept in clear, for ever"),
            ],
            options: [
                .value("actor", .text, placeholder: "NAME", "Who remarks: a role or a name")
            ],
            examples: [
                Example("note cks_1 'Asked the bank on Monday'", "Tell the next person")
            ])
    ) { context in
        let command = context.command
        let text = command.argument("text")
        guard !text.isEmpty else {
            throw command.usageError("The remark is empty.", about: "text")
        }
        let recorded = try await context.ledger(writing: true).note(
            text, on: command.argument("session"), actor: command.value("actor"), at: context.now)
        if context.isJSON {
            try context.writeObject(["position", "stream", "revision"]) {
                $0.field("position", recorded.position)
                $0.field("stream", recorded.stream)
                $0.field("revision", Int(recorded.revision))
            }
        } else {
            try context.output.line("Noted at position \(recorded.position).")
        }
        return .done
    }
}
