import CheckoutLedger
import CheckoutModel
import CommandKit
import Cryptography
import LedgerViews

let erasureShape = RowShape(
    title: "privacy status",
    members: [
        ("request", "the request's random name"),
        ("requestedAt", "when it was asked for"),
        ("target", "session, customer or retention"),
        ("subject", "the subject's random name, or null"),
        ("classes", "which fields: contact, commercial"),
        ("ground", "why it may be done, in a word"),
        ("reason", "why, in a sentence, or null"),
        ("actor", "who ordered it, or null"),
        ("state", "under way, or done"),
        ("level", "how far it has come: key-removed, keystore-rewritten, root-replaced, or null"),
        ("keys", "how many keys were destroyed"),
        ("events", "how many events had fields under them"),
        ("first", "position of the first of them, or null"),
        ("last", "position of the last of them, or null"),
        ("position", "position of the receipt, or null"),
    ])

let holdShape = RowShape(
    title: "privacy status (holds)",
    members: [
        ("hold", "what is held"),
        ("placedAt", "since when"),
        ("reason", "why"),
        ("actor", "who placed it, or null"),
        ("position", "position of the event that placed it"),
    ])

let erasureColumns = [
    Column("REQUEST"), Column("ASKED"), Column("TARGET"), Column("FIELDS"),
    Column("EVENTS", .trailing), Column("STATE"), Column("LEVEL"),
]

extension ErasureEntry {
    func write(to writer: inout JSONWriter) {
        writer.field("request", name)
        writer.field("requestedAt", request.recordedAt.iso8601)
        writer.field("target", asked.target)
        writer.field("subject", asked.subject.isEmpty ? nil : Hex.encode(asked.subject))
        writer.field("classes", asked.classes.list.map(\.name))
        writer.field("ground", asked.ground)
        writer.field("reason", request.event.reason)
        writer.field("actor", request.event.actor)
        writer.field("state", isUnderWay ? "under way" : "done")
        writer.field("level", level?.name)
        writer.field("keys", receipt?.keyCount ?? 0)
        writer.field("events", receipt?.eventCount ?? 0)
        writer.field("first", receipt?.firstPosition)
        writer.field("last", receipt?.lastPosition)
        writer.field("position", receipts.last?.position)
    }

    var cells: [Cell] {
        [
            Cell(String(name.prefix(8))), Cell(request.recordedAt.iso8601, .dim),
            Cell(asked.target), Cell(asked.classes.list.map(\.name).joined(separator: ", ")),
            Cell("\(receipt?.eventCount ?? 0)"),
            isUnderWay ? Cell("under way", .caution) : Cell("done"),
            Cell(level?.name ?? (isUnderWay ? "" : "nothing was sealed")),
        ]
    }

    /// The receipt as a person reads it.
    var lines: [(name: String, value: String)] {
        var lines = [
            ("request", name), ("target", asked.target),
            ("fields", asked.classes.list.map(\.name).joined(separator: ", ")),
            ("ground", asked.ground),
        ]
        if let reason = request.event.reason { lines.append(("reason", reason)) }
        if let actor = request.event.actor { lines.append(("actor", actor)) }
        guard let receipt, let last = receipts.last else {
            return lines + [("state", "under way: no receipt yet")]
        }
        lines.append(("keys", "\(receipt.keyCount)"))
        lines.append(("events", "\(receipt.eventCount)"))
        if let first = receipt.firstPosition, let end = receipt.lastPosition {
            lines.append(("positions", "\(first)–\(end)"))
        }
        lines.append(("level", level.map { "\($0.name): \($0.meaning)" } ?? "nothing was sealed"))
        if !receipt.newRoot.isEmpty { lines.append(("root key", receipt.rootChange)) }
        if level == .keyRemoved {
            lines.append(("next", "make it final with: \(Program.name) privacy rotate"))
        }
        for copy in receipt.copies {
            let end = copy.expiresAt.map { "until \($0.iso8601)" } ?? "no end is known"
            lines.append(("copy", "\(copy.name), \(end)"))
        }
        lines.append(("position", "\(last.position)"))
        return lines
    }
}

extension ErasedKey {
    /// Name, class and commitment on one line.
    var line: String {
        "key \(Hex.encode(id))  \(dataClass.name)  commitment "
            + (commitment.isEmpty ? "not in the log" : Hex.encode(commitment))
    }
}

extension ErasureEntry {
    /// What the receipts alone state, for `privacy receipt --json`.
    func writeReceipt(to writer: inout JSONWriter) {
        let keys = receipts.flatMap { $0.payload.privacy?.keys ?? [] }
        writer.array("erasedKeys") { list in
            for key in keys {
                list.object {
                    $0.field("id", Hex.encode(key.id))
                    $0.field("class", key.dataClass.name)
                    $0.field("commitment", Hex.encode(key.commitment))
                }
            }
        }
        writer.array("copies") { list in
            for copy in receipt?.copies ?? [] {
                list.object {
                    $0.field("name", copy.name)
                    $0.field("expiresAt", copy.expiresAt?.iso8601)
                }
            }
        }
        writer.field("oldRoot", receipt?.oldRoot)
        writer.field("newRoot", receipt?.newRoot)
        writer.field("rootSource", receipt?.rootSource)
        writer.field("overwritten", receipt?.isOverwritten)
        writer.field("tool", receipt?.tool)
    }

    /// The members of `writeReceipt(to:)`.
    static let receiptMembers = [
        "erasedKeys", "copies", "oldRoot", "newRoot", "rootSource", "overwritten", "tool",
    ]
}

extension ErasureLevel {
    /// What it means, in a clause.
    var meaning: String {
        switch self {
        case .keyRemoved: "the keys are gone from the rows; the file may still hold old bytes"
        case .keystoreRewritten:
            "the keystore was written anew; an older copy still opens with the old root key"
        case .rootReplaced: "no older copy of the keystore opens with the root key that is left"
        }
    }
}

extension PrivacyRecord {
    /// Which root key took the place of which, where they come from, and what is not known.
    var rootChange: String {
        guard oldRoot != newRoot else { return "\(newRoot) from its \(rootSource), not replaced" }
        guard rootSource == "file" else {
            return "\(newRoot) after \(oldRoot), which its \(rootSource) still gives"
        }
        let how = isOverwritten ? "overwritten" : "removed, not overwritten"
        return "\(newRoot) in the place of \(oldRoot), whose bytes were \(how); what the medium "
            + "keeps of them is not known"
    }
}
