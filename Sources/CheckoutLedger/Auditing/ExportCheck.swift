import CheckoutModel
public import Cryptography
public import EventLog
import ProviderKit

/// Checks an export against its manifest, without the ledger.
///
/// Takes the lines of the proof in order and gives the event of each row, which the caller compares
/// with the file; at the end everything that the manifest states of the rows must have come out of
/// the records. Does not tell why a record was left out, nor who ran the export.
public struct ExportCheck {
    /// What the manifest states; its sums are those of the records once the check has finished.
    public private(set) var manifest: EventExport.Manifest
    /// Records of the positions that no row tells of.
    public var leftOut: UInt64 {
        let positions = manifest.summary.positions
        return positions.upperBound - positions.lowerBound - manifest.summary.rows
    }

    private let stated: JSONValue
    private var tree = PartialTree()

    /// Begins with the manifest; throws `DAMAGED_FILE`, `FORMAT_TOO_NEW` for one of another form.
    public init(manifest bytes: [UInt8]) throws(LedgerError) {
        guard let stated = try? JSONValue(json: bytes) else {
            throw .damagedExport("The manifest is no JSON.")
        }
        self.stated = stated
        manifest = try ManifestReader(stated).manifest()
        let summary = manifest.summary
        guard tree.add(summary.sides.left, upTo: summary.positions.lowerBound) else {
            throw .damagedExport("The manifest's range proof has too many or too few hashes.")
        }
    }

    /// Takes the next line of the proof; gives its event, or nil for records that were left out.
    ///
    /// Throws `DAMAGED_FILE`, naming the line.
    public mutating func take(_ line: TextLine) throws(LedgerError) -> RecordedEvent? {
        var piece: EventExport.Piece?
        if let value = try? JSONValue(json: line.bytes) { piece = try self.piece(value) }
        guard let piece, line.isEnded, line.bytes == piece.proofLine else {
            throw .damagedExport("Line \(line.number) of the proof is not as it was written.")
        }
        let (start, end): (UInt64, UInt64)
        switch piece {
        case .event(let recorded, let record):
            (start, end) = (recorded.position, recorded.position + 1)
            guard start == tree.size else { throw .gap(line, tree.size) }
            tree.add(MerkleProof.leafHash(of: record))
        case .leftOut(let subtree, let hash):
            start = subtree.index << UInt64(subtree.level)
            guard start == tree.size, tree.add(hash, of: subtree) else {
                throw .gap(line, tree.size)
            }
            end = tree.size
        }
        guard end <= manifest.summary.positions.upperBound else {
            throw .damagedExport("Line \(line.number) of the proof lies beyond the positions.")
        }
        guard case .event(let recorded, _) = piece else { return nil }
        guard manifest.conditions.hold(recorded) else {
            throw .damagedExport(
                "The event at position \(recorded.position) does not fulfil the conditions.")
        }
        manifest.summary.add(recorded)
        return recorded
    }

    private func piece(_ value: JSONValue) throws(LedgerError) -> EventExport.Piece? {
        guard let position = value["position"]?.unsigned else { return nil }
        if let level = value["level"]?.integer, 0..<63 ~= level,
            let hash = value["hash"]?.text.flatMap({ Digest(hex: $0) })
        {
            let subtree = Subtree(level: Int(level), index: position >> UInt64(level))
            return .leftOut(subtree, hash)
        }
        guard let bytes = value["record"]?.text.flatMap({ Base64.decode($0) }),
            let record = Record(bytes: bytes), record.position == position
        else { return nil }
        do {
            return .event(try record.withView { try RecordedEvent($0) }, record: bytes)
        } catch {
            throw LedgerError(any: error, at: position)
        }
    }

    /// Ends the check: the proof is over, and the two files have these hashes.
    ///
    /// Gives the signatures that hold. Throws `DAMAGED_FILE` where the manifest states something
    /// else than what came out, `PROOF_INVALID` where the records do not give the sealed root,
    /// `NOT_SEALED` for an export without a seal, `NOTE_NOT_SIGNED`, `SIGNATURE_INVALID`.
    public mutating func finish(
        sha256: Digest, proofSHA256: Digest, with verifiers: [NoteVerifier]
    ) throws(LedgerError) -> [SignedNote.Checked] {
        let summary = manifest.summary
        guard tree.size == summary.positions.upperBound else {
            throw .damagedExport("The proof ends at position \(tree.size).")
        }
        guard leftOut == 0 || manifest.conditions.choosesWithin else {
            throw .damagedExport(
                "\(leftOut) records were left out, and no condition speaks of leaving any out.")
        }
        (manifest.sha256, manifest.proofSHA256) = (sha256.hex, proofSHA256.hex)
        for member in manifest.members where stated[member.name] != member.value {
            throw .damagedExport("What the manifest states as '\(member.name)' does not hold.")
        }
        guard tree.add(summary.sides.right, upTo: summary.logSize), tree.root() == summary.root
        else { throw .notOfThisLog(summary.logSize) }
        guard let seal = summary.seal else {
            throw LedgerError(
                LedgerError.Code(rawValue: LogError.Code.notSealed.rawValue),
                "The files agree with each other, and no seal says of which log they are.",
                hint: "Ask for an export of a ledger that has been sealed.")
        }
        guard seal.head.size == summary.logSize, seal.head.root == summary.root else {
            throw .notOfThisLog(summary.logSize)
        }
        do throws(LogError) {
            let signed = try seal.note.check(with: verifiers)
            // The second signature says when; the log itself must have said what.
            guard signed.contains(where: { $0.verifier.kind == .ed25519 }) else {
                throw LogError(
                    .noteNotSigned, "The log itself has not signed the seal with a given key.",
                    hint: "Give the verifier key of the log.")
            }
            return signed
        } catch {
            throw LedgerError(error)
        }
    }
}

