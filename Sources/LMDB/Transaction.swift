public import CLMDB

/// LMDB's own transaction, for this module's use only.
@frozen public struct TransactionHandle {
    @usableFromInline let pointer: OpaquePointer

    @usableFromInline
    init(_ pointer: OpaquePointer) { self.pointer = pointer }
}

/// What can be read inside a transaction, whether it also writes or not.
///
/// Everything is lent: a span is valid inside the closure that receives it and nowhere else, which
/// the compiler checks. Copy out with `[UInt8](copying:)`.
public protocol Transaction: ~Copyable {
    /// LMDB's own transaction, for this module's use only.
    var handle: TransactionHandle { get }
}

/// One unchanging view of the whole store, taken when it begins.
///
/// Lives inside the closure of ``Environment/read(_:)``. While it lives, pages that others free
/// are not used again: keep it short.
@frozen public struct ReadTransaction: ~Copyable, Transaction {
    /// LMDB's own transaction, for this module's use only.
    public let handle: TransactionHandle

    @usableFromInline
    init(_ pointer: OpaquePointer) { handle = TransactionHandle(pointer) }
}

extension Transaction where Self: ~Copyable {
    /// The number of the transaction whose state is seen; for a write transaction its own.
    public var id: UInt64 { UInt64(mdb_txn_id(handle.pointer)) }

    /// Lends the value of a key to `body`; nil when the key is not there.
    ///
    /// Throws `KEY_SIZE` for byte keys that are empty or longer than 511 bytes, and what `body`
    /// throws.
    @inlinable
    public func get<Key: DatabaseKey, R>(
        _ database: Database<Key.Space>, _ key: Key, _ body: (RawSpan) throws -> R
    ) throws -> R? {
        let transaction = handle.pointer
        var value = MDB_val()
        let status = try key.withStoredKey { key in
            mdb_get(transaction, database.index, &key, &value)
        }
        if status == MDB_NOTFOUND { return nil }
        guard status == MDB_SUCCESS else { throw LMDBError(status, "read a value") }
        let bytes = UnsafeRawBufferPointer(value)
        return try body(bytes.bytes)
    }

    /// A copy of the value of a key; nil when the key is not there.
    ///
    /// Throws `KEY_SIZE` as ``get(_:_:_:)``.
    @inlinable
    public func getBytes<Key: DatabaseKey>(
        _ database: Database<Key.Space>, _ key: Key
    ) throws -> [UInt8]? {
        try get(database, key) { [UInt8](copying: $0) }
    }

    /// True when the key is there.
    ///
    /// Throws `KEY_SIZE` as ``get(_:_:_:)``.
    @inlinable
    public func contains<Key: DatabaseKey>(
        _ database: Database<Key.Space>, _ key: Key
    ) throws -> Bool {
        try get(database, key) { _ in true } ?? false
    }

    /// How many keys the database has; kept by LMDB, so nothing is counted.
    public func count<Space>(_ database: Database<Space>) throws(LMDBError) -> Int {
        var stat = MDB_stat()
        let status = mdb_stat(handle.pointer, database.index, &stat)
        guard status == MDB_SUCCESS else { throw LMDBError(status, "count the keys") }
        return Int(stat.ms_entries)
    }

    /// The highest key; nil in an empty database.
    public func lastKey(_ database: Database<IntegerKeys>) throws -> UInt64? {
        try withCursor(database) { cursor in try cursor.last() ? cursor.key : nil }
    }

    /// A copy of the highest key; nil in an empty database.
    public func lastKey(_ database: Database<ByteKeys>) throws -> [UInt8]? {
        try withCursor(database) { cursor in
            try cursor.last() ? cursor.withKey { [UInt8](copying: $0) } : nil
        }
    }
}

extension DatabaseKey {
    /// Checks the length and lends the key as LMDB wants it.
    @inlinable
    func withStoredKey<R>(_ body: (inout MDB_val) -> R) throws(LMDBError) -> R {
        try withKeyBytes { (bytes) throws(LMDBError) in
            // Numbers always have eight bytes; the compiler drops the test for them.
            if Space.kind == .bytes, bytes.count - 1 > 510 || bytes.isEmpty {
                throw LMDBError.keySize(bytes.count)
            }
            var key = MDB_val(lending: bytes)
            return body(&key)
        }
    }
}

extension LMDBError {
    @usableFromInline
    static func keySize(_ count: Int) -> LMDBError {
        LMDBError(
            .keySize, "A key of \(count) bytes cannot be stored.",
            hint: "Keys have 1 to \(Limits.keyBytes) bytes; store a hash of longer ones.",
            number: MDB_BAD_VALSIZE)
    }
}

extension MDB_val {
    /// Points at bytes that outlive the call it is made for.
    ///
    /// LMDB does not write through it.
    @inlinable
    init(lending bytes: UnsafeRawBufferPointer) {
        self.init(
            mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes that LMDB lends.
    @inlinable
    init(_ value: MDB_val) { self.init(start: value.mv_data, count: value.mv_size) }
}
