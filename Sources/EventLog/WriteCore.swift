import Cryptography

/// Everything that happens inside write transactions, on the writer's thread only.
///
/// What it remembers between transactions is a cache of the storage: after any failure it is
/// dropped and read again.
final class WriteCore<Schema: LogSchema, Store: LogStore> {
    let store: Store
    let clock: any LogClock
    let ids: any LogIDSource
    /// Set after an unknown outcome or a broken invariant; nothing is written any more.
    private(set) var stopped: LogError?
    /// For tests that kill the process at a named point.
    let reached: (@Sendable (WritePoint) -> Void)?

    /// False when head and tail must be read anew.
    private var isKnown = false
    var head = LogHead<Schema>()
    var tail = Tail<Schema>(at: 0)
    var dedupes = DedupeIndex()
    var sha = SHA256()
    var scratch: [UInt8] = []

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
    var uncheckpointed: UInt64 = 0

    /// Appends several callers' batches in one transaction; each fails alone where it is refused.
    @_specialize(kind:partial,where Store == LMDBStore)
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
    func transact<R>(_ body: (Store.Writer) throws(LogError) -> R) throws(LogError) -> R {
        if let stopped { throw .stopped(by: stopped) }
        var runs = 0
        do throws(LogError) {
            let result = try store.write { (writer) throws(LogError) in
                // A second run begins where the storage is, not where the first one got to.
                if runs > 0 { forget() }
                runs += 1
                reached?(.began)
                let result = try body(writer)
                reached?(.written)
                return result
            }
            reached?(.committed)
            return result
        } catch {
            forget()
            if error.code == .outcomeUnknown || error.code == .invariantBroken { stopped = error }
            throw error
        }
    }

    private func forget() {
        isKnown = false
        dedupes = DedupeIndex()
    }

    /// Takes in what other processes committed; gives the live rows' watermark.
    @discardableResult
    func refresh(_ writer: Store.Writer) throws(LogError) -> Watermark {
        let end = try writer.end()
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
            try tail.catchUp(to: end, writer, mark.set)
        }
        return mark
    }

    private func appendAll(
        _ batches: [[AppendRequest]], _ writer: Store.Writer
    ) throws(LogError) -> [Result<[AppendResult], LogError>] {
        dedupes.trim()
        let mark = try refresh(writer)
        let first = head.end
        var results: [Result<[AppendResult], LogError>] = []
        for batch in batches {
            do throws(LogError) {
                let (plan, result) = try plan(batch, writer, mark.set)
                try write(plan, writer, mark.set)
                results.append(.success(result))
            } catch  where error.code == .invalidRequest || error.code == .revisionConflict {
                results.append(.failure(error))
            }
        }
        if head.end != first { try writeHead(writer) }
        return results
    }

    /// Writes the rows of projections in a transaction of their own.
    @_specialize(kind:partial,where Store == LMDBStore)
    func checkpoint() throws(LogError) {
        try transact { (writer) throws(LogError) in
            var mark = try refresh(writer)
            guard mark.position < tail.end else { return }
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
}

extension LogError {
    static func stopped(by cause: LogError) -> LogError {
        LogError(
            .stopped, "The log stopped writing after: \(cause.message)",
            hint: "Close it, see to the cause, open it again and repeat the append.",
            position: cause.position)
    }
}
