import CSQLite

/// An event store as one is built on SQLite.
///
/// Unique stream and version, unique event id, and the session's row upserted in the same
/// transaction. WAL with `synchronous=FULL`.
final class SQLiteEventStore {
    private let database: OpaquePointer
    private let begin: SQLiteStatement
    private let commit: SQLiteStatement
    private let insert: SQLiteStatement
    private let upsert: SQLiteStatement

    init(path: String) throws {
        database = try openSQLite(path)
        try execute(
            database,
            """
            PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
            CREATE TABLE events (
                position INTEGER PRIMARY KEY, stream TEXT NOT NULL, version INTEGER NOT NULL,
                event_id BLOB NOT NULL UNIQUE, type INTEGER NOT NULL, recorded_at INTEGER NOT NULL,
                data BLOB NOT NULL, UNIQUE (stream, version));
            CREATE TABLE sessions (
                stream TEXT PRIMARY KEY, status INTEGER, events INTEGER, last INTEGER,
                amount INTEGER) WITHOUT ROWID;
            """)
        begin = try SQLiteStatement(database, "BEGIN IMMEDIATE")
        commit = try SQLiteStatement(database, "COMMIT")
        insert = try SQLiteStatement(
            database,
            "INSERT INTO events (stream, version, event_id, type, recorded_at, data) "
                + "VALUES (?, ?, ?, ?, ?, ?)")
        upsert = try SQLiteStatement(
            database,
            "INSERT INTO sessions VALUES (?1, ?2, 1, ?3, ?4) ON CONFLICT (stream) DO UPDATE SET "
                + "status = ?2, events = events + 1, last = ?3, amount = max(amount, ?4)")
    }

    deinit {
        for statement in [begin, commit, insert, upsert] { statement.finalize() }
        sqlite3_close(database)
    }

    /// Appends events in large transactions, and flushes them at the end only.
    func fill(from workload: inout Workload, count: Int) throws {
        try execute(database, "PRAGMA synchronous=OFF")
        var left = count
        while left > 0 {
            let events = workload.next(min(left, 16_384))
            try append(events[...])
            left -= events.count
        }
        try execute(database, "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA synchronous=FULL")
    }

    /// Appends events in one flushed transaction.
    func append(_ events: ArraySlice<WorkEvent>) throws {
        try begin.run()
        for event in events {
            insert.bind(1, event.session)
            insert.bind(2, Int64(event.revision))
            insert.bind(3, event.eventID)
            insert.bind(4, Int64(event.type))
            insert.bind(5, event.occurredAt)
            insert.bind(6, event.data)
            try insert.run()
            upsert.bind(1, event.session)
            upsert.bind(2, Int64(event.type))
            upsert.bind(3, event.occurredAt)
            upsert.bind(4, event.amount)
            try upsert.run()
        }
        try commit.run()
    }
}

/// The same table with whole records as its data, for a replay over SQLite.
///
/// Every column of every row is read. Without the indexes, which a scan does not touch.
final class SQLiteRecords {
    private let database: OpaquePointer
    private let select: SQLiteStatement

    /// Fills the table from the log's values.
    init(path: String, _ log: RawLMDB) throws {
        database = try openSQLite(path)
        try execute(
            database,
            """
            PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;
            CREATE TABLE events (
                position INTEGER PRIMARY KEY, stream TEXT NOT NULL, version INTEGER NOT NULL,
                event_id BLOB NOT NULL, type INTEGER NOT NULL, recorded_at INTEGER NOT NULL,
                data BLOB NOT NULL);
            BEGIN
            """)
        let insert = try SQLiteStatement(
            database,
            "INSERT INTO events (stream, version, event_id, type, recorded_at, data) "
                + "VALUES (?, ?, ?, ?, ?, ?)")
        try log.scan { value in
            let stream = value.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
            insert.bind(1, "cks_" + String(stream &* 0x9E37_79B9_7F4A_7C15, radix: 36))
            insert.bind(2, Int64(value.loadUnaligned(fromByteOffset: 24, as: UInt32.self)))
            insert.bind(3, UnsafeRawBufferPointer(rebasing: value[48..<64]))
            insert.bind(4, Int64(value.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
            insert.bind(5, value.loadUnaligned(fromByteOffset: 64, as: Int64.self))
            insert.bind(6, value)
            try insert.run()
        }
        insert.finalize()
        try execute(database, "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
        select = try SQLiteStatement(
            database,
            "SELECT data, stream, version, event_id, type, recorded_at FROM events "
                + "ORDER BY position")
    }

    deinit {
        select.finalize()
        sqlite3_close(database)
    }

    /// Lends every record in order.
    func scan(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        defer { select.reset() }
        var sum: Int64 = 0
        while try select.step() {
            sum &+= Int64(select.blob(1).count + select.blob(3).count)
            for column in [2, 4, 5] as [Int32] { sum &+= select.integer(column) }
            try body(select.blob(0))
        }
        precondition(sum != 0, "the columns must have been read")
    }
}

/// Without SQLite's own locks, as its wrappers open it that give each connection to one thread.
private func openSQLite(_ path: String) throws -> OpaquePointer {
    var database: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(path, &database, flags, nil) == SQLITE_OK, let database else {
        throw BenchmarkFailure("SQLite cannot open \(path)")
    }
    return database
}

private func execute(_ database: OpaquePointer, _ text: String) throws {
    guard sqlite3_exec(database, text, nil, nil, nil) == SQLITE_OK else {
        throw BenchmarkFailure("SQLite: \(String(cString: sqlite3_errmsg(database)))")
    }
}

/// A prepared statement.
///
/// What is bound must live until ``run()`` or the next ``step()`` returns.
private struct SQLiteStatement {
    private let statement: OpaquePointer
    private let database: OpaquePointer

    init(_ database: OpaquePointer, _ text: String) throws {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, text, -1, &statement, nil) == SQLITE_OK, let statement
        else { throw BenchmarkFailure("SQLite: \(String(cString: sqlite3_errmsg(database)))") }
        self.statement = statement
        self.database = database
    }

    func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(statement, index, value) }

    func bind(_ index: Int32, _ value: String) {
        var value = value
        value.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                _ = sqlite3_bind_text(
                    statement, index, text.baseAddress, Int32(text.count), Self.copied)
            }
        }
    }

    func bind(_ index: Int32, _ value: [UInt8]) { value.withUnsafeBytes { bind(index, $0) } }

    func bind(_ index: Int32, _ value: UnsafeRawBufferPointer) {
        sqlite3_bind_blob(statement, index, value.baseAddress, Int32(value.count), Self.copied)
    }

    /// Runs to the end and makes ready for the next run.
    func run() throws {
        while try step() {}
        sqlite3_reset(statement)
    }

    /// True while there is a row.
    func step() throws -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw BenchmarkFailure("SQLite: \(String(cString: sqlite3_errmsg(database)))")
        }
    }

    func blob(_ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: sqlite3_column_blob(statement, column),
            count: Int(sqlite3_column_bytes(statement, column)))
    }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func reset() { sqlite3_reset(statement) }
    func finalize() { sqlite3_finalize(statement) }

    /// `SQLITE_TRANSIENT`: SQLite takes a copy.
    private static var copied: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }
}
