import CheckoutModel
import Cryptography
import EventLog

/// Turns events into drafts: redact, then seal what is private, then lay out what is clear.
///
/// Runs on the caller's thread, so that encryption is spread over cores and the log's one writer
/// only writes.
struct EventScribe: Sendable {
    let ledgerID: [UInt8]
    let keystore: Keystore
    let ids: any LogIDSource
    let counters = RedactionCounters()
    private let shared: SharedRedactor
    /// One for a single delivery.
    private var own: Redactor?

    init(ledgerID: [UInt8], keystore: Keystore, redactor: Redactor, ids: any LogIDSource) {
        self.ledgerID = ledgerID
        self.keystore = keystore
        self.ids = ids
        shared = SharedRedactor(redactor)
    }

    /// What masks at this moment.
    var redactor: Redactor { own ?? shared.current }

    /// Masks what this one does too, from the next event on.
    func mask(_ redactor: Redactor) { shared.add(redactor) }

    /// One that also masks what a delivery's members of these names hold.
    func masking(valuesOf names: [String], in body: [UInt8]) -> EventScribe {
        var scribe = self
        scribe.own = redactor.adding(valuesOf: names, in: body)
        return scribe
    }

    /// The draft of one event.
    ///
    /// `subject` names whose data key seals it, one session for each; unless it is given, the
    /// event's own ids say.
    func draft(
        _ event: __shared CheckoutEvent, in scope: AccountScope, subject: String? = nil,
        dedupe: DedupeHash? = nil,
        cause: EventDraft.Cause = .none, flags: Fact.Flags = []
    ) throws(LedgerError) -> EventDraft {
        try Self.check(event)
        guard !redactor.isClean(event) else {
            return try draft(clean: event, [], in: scope, subject, dedupe, cause, flags)
        }
        return try draft(
            redactor.redacted(event), in: scope, subject: subject, dedupe: dedupe, cause: cause,
            flags: flags)
    }

    /// The draft of an event that has passed the redactor before, with what was taken out of it.
    func draft(
        _ redacted: RedactedEvent, in scope: AccountScope, subject: String? = nil,
        dedupe: DedupeHash? = nil, cause: EventDraft.Cause = .none, flags: Fact.Flags = []
    ) throws(LedgerError) -> EventDraft {
        try Self.check(redacted.event)
        counters.add(redacted.notes, from: redacted.event.source)
        return try draft(
            clean: redacted.event, redacted.notes, in: scope, subject, dedupe, cause, flags)
    }

    /// The draft of an event in which the redactor found nothing.
    func draft(
        clean event: __shared CheckoutEvent, in scope: AccountScope, dedupe: DedupeHash?
    ) throws(LedgerError) -> EventDraft {
        try Self.check(event)
        return try draft(clean: event, [], in: scope, nil, dedupe, .none, [])
    }

    private func draft(
        clean: __shared CheckoutEvent, _ notes: [RedactionNote], in scope: AccountScope,
        _ subject: String?, _ dedupe: DedupeHash?, _ cause: EventDraft.Cause, _ flags: Fact.Flags
    ) throws(LedgerError) -> EventDraft {
        let eventID = EventID(value: ids.next())
        let (payload, lost) = try payload(
            clean, notes, eventID: eventID, in: scope, subject)
        var fact = Fact(clean, selfReference: EventReference(eventID))
        fact.flags.formUnion(flags)
        if !lost.isEmpty {
            fact.flags.insert(.discarded)
            if lost == clean.privateFields.classes { fact.flags.remove(.sealed) }
        }
        fact.accountMode = scope.mode
        if !notes.isEmpty { fact.flags.insert(.redacted) }
        return EventDraft(
            type: clean.type.rawValue, eventID: eventID,
            occurredAt: clean.occurredAt?.microseconds, dedupe: dedupe, cause: cause,
            flags: clean.ids.session != nil ? .namesSession : [], domain: DomainArea(fact),
            payload: payload)
    }

    /// The draft of an event that states something about private fields, and has none.
    func draft(
        _ event: CheckoutEvent, stating record: PrivacyRecord, in scope: AccountScope,
        dedupe: DedupeHash?
    ) throws(LedgerError) -> EventDraft {
        try draft(redacted(event), in: scope, dedupe: dedupe) {
            $0.privacy = redactor.cleaned(record)
        }
    }

    /// The draft of an administrative event, which states what was covered.
    func draft(
        _ redacted: RedactedEvent, in scope: AccountScope, stating note: AuditNote
    ) throws(LedgerError) -> EventDraft {
        try draft(redacted, in: scope, dedupe: nil) { $0.audit = note }
    }

