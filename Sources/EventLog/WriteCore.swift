public import Cryptography

/// Everything that happens inside write transactions, on the writer's thread only.
///
/// What it remembers between transactions is a cache of the storage: after any failure it is
/// dropped and read again.
@usableFromInline
final class WriteCore<Schema: LogSchema, Store: LogStore> {
    @usableFromInline let store: Store
    @usableFromInline let clock: any LogClock
    @usableFromInline let ids: any LogIDSource
    /// How the log is sealed; nil while it is not.
    var sealer: SealKeeper?
    /// Why the last seal failed, for whoever asks from other threads.
    let sealTrouble = SealTrouble()
    /// Set after an unknown outcome or a broken invariant; nothing is written any more.
    @usableFromInline var stopped: LogError?
    /// For tests that kill the process at a named point.
    @usableFromInline let reached: (@Sendable (WritePoint) -> Void)?

    /// False when head and tail must be read anew.
    @usableFromInline var isKnown = false
    @usableFromInline var head = LogHead<Schema>()
    @usableFromInline var tail = Tail<Schema>(at: 0)
    @usableFromInline var dedupes = DedupeIndex()
    /// Routing keys that were used lately, and the streams they lead to.
    @usableFromInline var routes = RecentIdentities(count: Limits.recentKeys)
    /// Shared keys that are known to have a row for a stream.
    @usableFromInline var shares = RecentIdentities(count: Limits.recentKeys)
    /// Identities that have no rows yet.
    @usableFromInline var fresh = FreshIdentities()
    @usableFromInline var sha = SHA256()
    /// Memory that is used again: of the record being written, and of the batch being planned.
    @usableFromInline var scratch: [UInt8] = []
    @usableFromInline var spare = AppendPlan()

    init(
        store: Store, clock: any LogClock, ids: any LogIDSource,
        reached: (@Sendable (WritePoint) -> Void)?
    ) {
        self.store = store
        self.clock = clock
        self.ids = ids
        self.reached = reached
    }

    /// True while rows of projections lag behind the log.
    var needsCheckpoint: Bool { !tail.dirty.isEmpty }

    /// How many records the rows lag behind.
    @usableFromInline var uncheckpointed: UInt64 = 0

    /// How long the last transaction took from its last write until it was durable.
    @usableFromInline var commitDuration = Duration.zero

    /// Appends several callers' batches in one transaction; each fails alone where it is refused.
    @inlinable
    func commit(_ batches: [[AppendRequest]]) -> [Result<[AppendResult], LogError>] {
        if let stopped { return batches.map { _ in .failure(.stopped(by: stopped)) } }
        var results: [Result<[AppendResult], LogError>] = []
        do throws(LogError) {
            try transact { (writer) throws(LogError) in
                results = try appendAll(batches, writer)
            }
            return results
        } catch {
            if error.code == .storageFull && batches.count > 1 {
                // One caller's large batch must not fail the small ones beside it.
                return batches.flatMap { commit([$0]) }
            }
            return batches.indices.map { index in
                if index < results.count, case .failure(let refusal) = results[index] {
                    return .failure(refusal)
                }
                return .failure(error)
            }
        }
    }

    /// Runs a write transaction; drops what is remembered when it fails.
    @inlinable
    func transact<R>(_ body: (Store.Writer) throws(LogError) -> R) throws(LogError) -> R {
        if let stopped { throw .stopped(by: stopped) }
        var runs = 0
        var written = ContinuousClock.now
        do throws(LogError) {
            let result = try store.write { (writer) throws(LogError) in
                // A second run begins where the storage is, not where the first one got to.
                if runs > 0 { forget() }
                runs += 1
                reached?(.began)
                let result = try body(writer)
                reached?(.written)
                written = .now
                return result
            }
            commitDuration = ContinuousClock.now - written
            reached?(.committed)
            return result
        } catch {
            forget()
            if error.code == .outcomeUnknown || error.code == .invariantBroken { stopped = error }
            throw error
        }
    }

