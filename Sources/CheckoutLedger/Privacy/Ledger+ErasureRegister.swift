public import CheckoutModel
import Cryptography
import EventLog

extension Ledger {
    /// Every request for erasure with its receipts, the oldest first.
    public func erasures() throws(LedgerError) -> [ErasureEntry] {
        var register = ErasureRegister()
        var query = AuditQuery()
        query.types = [.eraseRequested, .eraseRefused, .subjectErased, .keysRotated]
        try forEachEvent(matching: query) { event in
            register.take(event)
            return .more
        }
        return register.entries
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
    public var rootKeyStanding: (source: String, promise: String, generation: UInt64) {
        (keystore.ring.kind, keystore.ring.promise, keystore.rows.generation)
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
        return try rotateUnderLock(record, reason: reason, actor: actor, at: now)
    }

    private func rotateUnderLock(
        _ record: PrivacyRecord, reason: String?, actor: String?, at now: Instant
    ) throws(LedgerError) -> RecordedEvent {
        try keystore.begin(record.requestID)
        keystore.reached(.begun)
        var event = CheckoutEvent(
            .eraseRequested, source: .operator, evidence: .operator, occurredAt: now,
            provider: "ledger", reason: reason, actor: actor)
        event.deliveryID = "rotate-\(Hex.encode(record.requestID))"
        let request = try append((event, .unknown), stating: record)
        keystore.reached(.requested)
        return try carryOutRotation(request)
    }

    func carryOutRotation(_ request: RecordedEvent) throws(LedgerError) -> RecordedEvent {
        var receipt = request.payload.privacy ?? PrivacyRecord()
        let requestID = receipt.requestID
        receipt.take(try keystore.rewrite(nil))
        receipt.rootSource = keystore.ring.kind
        receipt.generation = keystore.rows.generation
        receipt.retiredRoots = try rootsNoLongerGiven()
        receipt.tool = tool
        try appendReceipts(receipt, for: request)
        keystore.reached(.receipted)
        try keystore.end([KeystoreLayout.request(requestID)])
        _ = try? seal()
        var query = AuditQuery()
        query.types = [.keysRotated]
        query.positions = request.position..<UInt64.max
        var written = request
        try forEachEvent(matching: query) { event in
            if event.payload.privacy?.requestID == requestID { written = event }
            return .more
        }
        return written
    }

    /// Destroys again what was destroyed and is here all the same, as far as the log can tell; how
    /// many keys.
    ///
    /// An old copy of the keystore was put back, or a process died after it had sealed something of
    /// a subject while that was erased. Every wrapping key is replaced then. Walks every erased
    /// subject's events. Blocks its caller.
    public func sweepReturnedKeys(at now: Instant) throws(LedgerError) -> Int {
        let lock = try keystoreLock(waits: true)
        defer { lock?.end() }
        try resumeUnderLock()
        var destroyed = 0
        for entry in try erasures() where !entry.isRefused {
            let scope = try scope(of: entry.request, entry.asked)
            var keys: Set<UsedKey> = []
            // A sweep's sessions may have had news since, which is kept.
            if entry.asked.target != ErasureTarget.retentionWord {
                keys.formUnion(try livingKeys(entry.asked, scope))
            }
            for receipt in entry.receipts {
                for key in receipt.payload.privacy?.keys ?? [] where try keystore.holds(key.id) {
                    keys.insert(UsedKey(id: key.id, dataClass: key.dataClass))
                }
            }
            guard !keys.isEmpty else { continue }
            let mark = ErasureMark(entry.asked, askedIn: entry.request)
            try keystore.markErased(scope.subjects, mark)
            try keystore.destroy(Array(keys), mark)
            // One that no receipt names gets into one.
            _ = try carryOut(entry.request)
            destroyed += keys.count
        }
        guard destroyed > 0 else { return 0 }
        // The copy that was put back has the keys still, and this keystore's file too.
        var record = PrivacyRecord()
        record.requestID = SecureRandom.bytes(16)
        record.target = PrivacyRecord.rotation
        _ = try rotateUnderLock(record, reason: "keys came back", actor: nil, at: now)
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
