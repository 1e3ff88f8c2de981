import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Environment {
    /// Runs `body` over one unchanging view of the store and returns what it returns.
    ///
    /// A read may begin inside another read or a write on the same thread. Waits when this process
    /// has as many readers as the options allow. Throws `CLOSED`, `USED_AFTER_FORK`,
    /// `READERS_FULL`, `MAP_RESIZED` (only inside another transaction), and what `body` throws.
    public func read<R>(_ body: (borrowing ReadTransaction) throws -> R) throws -> R {
        try checkProcess()
        try gate.enterRead()
        var (status, pointer) = beginRead()
        if status == MDB_MAP_RESIZED, !gate.isNested {
            // Only without a transaction of its own may this thread wait for those of others.
            gate.leaveRead()
            try adoptMapSize()
            try gate.enterRead()
            (status, pointer) = beginRead()
        }
        guard status == MDB_SUCCESS, let pointer else {
            gate.leaveRead()
            throw LMDBError(status, "begin to read", path: path)
        }
        defer {
            mdb_txn_abort(pointer)
            gate.leaveRead()
        }
        return try body(ReadTransaction(pointer))
    }

    /// Runs `body` and commits what it wrote, flushed to the disk before this returns; when `body`
    /// throws, nothing is written.
    ///
    /// `body` may run more than once: when the map is full the transaction is given up whole, the
    /// map grows, and `body` starts over. It must set what it keeps outside anew each time. Only
    /// one write runs at a time, here and in other processes; others wait. Must not begin inside
    /// another transaction's closure on the same thread.
    ///
    /// Throws `CLOSED`, `USED_AFTER_FORK`, `READ_ONLY`, `MAP_FULL` at the byte ceiling,
    /// `TXN_FULL`, `DISK_FULL`, `PANIC` after an earlier failure, and what `body` throws. An error
    /// with ``LMDBError/outcomeUnknown`` stops all writing.
    public func write<R>(_ body: (inout WriteTransaction) throws -> R) throws -> R {
        try checkProcess()
        try checkWritable()
        try gate.enterWrite()
        defer { gate.leaveWrite() }
        for _ in 0...Limits.growthsPerWrite {
            let pointer = try beginWrite()
            var transaction = WriteTransaction(pointer)
            let result = Result { try body(&transaction) }
            if transaction.ranOutOfMap {
                mdb_txn_abort(pointer)
            } else {
                guard case .success(let value) = result else {
                    mdb_txn_abort(pointer)
                    return try result.get()
                }
                if try commit(pointer) { return value }
            }
            try grow()
        }
        throw LMDBError(MDB_MAP_FULL, "write", path: path)
    }

    private func beginRead() -> (Int32, OpaquePointer?) {
        let result = begin(UInt32(MDB_RDONLY))
        guard result.0 == MDB_READERS_FULL, clearStaleReaders() > 0 else { return result }
        return begin(UInt32(MDB_RDONLY))
    }

    private func beginWrite() throws(LMDBError) -> OpaquePointer {
        var (status, pointer) = begin(0)
        if status == MDB_MAP_RESIZED {
            try adoptMapSize()
            (status, pointer) = begin(0)
        }
        guard status == MDB_SUCCESS, let pointer else {
            throw LMDBError(status, "begin to write", path: path)
        }
        return pointer
    }

    private func begin(_ flags: UInt32) -> (Int32, OpaquePointer?) {
        var pointer: OpaquePointer?
        let status = mdb_txn_begin(raw, nil, flags, &pointer)
        return (status, pointer)
    }

    /// False when the map was full; LMDB has freed the transaction whatever comes back.
    private func commit(_ pointer: OpaquePointer) throws(LMDBError) -> Bool {
        let before = storedTransactionID
        let status = mdb_txn_commit(pointer)
        switch status {
        case MDB_SUCCESS: return true
        case MDB_MAP_FULL: return false
        case MDB_TXN_FULL, MDB_BAD_TXN, ENOSPC, EDQUOT, EFBIG:
            throw LMDBError(status, "commit", path: path)
        case EIO
        where storedTransactionID == before && StoreDirectory.cannotGrow(path + "/data.mdb"):
            // LMDB calls a write that the full disk cut short an I/O error. The meta page, which
            // is written last, is still the old one.
            throw LMDBError(ENOSPC, "commit", path: path)
        default:
            let error = LMDBError(status, "commit", path: path).withUnknownOutcome
            stopWriting(error)
            throw error
        }
    }

    /// Frees the slots of readers that died; gives how many.
    @discardableResult
    func clearStaleReaders() -> Int {
        var count: Int32 = 0
        return mdb_reader_check(raw, &count) == MDB_SUCCESS ? Int(count) : 0
    }
}
