import Synchronization

/// A ``LogStore`` that keeps everything in memory and loses it with the process.
///
/// For tests and for ledgers that are thrown away. Readers keep the tables as they were when they
/// began; a write transaction works on a copy that shares what it does not change.
public final class InMemoryStore: LogStore {
    struct Tables: Sendable {
        var numbered: [SortedRows<UInt64>]
        var keyed: [SortedRows<ByteKey>]

        init() {
            numbered = LogTable.allCases.map { _ in SortedRows() }
            keyed = LogTable.allCases.map { _ in SortedRows() }
        }
    }

    private struct Committed: Sendable {
        var tables = Tables()
        var commits: UInt64 = 0
    }

    private let committed = Mutex(Committed())
    // Held by the one write transaction; apart from `committed`, so that readers never wait.
    private let writing = Mutex(())
    private let failure = Mutex<LogError?>(nil)
    private let rehearses: Bool

    /// An empty store.
    public init() { rehearses = false }

    /// An empty store that runs each write twice and forgets the first run, as an engine may do
    /// that has to make room; for tests.
    package init(rehearsing: Bool) { rehearses = rehearsing }

    /// How many transactions have been committed.
    public var commitCounter: UInt64 { committed.withLock { $0.commits } }

    /// Nothing to let go of.
    public func close() {}

    /// Has the following commits fail with the error, after which nothing of them is there.
    ///
    /// Nil lets them succeed again. For tests of what a full or broken disk does.
    package func failCommits(with error: LogError?) { failure.withLock { $0 = error } }

    /// See ``LogStore/read(_:)``.
    public func read<R>(_ body: (Reader) throws(LogError) -> R) throws(LogError) -> R {
        try body(Reader(tables: committed.withLock { $0.tables }))
    }

    /// See ``LogStore/write(_:)``.
    public func write<R>(_ body: (Writer) throws(LogError) -> R) throws(LogError) -> R {
        let result = writing.withLock { _ -> Result<R, LogError> in
            do throws(LogError) {
                let tables = committed.withLock { $0.tables }
                if rehearses { _ = try body(Writer(tables: tables)) }
                let writer = Writer(tables: tables)
                let result = try body(writer)
                if let error = failure.withLock({ $0 }) { throw error }
                let written = writer.box.tables
                committed.withLock { state in
                    state.tables = written
                    state.commits += 1
                }
                return .success(result)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

extension InMemoryStore {
    /// What a reader sees: the tables as they were.
    public struct Reader: LogReading {
        let tables: Tables
    }

    /// What the write transaction changes before it is committed.
    public struct Writer: LogWriting {
        final class Box {
            var tables: Tables
            init(_ tables: Tables) { self.tables = tables }
        }

        let box: Box

        init(tables: Tables) { box = Box(tables) }
    }
}

extension InMemoryStore.Tables {
    subscript(_ table: LogTable, _ key: UInt64) -> [UInt8]? { numbered[Int(table.rawValue)][key] }

    subscript(_ table: LogTable, _ key: RawSpan) -> [UInt8]? {
        keyed[Int(table.rawValue)][ByteKey(bytes: key.copied())]
    }

    func scan(
        _ table: LogTable, from key: UInt64,
        _ body: (UInt64, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) {
        try numbered[Int(table.rawValue)].scan(from: key) { (key, value) throws(LogError) in
            try body(key, value.span.bytes)
        }
    }

    func scan(
        _ table: LogTable, from key: RawSpan,
        _ body: (RawSpan, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) {
        let first = ByteKey(bytes: key.copied())
        try keyed[Int(table.rawValue)].scan(from: first) { (key, value) throws(LogError) in
            try body(key.bytes.span.bytes, value.span.bytes)
        }
    }
}

extension InMemoryStore.Reader {
    /// See ``LogReading``.
    public func value<R>(
        _ table: LogTable, _ key: UInt64, _ body: (RawSpan) throws(LogError) -> R
    ) throws(LogError) -> R? {
        guard let value = tables[table, key] else { return nil }
        return try body(value.span.bytes)
    }

    /// See ``LogReading``.
    public func value<R>(
        _ table: LogTable, _ key: RawSpan, _ body: (RawSpan) throws(LogError) -> R
    ) throws(LogError) -> R? {
        guard let value = tables[table, key] else { return nil }
        return try body(value.span.bytes)
    }

    /// See ``LogReading``.
    public func scan(
        _ table: LogTable, from key: UInt64,
        _ body: (UInt64, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) { try tables.scan(table, from: key, body) }

    /// See ``LogReading``.
    public func scan(
        _ table: LogTable, from key: RawSpan,
        _ body: (RawSpan, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) { try tables.scan(table, from: key, body) }

    /// See ``LogReading``.
    public func lastKey(_ table: LogTable) throws(LogError) -> UInt64? {
        tables.numbered[Int(table.rawValue)].lastKey
    }
}

extension InMemoryStore.Writer {
    /// See ``LogReading``.
    public func value<R>(
        _ table: LogTable, _ key: UInt64, _ body: (RawSpan) throws(LogError) -> R
    ) throws(LogError) -> R? {
        guard let value = box.tables[table, key] else { return nil }
        return try body(value.span.bytes)
    }

    /// See ``LogReading``.
    public func value<R>(
        _ table: LogTable, _ key: RawSpan, _ body: (RawSpan) throws(LogError) -> R
    ) throws(LogError) -> R? {
        guard let value = box.tables[table, key] else { return nil }
        return try body(value.span.bytes)
    }

    /// See ``LogReading``.
    public func scan(
        _ table: LogTable, from key: UInt64,
        _ body: (UInt64, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) { try box.tables.scan(table, from: key, body) }

    /// See ``LogReading``.
    public func scan(
        _ table: LogTable, from key: RawSpan,
        _ body: (RawSpan, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) { try box.tables.scan(table, from: key, body) }

    /// See ``LogReading``.
    public func lastKey(_ table: LogTable) throws(LogError) -> UInt64? {
        box.tables.numbered[Int(table.rawValue)].lastKey
    }

    /// See ``LogWriting``.
    public func put(_ table: LogTable, _ key: UInt64, _ value: RawSpan) throws(LogError) {
        box.tables.numbered[Int(table.rawValue)].put(key, value.copied())
    }

    /// See ``LogWriting``.
    public func put(_ table: LogTable, _ key: RawSpan, _ value: RawSpan) throws(LogError) {
        let key = ByteKey(bytes: key.copied())
        box.tables.keyed[Int(table.rawValue)].put(key, value.copied())
    }

    /// See ``LogWriting``.
    public func append(_ table: LogTable, _ key: UInt64, _ value: RawSpan) throws(LogError) {
        if let last = try lastKey(table), last >= key {
            throw .appendOutOfOrder(table, key)
        }
        try put(table, key, value)
    }

    /// See ``LogWriting``.
    @discardableResult
    public func delete(_ table: LogTable, _ key: UInt64) throws(LogError) -> Bool {
        box.tables.numbered[Int(table.rawValue)].remove(key)
    }

    /// See ``LogWriting``.
    @discardableResult
    public func delete(_ table: LogTable, _ key: RawSpan) throws(LogError) -> Bool {
        box.tables.keyed[Int(table.rawValue)].remove(ByteKey(bytes: key.copied()))
    }
}

extension LogError {
    @usableFromInline
    static func appendOutOfOrder(_ table: LogTable, _ key: UInt64) -> LogError {
        LogError(
            .invariantBroken, "The table \(table) already reaches beyond row \(key).",
            hint: "The ledger stopped writing; run a verification before opening it again.",
            position: table == .log ? key : nil)
    }
}
