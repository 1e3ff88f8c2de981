import Cryptography

/// One line of signature under a note.
public struct NoteSignature: Sendable, Hashable {
    /// Who says to have signed.
    public let name: String
    /// Four bytes that name the key.
    public let id: [UInt8]
    /// The signature itself, in the form of its kind.
    public let bytes: [UInt8]

    var line: String { "\u{2014} \(name) \(Base64.encode(id + bytes))\n" }
}

/// A text with signatures under it.
///
/// Source: C2SP signed-note. At most 16 signatures and 1,000,000 bytes.
public struct SignedNote: Sendable, Hashable {
    /// What is signed, its last line break included.
    public let text: [UInt8]
    /// At least one.
    public let signatures: [NoteSignature]

    /// A signature that was checked and holds.
    public struct Checked: Sendable, Hashable {
        /// Whose it is.
        public let verifier: NoteVerifier
        /// The time it states, seconds since 1970; nil for a kind without time.
        public let time: UInt64?
    }

    /// Signs a text, which must end in a line break, with each key.
    ///
    /// `time` is in seconds since 1970 and stands only in signatures of the timed kind.
    public init(text: [UInt8], signedBy signers: [NoteSigner], at time: UInt64) {
        self.text = text
        signatures = signers.map { $0.sign(text, at: time) }
    }

    private init(text: [UInt8], signatures: [NoteSignature]) {
        self.text = text
        self.signatures = signatures
    }

    /// Reads a note; checks its form and no signature.
    ///
    /// Throws `NOTE_MALFORMED`.
    public init(_ bytes: [UInt8]) throws(LogError) {
        guard bytes.count <= Limits.noteBytes, let whole = String(validating: bytes, as: UTF8.self),
            bytes.allSatisfy({ $0 >= 0x20 || $0 == UInt8(ascii: "\n") }),
            bytes.last == UInt8(ascii: "\n")
        else { throw .malformedNote("it is no text of whole lines") }
        guard let split = bytes.lastRange(ofEmptyLine: ()) else {
            throw .malformedNote("it has no signatures")
        }
        let block = String(decoding: bytes[split...], as: UTF8.self)
        guard !block.isEmpty, !whole.isEmpty else { throw .malformedNote("it has no signatures") }
        var signatures: [NoteSignature] = []
        for line in block.utf8.dropLast().split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        {
            guard signatures.count < Limits.noteSignatures else {
                throw .malformedNote("it has more than \(Limits.noteSignatures) signatures")
            }
            guard let signature = NoteSignature(line: Substring(line)) else {
                throw .malformedNote("a line below its text is no signature")
            }
            signatures.append(signature)
        }
        self.init(text: Array(bytes[..<(split - 1)]), signatures: signatures)
    }

    /// The note as it is sent.
    public var bytes: [UInt8] {
        text + Array("\n".utf8) + signatures.flatMap { Array($0.line.utf8) }
    }

    /// The same text with further signatures below.
    public func adding(_ more: [NoteSignature]) -> SignedNote {
        SignedNote(text: text, signatures: signatures + more)
    }

    /// The signatures of the given keys, each of which holds.
    ///
    /// Other keys' signatures are passed over. Throws `NOTE_NOT_SIGNED` when no given key signed,
    /// `SIGNATURE_INVALID` when one did and its signature does not hold, whoever else signed.
    public func check(with verifiers: [NoteVerifier]) throws(LogError) -> [Checked] {
        var checked: [Checked] = []
        for signature in signatures {
            let known = verifiers.first {
                $0.name.utf8.elementsEqual(signature.name.utf8) && $0.id == signature.id
            }
            guard let known, !checked.contains(where: { $0.verifier == known }) else { continue }
            guard known.isValid(signature.bytes, for: text) else {
                throw LogError(
                    .signatureInvalid, "The signature of \(known.name) does not hold.",
                    hint: "The note was changed, or was never signed by that key.")
            }
            checked.append(Checked(verifier: known, time: known.time(of: signature.bytes)))
        }
        guard !checked.isEmpty else {
            throw LogError(
                .noteNotSigned, "None of the given keys signed the note.",
                hint: "Give the verifier key of whoever signed it.")
        }
        return checked
    }
}

extension NoteSignature {
    /// Reads `— name base64`, without the line break.
    fileprivate init?(line: Substring) {
        let mark = "\u{2014} "
        guard line.utf8.starts(with: mark.utf8) else { return nil }
        let parts = line.utf8.dropFirst(mark.utf8.count).split(
            separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 2, NoteName.isValid(String(Substring(parts[0]))),
            let bytes = Base64.decode(Substring(parts[1])), bytes.count > 4
        else { return nil }
        name = String(Substring(parts[0]))
        id = Array(bytes.prefix(4))
        self.bytes = Array(bytes.dropFirst(4))
    }
}

extension [UInt8] {
    /// Where the lines behind the last empty one begin.
    fileprivate func lastRange(ofEmptyLine: Void) -> Int? {
        let newline = UInt8(ascii: "\n")
        return indices.dropFirst(2).reversed().first {
            self[$0 - 1] == newline && self[$0 - 2] == newline
        }
    }
}

extension LogError {
    static func malformedNote(_ why: String) -> LogError {
        LogError(
            .malformedNote, "That is no signed note: \(why).",
            hint: "Copy it again from where it came, byte for byte.")
    }
}