/// Reads what a manifest states; nothing of it is believed before the check has finished.
private struct ManifestReader {
    private let value: JSONValue

    init(_ value: JSONValue) throws(LedgerError) {
        guard let schema = value["schema"]?.text else {
            throw .damagedExport("The manifest names no form.")
        }
        guard schema == EventExport.schema else {
            throw LedgerError(
                LedgerError.Code(rawValue: LogError.Code.formatTooNew.rawValue),
                "The export is of another form: \(schema).",
                hint: "Check it with the version that wrote it.")
        }
        self.value = value
    }

    func manifest() throws(LedgerError) -> EventExport.Manifest {
        guard let format = EventExport.Format(rawValue: try text("format")),
            let executedAt = try? Instant(iso8601: text("executedAt"))
        else { throw .damagedExport("The manifest is not as it was written.") }
        return EventExport.Manifest(
            file: try text("file"), format: format, sha256: try text("sha256"),
            proofFile: try text("proofFile"), proofSHA256: try text("proofSHA256"),
            tool: try text("tool"), executedBy: try text("executedBy"),
            reason: value["reason"]?.text, executedAt: executedAt, conditions: try conditions(),
            summary: try summary())
    }

    private func conditions() throws(LedgerError) -> EventExport.Conditions {
        let query = value["query"]
        var conditions = EventExport.Conditions()
        conditions.session = query?["session"]?.text
        conditions.actor = query?["actor"]?.text
        conditions.types = query?["types"]?.elements?.compactMap(\.text) ?? []
        conditions.since = try? query?["since"]?.text.map { try Instant(iso8601: $0) }
        conditions.until = try? query?["until"]?.text.map { try Instant(iso8601: $0) }
        return conditions
    }

    private func summary() throws(LedgerError) -> EventExport.Summary {
        let first = try number("firstPosition")
        let end = try number("endPosition")
        let size = try number("logSize")
        guard first <= end, end <= size, let id = Hex.decode(try text("ledger")), id.count == 16,
            let epoch = UInt32(exactly: try number("epoch")),
            let root = Digest(hex: try text("root"))
        else { throw .damagedExport("The manifest's numbers contradict each other.") }
        var seal: Seal?
        if let note = value["seal"]?.text {
            do throws(LogError) { seal = try Seal(Array(note.utf8)) } catch {
                throw LedgerError(error)
            }
        }
        return EventExport.Summary(
            ledgerID: id, epoch: epoch, positions: first..<end, logSize: size, root: root,
            sides: RangeProof(left: try hashes("left"), right: try hashes("right")), seal: seal)
    }

    private func text(_ name: String) throws(LedgerError) -> String {
        guard let text = value[name]?.text else {
            throw .damagedExport("The manifest lacks '\(name)'.")
        }
        return text
    }

    private func number(_ name: String) throws(LedgerError) -> UInt64 {
        guard let number = value[name]?.unsigned else {
            throw .damagedExport("The manifest lacks '\(name)'.")
        }
        return number
    }

    private func hashes(_ side: String) throws(LedgerError) -> [Digest] {
        guard let elements = value["rangeProof"]?[side]?.elements, elements.count <= 63 else {
            throw .damagedExport("The manifest lacks 'rangeProof'.")
        }
        let hashes = elements.compactMap { $0.text.flatMap { Digest(hex: $0) } }
        guard hashes.count == elements.count else {
            throw .damagedExport("A hash of the manifest's range proof cannot be read.")
        }
        return hashes
    }
}

extension JSONValue {
    fileprivate var unsigned: UInt64? { integer.flatMap { UInt64(exactly: $0) } }
}

extension LedgerError {
    /// For a caller that finds the rows to be others.
    public static func damagedExport(_ message: String) -> LedgerError {
        LedgerError(
            .damagedFile, message,
            hint: "One of the three files was changed, or they do not belong together.")
    }

    fileprivate static func gap(_ line: TextLine, _ position: UInt64) -> LedgerError {
        damagedExport("Line \(line.number) of the proof does not begin at position \(position).")
    }

    fileprivate static func notOfThisLog(_ size: UInt64) -> LedgerError {
        LedgerError(
            LedgerError.Code(rawValue: LogError.Code.invalidProof.rawValue),
            "The records are not those of the sealed log of \(size) records.",
            hint: "Something was changed, left out or put in, or the seal is of another log.")
    }
}
