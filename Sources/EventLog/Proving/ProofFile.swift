public import Cryptography

/// That one record is in a log, in a form that can be checked without the log.
///
/// A header line, maybe a line `extra`, `index N`, hashes from the leaf to the root, an empty line,
/// the seal. The record itself is not in it.
///
/// Source: C2SP tlog-proof.
public struct ProofFile: Sendable, Hashable {
    /// The record's position.
    public let index: UInt64
    /// The hashes from the leaf to the root.
    public let hashes: [Digest]
    /// The seal of a log that has the record.
    public let seal: Seal
    /// Bytes that another writer added; never written here.
    public let extra: [UInt8]?

    private static let header = "c2sp.org/tlog-proof@v1"

    /// A proof from its parts.
    public init(index: UInt64, hashes: [Digest], seal: Seal) {
        self.index = index
        self.hashes = hashes
        self.seal = seal
        extra = nil
    }

    /// Reads a file; throws `PROOF_MALFORMED`, `NOTE_MALFORMED`.
    public init(_ bytes: [UInt8]) throws(LogError) {
        var lines = ProofLines(bytes)
        guard lines.next() == Self.header else {
            throw .malformedProof("its first line is another")
        }
        var line = lines.next()
        if let text = line, text.hasPrefix("extra ") {
            guard let extra = Base64.decode(text.dropFirst(6)) else {
                throw .malformedProof("its extra line cannot be read")
            }
            self.extra = extra
            line = lines.next()
        } else {
            extra = nil
        }
        guard let text = line, text.hasPrefix("index "),
            let index = DecimalText.number(text.dropFirst(6))
        else { throw .malformedProof("it names no position") }
        self.index = index
        hashes = try lines.hashes()
        seal = try Seal(lines.rest)
    }

    /// The file's bytes.
    public var bytes: [UInt8] {
        let extraLine = extra.map { "extra \(Base64.encode($0))\n" } ?? ""
        let lines = hashes.map { Base64.encode($0.bytes) + "\n" }.joined()
        return Array("\(Self.header)\n\(extraLine)index \(index)\n\(lines)\n".utf8) + seal.bytes
    }

    /// Checks the seal's signatures and that its tree has the record at the position.
    ///
    /// Gives the signatures that hold. Throws `NOTE_NOT_SIGNED`, `SIGNATURE_INVALID`,
    /// `PROOF_INVALID`.
    public func check(
        _ record: [UInt8], with verifiers: [NoteVerifier]
    ) throws(LogError) -> [SignedNote.Checked] {
        let signatures = try seal.note.check(with: verifiers)
        guard
            MerkleProof.includes(
                MerkleProof.leafHash(of: record), at: index, in: seal.head.size,
                root: seal.head.root, proof: hashes)
        else {
            throw .invalidProof(
                "The sealed log does not have this record at position \(index).")
        }
        return signatures
    }
}

/// That a log only grew: the older size, the hashes, the newer seal.
///
/// The form in which a log asks a witness to sign: `old N`, hashes, an empty line, the seal.
///
/// Source: C2SP tlog-witness.
public struct GrowthProof: Sendable, Hashable {
    /// How many records the older log has.
    public let oldSize: UInt64
    /// The hashes; none from size 0 or for the same size.
    public let hashes: [Digest]
    /// The newer log.
    public let seal: Seal

    /// A proof from its parts.
    public init(oldSize: UInt64, hashes: [Digest], seal: Seal) {
        self.oldSize = oldSize
        self.hashes = hashes
        self.seal = seal
    }

    /// Reads a body; throws `PROOF_MALFORMED`, `NOTE_MALFORMED`.
    public init(_ bytes: [UInt8]) throws(LogError) {
        var lines = ProofLines(bytes)
        guard let first = lines.next(), first.hasPrefix("old "),
            let oldSize = DecimalText.number(first.dropFirst(4))
        else { throw .malformedProof("it does not begin with the older size") }
        self.oldSize = oldSize
        hashes = try lines.hashes()
        seal = try Seal(lines.rest)
    }

    /// The body's bytes.
    public var bytes: [UInt8] {
        let lines = hashes.map { Base64.encode($0.bytes) + "\n" }.joined()
        return Array("old \(oldSize)\n\(lines)\n".utf8) + seal.bytes
    }

    /// Checks that the seal's log begins with the older one; no signature.
    ///
    /// Throws `PROOF_INVALID`; `FORK` for two logs of one size and different roots.
    public func check(from old: TreeHead) throws(LogError) {
        let new = seal.head
        guard old.origin.utf8.elementsEqual(new.origin.utf8) else {
            throw .invalidProof("The two seals are of different logs.")
        }
        guard old.size == oldSize else {
            throw .invalidProof(
                "The proof begins at size \(oldSize), the older seal is of size "
                    + "\(old.size).")
        }
        if old.size == new.size, old.root != new.root { throw .fork(new.size) }
        guard
            MerkleProof.isGrowth(
                from: old.size, old.root, to: new.size, new.root, proof: hashes)
        else {
            throw .invalidProof(
                "The newer log does not begin with the \(old.size) records of the older one.")
        }
    }
}

/// The lines of a proof, of which the hashes end at an empty line.
private struct ProofLines {
    private(set) var rest: [UInt8]

    init(_ bytes: [UInt8]) { rest = bytes }

    /// The next line; nil where there is none, or one that is not ASCII.
    mutating func next() -> String? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")),
            rest[..<end].allSatisfy({ 0x20..<0x7F ~= $0 })
        else { return nil }
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeFirst(end + 1)
        return line
    }

    /// The hashes up to an empty line.
    mutating func hashes() throws(LogError) -> [Digest] {
        var hashes: [Digest] = []
        while let line = next() {
            if line.isEmpty { return hashes }
            guard hashes.count < Limits.proofHashes, let bytes = Base64.decode(line),
                let hash = Digest(bytes: bytes)
            else { throw .malformedProof("one of its hashes cannot be read") }
            hashes.append(hash)
        }
        throw .malformedProof("it ends before its seal")
    }
}

extension LogError {
    static func malformedProof(_ why: String) -> LogError {
        LogError(
            .malformedProof, "That is no proof: \(why).",
            hint: "Copy it again from where it came, byte for byte.")
    }

    static func invalidProof(_ message: String) -> LogError {
        LogError(
            .invalidProof, message,
            hint: "Either something was changed, or the parts do not belong together.")
    }

    package static func fork(_ size: UInt64) -> LogError {
        LogError(
            .fork, "Two logs of \(size) records with different roots were sealed: a fork.",
            hint: "Keep both seals: together they show that there are two histories.")
    }
}
