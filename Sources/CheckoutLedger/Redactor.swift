public import CheckoutModel
import Redaction

/// The one place between what comes in and what is sealed and stored.
///
/// Masks card numbers, security codes, secrets and personal data in every text and body it is
/// given, this program's own secrets literally, and turns away an event that holds what must not
/// be kept in any form. A verified delivery is never turned away, since a payment would be lost
/// with it: what must not stay is taken out of its bytes, and its record says so. Never echoes what
/// it found.
public struct Redactor: Sendable, CustomReflectable {
    let book: RedactionBook

    /// Masks these texts wherever they occur, besides what the rules name; ones under eight bytes
    /// are not looked for.
    public init(secrets: [String] = []) {
        book = RedactionBook(ownSecrets: secrets.map { Array($0.utf8) })
    }

    private init(book: RedactionBook) { self.book = book }

    /// One that masks these texts too.
    public func adding(_ texts: [String]) -> Redactor {
        texts.isEmpty ? self : Redactor(book: book.adding(texts.map { Array($0.utf8) }))
    }

    /// One that masks what another one does, too.
    func adding(_ other: Redactor) -> Redactor { Redactor(book: book.adding(other.book)) }

    /// Shows nothing, also to debuggers and `dump`.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// The event as it may be stored, and whether it was altered.
    ///
    /// Throws `SENSITIVE_DATA` for an event that may not be stored at all.
    public func redact(
        _ event: CheckoutEvent
    ) throws(LedgerError) -> (event: CheckoutEvent, altered: Bool) {
        guard !isClean(event) else { return (event, false) }
        let redacted = try redacted(event)
        return (redacted.event, !redacted.notes.isEmpty)
    }

    /// True when the event may be stored as it is: what nearly all are, so it is found out without
    /// a copy of anything.
    ///
    /// A body that was cleaned as a whole before it was cut into pieces is not looked at again.
    func isClean(_ event: __shared CheckoutEvent, isBodyClean: Bool = false) -> Bool {
        let ids = event.ids
        guard isClean(id: ids.session), isClean(id: ids.payment), isClean(id: ids.refund),
            isClean(id: ids.dispute), isClean(id: ids.subscription), isClean(id: ids.order),
            isClean(id: ids.customer), isClean(id: event.deliveryID), isClean(id: event.account),
            isClean(id: event.provider.rawValue), isClean(event.reason, in: .clear),
            isClean(event.rawType, in: .clear), isClean(event.actor, in: .clear)
        else { return false }
        return event.privateFields.isEmpty || isClean(event.privateFields, isBodyClean)
    }

    private func isClean(_ fields: __shared PrivateFields, _ isBodyClean: Bool) -> Bool {
        guard isClean(fields.customerEmail, in: .sealed), isClean(fields.customerName, in: .sealed)
        else { return false }
        if let url = fields.returnURL, !isClean(url: url) { return false }
        for key in fields.licenseKeys where !isClean(key, in: .sealed) { return false }
        for url in fields.registeredURLs where !isClean(url: url) { return false }
        for header in fields.headers {
            let isClean = header.name.withUTF8Bytes { name in
                header.value.withUTF8Bytes { book.isClean(header: name, value: $0) }
            }
            if !isClean { return false }
        }
        if isBodyClean || fields.body.isEmpty { return true }
        return fields.body.withUnsafeBufferPointer { book.redact(body: $0) == nil }
    }

    private func isClean(_ text: String?, in place: RedactionBook.Place) -> Bool {
        guard let text else { return true }
        return text.withUTF8Bytes { bytes in
            // An object's fields are looked at by their names too.
            place == .clear && bytes.first == UInt8(ascii: "{")
                ? book.redact(body: bytes, in: .clear) == nil
                : book.isClean(text: bytes, in: place)
        }
    }

    private func isClean(id: String?) -> Bool {
        guard let id else { return true }
        return id.withUTF8Bytes { book.refusal(identifier: $0) == nil }
    }

    private func isClean(url: String) -> Bool {
        url.withUTF8Bytes { book.redact(url: $0, in: .sealed) == nil }
    }

    /// A body as it may be kept, and what was taken out; nil when it may stay as it is.
    func redact(body: [UInt8]) -> (bytes: [UInt8], notes: [RedactionNote])? {
        guard let found = body.withUnsafeBufferPointer({ book.redact(body: $0) }) else {
            return nil
        }
        return (found.bytes, RedactionNote.counted(found.findings, in: "body"))
    }

    /// A body as it may be kept; nil when it may stay as it is.
    func masking(_ body: [UInt8]) -> [UInt8]? { redact(body: body)?.bytes }
}

extension String {
    /// Lends the bytes of the text, which are copied only where it has no storage of its own.
    fileprivate func withUTF8Bytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
    }
}

extension RedactionNote {
    init(_ finding: RedactionFinding, in field: String) {
        self.init(
            rule: finding.rule.name, what: finding.word,
            field: finding.path.isEmpty ? field : "\(field).\(finding.path)",
            action: finding.action.rawValue, lengthClass: finding.lengthClass)
    }

    /// One note for each rule, kind and place, up to a limit; the rest is counted in the last.
    static func counted(_ findings: [RedactionFinding], in field: String) -> [RedactionNote] {
        var notes: [RedactionNote] = []
        for finding in findings {
            let note = RedactionNote(finding, in: field)
            let known = notes.firstIndex {
                $0.rule == note.rule && $0.what == note.what && $0.field == note.field
            }
            if let known = known ?? (notes.count < Limits.redactionNotes ? nil : notes.count - 1) {
                notes[known].count += 1
            } else {
                notes.append(note)
            }
        }
        return notes
    }
}
