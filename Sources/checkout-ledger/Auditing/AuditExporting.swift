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
            are, what their amounts sum up to in each currency, the SHA-256 of the file, size \
            and root hash of the log, and who took it out and why. Amounts are minor units \
            beside their currency, times are UTC. Private fields are not exported. Both files \
            must not be there yet. The export is itself recorded.
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
        var query = AuditQuery()
        query.session = scope.session
        query.since = scope.since
        query.until = scope.until
        query.types = context.command.values("type").flatMap { EventType.types(named: $0) }
        let reader = try AuditReader(context)
        var manifest = try writeRows(path, format, query, reader.ledger, context)
        manifest.filters = filters(scope, context)
        manifest.executedBy = context.command.value("by") ?? AuditReader.user
        manifest.reason = context.command.value("reason")
        let description = try NewFile(path + ".manifest.json")
        try description.write(manifest.json.json + [UInt8(ascii: "\n")])
        try description.finish()
        let note = AuditNote(
            subject: "export \(format.rawValue)", query: manifest.filters,
            positions: manifest.summary.positions, count: manifest.summary.rows,
            result: "exported", hash: manifest.sha256)
        let isRecorded = try await reader.record(.auditExported, note)
        try tell(manifest, path, context)
        if !isRecorded { reader.tellNotRecorded() }
        return .done
    }

    private static func filters(_ scope: AuditScope, _ context: Context) -> String {
        var scope = scope
        scope.actor = context.command.value("actor")
        let types = context.command.values("type")
        return [scope.words, types.isEmpty ? "" : "type " + types.joined(separator: " or ")]
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private static func writeRows(
        _ path: String, _ format: EventExport.Format, _ query: AuditQuery,
        _ ledger: Ledger<LMDBStore>, _ context: Context
    ) throws -> EventExport.Manifest {
        let file = try NewFile(path)
        var digest = SHA256()
        func put(_ bytes: [UInt8]) throws {
            if Interrupt.isRequested { throw ExitCode.interrupted }
            digest.update(bytes)
            try file.write(bytes)
        }
        if format == .csv { try put(Array(CSV.line(EventExport.columns).utf8)) }
        let summary = try ledger.exportEvents(
            matching: query, actor: context.command.value("actor")
        ) { recorded in
            switch format {
            case .csv: try put(Array(CSV.line(EventExport.row(recorded)).utf8))
            case .jsonl: try put(EventExport.line(recorded) + [UInt8(ascii: "\n")])
            }
        }
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        if format == .jsonl {
            let last = JSONValue.object([
                "manifest": .string(name + ".manifest.json"),
                "rows": .integer(Int64(clamping: summary.rows)),
            ])
            try put(last.json + [UInt8(ascii: "\n")])
        }
        try file.finish()
        return EventExport.Manifest(
            file: name, format: format, sha256: digest.finalize().hex,
            tool: "\(CommandTable.tree.program) \(Program.version)", executedBy: "", reason: nil,
            executedAt: context.now, filters: "", summary: summary)
    }

    private static func tell(
        _ manifest: EventExport.Manifest, _ path: String, _ context: Context
    ) throws {
        let summary = manifest.summary
        if context.isJSON {
            return try context.writeObject(["file", "manifest", "rows", "sha256", "root"]) {
                $0.field("file", path)
                $0.field("manifest", path + ".manifest.json")
                $0.field("rows", summary.rows)
                $0.field("sha256", manifest.sha256)
                $0.field("root", summary.root)
            }
        }
        let rows = Wording.count(Int(clamping: summary.rows), "row")
        try context.output.line(
            "Exported \(rows) into \(path), described in \(path).manifest.json.")
    }
}
