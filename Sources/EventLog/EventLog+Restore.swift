extension EventLog {
    /// Makes an empty store the beginning of a restored ledger, under the old one's identity.
    ///
    /// Open it afterwards and give it the records in order with ``restore(_:)``. Throws
    /// `NOT_A_LEDGER` when the store holds anything already.
    public static func makeRestored(
        in store: Store, identity: LedgerIdentity
    ) throws(LogError) {
        try store.write { (writer) throws(LogError) in
            guard try !writer.isLedger() else { throw .notALedger }
            try writer.makeLedger(identity, foldVersion: Schema.foldVersion)
        }
    }

    /// Appends records of the ledger that is being restored, byte for byte, all or none.
    ///
    /// Each must be the next one: its position, its stream's last position and revision, and its
    /// recorded time are checked against what stands before it. What a record says of itself is
    /// otherwise taken as it is; only the root hash, compared at the end, proves it. Throws
    /// `DAMAGED` with the position.
    public func restore(_ records: [[UInt8]]) throws(LogError) {
        guard !records.isEmpty else { return }
        try onWriter { (core) throws(LogError) in try core.restore(records) }
    }
}

extension WriteCore {
    func restore(_ records: [[UInt8]]) throws(LogError) {
        try transact { (writer) throws(LogError) in
            let mark = try refresh(writer)
            dedupes = DedupeIndex()
            for record in records { try restore(record, writer, mark.set) }
            try writeEnd(writer)
        }
        if uncheckpointed >= Limits.checkpointEvents { try checkpoint() }
    }

    private func restore(
        _ record: [UInt8], _ writer: Store.Writer, _ set: RowSet
    ) throws(LogError) {
        let position = head.end
        guard record.count <= Limits.recordBytes else { throw .damagedRecord(at: position) }
        // The check wants a stored value; the checksum behind it is made by `put`.
        let padded = record + [UInt8](repeating: 0, count: StorageLayout.checksumByteCount)
        guard let view = RecordView(stored: padded.span.bytes), view.position == position,
            view.recordedAt >= head.recordedAt, view.stream <= head.streams
        else { throw .damagedRecord(at: position) }
        let isNew = view.stream == head.streams
        let end = isNew ? nil : try tail.fetch(view.stream, writer, set)
        guard view.previous == end?.last, view.revision == end?.count ?? 0,
            view.cause.map({ $0 < position }) ?? true
        else { throw .damagedRecord(at: position) }
        for identity in Schema.identities(of: view) {
            let isShared = identity.role == .finds
            // The first to name a stream keeps the name, as when it was appended.
            if !isShared, try stream(routedBy: identity.key, writer) != nil { continue }
            try write(
                AppendPlan.NewKey(key: identity.key, stream: view.stream, isShared: isShared),
                isNewStream: isNew, isChunked: true, writer)
        }
        uncheckpointed += 1
        var bytes = record
        try put(&bytes, at: position, writer, set)
    }
}
