public import CheckoutModel

/// What became of an event's sealed fields; the ways of not having them are never merged.
public enum PrivateFieldsAnswer: Sendable, Hashable {
    /// There are none.
    case none
    /// Here they are.
    case fields(PrivateFields)
    /// They were destroyed on purpose.
    case erased(Erased)
    /// The key is not here and was not destroyed: it is kept elsewhere, or was lost.
    case keyMissing
    /// The key is here, and the bytes are not what was sealed.
    case tampered

    /// That, when and by which request something was erased.
    public struct Erased: Sendable, Hashable {
        /// When it was asked for.
        public let at: Instant
        /// The request, 16 bytes.
        public let requestID: [UInt8]
        /// True for fields that came only after the erasure, and were never kept.
        public let cameLater: Bool

        init(_ mark: ErasureMark) {
            at = mark.erasedAt
            requestID = mark.requestID
            cameLater = false
        }

        init(_ discarded: DiscardedFields) {
            at = discarded.erasedAt
            requestID = discarded.requestID
            cameLater = true
        }
    }

    /// A word for programs: `erased`, `key_missing`, `tampered`; nil where nothing is lost.
    public var lossWord: String? {
        switch self {
        case .none, .fields: nil
        case .erased: "erased"
        case .keyMissing: "key_missing"
        case .tampered: "tampered"
        }
    }

    /// The same as a clause for a person.
    public var loss: String? {
        switch self {
        case .none, .fields: nil
        case .erased(let erased) where erased.cameLater:
            "not kept: the subject had been erased at \(erased.at.iso8601)"
        case .erased(let erased): "erased at \(erased.at.iso8601)"
        case .keyMissing: "the key is missing: it is kept elsewhere, or was lost"
        case .tampered: "tampered with: the bytes are not what was sealed"
        }
    }
}

/// The private fields of one class.
public struct PrivatePart: Sendable, Hashable {
    /// Which.
    public let dataClass: PrivateClass
    /// What became of them.
    public let answer: PrivateFieldsAnswer
}

extension Ledger {
    /// Opens an event's private fields, class by class.
    ///
    /// Throws `ROOT_KEY_MISSING` and `MALFORMED_KEY` when a key that exists cannot be opened.
    public func privateParts(of event: RecordedEvent) throws(LedgerError) -> [PrivatePart] {
        var parts: [PrivatePart] = []
        for blob in event.payload.sealed {
            guard let used = SealedBlob.key(of: blob) else {
                parts.append(PrivatePart(dataClass: .contact, answer: .tampered))
                continue
            }
            parts.append(
                PrivatePart(
                    dataClass: used.dataClass, answer: try open(blob, used, of: event)))
        }
        for dataClass in event.payload.discarded?.classes.list ?? [] {
            guard let discarded = event.payload.discarded else { break }
            parts.append(PrivatePart(dataClass: dataClass, answer: .erased(.init(discarded))))
        }
        return parts
    }

    private func open(
        _ blob: [UInt8], _ used: UsedKey, of event: RecordedEvent
    ) throws(LedgerError) -> PrivateFieldsAnswer {
        switch try keystore.key(id: used.id) {
        case .missing: return .keyMissing
        case .erased(let mark): return .erased(.init(mark))
        case .key(let key):
            let place = SealedBlob.Place(
                ledgerID: scribe.ledgerID, eventID: event.id, type: event.event.type)
            return SealedBlob.open(blob, with: key, at: place).map { .fields($0) } ?? .tampered
        }
    }

    /// Opens an event's private fields, all classes together.
    ///
    /// Where classes end differently the graver answer stands: tampered, then missing, then the
    /// fields that are left, then erased. Throws as `privateParts(of:)`.
    public func privateFields(of event: RecordedEvent) throws(LedgerError) -> PrivateFieldsAnswer {
        var fields: PrivateFields?
        var erased: PrivateFieldsAnswer?
        var lost: PrivateFieldsAnswer?
        for part in try privateParts(of: event) {
            switch part.answer {
            case .none: continue
            case .fields(let opened):
                fields = fields ?? PrivateFields()
                fields?.add(part.dataClass, from: opened)
            case .erased: erased = erased ?? part.answer
            case .keyMissing: lost = lost ?? part.answer
            case .tampered: return .tampered
            }
        }
        return lost ?? fields.map { .fields($0) } ?? erased ?? .none
    }

    /// The body of a delivery, byte for byte as it arrived, put together from its pieces; nil
    /// where it cannot be opened.
    public func body(of delivery: RecordedEvent) throws(LedgerError) -> [UInt8]? {
        guard let first = try contactFields(of: delivery) else { return nil }
        guard let part = delivery.event.part else { return first.body }
        var body = first.body
        // The pieces were written by the same transaction, right behind the first.
        for index in 1..<max(1, UInt64(part.count)) {
            let piece = try event(at: delivery.position + index)
            guard piece.event.type == .deliveryPart, piece.cause == delivery.position,
                let fields = try contactFields(of: piece)
            else { return nil }
            body += fields.body
        }
        return body
    }

    private func contactFields(of event: RecordedEvent) throws(LedgerError) -> PrivateFields? {
        for part in try privateParts(of: event) where part.dataClass == .contact {
            if case .fields(let fields) = part.answer { return fields }
        }
        return nil
    }
}
