import Synchronization

/// An append-only log of events in streams, with what is folded from them.
///
/// Knows records, streams, identities and a Merkle tree; what events mean is its schema's, where
/// they lie its store's. One thread writes, many read; all calls may come from any thread or task.
/// Several processes may have one ledger open at once.
///
/// It does not sign, seal or interpret anything. Call ``close()`` when done: what was acknowledged
/// is safe without it, but the projections' rows are then folded again at the next opening.
public final class EventLog<Schema: LogSchema, Store: LogStore>: Sendable {
    /// Which ledger this is.
    public let identity: LedgerIdentity

    @usableFromInline let store: Store
    let thread = WriterThread()
    let watch = CommitWatch()
    let cache = TailCache<Schema>()
    let fresh = FreshCache()
    let clock: any LogClock
    let ids: any LogIDSource
    private let users = UserCount()
    private let core: ConfinedCore
    let trouble: SealTrouble

    /// Only writer jobs may look into it: it is confined to the writer's thread.
    private final class ConfinedCore: @unchecked Sendable {
        let core: WriteCore<Schema, Store>
        init(_ core: WriteCore<Schema, Store>) { self.core = core }
    }

    /// Opens the ledger in the store, or makes one where the store is empty.
    ///
    /// Rebuilds the projections when the schema's fold version differs from the stored one.
    /// Throws `NOT_A_LEDGER`, `FORMAT_TOO_NEW` (nothing is changed by either), `DAMAGED`,
    /// `STORAGE_FULL`, `STORAGE_FAILED`.
    @inlinable
    public convenience init(
        store: Store, schema: Schema.Type = Schema.self, clock: any LogClock = SystemLogClock(),
        ids: any LogIDSource = RandomLogIDSource()
    ) throws(LogError) {
        try self.init(store: store, clock: clock, ids: ids, reached: nil) { core, batches in
            core.commit(batches)
        }
    }

    /// How the writer commits.
    ///
    /// Written in the initialiser that users call and that is compiled where they call it: only
    /// there are schema and store known, so that all of the write path becomes code for the two.
    /// Calls through the thread's protocol would stay generic, at twice the time an event.
    @usableFromInline
    typealias Committing =
        @Sendable (
            WriteCore<Schema, Store>, [[AppendRequest]]
        ) -> [Result<[AppendResult], LogError>]

    /// The same; `reached` is called inside the writer, for tests that stop it at a point.
    package convenience init(
        store: Store, clock: any LogClock, ids: any LogIDSource,
        reached: (@Sendable (WritePoint) -> Void)?
    ) throws(LogError) {
        try self.init(store: store, clock: clock, ids: ids, reached: reached) { core, batches in
            core.commit(batches)
        }
    }

    @usableFromInline
    init(
        store: Store, clock: any LogClock, ids: any LogIDSource,
        reached: (@Sendable (WritePoint) -> Void)?, commit: @escaping Committing
    ) throws(LogError) {
        let isLedger = try store.read { (reader) throws(LogError) in try reader.isLedger() }
        if !isLedger {
            let identity = LedgerIdentity(
                id: EventID(value: ids.next()), createdAt: clock.now(), epoch: 0)
            try store.write { (writer) throws(LogError) in
                // Another process may have made it since it was looked for.
                if try writer.isLedger() { return }
                try writer.makeLedger(identity, foldVersion: Schema.foldVersion)
            }
        }
        let (identity, mark) = try store.read { (reader) throws(LogError) in
            (try reader.ledgerIdentity(), try reader.watermark())
        }
        self.identity = identity
        self.store = store
        self.clock = clock
        self.ids = ids
        let core = WriteCore<Schema, Store>(store: store, clock: clock, ids: ids, reached: reached)
        self.core = ConfinedCore(core)
        trouble = core.sealTrouble
        thread.start(LogWorker(self.core.core, commit, watch))
        if mark.foldVersion != Schema.foldVersion {
            do throws(LogError) { try rebuildOnOpening() } catch {
                thread.close()
                throw error.code == .readOnly ? .isOutdated(mark, Schema.foldVersion) : error
            }
        }
    }

    deinit { thread.close() }

    /// Ends the log: what waits is written, the projections' rows too, then the files are let go.
    ///
    /// Waits for readers. Later calls throw `LOG_CLOSED`; a second `close` does nothing.
    public func close() {
        thread.close()
        watch.end()
        if users.closeAndWait() { store.close() }
    }

    /// Runs a job on the writer's thread between two transactions and gives its result.
    func onWriter<R: Sendable>(
        _ job: @escaping @Sendable (WriteCore<Schema, Store>) throws(LogError) -> R
    ) throws(LogError) -> R {
        let gate = ThreadGate()
        let box = JobResult<R>()
        let core = core
        let accepted = thread.enqueue {
            do throws(LogError) {
                box.set(.success(try job(core.core)))
            } catch {
                box.set(.failure(error))
            }
            gate.open()
        }
        guard accepted else { throw .isClosed }
        gate.pass()
        return try box.take()
    }

    /// Counts as a user of the store while `body` runs, so that closing waits for it.
    @usableFromInline
    func whileOpen<R>(_ body: () throws(LogError) -> R) throws(LogError) -> R {
        guard users.enter() else { throw .isClosed }
        defer { users.leave() }
        return try body()
    }

    /// Writes the projections' rows now; readers see no difference, only the next start does.
    ///
    /// Blocks its caller. Throws `STORAGE_FULL`, `STORAGE_FAILED`, `OUTCOME_UNKNOWN`,
    /// `LOG_STOPPED`, `LOG_CLOSED`, `DAMAGED`.
    public func checkpoint() throws(LogError) {
        try onWriter { (core) throws(LogError) in try core.checkpoint() }
    }
}

/// Where a job of the writer leaves its result.
private final class JobResult<R: Sendable>: Sendable {
    private let result = Mutex<Result<R, LogError>?>(nil)

    func set(_ value: Result<R, LogError>) { result.withLock { $0 = value } }

    func take() throws(LogError) -> R {
        guard let result = result.withLock({ $0 }) else { throw .isClosed }
        return try result.get()
    }
}

/// Counts who is inside the store, and has closing wait until nobody is.
private final class UserCount: Sendable {
    private struct State {
        var users = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let empty = ThreadGate()

    func enter() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.users += 1
            return true
        }
    }

    func leave() {
        let isLast = state.withLock { state in
            state.users -= 1
            return state.isClosed && state.users == 0
        }
        if isLast { empty.open() }
    }

    /// False when it was closed before.
    func closeAndWait() -> Bool {
        let (isFirst, isBusy) = state.withLock { state in
            defer { state.isClosed = true }
            return (!state.isClosed, state.users > 0)
        }
        if isFirst && isBusy { empty.pass() }
        return isFirst
    }
}
