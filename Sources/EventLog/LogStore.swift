/// The tables of a ledger; what their keys and values are stands in `StorageLayout`.
public enum LogTable: UInt8, CaseIterable, Sendable {
    /// Records by position.
    case log
    /// Identity keys to stream numbers.
    case ids
    /// Identity keys that are not in `ids` yet, in chunks.
    case fresh
    /// Folded states by stream, first set.
    case streamsA
    /// Folded states by stream, second set.
    case streamsB
    /// Open streams, first set.
    case openA
    /// Open streams, second set.
    case openB
    /// Outcome rows by position, first set.
    case outcomesA
    /// Outcome rows by position, second set.
    case outcomesB
    /// The Merkle tree's frontier and every eighth level.
    case tree
    /// Summaries of 1,024 events each.
    case blocks
    /// Signed tree heads by size.
    case seals
    /// Format, ledger id, watermarks.
    case meta
    /// Rows of users' projections.
    case user

    /// True when keys are numbers, false when they are bytes.
    public var isNumbered: Bool {
        switch self {
        case .ids, .tree, .meta, .user: false
        default: true
        }
    }
}

/// Whether a scan wants the next row.
public enum ScanStep: Sendable {
    /// Go on.
    case more
    /// Enough.
    case stop
}

/// What may be read inside a transaction of a ``LogStore``.
///
/// A handle, valid only inside the closure that lent it and only on its thread: it must not be
/// kept. (A noncopyable associated type would have the compiler say so; 6.3 cannot optimise it.)
/// Bytes are lent to the closures and must be copied to outlive them.
public protocol LogReading {
    /// Lends the value under a number key; nil when there is none.
    func value<R>(
        _ table: LogTable, _ key: UInt64, _ body: (RawSpan) throws(LogError) -> R
    ) throws(LogError) -> R?

    /// Lends the value under a byte key; nil when there is none.
    func value<R>(
        _ table: LogTable, _ key: RawSpan, _ body: (RawSpan) throws(LogError) -> R
    ) throws(LogError) -> R?

    /// Lends the rows of a numbered table in order, from `key` on.
    func scan(
        _ table: LogTable, from key: UInt64,
        _ body: (UInt64, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError)

    /// Lends the rows of a byte-keyed table in order, from `key` on.
    func scan(
        _ table: LogTable, from key: RawSpan,
        _ body: (RawSpan, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError)

    /// The greatest key of a numbered table; nil when it is empty.
    func lastKey(_ table: LogTable) throws(LogError) -> UInt64?
}

/// What may be done inside a write transaction of a ``LogStore``; reads see its own writes.
///
/// Nothing may be written inside a closure that has bytes lent to it.
public protocol LogWriting: LogReading {
    /// Puts or replaces a row of a numbered table.
    func put(_ table: LogTable, _ key: UInt64, _ value: RawSpan) throws(LogError)

    /// Puts or replaces a row of a byte-keyed table.
    func put(_ table: LogTable, _ key: RawSpan, _ value: RawSpan) throws(LogError)

    /// Adds a row behind the last one; throws `INVARIANT_BROKEN` when the key is not greater.
    func append(_ table: LogTable, _ key: UInt64, _ value: RawSpan) throws(LogError)

    /// Removes a row; says whether there was one.
    @discardableResult
    func delete(_ table: LogTable, _ key: UInt64) throws(LogError) -> Bool

    /// Removes a row; says whether there was one.
    @discardableResult
    func delete(_ table: LogTable, _ key: RawSpan) throws(LogError) -> Bool
}

/// A storage engine: ordered tables, one writer at a time, readers on consistent snapshots.
///
/// Conformers: ``LMDBStore``, and ``InMemoryStore`` for tests and throw-away ledgers. Both pass
/// one contract suite. Errors are thrown in the log's words: `STORAGE_FULL`, `STORAGE_FAILED`,
/// `OUTCOME_UNKNOWN` (by the commit only), `INVARIANT_BROKEN`.
public protocol LogStore: Sendable {
    /// The handle inside ``read(_:)``.
    associatedtype Reader: LogReading
    /// The handle inside ``write(_:)``.
    associatedtype Writer: LogWriting

    /// Runs `body` on one consistent snapshot; may be called from many threads at once.
    func read<R>(_ body: (Reader) throws(LogError) -> R) throws(LogError) -> R

    /// Runs `body` in the one write transaction and commits it durably when it returns; rolls
    /// everything back when it throws.
    ///
    /// May run `body` again from the start when the engine had to make room: what the body keeps
    /// outside the transaction it must set anew each time.
    func write<R>(_ body: (Writer) throws(LogError) -> R) throws(LogError) -> R

    /// Returns once everything that was committed is durable, whoever committed it.
    func flush() throws(LogError)

    /// A number that is greater after every commit of any process; cheap.
    var commitCounter: UInt64 { get }

    /// Lets go of the files; no call may follow.
    func close()
}

extension LogStore {
    /// Nothing is to be done where each commit is durable when it returns.
    public func flush() throws(LogError) {}
}
