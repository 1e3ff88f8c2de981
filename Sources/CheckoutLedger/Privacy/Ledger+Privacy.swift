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
    /// The bytes are not what was sealed, or what wraps their key was changed, or the key is not
    /// the one that the log commits to.
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
        case .tampered: "tampered with: they are not what was sealed, or their key was changed"
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
    /// Throws `ROOT_KEY_MISSING` and `MALFORMED_KEY` when the root key is away or another one.
    public func privateParts(of event: RecordedEvent) throws(LedgerError) -> [PrivatePart] {
        let place = SealedBlob.Place(
            ledgerID: scribe.ledgerID, eventID: event.id, type: event.event.type)
        return try privateParts(event.payload, at: place)
    }

    func privateParts(
        _ payload: EventPayload, at place: SealedBlob.Place
    ) throws(LedgerError) -> [PrivatePart] {
        var parts: [PrivatePart] = []
        let commitments = payload.keyCommitments
        for (index, blob) in payload.sealed.enumerated() {
            guard let used = SealedBlob.key(of: blob) else {
                parts.append(PrivatePart(dataClass: .contact, answer: .tampered))
                continue
            }
            parts.append(
                PrivatePart(
                    dataClass: used.dataClass,
                    answer: try open(
                        blob, used, index < commitments.count ? commitments[index] : nil,
                        at: place)))
        }
        for dataClass in payload.discarded?.classes.list ?? [] {
            guard let discarded = payload.discarded else { break }
            parts.append(PrivatePart(dataClass: dataClass, answer: .erased(.init(discarded))))
        }
        return parts
    }

    /// `commitment` is what the log says of the key, where this event says it: AES-GCM alone would
    /// let a key be put in the keystore that opens another text.
    private func open(
        _ blob: [UInt8], _ used: UsedKey, _ commitment: [UInt8]?, at place: SealedBlob.Place
    ) throws(LedgerError) -> PrivateFieldsAnswer {
        switch try keystore.key(id: used.id) {
        case .missing: return .keyMissing
        case .erased(let mark): return .erased(.init(mark))
        case .damaged: return .tampered
        case .key(let key):
            if let commitment, !commitment.isEmpty, commitment != key.commitment {
                return .tampered
            }
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
        guard case .bytes(let bytes) = try deliveryBody(of: delivery) else { return nil }
        return bytes
    }

    /// The same, with what became of the piece that cannot be opened.
    public func deliveryBody(of delivery: RecordedEvent) throws(LedgerError) -> DeliveryBody {
        var body: [UInt8] = []
        // The pieces were written by the same transaction, right behind the first.
        for index in 0..<max(1, UInt64(delivery.event.part?.count ?? 1)) {
            let piece = index == 0 ? delivery : try event(at: delivery.position + index)
            let isPiece = piece.event.type == .deliveryPart && piece.cause == delivery.position
            guard index == 0 || isPiece else { return .lost(.tampered) }
            let part = try privateParts(of: piece).first { $0.dataClass == .contact }
            guard case .fields(let fields)? = part?.answer else {
                return .lost(part?.answer ?? .none)
            }
            body += fields.body
        }
        return .bytes(body)
    }
}

/// A delivery's body, or why it is not to be had.
public enum DeliveryBody: Sendable, Hashable {
    /// As it arrived, but for spans that may not stay.
    case bytes([UInt8])
    /// What became of the piece that cannot be opened.
    case lost(PrivateFieldsAnswer)
}
