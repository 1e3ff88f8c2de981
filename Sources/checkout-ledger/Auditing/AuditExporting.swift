import CheckoutLedger
import CheckoutModel
import CommandKit
import Cryptography
import EventLog
import LedgerViews
import ProviderKit

/// `audit export`: events as rows, with a manifest beside the file.
enum AuditExporting {
    static let command = Command(
        "export", "Write events as JSON lines or CSV, with a manifest",
        discussion: """
            The manifest, FILE.manifest.json, says which conditions the rows fulfil, how many they \
            are, what their amounts sum up to in each currency, the SHA-256 of the files, the seal \
            of the log that they are from, and who took them out and why. FILE.proof.jsonl has the \
            record of each row, in which private fields stay sealed, and hashes in place of the \
            records between them: 'verify-export' checks the three without the ledger. Amounts \
            are minor units beside their currency, times are UTC. None of the files may be there \
            yet. The export is recorded before the files get their names.
            """,
        arguments: [Argument("file", .path, .one, "The file for the rows")],
        options: AuditReading.conditions + [
            .value(
                "type", .choice(EventType.words), placeholder: "TYPE", repeats: true,
                "A type such as payment.succeeded, or all of 'payment'"),
            .value("actor", .text, placeholder: "NAME", "Only what this person or role did"),
            .value(
                "format", .choice(EventExport.Format.allCases.map(\.rawValue)), default: "csv",
                "Choose the form of the rows"),
        ] + AuditReader.options,
        examples: [
            Example(
                "audit export q3.csv --since 2026-07-01 --until 2026-10-01 --reason 'Audit 2026'",
                "A quarter for an auditor")
        ])

    static let run: Handler = { context in
        let path = context.command.argument("file")
        let format = context.command.choice("format", as: EventExport.Format.self) ?? .csv
        let scope = try context.auditScope()
        var conditions = EventExport.Conditions()
        conditions.session = scope.session
        conditions.since = scope.since
        conditions.until = scope.until
        conditions.actor = scope.actor
        let types = context.command.values("type").flatMap { EventType.types(named: $0) }
        conditions.types = types.map(\.name)
        let reader = try AuditReader(context)
        // The file goes to other people: a person's words stand in it as they do in the log.
        let ledger = reader.ledger
        conditions.actor = conditions.actor.map { ledger.cleaned($0) }
        let seal = try reader.seal(before: scope.until)
        var files = try ExportFiles.begin(path, format)
        var query = AuditQuery()
        query.session = scope.session
        query.since = scope.since
        query.until = scope.until
        query.types = types
        let summary = try ledger.exportEvents(
            matching: query, actor: conditions.actor, under: seal
        ) { piece in
            if Interrupt.isRequested { throw ExitCode.interrupted }
            try files.put(piece)
        }
        let manifest = try files.close(
            EventExport.Manifest(
                file: ExportNames.last(path), format: format, sha256: "",
                proofFile: ExportNames.last(ExportNames(path).proof), proofSHA256: "",
                tool: "\(CommandTable.tree.program) \(Program.version)",
                executedBy: ledger.cleaned(context.command.value("by") ?? AuditReader.user),
                reason: context.command.value("reason").map { ledger.cleaned($0) },
                executedAt: context.now, conditions: conditions, summary: summary))
        let note = AuditNote(
            subject: "export \(format.rawValue)", query: conditions.words,
            positions: summary.positions, count: summary.rows, result: "exported",
            hash: manifest.sha256)
        let isRecorded = try await reader.record(.auditExported, note)
        try files.finish()
        try tell(manifest, path, context)
        if !isRecorded { reader.tellNotRecorded() }
        return .done
    }

    private static func tell(
        _ manifest: EventExport.Manifest, _ path: String, _ context: Context
    ) throws {
        let summary = manifest.summary
        let names = ExportNames(path)
        if context.isJSON {
            let members = ["file", "manifest", "proof", "rows", "sha256", "root", "sealed"]
            return try context.writeObject(members) {
                $0.field("file", path)
                $0.field("manifest", names.manifest)
                $0.field("proof", names.proof)
                $0.field("rows", summary.rows)
                $0.field("sha256", manifest.sha256)
                $0.field("root", summary.root.hex)
                $0.field("sealed", summary.seal != nil)
            }
        }
        let rows = Wording.count(Int(clamping: summary.rows), "row")
        try context.output.line(
            "Exported \(rows) into \(path), described in \(names.manifest), proven in "
                + "\(names.proof).")
        if summary.seal == nil, !context.isQuiet {
            context.errors.say(
                "Warning: No seal covers these rows, so that nobody can tell of which log they "
                    + "are.\nHint: Seal the ledger, then export again.")
        }
    }
}

/// The three files of an export while they are written: none has its name before all are whole.
private struct ExportFiles: ~Copyable {
    private let format: EventExport.Format
    private let name: String
    private let rows: NewFile
    private let proof: NewFile
    private let manifest: NewFile
    private var rowsDigest = SHA256()
    private var proofDigest = SHA256()

    private init(
        _ format: EventExport.Format, _ name: String, _ rows: consuming NewFile,
        _ proof: consuming NewFile, _ manifest: consuming NewFile
    ) {
        self.format = format
        self.name = name
        self.rows = rows
        self.proof = proof
        self.manifest = manifest
    }

    static func begin(_ path: String, _ format: EventExport.Format) throws -> ExportFiles {
        let names = ExportNames(path)
        let rows = try NewFile(names.rows)
        let proof = try NewFile(names.proof)
        let manifest = try NewFile(names.manifest)
        var files = ExportFiles(format, ExportNames.last(path), rows, proof, manifest)
        try files.putRow(format.heading)
        return files
    }

    mutating func put(_ piece: EventExport.Piece) throws {
        if case .event(let recorded, _) = piece { try putRow(format.row(recorded)) }
        let line = piece.proofLine + [UInt8(ascii: "\n")]
        proofDigest.update(line)
        try proof.write(line)
    }

    private mutating func putRow(_ bytes: [UInt8]) throws {
        rowsDigest.update(bytes)
        try rows.write(bytes)
    }

    /// Ends the rows and writes the manifest, with the hashes of the other two.
    mutating func close(
        _ unfinished: EventExport.Manifest
    ) throws -> EventExport.Manifest {
        try putRow(format.ending(of: name, rows: unfinished.summary.rows))
        var finished = unfinished
        finished.sha256 = rowsDigest.finalize().hex
        finished.proofSHA256 = proofDigest.finalize().hex
        try manifest.write(finished.json.json + [UInt8(ascii: "\n")])
        return finished
    }

    /// The manifest last: where it is, the others are.
    func finish() throws {
        try rows.finish()
        try proof.finish()
        try manifest.finish()
    }
}
