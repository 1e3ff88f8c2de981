import CLMDB
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open store: one directory, one memory map, one writer at a time and many readers.
///
/// Open it once in a process; other processes may have it open at the same time. All functions
/// may be called from any thread, and block: they are not for the threads that run Swift tasks
/// unless the work is short. There is no begin and no commit, because a transaction that ends on
/// another thread than it began on leaves LMDB's lock held for ever; closures that cannot suspend
/// rule that out.
///
/// Must not be used after `fork` by the child, which gets `USED_AFTER_FORK`.
public final class Environment: @unchecked Sendable {
    // LMDB locks what threads share; `gate` guards the map; the rest never changes.
    let raw: OpaquePointer
    let gate: TransactionGate
    let options: EnvironmentOptions
    /// The directory, as it was given.
    public let path: String
    private let identity: FileIdentity
    private let processID = getpid()
    private let handles: [String: (index: UInt32, keys: KeyKind)]
    /// Why nothing may be written any more.
    private let stopped = Mutex<LMDBError?>(nil)

    init(
        raw: OpaquePointer, path: String, identity: FileIdentity, options: EnvironmentOptions,
        handles: [String: (index: UInt32, keys: KeyKind)]
    ) {
        self.raw = raw
        self.path = path
        self.identity = identity
        self.options = options
        self.handles = handles
        gate = TransactionGate(readerBound: options.concurrentReaders)
    }

    deinit { close() }

    /// A database of numbers that was declared when opening.
    ///
    /// Throws `UNKNOWN_DATABASE` when it was not, `INCOMPATIBLE` when its keys are bytes.
    public func integerDatabase(_ name: String) throws(LMDBError) -> Database<IntegerKeys> {
        try database(name)
    }

    /// A database of byte keys that was declared when opening.
    ///
    /// Throws `UNKNOWN_DATABASE` when it was not, `INCOMPATIBLE` when its keys are numbers.
    public func byteDatabase(_ name: String) throws(LMDBError) -> Database<ByteKeys> {
        try database(name)
    }

    private func database<Space>(_ name: String) throws(LMDBError) -> Database<Space> {
        guard let handle = handles[name] else {
            throw LMDBError(
                .unknownDatabase, "The database \(name) was not named when the store was opened.",
                hint: "Name it in the options.", path: path)
        }
        guard handle.keys == Space.kind else {
            throw LMDBError(
                .incompatible, "The database \(name) has \(handle.keys) keys.",
                hint: "Ask for it with the kind it was declared with.", path: path)
        }
        return Database(index: handle.index)
    }

    /// Waits for the transactions that are open, then closes the store; harmless when repeated.
    ///
    /// Everything after it throws `CLOSED`. Must not be called inside a transaction. Happens by
    /// itself when the environment is no longer referred to.
    public func close() {
        // A child of `fork` must leave the files and the locks of its parent alone.
        guard getpid() == processID, gate.close() else { return }
        mdb_env_close(raw)
        OpenRegistry.release(identity)
    }

    /// Throws when this is a child of the process that opened the environment.
    func checkProcess() throws(LMDBError) {
        guard getpid() == processID else {
            throw LMDBError(
                .usedAfterFork,
                "The store was opened by process \(processID) and is used by its child.",
                hint: "Open it again in the child.", path: path)
        }
    }

    func checkWritable() throws(LMDBError) {
        if options.isReadOnly {
            throw LMDBError(
                .readOnly, "The store was opened for reading only.",
                hint: "Open it for writing.", path: path)
        }
        if let reason = stopped.withLock({ $0 }) {
            throw LMDBError(
                .panic, "Nothing is written any more since a commit failed (\(reason.code)).",
                hint: "Close and reopen the store; check the disk first.", number: reason.number,
                path: path)
        }
    }

    /// Refuses every later write.
    func stopWriting(_ reason: LMDBError) { stopped.withLock { $0 = reason } }

    /// The names that were declared, with their handles; for statistics.
    var declared: [(name: String, index: UInt32)] {
        handles.map { ($0.key, $0.value.index) }.sorted { $0.name < $1.name }
    }
}
