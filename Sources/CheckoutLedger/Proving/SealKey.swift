import Cryptography
public import EventLog

/// What a ledger is sealed with: a file outside its directory, one private key a line in Go's text
/// form.
///
/// The first Ed25519 key names the log. Further ones sign too, as while a key is being replaced;
/// one of the timed kind adds when the seal was made.
public struct SealKey: Sendable, CustomStringConvertible {
    /// The keys in the order of the file.
    public let signers: [NoteSigner]
    /// What the seals of the first epoch name the log.
    public let name: String

    /// Reads the lines of a key file; nil unless each is a key and one of them is plain Ed25519.
    public init?(_ text: String) {
        var signers: [NoteSigner] = []
        for line in text.split(whereSeparator: \.isNewline) {
            guard let signer = NoteSigner(String(line)) else { return nil }
            signers.append(signer)
        }
        guard let first = signers.first(where: { $0.verifier.kind == .ed25519 }) else {
            return nil
        }
        self.signers = signers
        name = first.verifier.name
    }

    /// The verifiers only.
    public var description: String { "SealKey(\(signers.map(\.verifier)))" }

    /// What seals of an epoch, from 0, name the log: a new one is another log.
    public func origin(epoch: UInt32) -> String { Self.origin(of: name, epoch: epoch) }

    /// The same for the name of a key.
    package static func origin(of name: String, epoch: UInt32) -> String {
        epoch == 0 ? name : "\(name)/e\(epoch + 1)"
    }

    /// Reads a key file, readable by its owner alone; nil when there is none.
    ///
    /// Throws `MALFORMED_KEY` for other content or wider permissions, `FILE_FAILED`.
    public static func read(_ path: String) throws(LedgerError) -> SealKey? {
        guard let bytes = try Files.readPrivate(path, limit: Limits.keyFileBytes) else {
            return nil
        }
        guard let key = SealKey(String(decoding: bytes, as: UTF8.self)) else {
            throw LedgerError(
                .malformedKey, "The file \(path) does not hold a seal key.",
                hint: "It must hold lines that begin with PRIVATE+KEY+, as 'keys new' writes them.")
        }
        return key
    }

    /// Makes the file of a new key: the log's own, and one that states the time.
    ///
    /// Two, for one key must not serve two kinds of signature. Refuses to replace a file. Throws
    /// `FILE_FAILED`, `MALFORMED_KEY` for a name that a note cannot carry.
    @discardableResult
    public static func generate(name: String, at path: String) throws(LedgerError) -> SealKey {
        let lines = [(name, NoteSignatureKind.ed25519), (name + "/time", .timed)]
        return try write(lines, to: path)
    }

    /// Makes the file of a witness's key, which signs in the timed kind alone.
    ///
    /// Throws as ``generate(name:at:)``.
    public static func generateWitness(
        name: String, at path: String
    ) throws(LedgerError) -> NoteSigner {
        let text = try text(name, .timed)
        try Files.makePrivateDirectory(Files.parent(of: path))
        try Files.writeNew(path, Array((text + "\n").utf8))
        guard let signer = NoteSigner(text) else { preconditionFailure("a key that was just made") }
        return signer
    }

    private static func write(
        _ lines: [(String, NoteSignatureKind)], to path: String
    ) throws(LedgerError) -> SealKey {
        var file = ""
        for (name, kind) in lines { file += try text(name, kind) + "\n" }
        try Files.makePrivateDirectory(Files.parent(of: path))
        try Files.writeNew(path, Array(file.utf8))
        guard let key = SealKey(file) else { preconditionFailure("a key that was just made") }
        return key
    }

    private static func text(
        _ name: String, _ kind: NoteSignatureKind
    ) throws(LedgerError) -> String {
        guard let text = NoteSigner.text(name: name, kind: kind, seed: SecureRandom.bytes(32))
        else {
            throw LedgerError(
                .malformedKey, "A key cannot be named '\(name)'.",
                hint: "Take a name without spaces and without +, such as example.com/shop.")
        }
        return text
    }

    /// What a key made on first use is named.
    static func defaultName(ledgerID: [UInt8]) -> String {
        "checkout-ledger/\(Hex.encode(ledgerID))"
    }
}

/// Reads the key that a witness signs with: one private key of the timed kind.
///
/// Throws `MALFORMED_KEY`, `FILE_FAILED`.
public func readWitnessKey(_ path: String) throws(LedgerError) -> NoteSigner {
    let bytes = try Files.readPrivate(path, limit: Limits.keyFileBytes)
    let lines = String(decoding: bytes ?? [], as: UTF8.self).split(whereSeparator: \.isNewline)
    guard lines.count == 1, let signer = NoteSigner(String(lines[0])),
        signer.verifier.kind == .timed
    else {
        throw LedgerError(
            .malformedKey, "The file \(path) does not hold a witness's key.",
            hint: "Make one with: keys new --witness --name NAME --out FILE")
    }
    return signer
}