    @usableFromInline
    func forget() {
        isKnown = false
        dedupes = DedupeIndex()
        routes = RecentIdentities(count: Limits.recentKeys)
        shares = RecentIdentities(count: Limits.recentKeys)
        fresh = FreshIdentities()
    }

    /// Takes in what other processes committed; gives the live rows' watermark.
    @usableFromInline
    @discardableResult
    func refresh(_ writer: Store.Writer) throws(LogError) -> Watermark {
        let end = try writer.end()
        if !isKnown {
            fresh = FreshIdentities()
            try fresh.read(from: 0, writer)
        } else if head.end != end {
            try fresh.read(from: head.end, writer)
        }
        if !isKnown || head.end != end { head = try LogHead(writer) }
        let mark = try writer.watermark(of: Schema.self)
        if !isKnown {
            guard mark.position <= end else { throw .watermarkBeyondEnd }
            tail = Tail(at: mark.position)
            uncheckpointed = 0
            isKnown = true
        }
        if tail.end < end {
            uncheckpointed += end - tail.end
            try dedupes.read(tail.end..<end, writer)
            try tail.catchUp(to: end, writer, over: mark)
        }
        return mark
    }

    @inlinable
    func appendAll(
        _ batches: [[AppendRequest]], _ writer: Store.Writer
    ) throws(LogError) -> [Result<[AppendResult], LogError>] {
        dedupes.trim()
        let mark = try refresh(writer)
        let first = head.end
        var results: [Result<[AppendResult], LogError>] = []
        results.reserveCapacity(batches.count)
        var plan = spare
        spare = AppendPlan()
        defer { spare = plan }
        for batch in batches {
            do throws(LogError) {
                plan.restart(end: head.end, streams: head.streams)
                let result = try place(batch, in: &plan, writer, mark.set)
                try write(plan, writer, mark.set)
                results.append(.success(result))
            } catch  where error.code == .invalidRequest || error.code == .revisionConflict {
                results.append(.failure(error))
            }
        }
        if head.end != first { try writeEnd(writer) }
        return results
    }

    /// Writes the rows of projections in a transaction of their own.
    func checkpoint() throws(LogError) {
        try transact { (writer) throws(LogError) in
            var mark = try refresh(writer)
            guard mark.position < tail.end else { return }
            if !fresh.isMoving, fresh.count >= FreshIdentities.bound(streams: head.streams) {
                try fresh.beginMoving(writer)
            }
            try tail.writeRows(writer, mark.set, outcomesFrom: mark.position)
            mark.position = tail.end
            try writer.put(mark)
            reached?(.rowsWritten)
        }
        uncheckpointed = 0
        tail.markClean()
        if tail.count > Limits.cachedStreams { tail = Tail(at: tail.end) }
    }
}

/// Points inside the writer at which a test may kill the process.
@usableFromInline
package enum WritePoint: Int, Sendable, CaseIterable {
    /// The transaction began.
    case began
    /// One record of a batch was put.
    case recordPut
    /// All records of a batch are put, its keys are not.
    case recordsPut
    /// The rows of projections are put.
    case rowsWritten
    /// Everything is put, nothing is committed.
    case written
    /// The commit returned, nobody has heard of it.
    case committed
    /// A seal is signed and put.
    case sealChosen
    /// A seal is committed and not published.
    case sealStored
}

extension LogError {
    @usableFromInline
    static func stopped(by cause: LogError) -> LogError {
        // What is no log that was sealed says so itself.
        if cause.code == .rolledBack || cause.code == .historyRewritten || cause.code == .fork {
            return cause
        }
        return LogError(
            .stopped, "The log stopped writing after: \(cause.message)",
            hint: "Close it, see to the cause, open it again and repeat the append.",
            position: cause.position)
    }
}
