import CheckoutModel
import Cryptography
import EventLog

/// Requests for erasure and what became of them, as events about them come in the order of the
/// log.
struct ErasureRegister {
    private(set) var entries: [ErasureEntry] = []
    private var places: [[UInt8]: Int] = [:]
    /// Root keys that wrapped keys at some time and may still be had, by fingerprint.
    private(set) var livingRoots: Set<String> = []
    /// For each entry those that open what it destroyed, in a copy of the keystore.
    private var exposures: [Set<String>] = []

    mutating func take(_ event: RecordedEvent) {
        guard let record = event.payload.privacy else { return }
        // What is destroyed is in copies from before, which the new root key never wrapped.
        if !record.oldRoot.isEmpty { livingRoots.insert(record.oldRoot) }
        if record.target == PrivacyRecord.rotation {
            takeRotation(record)
        } else if event.event.type == .subjectErased {
            takeReceipt(event, record)
        } else {
            places[record.requestID] = entries.count
            exposures.append([])
            entries.append(
                ErasureEntry(
                    name: Hex.encode(record.requestID), request: event, asked: record))
        }
        if !record.newRoot.isEmpty { livingRoots.insert(record.newRoot) }
        retire(record)
    }

    private mutating func takeReceipt(_ event: RecordedEvent, _ record: PrivacyRecord) {
        guard let index = places[record.requestID] else { return }
        // One that names more keys takes the place of those before it.
        if entries[index].receipt?.keyCount != record.keyCount { entries[index].receipts = [] }
        entries[index].receipts.append(event)
        entries[index].level = record.level
        exposures[index] = livingRoots
    }

    /// New keys finish what earlier requests began, whoever waited for them.
    private mutating func takeRotation(_ record: PrivacyRecord) {
        guard record.level != nil else { return }
        for index in entries.indices where entries[index].level == .keyRemoved {
            entries[index].level = .keystoreRewritten
            exposures[index] = livingRoots
        }
    }

    /// Once the last root key is gone that opened a copy from before, no copy opens any more.
    private mutating func retire(_ record: PrivacyRecord) {
        var gone = Set(record.retiredRoots)
        if record.level == .rootReplaced, record.oldRoot != record.newRoot {
            gone.insert(record.oldRoot)
        }
        guard !gone.isEmpty else { return }
        livingRoots.subtract(gone)
        for index in entries.indices where entries[index].level == .keystoreRewritten {
            exposures[index].subtract(gone)
            if exposures[index].isEmpty { entries[index].level = .rootReplaced }
        }
    }
}

extension Ledger {
    /// Fingerprints of root keys that once wrapped keys here and that their source gives no more:
    /// their owner removed them.
    ///
    /// None for a source in which this program replaces the key itself.
    func rootsNoLongerGiven() throws(LedgerError) -> [String] {
        guard !keystore.ring.canReplace else { return [] }
        var register = ErasureRegister()
        var query = AuditQuery()
        query.types = [.subjectErased, .keysRotated]
        try forEachEvent(matching: query) { event in
            register.take(event)
            return .more
        }
        let given = Set(try keystore.ring.reload().map(\.fingerprint))
        return register.livingRoots.subtracting(given).sorted()
    }
}
