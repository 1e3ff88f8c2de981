public import CLMDB

/// A place among the keys of one database, inside the closure that receives it.
///
/// Starts before the first key. Does not write: deleting through cursors is where LMDB had most of
/// its faults. After a move that found nothing the place is not defined; move absolutely then.
@frozen public struct Cursor<Space: KeySpace>: ~Copyable {
    @usableFromInline let pointer: OpaquePointer
    @usableFromInline var storedKey = MDB_val()
    @usableFromInline var storedValue = MDB_val()

    @usableFromInline
    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// Moves to the lowest key; false when there is none.
    @inlinable
    public mutating func first() throws(LMDBError) -> Bool { try move(MDB_FIRST) }

    /// Moves to the highest key; false when there is none.
    @inlinable
    public mutating func last() throws(LMDBError) -> Bool { try move(MDB_LAST) }

    /// Moves to the next higher key; false when there is none.
    @inlinable
    public mutating func next() throws(LMDBError) -> Bool { try move(MDB_NEXT) }

    /// Moves to the next lower key; false when there is none.
    @inlinable
    public mutating func previous() throws(LMDBError) -> Bool { try move(MDB_PREV) }

    /// Moves to `key` or, when it is not there, the next higher one; false when there is neither.
    ///
    /// Throws `KEY_SIZE` when it cannot be a key.
    @inlinable
    public mutating func seek<Key: DatabaseKey>(
        _ key: Key
    ) throws(LMDBError) -> Bool where Key.Space == Space {
        let pointer = pointer
        var value = MDB_val()
        let (status, found) = try key.withStoredKey { key in
            let status = mdb_cursor_get(pointer, &key, &value, MDB_SET_RANGE)
            return (status, key)
        }
        return try arrived(status, found, value)
    }

    /// Lends the value here; only after a move that found one.
    @inlinable
    public func withValue<R>(_ body: (RawSpan) throws -> R) rethrows -> R {
        try body(valueBytes.bytes)
    }

    @inlinable
    mutating func move(_ operation: MDB_cursor_op) throws(LMDBError) -> Bool {
        let status = mdb_cursor_get(pointer, &storedKey, &storedValue, operation)
        if status == MDB_SUCCESS { return true }
        return try arrived(status, MDB_val(), MDB_val())
    }

    /// Keeps no pointer after a failed move, so that stale bytes are never lent.
    @usableFromInline
    mutating func arrived(
        _ status: Int32, _ key: MDB_val, _ value: MDB_val
    ) throws(LMDBError) -> Bool {
        switch status {
        case MDB_SUCCESS:
            storedKey = key
            storedValue = value
            return true
        case MDB_NOTFOUND:
            storedKey = MDB_val()
            storedValue = MDB_val()
            return false
        default: throw LMDBError(status, "move through the keys")
        }
    }

    @inlinable var keyBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(storedKey) }
    @inlinable var valueBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(storedValue) }
}

extension Cursor<IntegerKeys> {
    /// The key here; only after a move that found one.
    @inlinable
    public var key: UInt64 { keyBytes.loadUnaligned(as: UInt64.self) }
}

extension Cursor<ByteKeys> {
    /// Lends the key here; only after a move that found one.
    @inlinable
    public func withKey<R>(_ body: (RawSpan) throws -> R) rethrows -> R {
        try body(keyBytes.bytes)
    }
}

extension Transaction where Self: ~Copyable {
    /// Lends a cursor over the database; nothing can be written while it lives.
    ///
    /// Throws what `body` throws.
    @inlinable
    public func withCursor<Space, R>(
        _ database: Database<Space>, _ body: (inout Cursor<Space>) throws -> R
    ) throws -> R {
        var pointer: OpaquePointer?
        let status = mdb_cursor_open(handle.pointer, database.index, &pointer)
        guard status == MDB_SUCCESS, let pointer else { throw LMDBError(status, "open a cursor") }
        defer { mdb_cursor_close(pointer) }
        var cursor = Cursor<Space>(pointer)
        return try body(&cursor)
    }
}
