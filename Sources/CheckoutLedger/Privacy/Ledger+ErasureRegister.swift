public import CheckoutModel
import Cryptography
import EventLog

extension Ledger {
    /// Every request for erasure with its receipts, the oldest first.
    public func erasures() throws(LedgerError) -> [ErasureEntry] {
        var entries: [ErasureEntry] = []
        var places: [[UInt8]: Int] = [:]
        var query = AuditQuery()
        query.types = [.eraseRequested, .subjectErased, .keysRotated]
        try forEachEvent(matching: query) { event in
            guard let record = event.payload.privacy else { return .more }
            if record.target == PrivacyRecord.rotation {
                // New keys finish what earlier requests began, whoever waited for them.
                for index in entries.indices where entries[index].level != nil {
                    entries[index].level = max(
                        entries[index].level ?? .keyRemoved, record.level ?? .keyRemoved)
                }
            } else if event.event.type == .eraseRequested {
                places[record.requestID] = entries.count
                entries.append(
                    ErasureEntry(
                        name: Hex.encode(record.requestID), request: event, asked: record))
            } else if let index = places[record.requestID] {
                entries[index].receipts.append(event)
                entries[index].level = record.level
            }
            return .more
        }
        return entries
    }

    /// The request of that name or beginning of a name; throws `NOT_FOUND`, `AMBIGUOUS_NAME`.
    public func erasure(named name: String) throws(LedgerError) -> ErasureEntry {
        let found = try erasures().filter { $0.name.hasPrefix(name.lowercased()) }
        guard let first = found.first else {
            throw LedgerError(
                .notFound, "There is no request '\(name)'.",
                hint: "List them with: checkout-ledger privacy status")
        }
        guard found.count == 1 else {
            throw LedgerError(
                .ambiguous, "'\(name)' begins the names of \(found.count) requests.",
                hint: "Give more letters.")
        }
        return first
    }

    func erasure(_ requestID: [UInt8]) throws(LedgerError) -> ErasureEntry? {
        try erasures().last { $0.asked.requestID == requestID }
    }

    /// The event that holds a request; nil when the log has none.
    func request(_ requestID: [UInt8]) throws(LedgerError) -> RecordedEvent? {
        var found: RecordedEvent?
        var query = AuditQuery()
        query.types = [.eraseRequested]
        try forEachEvent(matching: query) { event in
            guard event.payload.privacy?.requestID == requestID else { return .more }
            found = event
            return .stop
        }
        return found
    }

    /// The bytes of a receipt as the log's tree hashes them: what a proof of inclusion is about.
    public func receiptRecords(_ entry: ErasureEntry) throws(LedgerError) -> [[UInt8]] {
        var records: [[UInt8]] = []
        for receipt in entry.receipts {
            do {
                records.append(try log.read { try $0.record(at: receipt.position).bytes })
            } catch {
                throw LedgerError(any: error, at: receipt.position)
            }
        }
        return records
    }

    /// Where the root key comes from, and what that lets an erasure promise.
    public var rootKeyStanding: (source: String, generation: UInt64) {
        (keystore.ring.kind, keystore.rows.generation)
    }
}

// MARK: - Rotation and sweep

extension Ledger {
    /// Gives every bucket a new key and, where its source allows, the ledger a new root key;
    /// makes final what requests that removed keys only have left.
    ///
    /// Goes on while others append. Crash-safe as an erasure. Blocks its caller. Throws
    /// `ROOT_KEY_MISSING`, `MALFORMED_KEY` and what the storage says.
    @discardableResult
    public func rotateKeys(
        reason: String? = nil, actor: String? = nil, at now: Instant
    ) throws(LedgerError) -> RecordedEvent {
        let lock = try keystoreLock(waits: true)
        defer { lock?.end() }
        try resumeUnderLock()
        _ = try keystore.ring.keys()
        var record = PrivacyRecord()
        record.requestID = SecureRandom.bytes(16)
        record.target = PrivacyRecord.rotation
        try keystore.begin(record)
        keystore.reached(.begun)
        var event = CheckoutEvent(
            .eraseRequested, source: .operator, evidence: .operator, occurredAt: now,
            provider: "ledger", reason: reason, actor: actor)
        event.deliveryID = "rotate-\(Hex.encode(record.requestID))"
        let request = try append((event, .unknown), stating: record)
        keystore.reached(.requested)
        return try carryOutRotation(record, request)
    }

    func carryOutRotation(
        _ record: PrivacyRecord, _ request: RecordedEvent
    ) throws(LedgerError) -> RecordedEvent {
        var receipt = record
        receipt.take(try keystore.rewrite(nil))
        receipt.rootSource = keystore.ring.kind
        receipt.generation = keystore.rows.generation
        receipt.tool = tool
        try appendReceipts(receipt, for: request)
        keystore.reached(.receipted)
        try keystore.end(record.requestID)
        var query = AuditQuery()
        query.types = [.keysRotated]
        query.positions = request.position..<UInt64.max
        var written = request
        try forEachEvent(matching: query) { event in
            if event.payload.privacy?.requestID == record.requestID { written = event }
            return .more
        }
        return written
    }

    /// Destroys again what receipts say was destroyed and is here all the same; how many keys.
    ///
    /// An old copy of the keystore was put back. Blocks its caller.
    public func sweepReturnedKeys() throws(LedgerError) -> Int {
        let lock = try keystoreLock(waits: true)
        defer { lock?.end() }
        var destroyed = 0
        for entry in try erasures() {
            let mark = ErasureMark(
                classes: entry.asked.classes,
                erasedAt: entry.request.event.occurredAt ?? entry.request.recordedAt,
                requestID: entry.asked.requestID)
            var keys: Set<UsedKey> = []
            for receipt in entry.receipts {
                for key in receipt.payload.privacy?.keys ?? [] where try keystore.holds(key.id) {
                    keys.insert(UsedKey(id: key.id, dataClass: key.dataClass))
                }
            }
            guard !keys.isEmpty else { continue }
            if entry.asked.target != "retention" {
                try keystore.markErased(try scope(of: entry.request, entry.asked).subjects, mark)
            }
            try keystore.destroy(Array(keys), mark)
            destroyed += keys.count
        }
        return destroyed
    }
}

// MARK: - The lock

extension Ledger {
    /// Nil where nobody else can be at it, as in memory.
    ///
    /// Throws `ERASING_ELSEWHERE`.
    func keystoreLock(waits: Bool) throws(LedgerError) -> FileLock? {
        guard let rows = keystore.rows as? LMDBKeyRows else { return nil }
        guard let lock = try FileLock(rows.directory.lockPath, waits: waits) else {
            throw LedgerError(
                .erasingElsewhere, "Another process is erasing or rotating keys.",
                hint: "Wait for it and try again.")
        }
        return lock
    }
}

extension Keystore {
    /// True when a crash, or another process that is still at it, left something to do.
    var needsResumption: Bool {
        let isHalfDone = (rows as? LMDBKeyRows)?.directory.hasLeftovers ?? false
        return isHalfDone || !((try? requestsUnderWay()) ?? []).isEmpty || ring.hasTwoKeys
    }

    /// Removes files and keys that a rewriting left when it was cut off.
    ///
    /// Only for the holder of the lock.
    func removeLeftovers() throws(LedgerError) {
        guard let rows = rows as? LMDBKeyRows else { return }
        try rows.follow()
        rows.directory.removeLeftovers()
        if (try? ring.keys()) != nil { try ring.removeLeftover(opening: rows) }
    }
}
