public import CheckoutModel
import Cryptography
import EventLog

// The protocol, each step durable before the next one begins:
//
//   1  keystore   the request is under way
//   2  log        privacy.erase_requested
//   3  keystore   the subject is marked: later news of it is not kept
//   4  keystore   keys and look-up entries removed, tombstones left
//   5  keystore   written anew under new keys; old file and old root key destroyed
//   6  log        privacy.subject_erased: the receipt
//   7  keystore   the request is done
//   8  log        sealed
//
// A crash before 2 leaves nothing; after it, the next opening goes on. Doing a step twice changes
// nothing. No thread holds the write locks of log and keystore together.
//
// An event may be sealed before 3 and written after 4 has looked. Whoever wrote it then finds the
// mark, destroys the key and has the request carried out again (`Keystore.notice()`); where that
// process died in between, `sweepReturnedKeys` finds the key. The same goes for what was recorded
// under a name of which only later news says that it is the erased subject's.

extension Ledger {
    /// Destroys the keys of somebody's private fields, and writes request and receipt into the log.
    ///
    /// The log, its order, its hashes and everything derived from it stay; what comes later about
    /// the same checkout keeps its header alone. Erasing again changes nothing and says so. Blocks
    /// its caller, and others that erase or hold. Throws `NOT_FOUND`, `AMBIGUOUS_NAME`,
    /// `MISSING_VALUE`, `TOO_LONG`, `ROOT_KEY_MISSING` before anything is changed, and `LEGAL_HOLD`
    /// after an event that says so; after any other error the request is taken up again by
    /// `resumeErasures()` and at the next opening.
    @discardableResult
    public func erase(
        _ order: ErasureOrder, at now: Instant
    ) throws(LedgerError) -> ErasureReport {
        try check(order)
        let lock = try keystoreLock(waits: true)
        defer { lock?.end() }
        try resumeUnderLock()
        let scope: ErasureScope
        do throws(LedgerError) { scope = try self.scope(of: order.target) } catch {
            guard let hold = error.hold else { throw error }
            throw try refuse(order, for: hold, error, at: now)
        }
        let plan = try plan(order, scope)
        guard !plan.isDone else { return ErasureReport(plan: plan, entry: nil) }
        if order.depth == .complete, !plan.sessions.isEmpty || plan.keys > 0 {
            _ = try keystore.ring.keys()
        }
        var record = try record(of: order)
        // What is asked for stands in the request too: a resumption must not do less or more.
        record.level = order.depth == .keysOnly ? .keyRemoved : nil
        if case .retention(let cutoff) = order.target { record.olderThan = cutoff }
        if let subject = scope.subjects.first { record.subject = try keystore.name(of: subject) }
        try keystore.begin(record.requestID)
        keystore.reached(.begun)
        let request = try append(
            try event(.eraseRequested, of: order, record, at: now), stating: record)
        keystore.reached(.requested)
        let entry = try carryOut(request)
        return ErasureReport(plan: plan, entry: entry)
    }

    private func record(of order: ErasureOrder) throws(LedgerError) -> PrivacyRecord {
        var record = PrivacyRecord()
        record.requestID = SecureRandom.bytes(16)
        record.target = order.target.word
        record.classes = order.classes
        record.ground = order.ground
        record.copies = order.copies
        return record
    }

    /// Writes down that an order was refused; the error to throw.
    ///
    /// Who asks for an erasure is owed an answer, and an auditor its ground.
    private func refuse(
        _ order: ErasureOrder, for hold: UInt64, _ error: LedgerError, at now: Instant
    ) throws(LedgerError) -> LedgerError {
        var record = try record(of: order)
        record.heldPosition = hold
        let refused = try append(
            try event(.eraseRefused, of: order, record, at: now), stating: record)
        return LedgerError(
            error.code, error.message,
            hint: error.hint + " Nothing was destroyed; the refusal stands at position "
                + "\(refused.position).")
    }

    /// What an order would do; changes nothing.
    ///
    /// Throws as `erase(_:at:)`.
    public func plan(_ order: ErasureOrder) throws(LedgerError) -> ErasurePlan {
        try check(order)
        return try plan(order, try scope(of: order.target))
    }

