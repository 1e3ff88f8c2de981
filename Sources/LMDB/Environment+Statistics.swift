import CLMDB

/// How large a store is, at one moment.
public struct EnvironmentStatistics: Sendable, Hashable {
    /// Bytes of one page.
    public var pageBytes = 0
    /// Pages of the data file up to the last one ever used; the file never shrinks.
    public var usedPages = 0
    /// Pages among them that hold nothing and will be used again.
    public var freePages = 0
    /// Address space reserved for the map; no file size.
    public var mapBytes = 0
    /// The number of the last transaction that was committed.
    public var lastTransactionID: UInt64 = 0
    /// Keys of each declared database, by name.
    public var entries: [String: Int] = [:]
}

/// A read that is going on, in this or another process.
public struct EnvironmentReader: Sendable, Hashable {
    /// The process that reads.
    public let processID: Int32
    /// The transaction whose state it keeps.
    public let transactionID: UInt64
}

extension Environment {
    /// Sizes and counts; walks the list of free pages, so it is for people and not for loops.
    ///
    /// Throws as ``read(_:)``.
    public func statistics() throws -> EnvironmentStatistics {
        try read { transaction in
            var statistics = EnvironmentStatistics()
            var info = MDB_envinfo()
            var stat = MDB_stat()
            mdb_env_info(raw, &info)
            mdb_env_stat(raw, &stat)
            statistics.pageBytes = Int(stat.ms_psize)
            statistics.usedPages = info.me_last_pgno + 1
            statistics.mapBytes = info.me_mapsize
            statistics.lastTransactionID = transaction.id
            // LMDB keeps free pages in its database 0: lists of numbers, each after its count.
            try transaction.forEach(Database<IntegerKeys>(index: 0)) { _, list in
                statistics.freePages += list.withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
                return .next
            }
            for (name, index) in declared {
                statistics.entries[name] = try transaction.count(
                    Database<ByteKeys>(index: index))
            }
            return statistics
        }
    }

    /// The number of the last committed transaction, of whichever process; costs no transaction.
    ///
    /// It grows by one with each commit that changed something. Throws `CLOSED` and
    /// `USED_AFTER_FORK`.
    public func lastTransactionID() throws(LMDBError) -> UInt64 {
        try checkProcess()
        try gate.enterRead()
        defer { gate.leaveRead() }
        return storedTransactionID
    }

    /// The same for callers that hold a place in the gate.
    var storedTransactionID: UInt64 {
        var info = MDB_envinfo()
        mdb_env_info(raw, &info)
        return UInt64(info.me_last_txnid)
    }

    /// The reads that are going on in all processes, and those of processes that died in them.
    ///
    /// A reader whose transaction is far behind ``lastTransactionID()`` makes the file grow.
    /// Throws `CLOSED` and `USED_AFTER_FORK`.
    public func readers() throws(LMDBError) -> [EnvironmentReader] {
        try checkProcess()
        try gate.enterRead()
        defer { gate.leaveRead() }
        var lines: [String] = []
        let status = withUnsafeMutablePointer(to: &lines) { lines in
            mdb_reader_list(
                raw,
                { message, context in
                    guard let message, let context else { return 0 }
                    let lines = context.assumingMemoryBound(to: [String].self)
                    lines.pointee.append(String(cString: message))
                    return 0
                }, lines)
        }
        guard status >= 0 else { throw LMDBError(status, "list the readers", path: path) }
        return lines.compactMap(EnvironmentReader.init(line:))
    }

    /// Frees the places of readers that died, and says how many; opening does it too.
    ///
    /// Throws `CLOSED` and `USED_AFTER_FORK`.
    @discardableResult
    public func clearDeadReaders() throws(LMDBError) -> Int {
        try checkProcess()
        try gate.enterRead()
        defer { gate.leaveRead() }
        return clearStaleReaders()
    }

    /// Flushes the data file once more; commits have flushed it already.
    ///
    /// Throws `CLOSED`, `USED_AFTER_FORK`, `READ_ONLY` and `IO_ERROR`.
    public func sync() throws(LMDBError) {
        try checkProcess()
        try checkWritable()
        try gate.enterRead()
        defer { gate.leaveRead() }
        let status = mdb_env_sync(raw, 1)
        guard status == MDB_SUCCESS else { throw LMDBError(status, "flush", path: path) }
    }
}

extension EnvironmentReader {
    /// LMDB gives one line a place: process, thread in hexadecimal, and the transaction or `-`
    /// for a place that is not in use; besides a line of words.
    fileprivate init?(line: String) {
        let fields = line.split(whereSeparator: \.isWhitespace)
        guard fields.count == 3, let processID = Int32(fields[0]),
            let transactionID = UInt64(fields[2])
        else { return nil }
        self.processID = processID
        self.transactionID = transactionID
    }
}
