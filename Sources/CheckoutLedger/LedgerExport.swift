import CheckoutModel
import Cryptography
import EventLog
import ProviderKit

/// A whole ledger as lines of JSON, byte for byte, in a form that shows any damage.
///
/// | line | members, in this order |
/// |---|---|
/// | first | `schema`, `ledger` in hex, `createdAt` in µs, `epoch`, `records` |
/// | each record's | `position`, `record` in base64 |
/// | last | `schema`, `records`, `root` in hex, `sha256` in hex |
///
/// The first schema is `checkout-ledger/export/1`, the last `checkout-ledger/export-end/1`.
/// The root is that of the Merkle tree over the records; the SHA-256 covers every byte before the
/// last line. Lines end in LF. Private fields stay sealed, and no key is in it.
public enum LedgerExport {
    static let schema = "checkout-ledger/export/1"
    static let endSchema = "checkout-ledger/export-end/1"

    /// What an export holds.
    public struct Summary: Sendable, Hashable {
        /// Which ledger it is of, 16 bytes.
        public let ledgerID: [UInt8]
        /// How many records.
        public let records: UInt64
        /// The root hash of the Merkle tree over them, 64 hexadecimal digits.
        public let root: String
    }

    /// True for a line that belongs to an export, damaged or not: what it stands in must be a whole
    /// export, and is not to be taken for events.
    ///
    /// Several marks of each kind of line, so that damage to one of them does not hide the others.
    public static func isPart(_ line: [UInt8]) -> Bool {
        func holds(_ mark: String) -> Bool { line.firstRange(of: Array(mark.utf8)) != nil }
        if holds("\"type\":") { return false }
        return holds("checkout-ledger/export") || (holds("\"createdAt\":") && holds("\"records\":"))
            || (holds("{\"position\":") && holds("\"record\":"))
    }

    static func header(_ identity: LedgerIdentity, records: UInt64) -> [UInt8] {
        let value = JSONValue.object([
            "schema": .string(schema), "ledger": .string(Hex.encode(identity.id.bytes)),
            "createdAt": .integer(identity.createdAt), "epoch": .integer(Int64(identity.epoch)),
            "records": .integer(Int64(clamping: records)),
        ])
        return value.json
    }

    static func line(_ record: Record) -> [UInt8] {
        linePrefix(record.position) + Array(Base64.encode(record.bytes).utf8) + lineSuffix
    }

    static func linePrefix(_ position: UInt64) -> [UInt8] {
        Array("{\"position\":\(position),\"record\":\"".utf8)
    }

    static let lineSuffix = Array("\"}".utf8)

    static func trailer(records: UInt64, root: Digest, sha256: Digest) -> [UInt8] {
        let value = JSONValue.object([
            "schema": .string(endSchema), "records": .integer(Int64(clamping: records)),
            "root": .string(root.hex), "sha256": .string(sha256.hex),
        ])
        return value.json
    }
}

extension Ledger {
    /// Hands over the lines of an export in order, each with its LF: the ledger as it is now.
    ///
    /// Constant memory; others may read and write meanwhile. Throws what `write` throws.
    @discardableResult
    public func export(
        to write: ([UInt8]) throws -> Void
    ) throws -> LedgerExport.Summary {
        let (end, frontier) = try log.read { ($0.end, try $0.frontier()) }
        var digest = SHA256()
        func put(_ line: [UInt8]) throws {
            let ended = line + [UInt8(ascii: "\n")]
            digest.update(ended)
            try write(ended)
        }
        try put(LedgerExport.header(log.identity, records: end))
        var next: UInt64 = 0
        while next < end {
            // Records never change, so that no snapshot must be held over all of them.
            let slice = next..<min(end, next + Limits.recordsPerExportSlice)
            try log.read { snapshot in
                try snapshot.forEachRecord(in: slice) { record in
                    try put(LedgerExport.line(Record(record)))
                    return .more
                }
            }
            next = slice.upperBound
        }
        let root = frontier.root()
        try write(
            LedgerExport.trailer(records: end, root: root, sha256: digest.finalize())
                + [UInt8(ascii: "\n")])
        return LedgerExport.Summary(ledgerID: id, records: end, root: root.hex)
    }
}

