public import Cryptography

/// What a seal states of a log: how many records it has and the root over them.
///
/// Three lines: origin, size, base64 of the root; further lines are taken and never written.
///
/// Source: C2SP tlog-checkpoint.
public struct TreeHead: Sendable, Hashable {
    /// Which log, such as `ledger.example.com/checkout/prod`.
    public let origin: String
    /// How many records; below 2^63.
    public let size: UInt64
    /// The root hash over them.
    public let root: Digest
    /// Further lines of another writer, each not empty.
    public let extensions: [String]

    /// The head of a log.
    public init(origin: String, size: UInt64, root: Digest) {
        self.origin = origin
        self.size = size
        self.root = root
        extensions = []
    }

    /// Reads a note's text; throws `NOTE_MALFORMED`.
    public init(_ text: [UInt8]) throws(LogError) {
        guard let string = String(validating: text, as: UTF8.self), string.utf8.last == 0x0A else {
            throw .malformedHead
        }
        let lines = string.utf8.dropLast().split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
        guard lines.count >= 3, lines.allSatisfy({ !$0.isEmpty }),
            let size = DecimalText.number(lines[1]), size <= UInt64(Int64.max),
            let bytes = Base64.decode(lines[2]), let root = Digest(bytes: bytes),
            size > 0 || root == MerkleFrontier().root()
        else { throw .malformedHead }
        origin = lines[0]
        self.size = size
        self.root = root
        extensions = Array(lines.dropFirst(3))
    }

    /// The text that is signed.
    public var text: [UInt8] {
        let lines = [origin, "\(size)", Base64.encode(root.bytes)] + extensions
        return Array(lines.map { $0 + "\n" }.joined().utf8)
    }
}

/// A signed tree head.
public struct Seal: Sendable, Hashable {
    /// What was signed, and the signatures.
    public let note: SignedNote
    /// What it states.
    public let head: TreeHead

    /// Signs a head; `time`, in seconds since 1970, stands in signatures of the timed kind.
    public init(_ head: TreeHead, signedBy signers: [NoteSigner], at time: UInt64) {
        note = SignedNote(text: head.text, signedBy: signers, at: time)
        self.head = head
    }

    /// Reads a seal; checks no signature.
    ///
    /// Throws `NOTE_MALFORMED`.
    public init(_ bytes: [UInt8]) throws(LogError) {
        try self.init(SignedNote(bytes))
    }

    init(_ note: SignedNote) throws(LogError) {
        self.note = note
        head = try TreeHead(note.text)
    }

    /// The seal as it is sent.
    public var bytes: [UInt8] { note.bytes }
}

/// Whole numbers as these formats write them.
enum DecimalText {
    /// ASCII digits without sign or leading zero; nil otherwise and beyond 64 bits.
    static func number(_ text: some StringProtocol) -> UInt64? {
        let digits = text.utf8
        guard let first = digits.first, digits.allSatisfy({ 0x30...0x39 ~= $0 }),
            first != 0x30 || digits.count == 1
        else { return nil }
        return UInt64(text)
    }
}

extension LogError {
    static let malformedHead = LogError(
        .malformedNote, "The note's text is no tree head.",
        hint: "A seal states origin, size and root, one a line.")
}
