public import CheckoutModel

/// What became of an event's sealed fields.
public enum PrivateFieldsAnswer: Sendable, Hashable {
    /// There are none.
    case none
    /// Here they are.
    case fields(PrivateFields)
    /// The key is not here: it was destroyed, or is kept elsewhere.
    case keyMissing
    /// The key is here, and the bytes are not what was sealed.
    case tampered
}

extension Ledger {
    /// Opens an event's private fields.
    ///
    /// Three ways of not getting them are told apart: there are none, the key is missing, the bytes
    /// were tampered with. Throws `ROOT_KEY_MISSING`.
    public func privateFields(of event: RecordedEvent) throws(LedgerError) -> PrivateFieldsAnswer {
        guard let blob = event.payload.sealed.first else { return .none }
        guard let id = SealedBlob.keyID(of: blob) else { return .tampered }
        guard let key = try keystore.key(id: id) else { return .keyMissing }
        let place = SealedBlob.Place(
            ledgerID: scribe.ledgerID, eventID: event.id, type: event.event.type)
        switch SealedBlob.open(blob, with: key, at: place) {
        case .fields(let fields): return .fields(fields)
        case .keyMissing: return .keyMissing
        case .tampered: return .tampered
        }
    }

    /// The body of a delivery, byte for byte as it arrived, put together from its pieces.
    public func body(of delivery: RecordedEvent) throws(LedgerError) -> [UInt8]? {
        guard case .fields(let first) = try privateFields(of: delivery) else { return nil }
        guard let part = delivery.event.part else { return first.body }
        var body = first.body
        // The pieces were written by the same transaction, right behind the first.
        for index in 1..<max(1, UInt64(part.count)) {
            let piece = try event(at: delivery.position + index)
            guard piece.event.type == .deliveryPart, piece.cause == delivery.position,
                case .fields(let fields) = try privateFields(of: piece)
            else { return nil }
            body += fields.body
        }
        return body
    }
}
