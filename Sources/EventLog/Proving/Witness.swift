import Cryptography

/// What a witness remembers of the logs it watches: of each the last head that it signed.
///
/// A witness signs a head only where it follows from the one before, so that a log cannot show it
/// two histories; two witnesses who are shown one each have the evidence. Text form: a mark, then
/// for each log the verifier key, the origin, size and root, an empty line.
///
/// Source: C2SP tlog-witness.
public struct Witness: Sendable, Hashable {
    private struct Watched: Hashable {
        var log: NoteVerifier
        var head: TreeHead
    }

    private static let mark = "checkout-ledger/witness/1"
    private var watched: [Watched] = []

    /// A witness that has seen nothing.
    public init() {}

    /// Reads the text form; throws `NOTE_MALFORMED`.
    public init(_ bytes: [UInt8]) throws(LogError) {
        // By bytes: to a String a carriage return and a line feed are one character, no line's end.
        let newline = UInt8(ascii: "\n")
        var lines = bytes.split(separator: newline, omittingEmptySubsequences: false)[...]
        guard lines.popFirst().map({ $0.elementsEqual(Self.mark.utf8) }) == true else {
            throw .malformedState
        }
        while let key = lines.popFirst(), !key.isEmpty {
            guard let log = NoteVerifier(String(decoding: key, as: UTF8.self)) else {
                throw .malformedState
            }
            let head = lines.prefix { !$0.isEmpty }
            watched.append(Watched(log: log, head: try TreeHead(head.flatMap { $0 + [newline] })))
            lines = lines.dropFirst(head.count + 1)
        }
    }

    /// The text form.
    public var bytes: [UInt8] {
        var bytes = Array("\(Self.mark)\n".utf8)
        for entry in watched {
            bytes += Array("\(entry.log)\n".utf8) + entry.head.text + [UInt8(ascii: "\n")]
        }
        return bytes
    }

    /// The last head of a log that was signed.
    public func head(of origin: String) -> TreeHead? {
        watched.first { $0.head.origin.utf8.elementsEqual(origin.utf8) }?.head
    }

    /// Takes a log's growth, and gives the witness's signature of the new head.
    ///
    /// A log that is not watched yet must be signed by one of `logs`, and begins at any size.
    /// Keep the new state before the signature is given away. Throws `NOTE_NOT_SIGNED` for a
    /// stranger, `SIGNATURE_INVALID`, `OLD_SIZE_DIFFERS` when the proof does not begin at the last
    /// size signed, `FORK` and `ROLLED_BACK`, `PROOF_INVALID`.
    public mutating func take(
        _ growth: GrowthProof, from logs: [NoteVerifier], signedBy signer: NoteSigner,
        at time: UInt64
    ) throws(LogError) -> NoteSignature {
        let new = growth.seal.head
        let place = watched.firstIndex { $0.head.origin.utf8.elementsEqual(new.origin.utf8) }
        let known = place.map { [watched[$0].log] } ?? logs
        let signed = try growth.seal.note.check(with: known)
        if let place {
            let old = watched[place].head
            guard old.size <= new.size else { throw .rolledBack(to: new.size, from: old.size) }
            if old.size == new.size, old.root != new.root { throw .fork(new.size) }
            guard growth.oldSize == old.size else {
                throw LogError(
                    .oldSizeDiffers,
                    "The proof begins at size \(growth.oldSize); the last one signed is "
                        + "\(old.size).",
                    hint: "Make one with: prove-growth --from \(old.size)")
            }
            try growth.check(from: old)
            watched[place].head = new
        } else {
            watched.append(Watched(log: signed[0].verifier, head: new))
        }
        return signer.sign(growth.seal.note.text, at: time)
    }
}

extension NoteSignature {
    /// The line that stands below a note.
    public var text: String { line }
}

extension LogError {
    fileprivate static let malformedState = LogError(
        .malformedNote, "The witness's memory cannot be read.",
        hint: "It was changed by something else: put it back from a copy.")
}

extension LogError.Code {
    /// A proof of growth begins at another size than the witness last signed.
    public static let oldSizeDiffers = Self(rawValue: "OLD_SIZE_DIFFERS")
}
