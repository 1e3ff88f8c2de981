import CheckoutModel
import Redaction

/// An event as it may be stored, and what was taken out of it.
struct RedactedEvent {
    var event: CheckoutEvent
    var notes: [RedactionNote]
}

/// An event that was turned away: enough to record that, and nothing of what it held.
struct RedactionRefusal: Hashable {
    let note: RedactionNote
    let source: EventSource
    let provider: ProviderID
    let mode: ProviderMode
}

extension Redactor {
    /// Takes out of an event what may not be stored.
    ///
    /// Throws `SENSITIVE_DATA` where the event may not be stored at all, unless its voice was
    /// verified: then the field alone is left out.
    func redacted(
        _ event: CheckoutEvent, isBodyClean: Bool = false
    ) throws(LedgerError) -> RedactedEvent {
        var pass = EventPass(book: book, event: event)
        try pass.readNames()
        try pass.readTexts()
        try pass.readPrivateFields()
        if !isBodyClean, let body = redact(body: pass.event.privateFields.body) {
            pass.event.privateFields.body = body.bytes
            pass.notes += body.notes
        }
        return RedactedEvent(event: pass.event, notes: pass.notes)
    }

    /// What people wrote about an erasure, without what may not be stored.
    func cleaned(_ record: PrivacyRecord) -> PrivacyRecord {
        func clean(_ text: String) -> String { String(decoding: hashable(text), as: UTF8.self) }
        var record = record
        record.ground = clean(record.ground)
        for index in record.copies.indices {
            record.copies[index].name = clean(record.copies[index].name)
        }
        return record
    }

    /// A text as it may be hashed: the hash of a card number or an address in it could be reversed.
    func hashable(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBufferPointer { book.redact(text: $0, in: .clear) }?.bytes ?? bytes
    }
}

/// One event on its way through the rules.
private struct EventPass {
    let book: RedactionBook
    var event: CheckoutEvent
    var notes: [RedactionNote] = []

    init(book: RedactionBook, event: CheckoutEvent) {
        self.book = book
        self.event = event
    }

    /// What a provider says is not lost for what it holds: it would only say it again.
    private var mayBeRefused: Bool { event.evidence != .verified && event.source != .webhook }

    mutating func readNames() throws(LedgerError) {
        event.ids.session = try cleanID(event.ids.session, "session")
        event.ids.payment = try cleanID(event.ids.payment, "payment")
        event.ids.refund = try cleanID(event.ids.refund, "refund")
        event.ids.dispute = try cleanID(event.ids.dispute, "dispute")
        event.ids.subscription = try cleanID(event.ids.subscription, "subscription")
        event.ids.order = try cleanID(event.ids.order, "order")
        event.ids.customer = try cleanID(event.ids.customer, "customer")
        event.deliveryID = try cleanID(event.deliveryID, "deliveryID")
        // Both come from the caller or the configuration, whoever's voice the event is.
        for (name, value) in [("account", event.account), ("provider", event.provider.rawValue)] {
            guard let finding = refusal(value) else { continue }
            throw refuse(finding, name)
        }
    }

    mutating func readTexts() throws(LedgerError) {
        event.reason = try cleanText(event.reason, "reason", in: .clear)
        event.rawType = try cleanText(event.rawType, "rawType", in: .clear)
        event.actor = try cleanText(event.actor, "actor", in: .clear)
    }

    mutating func readPrivateFields() throws(LedgerError) {
        var fields = event.privateFields
        fields.customerEmail = try cleanText(fields.customerEmail, "customerEmail", in: .sealed)
        fields.customerName = try cleanText(fields.customerName, "customerName", in: .sealed)
        for index in fields.licenseKeys.indices {
            let key = fields.licenseKeys[index]
            fields.licenseKeys[index] = try cleanText(key, "licenseKey", in: .sealed) ?? ""
        }
        if let url = fields.returnURL { fields.returnURL = try clean(url: url, "returnURL") }
        for index in fields.registeredURLs.indices {
            let url = fields.registeredURLs[index]
            fields.registeredURLs[index] = try clean(url: url, "registeredURL")
        }
        for index in fields.headers.indices {
            fields.headers[index].value = try clean(header: fields.headers[index])
        }
        event.privateFields = fields
    }

    private func refusal(_ id: String) -> RedactionFinding? {
        Array(id.utf8).withUnsafeBufferPointer { book.refusal(identifier: $0) }
    }

    /// The id, nil where it must not stay; throws where the event is to be turned away.
    mutating func cleanID(_ id: String?, _ name: String) throws(LedgerError) -> String? {
        guard let id, let finding = refusal(id) else { return id }
        if mayBeRefused { throw refuse(finding, name) }
        var note = RedactionNote(finding, in: name)
        note.action = RedactionRule.Action.drop.rawValue
        notes.append(note)
        return nil
    }

    private mutating func cleanText(
        _ text: String?, _ name: String, in place: RedactionBook.Place
    ) throws(LedgerError) -> String? {
        guard let text else { return nil }
        let bytes = Array(text.utf8)
        guard place == .clear, bytes.first == UInt8(ascii: "{") else {
            let found = bytes.withUnsafeBufferPointer { book.redact(text: $0, in: place) }
            return try take(found, name) ?? text
        }
        let found = bytes.withUnsafeBufferPointer { book.redact(body: $0, in: .clear) }
        if found?.findings.contains(where: { $0.action == .seal }) ?? false,
            event.privateFields.body.isEmpty
        {
            // What points to a person goes on in the sealed part, which is cleaned after this.
            event.privateFields.body = bytes
        }
        return try take(found, name) ?? text
    }

    private mutating func clean(url: String, _ name: String) throws(LedgerError) -> String {
        let found = Array(url.utf8).withUnsafeBufferPointer { book.redact(url: $0, in: .sealed) }
        return try take(found, name) ?? url
    }

    private mutating func clean(header: HeaderField) throws(LedgerError) -> String {
        let byName = Array(header.name.utf8).withUnsafeBufferPointer {
            book.finding(field: $0, byteCount: header.value.utf8.count)
        }
        let field = "header.\(plain(header.name))"
        if let byName, byName.action != .seal {
            notes.append(RedactionNote(byName, in: field))
            return "[secret header]"
        }
        return try cleanText(header.value, field, in: .sealed) ?? ""
    }

    private mutating func take(_ found: Redacted?, _ name: String) throws(LedgerError) -> String? {
        guard let found else { return nil }
        if mayBeRefused, let finding = found.refusal { throw refuse(finding, name) }
        notes += RedactionNote.counted(found.findings, in: name)
        return found.text
    }

    /// A header's name as part of a path; anything else than a word is not repeated.
    private func plain(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D
        }
        let digits = name.utf8.count { (0x30...0x39).contains($0) }
        return isPlain && digits < 8 ? name : "*"
    }

    private func refuse(_ finding: RedactionFinding, _ name: String) -> LedgerError {
        let note = RedactionNote(finding, in: name)
        return LedgerError(
            refusing: RedactionRefusal(
                note: note, source: event.source,
                provider: refusal(event.provider.rawValue) == nil ? event.provider : "ledger",
                mode: event.mode),
            title: finding.rule.title)
    }
}

extension LedgerError {
    fileprivate init(refusing refusal: RedactionRefusal, title: String) {
        let note = refusal.note
        self.init(
            .sensitiveData,
            "The field '\(note.field)' holds what may not be stored: \(title) "
                + "(\(note.rule), \(note.lengthClass) bytes).",
            hint: "The event was not recorded, only that it was turned away. Take it out at the "
                + "source.",
            refusal: refusal)
    }
}