    /// The draft of an event without private fields, to whose payload something is added.
    private func draft(
        _ redacted: RedactedEvent, in scope: AccountScope, dedupe: DedupeHash?,
        adding add: (inout EventPayload) -> Void
    ) throws(LedgerError) -> EventDraft {
        let event = redacted.event
        try Self.check(event)
        counters.add(redacted.notes, from: event.source)
        let eventID = EventID(value: ids.next())
        var payload = EventPayload(event)
        payload.redactions = redacted.notes
        add(&payload)
        var fact = Fact(event, selfReference: EventReference(eventID))
        fact.accountMode = scope.mode
        if !redacted.notes.isEmpty { fact.flags.insert(.redacted) }
        return EventDraft(
            type: event.type.rawValue, eventID: eventID,
            occurredAt: event.occurredAt?.microseconds, dedupe: dedupe, cause: .none,
            flags: event.ids.session != nil ? .namesSession : [], domain: DomainArea(fact),
            payload: payload.encoded())
    }

    /// The event as it may be stored; without a copy's cost where nothing is taken out.
    func redacted(
        _ event: CheckoutEvent, isBodyClean: Bool = false
    ) throws(LedgerError) -> RedactedEvent {
        redactor.isClean(event, isBodyClean: isBodyClean)
            ? RedactedEvent(event: event, notes: [])
            : try redactor.redacted(event, isBodyClean: isBodyClean)
    }

    /// A delivery's event, whose body was cleaned before, as it may be stored.
    ///
    /// Nothing that came by HTTP is turned away: what did not verify is kept too, and its sender
    /// would only send it again.
    func redactedDelivery(
        _ event: CheckoutEvent, notes: [RedactionNote]
    ) throws(LedgerError) -> RedactedEvent {
        var redacted = try redacted(event, isBodyClean: true)
        redacted.notes = notes + redacted.notes
        return redacted
    }

    /// A delivery and the further records that its body needs, in order.
    ///
    /// The body has passed the redactor as a whole: cut into pieces, a card number would be two
    /// harmless ones.
    func deliveryDrafts(
        _ redacted: RedactedEvent, body: [UInt8], digest: [UInt8], in scope: AccountScope,
        subject: String, dedupe: DedupeHash?, flags: Fact.Flags
    ) throws(LedgerError) -> [EventDraft] {
        let event = redacted.event
        let pieces = max(
            1, (body.count + Limits.bodyBytesPerRecord - 1) / Limits.bodyBytesPerRecord)
        func piece(_ index: Int) -> [UInt8] {
            let start = index * Limits.bodyBytesPerRecord
            return Array(body[start..<min(body.count, start + Limits.bodyBytesPerRecord)])
        }
        var first = redacted
        first.event.privateFields.body = piece(0)
        first.event.privateFields.bodyDigest = digest
        if pieces > 1 { first.event.part = .init(index: 0, count: UInt32(pieces)) }
        var drafts = [
            try draft(first, in: scope, subject: subject, dedupe: dedupe, flags: flags)
        ]
        for index in 1..<max(1, pieces) {
            var next = CheckoutEvent(
                .deliveryPart, source: event.source, evidence: event.evidence,
                provider: event.provider, account: event.account, mode: event.mode,
                deliveryID: event.deliveryID)
            next.part = .init(index: UInt32(index), count: UInt32(pieces))
            next.privateFields.body = piece(index)
            drafts.append(
                try draft(
                    RedactedEvent(event: next, notes: []), in: scope, subject: subject,
                    cause: .member(0)))
        }
        return drafts
    }

    /// What the record keeps beside its fixed part, with what is private sealed; and the classes
    /// of it that are not kept, since their subject was erased before.
    private func payload(
        _ event: __shared CheckoutEvent, _ notes: [RedactionNote], eventID: EventID,
        in scope: AccountScope, _ subject: String?
    ) throws(LedgerError) -> (bytes: [UInt8], lost: PrivateClasses) {
        let classes = event.privateFields.classes
        guard !classes.isEmpty else {
            let bytes = EventPayload.encoded(
                event, sealed: [], keyCommitments: [], bodyTag: [], redactions: notes)
            return (bytes, [])
        }
        let subject = subject ?? scope.subject(of: event)
        let place = SealedBlob.Place(ledgerID: ledgerID, eventID: eventID, type: event.type)
        var parts = SealedParts()
        if classes.contains(.contact) {
            let use = try keystore.use(.contact, of: subject)
            // Most events have nothing else, and need no list made of them.
            if classes == .contact, case .key(let key) = use.use {
                return (sealed(event, notes, with: key, isFirst: use.isFirst, at: place), [])
            }
            parts.add(event.privateFields, .contact, use, at: place)
        }
        if classes.contains(.commercial) {
            let use = try keystore.use(.commercial, of: subject)
            parts.add(event.privateFields, .commercial, use, at: place)
        }
        if let mark = parts.mark {
            // Whatever else the checkout goes by from now on is erased with it.
            try keystore.markErased(
                scope.subjects(event.ids, event.evidence), mark, isLater: true)
        }
        let bytes = EventPayload.encoded(
            event, sealed: parts.blobs, keyCommitments: parts.isFirst ? parts.commitments : [],
            bodyTag: parts.bodyTag, discarded: parts.discarded, redactions: notes)
        return (bytes, parts.discarded?.classes ?? [])
    }

