import CheckoutModel
import EventLog

extension Ledger {
    /// The sessions in which an address of a customer was heard, and is still under a key.
    ///
    /// The index stands in the keystore as keyed hashes, goes with the keys, and is brought up to
    /// date by this call alone, so that recording pays nothing for it: the first one opens every
    /// sealed address of the ledger. Blocks its caller. Throws `ROOT_KEY_MISSING`, `READ_ONLY`.
    public func sessions(withAddress address: String) throws(LedgerError) -> [Session] {
        try indexAddresses()
        let streams = try keystore.streams(of: address)
        return try read { (snapshot) throws(LedgerError) in
            var found: [Session] = []
            for stream in streams where !found.contains(where: { $0.streams.contains(stream) }) {
                if let session = try snapshot.session(
                    at: stream, before: snapshot.end, scope: nil)
                {
                    found.append(session)
                }
            }
            return found
        }
    }

    private func indexAddresses() throws(LedgerError) {
        let end = try endPosition()
        var next = try keystore.indexedPosition()
        while next < end {
            let page = next..<min(end, next + Limits.eventsPerAddressPage)
            var query = AuditQuery()
            query.positions = page
            var events: [RecordedEvent] = []
            try forEachEvent(matching: query) { event in
                if event.hasSealedFields { events.append(event) }
                return .more
            }
            var found: [(address: String, keyID: [UInt8], stream: UInt64)] = []
            for event in events {
                for (index, part) in try privateParts(of: event).enumerated() {
                    guard case .fields(let fields) = part.answer,
                        let address = fields.customerEmail,
                        let key = SealedBlob.key(of: event.payload.sealed[index])
                    else { continue }
                    found.append((address, key.id, event.stream))
                }
            }
            try keystore.index(found, upTo: page.upperBound)
            next = page.upperBound
        }
    }
}
