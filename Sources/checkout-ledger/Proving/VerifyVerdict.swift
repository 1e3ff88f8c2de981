import CheckoutLedger
import CommandKit
import Cryptography
import EventLog
import LedgerViews

let verifyShape = RowShape(
    title: "verify",
    members: [
        ("sound", "true when nothing was found"),
        ("anchored", "true when a seal that was kept elsewhere agrees"),
        ("events", "records that were read and hashed"),
        ("provenEvents", "how many of them an anchor vouches for"),
        ("streams", "streams whose chains and revisions were followed"),
        ("nodes", "stored hashes of the Merkle tree that were compared"),
        ("blocks", "block summaries that were compared"),
        ("identities", "ids that were followed"),
        ("rows", "rows of projections that were compared with a fresh fold"),
        ("rowsCompared", "false when damage left nothing to compare them with"),
        ("seals", "stored seals whose roots were compared"),
        ("signedSeals", "how many of those a known key signed"),
        ("sealedEvents", "how many records the last stored seal covers"),
        ("root", "the root hash over all records, in hexadecimal"),
        ("anchors", "{file, outside, size, word} of each that was compared; word null: it agrees"),
        ("unusable", "{file, reason} of each that could not be"),
        ("findingCount", "how many things are wrong"),
        ("findings", "{word, position, message} of each, some thousand at most"),
    ])

/// What `verify` says in the end.
struct VerifyVerdict {
    private let report: VerificationReport
    private let anchors: Anchors
    private let requiresAnchor: Bool
    /// What a comparison of the outside found that no anchor says.
    private let refusal: LedgerError?

    init(
        _ report: VerificationReport, _ anchors: Anchors, _ ledger: Ledger<LMDBStore>,
        _ context: Context
    ) {
        self.report = report
        self.anchors = anchors
        requiresAnchor = context.command.has("require-anchor")
        if case .refused(let error) = ledger.standing, report.isSound, !context.command.has("copy")
        {
            refusal = error
        } else {
            refusal = nil
        }
    }

    /// Anything wrong is integrity; what was given and could not be used is a failure.
    var code: ExitCode {
        if !report.isSound || refusal != nil { return .integrity }
        if requiresAnchor, report.provenEnd == nil { return .integrity }
        return anchors.unusable.isEmpty ? .done : .failed
    }

    func write(to writer: inout JSONWriter) {
        writer.field("sound", report.isSound && refusal == nil)
        writer.field("anchored", report.provenEnd != nil)
        report.writeLooks(to: &writer)
        writer.array("unusable") { list in
            for anchor in anchors.unusable {
                list.object {
                    $0.field("file", anchor.name)
                    $0.field("reason", anchor.reason)
                }
            }
        }
        report.writeFindings(to: &writer)
    }

    func write(_ context: Context) throws {
        try context.writeFields(report.coverage)
        for anchor in anchors.unusable {
            context.errors.say("Warning: \(anchor.name) cannot be compared. \(anchor.reason)")
        }
        if report.isSound, refusal == nil {
            try context.output.line(praise(context.output.terminal.style))
            try context.output.line("Head \(report.end) \(Hex.encode(report.root.bytes))")
            if requiresAnchor, report.provenEnd == nil {
                context.errors.say("Error: There is no anchor that could be compared.")
            }
            return
        }
        if let refusal {
            context.errors.say("Error: \(refusal.message)\nHint: \(refusal.hint)")
            return
        }
        try writeFindings(context)
    }

    /// Never plain green without an anchor.
    private func praise(_ style: Style) -> String {
        guard let proven = report.provenEnd else {
            return "Ok: self-consistent only, not proven: no outside anchor."
        }
        let later = report.end - proven
        return style.paint("Ok", .good)
            + ": the first \(number(proven, "event")) proven by an outside anchor"
            + (later == 0 ? "." : "; the last \(number(later, "event")) self-consistent only.")
    }

    private func number(_ value: UInt64, _ one: String, _ many: String? = nil) -> String {
        Wording.count(Int(clamping: value), one, many)
    }

    private func writeFindings(_ context: Context) throws {
        let sentence = Wording.count(report.findingCount, "finding")
        try context.output.line(
            context.output.terminal.style.paint("Not sound", .bad) + ": \(sentence).")
        var table = TableWriter(
            [Column("POSITION", .trailing), Column("WORD"), Column("WHAT")],
            format: context.output.terminal.isTerminal ? .table : .plain, on: context.output)
        for finding in report.findings {
            try table.add([
                finding.position.map { Cell("\($0)") } ?? .none, Cell(finding.word.rawValue, .bad),
                Cell(finding.message),
            ])
        }
        try table.finish()
        let isAgainstSeals = report.anchors.contains { $0.word != nil }
        context.errors.say(
            isAgainstSeals
                ? "Error: The ledger is not the one that was sealed: \(sentence)."
                : "Error: The ledger does not agree with itself: \(sentence).")
    }
}
