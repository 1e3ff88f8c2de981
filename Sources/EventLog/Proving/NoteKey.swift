public import Cryptography

/// The kinds of signature on a note that are understood here.
///
/// Source: C2SP signed-note; the second kind C2SP tlog-cosignature.
public enum NoteSignatureKind: UInt8, Sendable, Hashable {
    /// Ed25519 over the note's text.
    case ed25519 = 0x01
    /// Ed25519 over `cosignature/v1`, a time and the text: seen at that time, and no other history.
    case timed = 0x04
}

/// What the signatures of a key are checked with; may be shown to anybody.
///
/// Text form as in Go: `name+id+base64(kind ‖ public key)`.
public struct NoteVerifier: Sendable, Hashable, CustomStringConvertible {
    /// Whose key it is, such as `ledger.example.com/checkout/prod`; for a log its origin.
    public let name: String
    /// What its signatures are of.
    public let kind: NoteSignatureKind
    /// The 32 bytes that verify.
    public let key: Ed25519.PublicKey

    /// Puts a verifier together; nil for a name that a note cannot carry.
    public init?(name: String, kind: NoteSignatureKind, key: Ed25519.PublicKey) {
        guard NoteName.isValid(name) else { return nil }
        self.name = name
        self.kind = kind
        self.key = key
    }

    /// Reads the text form; nil for anything else, an unknown kind or an id that is not the key's.
    public init?(_ text: String) {
        let parts = text.split(separator: "+", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let keyed = Base64.decode(parts[2]), let first = keyed.first,
            let kind = NoteSignatureKind(rawValue: first),
            let key = Ed25519.PublicKey(bytes: Array(keyed.dropFirst()))
        else { return nil }
        self.init(name: String(parts[0]), kind: kind, key: key)
        guard parts[1].utf8.elementsEqual(idText.utf8) else { return nil }
    }

    /// Four bytes that name the key on a note; not unique, and no protection.
    public var id: [UInt8] {
        let named = Array(name.utf8) + [0x0A, kind.rawValue] + key.bytes
        return Array(SHA256.hash(named).bytes.prefix(4))
    }

    var idText: String { Hex.encode(id) }

    /// The text form.
    public var description: String {
        "\(name)+\(idText)+\(Base64.encode([kind.rawValue] + key.bytes))"
    }

    /// The time that a signature states; nil for the kind without one or bytes too few.
    func time(of signature: [UInt8]) -> UInt64? {
        guard kind == .timed, signature.count >= 8 else { return nil }
        return signature.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    func isValid(_ signature: [UInt8], for text: [UInt8]) -> Bool {
        switch kind {
        case .ed25519: return key.isValid(signature, for: text)
        case .timed:
            guard let time = time(of: signature) else { return false }
            let message = NoteSigner.timedMessage(text, at: time)
            return key.isValid(Array(signature.dropFirst(8)), for: message)
        }
    }
}

/// What notes are signed with; must stay secret.
///
/// Text form as in Go: `PRIVATE+KEY+name+id+base64(kind ‖ seed)`.
public struct NoteSigner: Sendable, CustomStringConvertible {
    /// What others check the signatures with.
    public let verifier: NoteVerifier
    private let key: Ed25519.PrivateKey

    /// Reads the text form; nil for anything else.
    public init?(_ text: String) {
        let mark = Self.mark
        guard text.hasPrefix(mark) else { return nil }
        let parts = text.dropFirst(mark.count).split(
            separator: "+", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let keyed = Base64.decode(parts[2]), let first = keyed.first,
            let kind = NoteSignatureKind(rawValue: first),
            let key = Ed25519.PrivateKey(seed: Array(keyed.dropFirst())),
            let verifier = NoteVerifier(name: String(parts[0]), kind: kind, key: key.publicKey),
            parts[1].utf8.elementsEqual(verifier.idText.utf8)
        else { return nil }
        self.key = key
        self.verifier = verifier
    }

    /// The text form of a key from 32 secret random bytes; nil for another number of bytes or a
    /// name that a note cannot carry.
    public static func text(name: String, kind: NoteSignatureKind, seed: [UInt8]) -> String? {
        guard let key = Ed25519.PrivateKey(seed: seed),
            let verifier = NoteVerifier(name: name, kind: kind, key: key.publicKey)
        else { return nil }
        return "\(mark)\(name)+\(verifier.idText)+\(Base64.encode([kind.rawValue] + seed))"
    }

    private static let mark = "PRIVATE+KEY+"

    /// The verifier only.
    public var description: String { "NoteSigner(\(verifier))" }

    /// The signature of a text at a time, seconds since 1970, which only the timed kind states.
    func sign(_ text: [UInt8], at time: UInt64) -> NoteSignature {
        let bytes =
            switch verifier.kind {
            case .ed25519: key.sign(text)
            case .timed: time.bigEndianBytes + key.sign(Self.timedMessage(text, at: time))
            }
        return NoteSignature(name: verifier.name, id: verifier.id, bytes: bytes)
    }

    static func timedMessage(_ text: [UInt8], at time: UInt64) -> [UInt8] {
        Array("cosignature/v1\ntime \(time)\n".utf8) + text
    }
}

/// Names of keys.
enum NoteName {
    /// No spaces, no `+`, not empty: a line of a note is split at spaces, a key's text at `+`.
    static func isValid(_ name: String) -> Bool {
        !name.isEmpty
            && name.unicodeScalars.allSatisfy {
                $0 != "+" && !$0.properties.isWhitespace && $0.value >= 0x20 && $0.value != 0x7F
            }
    }
}

extension UInt64 {
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { [UInt8]($0) } }
}