/// Reads the lines of an export and refuses everything that is not exactly as it was written.
struct LedgerExportReader: ~Copyable {
    let identity: LedgerIdentity
    let records: UInt64
    private var digest: SHA256
    private var next: UInt64 = 0
    /// The root that the last line states; nil before it.
    private(set) var root: String?

    /// Begins with the first line; throws `DAMAGED_FILE`, `FORMAT_TOO_NEW`.
    init(header line: TextLine) throws(LedgerError) {
        let (identity, records) = try Self.header(line)
        self.identity = identity
        self.records = records
        digest = SHA256()
        take(line)
    }

    private static func header(
        _ line: TextLine
    ) throws(LedgerError) -> (identity: LedgerIdentity, records: UInt64) {
        let value = try? JSONValue(json: line.bytes)
        if let schema = value?["schema"]?.text, schema != LedgerExport.schema {
            throw LedgerError(
                LedgerError.Code(rawValue: LogError.Code.formatTooNew.rawValue),
                "The file was written in another form: \(schema).",
                hint: "Use the version that wrote it, or a newer one; nothing was changed.")
        }
        guard let id = value?["ledger"]?.text.flatMap({ Hex.decode($0) }),
            let id = EventID(bytes: id), let createdAt = value?["createdAt"]?.integer,
            let epoch = value?["epoch"]?.integer.flatMap({ UInt32(exactly: $0) }),
            let records = value?["records"]?.integer.flatMap({ UInt64(exactly: $0) })
        else { throw damaged(line, "is not the first line of an export") }
        let identity = LedgerIdentity(id: id, createdAt: createdAt, epoch: epoch)
        guard line.isEnded, line.bytes == LedgerExport.header(identity, records: records) else {
            throw damaged(line, "is not as it was written")
        }
        return (identity, records)
    }

    /// The record of a further line; nil for the last line, behind which nothing may follow.
    mutating func record(_ line: TextLine) throws(LedgerError) -> [UInt8]? {
        guard root == nil else { throw Self.damaged(line, "stands behind the end") }
        guard next < records else {
            try finish(with: line)
            return nil
        }
        let prefix = LedgerExport.linePrefix(next)
        let suffix = LedgerExport.lineSuffix
        guard line.isEnded, line.bytes.starts(with: prefix),
            line.bytes.suffix(suffix.count).elementsEqual(suffix),
            line.bytes.count > prefix.count + suffix.count,
            let record = Base64.decode(
                String(
                    decoding: line.bytes.dropFirst(prefix.count).dropLast(suffix.count),
                    as: UTF8.self))
        else { throw Self.damaged(line, "is not the record of position \(next)") }
        take(line)
        next += 1
        return record
    }

    private mutating func finish(with line: TextLine) throws(LedgerError) {
        guard
            let root = (try? JSONValue(json: line.bytes))?["root"]?.text.flatMap({ Digest(hex: $0) }
            )
        else { throw Self.damaged(line, "is not the end of an export") }
        let sum = digest.finalize()
        guard line.bytes == LedgerExport.trailer(records: records, root: root, sha256: sum) else {
            throw Self.damaged(line, "does not fit the lines before it")
        }
        self.root = root.hex
    }

    private mutating func take(_ line: TextLine) {
        digest.update(line.bytes)
        digest.update([UInt8(ascii: "\n")])
    }

    static func damaged(_ line: TextLine, _ what: String) -> LedgerError {
        LedgerError(
            .damagedFile, "Line \(line.number), at byte offset \(line.offset), \(what).",
            hint: "Nothing of the file was taken; export again, or fetch another copy.")
    }
}
