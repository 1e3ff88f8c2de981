/// Who a ledger is: written once, when it is made.
public struct LedgerIdentity: Sendable, Hashable {
    /// 16 random bytes.
    public let id: EventID
    /// When the ledger was made, µs since 1970.
    public let createdAt: Int64
    /// Counts the restorations after which it was continued; 0 for a new one.
    public let epoch: UInt32

    /// For restorations, which keep the identity of what they restore.
    public init(id: EventID, createdAt: Int64, epoch: UInt32) {
        self.id = id
        self.createdAt = createdAt
        self.epoch = epoch
    }
}

extension LogReading {
    /// Refuses what is not a ledger of this format; false when the storage is empty.
    func isLedger() throws(LogError) -> Bool {
        let mark = MetaKey.formatMark
        let version = try value(.meta, MetaKey.format) { (row) throws(LogError) in
            let isOurs =
                row.byteCount == mark.count + 1
                && row.extracting(first: mark.count).equals(mark)
            return isOurs ? row.field(mark.count, as: UInt8.self) : 0
        }
        guard let version else {
            let isEmpty = try lastKey(.log) == nil
            guard isEmpty else { throw .notALedger }
            return false
        }
        guard version > 0 else { throw .notALedger }
        guard version <= StorageLayout.formatVersion else {
            throw LogError(
                .formatTooNew,
                "The ledger has format \(version); this program reads up to "
                    + "\(StorageLayout.formatVersion).",
                hint: "Use a newer version of the program; nothing was changed.")
        }
        return true
    }

    func ledgerIdentity() throws(LogError) -> LedgerIdentity {
        let identity = try value(.meta, MetaKey.ledger) { (row) throws(LogError) in
            guard row.byteCount == MetaKey.ledgerByteCount else {
                throw .damagedRow("The ledger's identity")
            }
            return LedgerIdentity(
                id: EventID(value: row.field(0)), createdAt: row.field(16), epoch: row.field(24))
        }
        guard let identity else { throw .damagedRow("The ledger's identity") }
        return identity
    }
}

extension LogWriting {
    /// Makes the storage a new ledger.
    func makeLedger(_ identity: LedgerIdentity, foldVersion: UInt32) throws(LogError) {
        let format = MetaKey.formatMark + [StorageLayout.formatVersion]
        try put(.meta, MetaKey.format, format)
        try put(identity)
        try put(Watermark(set: .a, foldVersion: foldVersion, position: 0))
    }

    /// Writes who the ledger is, or its new epoch.
    func put(_ identity: LedgerIdentity) throws(LogError) {
        var row: [UInt8] = []
        row.add(identity.id.value)
        row.add(identity.createdAt)
        row.add(identity.epoch)
        try put(.meta, MetaKey.ledger, row)
    }
}

extension LogError {
    static let notALedger = LogError(
        .notALedger, "The storage holds something that is not a ledger.",
        hint: "Check the path; nothing was changed.")
}
