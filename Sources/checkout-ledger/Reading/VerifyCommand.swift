import CheckoutLedger
import CommandKit
import Cryptography
import EventLog

extension Entry {
    static let verify = Entry(
        .prove,
        Command(
            "verify", "Re-read and re-hash the whole log",
            discussion: """
                Reads every record again, hashes it, and compares everything that was derived \
                from the records. What it finds sound agrees with itself; whether it is the log \
                of yesterday, only a head that was kept elsewhere can tell. What happened at the \
                provider is not looked at.

                Ends with 3 when anything is wrong, with 1 when the log is empty.
                """,
            options: [.flag("allow-empty", "An empty log is no failure")],
            examples: [
                Example("verify", "Look at everything"),
                Example("verify --json", "One object, for a timer job"),
            ])
    ) { context in
        let selection = try context.selection(of: verifyShape)
        let ledger = try context.ledger()
        let line = ProgressLine("Verifying", context, of: try ledger.endPosition())
        let report = try context.inLedgerWords { () throws(LogError) in
            try ledger.log.verify { line.update($0) }
        }
        if context.isJSON {
            var writer = JSONWriter(only: selection)
            writer.object(report.write)
            try context.output.line(&writer)
        }
        if report.end == 0, report.isSound {
            if context.command.has("allow-empty") {
                line.finish("Nothing to verify: the log is empty.")
                return .done
            }
            throw Complaint(
                code: "EMPTY_LOG", message: "Nothing to verify: the log is empty.",
                hint: "With --allow-empty that is no failure.")
        }
        line.finish("Verified \(Wording.count(Int(clamping: report.end), "event")).")
        if !context.isJSON { try writeVerification(report, context) }
        return report.isSound ? .done : .integrity
    }
}

let verifyShape = RowShape(
    title: "verify",
    members: [
        ("sound", "true when nothing was found"),
        ("anchored", "false: no head that was kept elsewhere was compared"),
        ("events", "records that were read and hashed"),
        ("streams", "streams whose chains and revisions were followed"),
        ("nodes", "stored hashes of the Merkle tree that were compared"),
        ("blocks", "block summaries that were compared"),
        ("identities", "ids that were followed"),
        ("rows", "rows of projections that were compared with a fresh fold"),
        ("rowsCompared", "false when damage left nothing to compare them with"),
        ("root", "the root hash over all records, in hexadecimal"),
        ("findingCount", "how many things are wrong"),
        ("findings", "{word, position, message} of each, some thousand at most"),
    ])

extension VerificationReport {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.field("sound", isSound)
        writer.field("anchored", false)
        writer.field("events", end)
        writer.field("streams", streams)
        writer.field("nodes", nodes)
        writer.field("blocks", blocks)
        writer.field("identities", identities)
        writer.field("rows", rows)
        writer.field("rowsCompared", comparedRows)
        writer.field("root", Hex.encode(root.bytes))
        writer.field("findingCount", findingCount)
        writer.array("findings") { list in
            for finding in findings {
                list.object {
                    $0.field("word", finding.word.rawValue)
                    $0.field("position", finding.position)
                    $0.field("message", finding.message)
                }
            }
        }
    }
}

private func writeVerification(_ report: VerificationReport, _ context: Context) throws {
    func number(_ value: UInt64, _ one: String, _ many: String? = nil) -> String {
        Wording.count(Int(clamping: value), one, many)
    }
    try context.writeFields([
        ("every record re-read and re-hashed", number(report.end, "event")),
        ("chains and revisions without gaps", number(report.streams, "stream")),
        ("Merkle frontier and nodes", number(report.nodes, "hash", "hashes")),
        ("ids lead to their streams", number(report.identities, "id")),
        ("block summaries", number(report.blocks, "block")),
        (
            "projections equal to a fresh fold",
            report.comparedRows ? number(report.rows, "row") : "not compared: records are damaged"
        ),
        ("not checked", "the provider's side, users' own projections, seals"),
    ])
    let root = Hex.encode(report.root.bytes)
    guard !report.isSound else {
        try context.output.line(
            context.output.terminal.style.paint("Ok", .good)
                + ": self-consistent only, not proven: no outside anchor.")
        return try context.output.line("Head \(report.end) \(root)")
    }
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
    context.errors.say("Error: The ledger does not agree with itself: \(sentence).")
}
