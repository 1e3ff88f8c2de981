import CheckoutLedger
import CommandKit
import Cryptography
import EventLog
import LedgerViews

extension Entry {
    static let verifyExport = Entry(
        .prove,
        Command(
            "verify-export", "Check an export of events against its manifest; needs no ledger",
            discussion: """
                Reads the rows that 'audit export' wrote, FILE.manifest.json and FILE.proof.jsonl \
                beside them, and the verifier key of the log. Every row is written anew from its \
                record and compared, every count and sum is made again, and the records with the \
                hashes between them must give the root that was sealed. Ends with 3 when anything \
                was changed, left out or put in.

                Not checked: whether records that a condition left out did not fulfil it, who ran \
                the export, and what happened at the provider.
                """,
            arguments: [Argument("file", .path, .one, "The rows that 'audit export' wrote")],
            options: [
                .verifierKey,
                .value(
                    "manifest", .path, placeholder: "FILE",
                    "The manifest, instead of FILE.manifest.json"),
                .value(
                    "proof", .path, placeholder: "FILE",
                    "The proof, instead of FILE.proof.jsonl"),
            ],
            examples: [Example("verify-export q3.csv --key log.vkey", "Anywhere")])
    ) { context in
        let path = context.command.argument("file")
        let names = ExportNames(path)
        let keys = try context.verifiers()
        let manifest = try context.read(
            context.command.value("manifest") ?? names.manifest, limit: Limits.manifestBytes)
        var check = try ExportCheck(manifest: manifest)
        let format = check.manifest.format
        var rows = try RowsFile(path)
        var proof = try context.lines(context.command.value("proof") ?? names.proof)
        var proofDigest = SHA256()
        try rows.expect(format.heading, "The heading")
        while let line = try proof.next() {
            proofDigest.update(line.bytes + (line.isEnded ? [UInt8(ascii: "\n")] : []))
            guard let recorded = try check.take(line) else { continue }
            try rows.expect(
                format.row(recorded), "The row of position \(recorded.position)")
        }
        let summary = check.manifest.summary
        try rows.expect(format.ending(of: check.manifest.file, rows: summary.rows), "The end")
        let signatures = try check.finish(
            sha256: try rows.finish(), proofSHA256: proofDigest.finalize(), with: keys)
        try tell(check, signatures, context)
        return .done
    }

    private static func tell(
        _ check: ExportCheck, _ signatures: [SignedNote.Checked], _ context: Context
    ) throws {
        let summary = check.manifest.summary
        guard let seal = summary.seal else { return }
        let leftOut = check.leftOut
        if context.isJSON {
            let members = [
                "valid", "origin", "size", "root", "signedBy", "rows", "leftOut", "firstPosition",
                "endPosition",
            ]
            return try context.writeObject(members) {
                $0.field("valid", true)
                $0.field("origin", seal.head.origin)
                $0.field("size", seal.head.size)
                $0.field("root", seal.head.root.hex)
                $0.field("signedBy", signatures.map(\.verifier.name))
                $0.field("rows", summary.rows)
                $0.field("leftOut", leftOut)
                $0.field("firstPosition", summary.positions.lowerBound)
                $0.field("endPosition", summary.positions.upperBound)
            }
        }
        let rows = Wording.count(Int(clamping: summary.rows), "row")
        let (first, end) = (summary.positions.lowerBound, summary.positions.upperBound)
        let place = first == end ? "no position" : "positions \(first) to \(end - 1)"
        let share =
            leftOut == 0
            ? "all there is at"
            : "\(Wording.count(Int(clamping: leftOut), "other record")) left out of"
        try context.writeChecked(
            "\(rows), \(share) \(place) of \(seal.head.origin), sealed at size "
                + "\(seal.head.size).", seal, signatures)
    }
}

/// The rows of an export, read beside what they should be.
private struct RowsFile: ~Copyable {
    private var lines: LineReader
    private var digest = SHA256()

    init(_ path: String) throws {
        lines = try LineReader(path) { Interrupt.isRequested }
    }

    /// The next bytes, of whole lines, must be these.
    mutating func expect(_ bytes: [UInt8], _ what: String) throws {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            guard let line = try lines.next(), line.isEnded, line.bytes.elementsEqual(rest[..<end])
            else { throw LedgerError.damagedExport("\(what) is not as it was exported.") }
            digest.update(line.bytes + [UInt8(ascii: "\n")])
            rest = rest[(end + 1)...]
        }
    }

    /// Nothing may follow; gives the hash of the whole.
    mutating func finish() throws -> Digest {
        guard try lines.next() == nil else {
            throw LedgerError.damagedExport("Something stands behind the rows.")
        }
        return digest.finalize()
    }
}