    /// Takes up every request that has no receipt, and removes what a crash left behind; the
    /// requests that got their receipt.
    ///
    /// Happens at opening for writing, unless another process is at it. Throws as `erase(_:at:)`.
    @discardableResult
    public func resumeErasures() throws(LedgerError) -> [ErasureEntry] {
        let lock = try keystoreLock(waits: true)
        defer { lock?.end() }
        return try resumeUnderLock()
    }

    /// The same for an opening: nobody is waited for, and trouble is left to the next one.
    func resumeErasures(waits: Bool) {
        guard keystore.needsResumption else { return }
        guard let lock = try? keystoreLock(waits: waits) else { return }
        defer { lock.end() }
        _ = try? resumeUnderLock()
    }

    /// The same for the holder of the lock.
    @discardableResult
    func resumeUnderLock() throws(LedgerError) -> [ErasureEntry] {
        try keystore.removeLeftovers()
        var done: [ErasureEntry] = []
        for underWay in try keystore.requestsUnderWay() {
            guard let request = try request(underWay.requestID) else {
                // The log never heard of it, and so did nobody else.
                try keystore.end(underWay.rows)
                continue
            }
            if request.payload.privacy?.target == PrivacyRecord.rotation {
                _ = try carryOutRotation(request)
            } else {
                done.append(try carryOut(request))
            }
        }
        return done
    }

    /// Steps 3 to 8, of a request that has its receipt only what came to light since.
    func carryOut(_ request: RecordedEvent) throws(LedgerError) -> ErasureEntry {
        guard let record = request.payload.privacy, let entry = try erasure(record.requestID) else {
            preconditionFailure("only events that hold a request are carried out")
        }
        let mark = ErasureMark(record, askedIn: request)
        var rows: [[UInt8]] = []
        var receipt = record
        for _ in 0..<Limits.erasureRounds {
            let scope = try scope(of: request, record)
            // Before the keys are looked for: whoever seals later hears of it, or is found below.
            try keystore.markErased(scope.subjects, mark)
            keystore.reached(.marked)
            rows =
                try keystore.requestsUnderWay()
                .first { $0.requestID == record.requestID }?.rows ?? []
            try keystore.destroy(try livingKeys(record, scope), mark)
            keystore.reached(.removed)
            receipt = try account(of: record, scope)
            if entry.isComplete(receipt) { break }
            try destroyCopies(of: &receipt)
            // Writing a keystore anew takes its time: what was sealed before the mark may be in
            // the log only now.
            if try livingKeys(record, try self.scope(of: request, record)).isEmpty { break }
        }
        if !entry.isComplete(receipt) {
            receipt.rootSource = keystore.ring.kind
            receipt.generation = keystore.rows.generation
            receipt.retiredRoots = try rootsNoLongerGiven()
            receipt.tool = tool
            try appendReceipts(receipt, for: request)
        }
        keystore.reached(.receipted)
        try keystore.end(rows)
        // A ledger that is not sealed, or cannot be now, is erased all the same.
        _ = try? seal()
        return try erasure(record.requestID) ?? entry
    }

    /// What makes that no copy opens what was removed, as far as the order asks for it.
    private func destroyCopies(of receipt: inout PrivacyRecord) throws(LedgerError) {
        guard receipt.level != .keyRemoved else { return }
        // Where nothing was sealed there is nothing that a copy could open.
        let buckets = Set(receipt.keys.compactMap(\.id.first))
        if !buckets.isEmpty { receipt.take(try keystore.rewrite(buckets)) }
    }

    /// The keys of a target that still exist.
    func livingKeys(
        _ record: PrivacyRecord, _ scope: ErasureScope
    ) throws(LedgerError) -> [UsedKey] {
        var keys: Set<UsedKey> = []
        let keystore = keystore
        try read { (snapshot) throws(LedgerError) in
            try snapshot.forEachSealed(in: scope.streams) { (use) throws(LedgerError) in
                guard record.classes.contains(use.key.dataClass), !keys.contains(use.key),
                    try keystore.holds(use.key.id)
                else { return }
                keys.insert(use.key)
            }
        }
        return keys.sorted { $0.id.lexicographicallyPrecedes($1.id) }
    }

