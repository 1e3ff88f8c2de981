/// Everything that is looked for: the rules' tables, and this program's own secrets.
///
/// Made once and used from any thread. What it finds it never shows: a finding names the rule, the
/// place and a length class, and nothing of the value.
///
/// A class, since every field of every event takes it along: as a value its tables would be
/// counted one by one each time.
package final class RedactionBook: Sendable {
    /// Where a text will be kept.
    package enum Place: Sendable, Hashable {
        /// In clear: what points to a person is masked too.
        case clear
        /// Sealed: what points to a person may stay, cards and secrets may not.
        case sealed
    }

    /// The process's own secrets, the longest first.
    let ownSecrets: [[UInt8]]
    /// Bytes with which one of them begins.
    let ownStarts: ByteSet
    let forms = SecretForm.all
    /// For each first letter of a word, the second letters at which it is looked at, a bit each.
    let starts: [UInt32]

    /// What the words begin with that stand where a secret stood.
    static let maskStart = Array("[secret ".utf8)
    static let secretInfix = Array("_secret_".utf8)
    static let pemBegin = Array("-----BEGIN ".utf8)
    static let pemEnd = Array("-----END ".utf8)
    static let pemDashes = Array("-----".utf8)
    static let pemPrivate = Array(" KEY".utf8)
    static let bearer = Array("bearer ".utf8)
    static let basic = Array("basic ".utf8)
    static let codeFillers = ["is", "code", "number"].map { Array($0.utf8) }

    /// Looks for these texts literally besides what the rules name; ones under eight bytes are
    /// left out, since they would mask ordinary words.
    package init(ownSecrets: [[UInt8]] = []) {
        self.ownSecrets =
            ownSecrets.filter { $0.count >= Limits.ownSecretBytes }
            .sorted { $0.count > $1.count }
        ownStarts = ByteSet(self.ownSecrets.compactMap(\.first))
        var starts = [UInt32](repeating: 0, count: 32)
        let words =
            forms.map(\.start) + SecretForm.assigned + SecretForm.codeWords
            + [Self.bearer, Self.basic]
        for word in words { starts[Int(word[0] & 31)] |= 1 << UInt32(word[1] & 31) }
        self.starts = starts
    }

    /// A book that knows these secrets too; itself when it knows them already.
    package func adding(_ secrets: [[UInt8]]) -> RedactionBook {
        let new = secrets.filter { !ownSecrets.contains($0) }
        return new.isEmpty ? self : RedactionBook(ownSecrets: ownSecrets + new)
    }

    /// A book that knows what another one does, too.
    package func adding(_ other: RedactionBook) -> RedactionBook { adding(other.ownSecrets) }

    /// The length of the own secret that stands at an index; nil when none does.
    func ownSecret(_ text: UnsafeBufferPointer<UInt8>, at index: Int, before end: Int) -> Int? {
        ownSecrets.first { secret in
            index + secret.count <= end
                && secret.indices.allSatisfy { text[index + $0] == secret[$0] }
        }?.count
    }
}

/// A set of bytes.
struct ByteSet: Sendable {
    private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init(_ bytes: [UInt8]) {
        for byte in bytes {
            let bit = UInt64(1) << UInt64(byte & 63)
            switch byte >> 6 {
            case 0: bits.0 |= bit
            case 1: bits.1 |= bit
            case 2: bits.2 |= bit
            default: bits.3 |= bit
            }
        }
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        let word =
            switch byte >> 6 {
            case 0: bits.0
            case 1: bits.1
            case 2: bits.2
            default: bits.3
            }
        return word >> UInt64(byte & 63) & 1 == 1
    }
}

/// A text as it may be stored, and what was taken out of it.
package struct Redacted: Sendable {
    package let bytes: [UInt8]
    package let findings: [RedactionFinding]

    /// The first finding that is no reason to mask but to turn the whole event away.
    package var refusal: RedactionFinding? { findings.first { $0.action == .refuse } }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

// Whether anything is to be done at all: what every event is asked, so nothing is allocated.

extension RedactionBook {
    /// True for a free text that may stay as it is.
    package func isClean(text: UnsafeBufferPointer<UInt8>, in place: Place) -> Bool {
        var scan = Scan(text, self, in: place)
        scan.scan(0..<text.count)
        return scan.spans.isEmpty
    }

    /// True for a header field's name and value that may stay as they are, sealed.
    package func isClean(
        header name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        isPlain(field: name) && isClean(text: value, in: .sealed)
    }

    /// True for a field's name that says nothing about what may be stored under it, sealed.
    func isPlain(field name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard name.count <= Limits.fieldNameBytes, let entry = FieldNames.entry(path: name) else {
            return true
        }
        return entry.action == .seal
    }
}

extension RedactionBook {
    /// A free text; nil when it may stay as it is.
    package func redact(
        text: UnsafeBufferPointer<UInt8>, in place: Place
    ) -> Redacted? {
        var scan = Scan(text, self, in: place)
        scan.scan(0..<text.count)
        guard !scan.spans.isEmpty else { return nil }
        return Redacted(
            bytes: scan.spans.applied(to: text), findings: scan.spans.map(\.finding))
    }

    /// A field that names one thing: kept whole or not at all; nil when it may stay.
    ///
    /// What the grammar of identifiers knows is not looked into. Anything else that would be
    /// masked in a text is no identifier: half a name would name something else.
    package func refusal(identifier: UnsafeBufferPointer<UInt8>) -> RedactionFinding? {
        var scan = Scan(identifier, self, in: .clear)
        scan.scan(0..<identifier.count)
        guard let found = scan.spans.first?.finding else { return nil }
        if found.isAboutDigits, IdentifierGrammar.holds(identifier) { return nil }
        return RedactionFinding(.identifier, "id-grammar", byteCount: identifier.count)
    }

    /// The same for a field whose every value must be of the grammar; bare digits are none.
    package func refusal(strictIdentifier text: UnsafeBufferPointer<UInt8>) -> RedactionFinding? {
        if let refusal = refusal(identifier: text) { return refusal }
        return IdentifierGrammar.holds(text)
            ? nil : RedactionFinding(.identifier, "id-grammar", byteCount: text.count)
    }

    /// What a field's name says about its value; nil for a name that says nothing.
    package func finding(
        field path: UnsafeBufferPointer<UInt8>, byteCount: Int
    ) -> RedactionFinding? {
        guard path.count <= Limits.fieldNameBytes, let entry = FieldNames.entry(path: path) else {
            return nil
        }
        return RedactionFinding(
            entry.rule, "field:" + String(decoding: entry.name, as: UTF8.self),
            action: entry.action, byteCount: byteCount)
    }
}

extension RedactionFinding {
    /// True where digits alone were the reason, so that an identifier's form excuses them.
    var isAboutDigits: Bool { rule == .cardNumber || rule == .oldVisaNumber }
}
