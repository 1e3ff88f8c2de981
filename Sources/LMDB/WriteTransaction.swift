public import CLMDB

/// A change of the store that happens whole or not at all.
///
/// Lives inside the closure of ``Environment/write(_:)``, which commits it. Sees what it wrote.
/// After any error but `KEY_EXISTS` and `KEY_SIZE` it can only be given up: throw.
@frozen public struct WriteTransaction: ~Copyable, Transaction {
    /// LMDB's own transaction, for this module's use only.
    public let handle: TransactionHandle
    /// Set once LMDB had no room; kept although the closure may have caught the error.
    @usableFromInline var ranOutOfMap = false

    @usableFromInline
    init(_ pointer: OpaquePointer) { handle = TransactionHandle(pointer) }

    /// Stores a value, over an older one of the same key.
    ///
    /// Throws `KEY_SIZE`, `VALUE_SIZE`, `TXN_FULL`, `DISK_FULL`, and `MAP_FULL`, after which the
    /// closure runs again in a larger map.
    @inlinable
    public mutating func put<Key: DatabaseKey>(
        _ database: Database<Key.Space>, _ key: Key, _ value: some RawBytes
    ) throws(LMDBError) {
        try store(database, key, value, flags: 0)
    }

    /// Stores a value under a key above all others; the fastest way to fill a database.
    ///
    /// Throws `KEY_EXISTS` when the key is not above the last one, which leaves the transaction
    /// usable, and as ``put(_:_:_:)``.
    @inlinable
    public mutating func append<Key: DatabaseKey>(
        _ database: Database<Key.Space>, _ key: Key, _ value: some RawBytes
    ) throws(LMDBError) {
        try store(database, key, value, flags: UInt32(MDB_APPEND))
    }

    /// Stores a value under a key that is not there yet.
    ///
    /// Throws `KEY_EXISTS` when it is, which leaves the transaction usable and the old value in
    /// place, and as ``put(_:_:_:)``.
    @inlinable
    public mutating func insert<Key: DatabaseKey>(
        _ database: Database<Key.Space>, _ key: Key, _ value: some RawBytes
    ) throws(LMDBError) {
        try store(database, key, value, flags: UInt32(MDB_NOOVERWRITE))
    }

    /// Makes room for a value of `byteCount` bytes and has `body` write all of it in place.
    ///
    /// `body` must overwrite every byte: what it leaves may be old content of the page. With
    /// `appending` the key must be above all others, as for ``append(_:_:_:)``. Throws as those.
    @inlinable
    public mutating func reserve<Key: DatabaseKey>(
        _ database: Database<Key.Space>, _ key: Key, byteCount: Int, appending: Bool = false,
        _ body: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(LMDBError) {
        let transaction = handle.pointer
        var stored = MDB_val(mv_size: byteCount, mv_data: nil)
        let flags = UInt32(MDB_RESERVE) | (appending ? UInt32(MDB_APPEND) : 0)
        let status = try key.withStoredKey { key in
            mdb_put(transaction, database.index, &key, &stored, flags)
        }
        guard status == MDB_SUCCESS else { throw failure(status) }
        body(UnsafeMutableRawBufferPointer(start: stored.mv_data, count: byteCount))
    }

    /// Removes a key and its value; false when it was not there.
    ///
    /// Throws as ``put(_:_:_:)``.
    @discardableResult
    @inlinable
    public mutating func delete<Key: DatabaseKey>(
        _ database: Database<Key.Space>, _ key: Key
    ) throws(LMDBError) -> Bool {
        let transaction = handle.pointer
        let status = try key.withStoredKey { key in
            mdb_del(transaction, database.index, &key, nil)
        }
        if status == MDB_NOTFOUND { return false }
        guard status == MDB_SUCCESS else { throw failure(status) }
        return true
    }

    /// Removes all keys of the database at once; the database stays.
    ///
    /// Frees every page in this one transaction: large databases are better emptied in slices.
    public mutating func deleteAll<Space>(_ database: Database<Space>) throws(LMDBError) {
        let status = mdb_drop(handle.pointer, database.index, 0)
        guard status == MDB_SUCCESS else { throw failure(status) }
    }

    @inlinable
    mutating func store<Key: DatabaseKey>(
        _ database: Database<Key.Space>, _ key: Key, _ value: some RawBytes, flags: UInt32
    ) throws(LMDBError) {
        let transaction = handle.pointer
        let status = try key.withStoredKey { key in
            value.withRawBytes { bytes in
                var stored = MDB_val(lending: bytes)
                return mdb_put(transaction, database.index, &key, &stored, flags)
            }
        }
        guard status == MDB_SUCCESS else { throw failure(status) }
    }

    @usableFromInline
    mutating func failure(_ status: Int32) -> LMDBError {
        if status == MDB_MAP_FULL { ranOutOfMap = true }
        return LMDBError(status, "write")
    }
}