    /// What tombstones of this request say was destroyed, however often it was begun.
    private func account(
        of record: PrivacyRecord, _ scope: ErasureScope
    ) throws(LedgerError) -> PrivacyRecord {
        var receipt = record
        receipt.keys = []
        var keys: [UsedKey: [UInt8]] = [:]
        var others: Set<UsedKey> = []
        var positions: Set<UInt64> = []
        let keystore = keystore
        func take(_ use: SealedUse) throws(LedgerError) {
            if others.contains(use.key) { return }
            if keys[use.key] == nil {
                guard try keystore.tombstone(use.key.id)?.requestID == record.requestID else {
                    others.insert(use.key)
                    return
                }
                keys[use.key] = []
            }
            positions.insert(use.position)
            if let commitment = use.commitment { keys[use.key] = commitment }
        }
        try read { (snapshot) throws(LedgerError) in
            if record.target == ErasureTarget.retentionWord {
                // A session that has had news since then is not found by its age any more.
                try snapshot.forEachSealed { (use) throws(LedgerError) in try take(use) }
            } else {
                try snapshot.forEachSealed(in: scope.streams) { (use) throws(LedgerError) in
                    try take(use)
                }
            }
        }
        receipt.keys = keys.map { key, commitment in
            ErasedKey(id: key.id, commitment: commitment, dataClass: key.dataClass)
        }.sorted { $0.id.lexicographicallyPrecedes($1.id) }
        receipt.keyCount = UInt64(keys.count)
        receipt.eventCount = UInt64(positions.count)
        receipt.firstPosition = positions.min()
        receipt.lastPosition = positions.max()
        return receipt
    }

    private func plan(
        _ order: ErasureOrder, _ scope: ErasureScope
    ) throws(LedgerError) -> ErasurePlan {
        var plan = ErasurePlan()
        plan.sessions = scope.sessions.map(\.qualifiedName)
        plan.held = scope.held
        var keys: Set<UsedKey> = []
        var first = UInt64.max
        var last: UInt64 = 0
        let keystore = keystore
        try read { (snapshot) throws(LedgerError) in
            try snapshot.forEachSealed(in: scope.streams) { (use) throws(LedgerError) in
                guard order.classes.contains(use.key.dataClass) else { return }
                if !keys.contains(use.key) {
                    guard try keystore.holds(use.key.id) else { return }
                    keys.insert(use.key)
                }
                plan.events += 1
                first = min(first, use.position)
                last = max(last, use.position)
            }
        }
        plan.keys = keys.count
        plan.positions = keys.isEmpty ? nil : first...last
        var isMarked = true
        for subject in scope.subjects where isMarked {
            for dataClass in order.classes.list {
                if try keystore.mark(of: subject, dataClass) == nil { isMarked = false }
            }
        }
        plan.isDone = keys.isEmpty && isMarked
        return plan
    }

    private func check(_ order: ErasureOrder) throws(LedgerError) {
        guard !order.classes.isEmpty else {
            throw LedgerError(
                .missing, "No class of private fields is named.",
                hint: "Name contact, commercial, or both.")
        }
        guard order.copies.count <= Limits.pendingCopies,
            order.copies.allSatisfy({ (1...Limits.copyNameBytes).contains($0.name.utf8.count) })
        else {
            throw LedgerError(
                .tooLong,
                "At most \(Limits.pendingCopies) copies can be named, each in up to "
                    + "\(Limits.copyNameBytes) bytes.",
                hint: "Shorten the list; nothing was changed.")
        }
    }
}

extension PrivacyRecord {
    /// What `target` says of new keys without an erasure.
    static let rotation = "rotation"

    /// Takes over what writing the keystore anew did.
    mutating func take(_ rewriting: KeystoreRewriting) {
        level = rewriting.level
        oldRoot = rewriting.oldRoot
        newRoot = rewriting.newRoot
        isOverwritten = rewriting.isOverwritten
        copies += rewriting.remaining.filter { !copies.contains($0) }
    }
}