    /// The payload of an event whose private fields are all of the class contact.
    private func sealed(
        _ event: __shared CheckoutEvent, _ notes: [RedactionNote], with key: DataKey, isFirst: Bool,
        at place: SealedBlob.Place
    ) -> [UInt8] {
        let body = event.privateFields.body
        return EventPayload.encoded(
            event, sealed: [SealedBlob.seal(event.privateFields, .contact, with: key, at: place)],
            keyCommitments: isFirst ? [key.commitment] : [],
            bodyTag: body.isEmpty ? [] : key.authenticator.authenticate(body), redactions: notes)
    }

    /// Refuses what is longer than its limit before anything is sealed or queued.
    private static func check(_ event: CheckoutEvent) throws(LedgerError) {
        func limit(_ text: String?, _ name: String, _ bytes: Int) throws(LedgerError) {
            guard let text, text.utf8.count > bytes else { return }
            throw LedgerError(
                .tooLong, "The \(name) has \(text.utf8.count) bytes, at most \(bytes) are kept.",
                hint: "Shorten it; nothing was recorded.")
        }
        let ids = event.ids
        try limit(ids.session, "session id", Limits.idBytes)
        try limit(ids.payment, "payment id", Limits.idBytes)
        try limit(ids.refund, "refund id", Limits.idBytes)
        try limit(ids.dispute, "dispute id", Limits.idBytes)
        try limit(ids.subscription, "subscription id", Limits.idBytes)
        try limit(ids.order, "order id", Limits.idBytes)
        try limit(ids.customer, "customer id", Limits.idBytes)
        try limit(event.deliveryID, "delivery id", Limits.idBytes)
        try limit(event.account, "account", Limits.accountBytes)
        try limit(event.reason, "reason", Limits.reasonBytes)
        try limit(event.actor, "actor", Limits.idBytes)
        try limit(event.rawType, "type name", Limits.idBytes)
        try limit(event.privateFields.returnURL, "return URL", Limits.returnURLBytes)
        guard !event.provider.rawValue.isEmpty, !event.provider.rawValue.utf8.contains(0),
            !event.account.utf8.contains(0)
        else {
            throw LedgerError(
                .missing, "An event names its provider.", hint: "Give the provider's short name.")
        }
    }
}

/// The private fields of one event, class by class, as they go into its payload.
private struct SealedParts {
    var blobs: [[UInt8]] = []
    /// One for each blob.
    var commitments: [[UInt8]] = []
    /// True when this event is the first under one of its keys.
    var isFirst = false
    var bodyTag: [UInt8] = []
    /// What is not kept, and why.
    private(set) var discarded: DiscardedFields?
    private(set) var mark: ErasureMark?

    mutating func add(
        _ fields: PrivateFields, _ dataClass: PrivateClass,
        _ use: (use: KeyUse, isFirst: Bool), at place: SealedBlob.Place
    ) {
        switch use.use {
        case .erased(let mark):
            let classes = discarded?.classes ?? []
            self.mark = mark
            discarded = DiscardedFields(
                classes: classes.union(PrivateClasses(dataClass)), requestID: mark.requestID,
                erasedAt: mark.erasedAt)
        case .key(let key):
            blobs.append(
                SealedBlob.seal(fields.only(dataClass), dataClass, with: key, at: place))
            commitments.append(key.commitment)
            isFirst = isFirst || use.isFirst
            if dataClass == .contact, !fields.body.isEmpty {
                bodyTag = key.authenticator.authenticate(fields.body)
            }
        }
    }
}

extension EventReference {
    /// Names an event inside its session by its random id.
    init(_ id: EventID) {
        self.init(
            high: UInt64(truncatingIfNeeded: id.value >> 64),
            low: UInt64(truncatingIfNeeded: id.value))
    }
}

extension DedupeHash {
    /// Names what must count once: a label for the kind, then its bytes.
    init?(_ label: String, _ bytes: [UInt8]) {
        let hash = SHA256.hash(Array(label.utf8) + [0] + bytes)
        self.init(bytes: hash.bytes.prefix(16))
    }
}
