public import LMDB

/// The embedded ``LogStore``: one LMDB environment in a directory.
///
/// Thin: each table is one database, number keys are LMDB's native integers. Errors of LMDB come
/// out in the log's words where it has one, else under LMDB's own code.
public final class LMDBStore: LogStore {
    /// For what the log does not do: statistics, copies, readers.
    public let environment: Environment
    @usableFromInline let tables: LMDBTables

    /// Opens the directory, or makes it unless it is opened for reading only.
    ///
    /// Throws `NOT_A_LEDGER`, and under LMDB's codes what ``LMDB/Environment`` throws at opening.
    public convenience init(
        directory path: String, isReadOnly: Bool = false
    ) throws(LogError) {
        var options = EnvironmentOptions()
        options.isReadOnly = isReadOnly
        try self.init(directory: path, options: options)
    }

    /// The same with other options; the options' databases are set to the log's.
    public init(directory path: String, options: EnvironmentOptions) throws(LogError) {
        var options = options
        options.databases = LogTable.allCases.map { table in
            DatabaseDeclaration("\(table)", keys: table.isNumbered ? .integer : .bytes)
        }
        do throws(LMDBError) {
            environment = try Environment.open(directory: path, options)
            tables = try LMDBTables(environment)
        } catch {
            throw LogError(error)
        }
    }

    /// The number of the last transaction that any process committed; 0 once it is closed.
    public var commitCounter: UInt64 { (try? environment.lastTransactionID()) ?? 0 }

    /// Flushes the data file, whatever the process that committed promised itself.
    public func flush() throws(LogError) {
        do throws(LMDBError) { try environment.sync() } catch { throw LogError(error) }
    }

    /// Waits for open transactions and closes the environment.
    public func close() { environment.close() }

    /// See ``LogStore/read(_:)``.
    @inlinable
    public func read<R>(_ body: (Reader) throws(LogError) -> R) throws(LogError) -> R {
        try inLogWords { () throws -> R in
            try environment.read { transaction in
                try withUnsafePointer(to: transaction) { pointer in
                    try body(Reader(transaction: pointer, tables: tables))
                }
            }
        }
    }

    /// See ``LogStore/write(_:)``.
    public func write<R>(_ body: (Writer) throws(LogError) -> R) throws(LogError) -> R {
        try inLogWords { () throws -> R in
            try environment.write { transaction in
                try withUnsafeMutablePointer(to: &transaction) { pointer in
                    try body(Writer(transaction: pointer, tables: tables))
                }
            }
        }
    }
}

/// The handles of the log's tables.
@usableFromInline struct LMDBTables: Sendable {
    // Tables of the other kind stand as nil, so that a table's number is its index in both.
    @usableFromInline let numbered: [Database<IntegerKeys>?]
    @usableFromInline let keyed: [Database<ByteKeys>?]

    init(_ environment: Environment) throws(LMDBError) {
        var numbered: [Database<IntegerKeys>?] = []
        var keyed: [Database<ByteKeys>?] = []
        for table in LogTable.allCases {
            numbered.append(table.isNumbered ? try environment.integerDatabase("\(table)") : nil)
            keyed.append(table.isNumbered ? nil : try environment.byteDatabase("\(table)"))
        }
        self.numbered = numbered
        self.keyed = keyed
    }

    @inlinable
    func numbered(_ table: LogTable) -> Database<IntegerKeys> {
        guard let database = numbered[Int(table.rawValue)] else {
            preconditionFailure("the keys of this table are bytes")
        }
        return database
    }

    @inlinable
    func keyed(_ table: LogTable) -> Database<ByteKeys> {
        guard let database = keyed[Int(table.rawValue)] else {
            preconditionFailure("the keys of this table are numbers")
        }
        return database
    }
}

/// Runs calls of LMDB, which throw anything, and throws in the log's words.
@inlinable
func inLogWords<R>(_ body: () throws -> R) throws(LogError) -> R {
    do {
        return try body()
    } catch {
        throw LogError(error)
    }
}

extension LMDBStore {
    /// What can be read in one of LMDB's transactions; valid only inside the closure it is lent to.
    public struct Reader: LogReading {
        @usableFromInline let transaction: UnsafePointer<ReadTransaction>
        @usableFromInline let tables: LMDBTables

        @usableFromInline
        init(transaction: UnsafePointer<ReadTransaction>, tables: LMDBTables) {
            self.transaction = transaction
            self.tables = tables
        }
    }

    /// What can be done in LMDB's write transaction; valid only inside the closure it is lent to.
    public struct Writer: LogWriting {
        @usableFromInline let transaction: UnsafeMutablePointer<WriteTransaction>
        @usableFromInline let tables: LMDBTables
    }
}

extension LogError {
    /// Translates what LMDB threw; the log's own errors pass through.
    @usableFromInline
    init(_ error: any Error) {
        switch error {
        case let error as LogError: self = error
        case let error as LMDBError: self.init(error)
        default:
            self.init(.storageFailed, "The storage failed.", hint: "See the system's log.")
        }
    }

    init(_ error: LMDBError) {
        self.init(
            error.outcomeUnknown ? .outcomeUnknown : Self.code(for: error.code), error.message,
            hint: error.hint)
    }

    private static func code(for code: LMDBError.Code) -> Code {
        switch code {
        case .mapFull, .diskFull, .transactionFull: .storageFull
        case .keyExists: .invariantBroken
        case .notAStore: .notALedger
        case .closed: .closed
        case .corrupted: .damaged
        case .panic: .stopped
        default: Code(rawValue: code.rawValue)
        }
    }
}
