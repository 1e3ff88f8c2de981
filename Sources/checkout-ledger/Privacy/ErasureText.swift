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
        ("state", "under way, done, refused, or returned: an old keystore brought keys back"),
        ("level", "how far it has come: key-removed, keystore-rewritten, root-replaced, or null"),
        ("keys", "how many keys were destroyed"),
        ("events", "how many events had fields under them"),
        ("first", "position of the first of them, or null"),
        ("last", "position of the last of them, or null"),
        ("position", "position of the receipt or the refusal, or null"),
        ("held", "position of the hold for which it was refused, or null"),
        ("returned", "how many destroyed keys came back with an old copy of the keystore"),
    ])

let surveyShape = RowShape(
    title: "privacy status --fields",
    members: [
        ("fields", "which class of sealed fields: contact, commercial"),
        ("readable", "how many can be opened"),
        ("erased", "how many were erased by a request"),
        ("cameLater", "how many came after an erasure and were never kept"),
        ("keyMissing", "how many have no key, and no request that destroyed it"),
        ("tampered", "how many are not what was sealed, or have a key that was changed"),
        ("firstMissing", "position of the first one without a key, or null"),
        ("firstTampered", "position of the first one that was changed, or null"),
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

/// A request with how it stands now.
struct ErasureStanding {
    let entry: ErasureEntry
    /// Keys that were destroyed and are here again.
    let returned: Int

    init<Store>(_ entry: ErasureEntry, in ledger: Ledger<Store>) throws {
        self.entry = entry
        returned = try ledger.returnedKeys(of: entry)
    }

    /// True when somebody has to do something about it.
    var isUnresolved: Bool { entry.isUnderWay || returned > 0 }

    private var state: String {
        if entry.isRefused { return "refused" }
        if entry.isUnderWay { return "under way" }
        return returned > 0 ? "returned" : "done"
    }

    func write(to writer: inout JSONWriter) {
        let (asked, receipt, request) = (entry.asked, entry.receipt, entry.request)
        writer.field("request", entry.name)
        writer.field("requestedAt", request.recordedAt.iso8601)
        writer.field("target", asked.target)
        writer.field("subject", asked.subject.isEmpty ? nil : Hex.encode(asked.subject))
        writer.field("classes", asked.classes.list.map(\.name))
        writer.field("ground", asked.ground)
        writer.field("reason", request.event.reason)
        writer.field("actor", request.event.actor)
        writer.field("state", state)
        writer.field("level", entry.level?.name)
        writer.field("keys", receipt?.keyCount ?? 0)
        writer.field("events", receipt?.eventCount ?? 0)
        writer.field("first", receipt?.firstPosition)
        writer.field("last", receipt?.lastPosition)
        writer.field(
            "position", entry.isRefused ? request.position : entry.receipts.last?.position)
        writer.field("held", asked.heldPosition)
        writer.field("returned", returned)
    }

    var cells: [Cell] {
        let (asked, receipt) = (entry.asked, entry.receipt)
        let isDone = receipt != nil
        return [
            Cell(String(entry.name.prefix(8))), Cell(entry.request.recordedAt.iso8601, .dim),
            Cell(asked.target), Cell(asked.classes.list.map(\.name).joined(separator: ", ")),
            Cell("\(receipt?.eventCount ?? 0)"),
            isUnresolved ? Cell(state, .caution) : Cell(state),
            Cell(entry.level?.name ?? (isDone ? "nothing was sealed" : "")),
        ]
    }

    /// The receipt as a person reads it.
    var lines: [(name: String, value: String)] {
        guard returned > 0 else { return entry.lines }
        return entry.lines + [
            (
                "returned",
                Wording.count(returned, "destroyed key") + " came back with an old copy of the "
                    + "keystore; destroy again with: \(Program.name) privacy sweep --yes"
            )
        ]
    }
}

extension PrivateSurvey {
    func write(to writer: inout JSONWriter) {
        writer.field("fields", dataClass.name)
        writer.field("readable", readable)
        writer.field("erased", erased)
        writer.field("cameLater", cameLater)
        writer.field("keyMissing", keyMissing)
        writer.field("tampered", tampered)
        writer.field("firstMissing", firstMissing)
        writer.field("firstTampered", firstTampered)
    }

    /// The same as a line.
    var line: String {
        var parts = ["\(readable) readable", "\(erased) erased"]
        if cameLater > 0 { parts.append("\(cameLater) came after an erasure and were not kept") }
        parts.append(
            "\(keyMissing) without a key"
                + (firstMissing.map { ", the first at position \($0)" } ?? ""))
        parts.append(
            "\(tampered) tampered with"
                + (firstTampered.map { ", the first at position \($0)" } ?? ""))
        return "\(dataClass.name) fields: " + parts.joined(separator: "; ")
    }
}

extension ErasureEntry {
    /// The receipt as a person reads it.
    var lines: [(name: String, value: String)] {
        var lines = [
            ("request", name), ("target", asked.target),
            ("fields", asked.classes.list.map(\.name).joined(separator: ", ")),
            ("ground", asked.ground),
        ]
        if let reason = request.event.reason { lines.append(("reason", reason)) }
        if let actor = request.event.actor { lines.append(("actor", actor)) }
        if isRefused {
            let hold = asked.heldPosition.map { " since position \($0)" } ?? ""
            return lines + [
                ("state", "refused: the subject is held\(hold)"),
                ("position", "\(request.position)"),
            ]
        }
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
        if level == .rootReplaced, receipt.level != .rootReplaced {
            lines.append(("since then", "a later rotation made it final"))
        }
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
