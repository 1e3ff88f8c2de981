import CheckoutLedger
import CommandKit
import ProviderKit

extension EventExport.Format {
    /// What stands before the rows.
    var heading: [UInt8] {
        switch self {
        case .csv: Array(CSV.line(EventExport.columns).utf8)
        case .jsonl: []
        }
    }

    /// The row of an event, with its line break.
    func row(_ recorded: RecordedEvent) -> [UInt8] {
        switch self {
        case .csv: Array(CSV.line(EventExport.row(recorded)).utf8)
        case .jsonl: EventExport.line(recorded) + [UInt8(ascii: "\n")]
        }
    }

    /// What stands behind the rows: where lines are objects, one that names the manifest.
    func ending(of file: String, rows: UInt64) -> [UInt8] {
        switch self {
        case .csv: []
        case .jsonl:
            JSONValue.object([
                "manifest": .string(ExportNames(file).manifest),
                "rows": .integer(Int64(clamping: rows)),
            ]).json + [UInt8(ascii: "\n")]
        }
    }
}

/// The names of an export's files.
struct ExportNames {
    let rows: String

    init(_ rows: String) { self.rows = rows }

    var manifest: String { rows + ".manifest.json" }
    var proof: String { rows + ".proof.jsonl" }
    /// A name without its folder.
    static func last(_ path: String) -> String {
        path.split(separator: "/").last.map { String($0) } ?? path
    }
}
