import CLMDB

/// LMDB by plain C calls: what the product's own calls are measured beside.
final class RawLMDB {
    private let environment: OpaquePointer
    private let database: UInt32

    /// Opens a directory's `log` database; made when it is to be written.
    init(directory: String, isReadOnly: Bool = false) throws {
        var environment: OpaquePointer?
        try Self.check(mdb_env_create(&environment))
        guard let environment else { throw BenchmarkFailure("LMDB gave no environment") }
        mdb_env_set_maxdbs(environment, 32)
        mdb_env_set_mapsize(environment, 1 << 38)
        let flags = UInt32(MDB_NOTLS) | (isReadOnly ? UInt32(MDB_RDONLY) : 0)
        try Self.check(mdb_env_open(environment, directory, flags, 0o600))
        var transaction: OpaquePointer?
        try Self.check(
            mdb_txn_begin(environment, nil, isReadOnly ? UInt32(MDB_RDONLY) : 0, &transaction))
        var database: UInt32 = 0
        let kind = UInt32(MDB_INTEGERKEY) | (isReadOnly ? 0 : UInt32(MDB_CREATE))
        try Self.check(mdb_dbi_open(transaction, "log", kind, &database))
        try Self.check(mdb_txn_commit(transaction))
        self.environment = environment
        self.database = database
    }

    deinit { mdb_env_close(environment) }

    /// Appends values under rising keys in one flushed transaction.
    func append(_ values: ArraySlice<[UInt8]>, from first: UInt64) throws {
        var transaction: OpaquePointer?
        try Self.check(mdb_txn_begin(environment, nil, 0, &transaction))
        for (index, value) in values.enumerated() {
            var position = first + UInt64(index)
            let status = value.withUnsafeBytes { bytes in
                withUnsafeMutableBytes(of: &position) { number in
                    var key = MDB_val(mv_size: 8, mv_data: number.baseAddress)
                    var stored = MDB_val(
                        mv_size: bytes.count,
                        mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
                    return mdb_put(transaction, database, &key, &stored, UInt32(MDB_APPEND))
                }
            }
            try Self.check(status)
        }
        try Self.check(mdb_txn_commit(transaction))
    }

    /// Lends every value in order, as LMDB's own cursor does.
    func scan(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        var transaction: OpaquePointer?
        try Self.check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction))
        defer { mdb_txn_abort(transaction) }
        var cursor: OpaquePointer?
        try Self.check(mdb_cursor_open(transaction, database, &cursor))
        defer { mdb_cursor_close(cursor) }
        var key = MDB_val()
        var value = MDB_val()
        while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == MDB_SUCCESS {
            try body(UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
        }
    }

    /// Reads every word of the 144 bytes that stand before each payload; gives their sum.
    func sumHeaders() throws -> UInt64 {
        var sum: UInt64 = 0
        try scan { value in
            for offset in stride(from: 0, to: 144, by: 8) {
                sum &+= value.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            }
        }
        return sum
    }

    private static func check(_ status: Int32) throws {
        guard status == MDB_SUCCESS else {
            throw BenchmarkFailure("LMDB: \(String(cString: mdb_strerror(status)))")
        }
    }
}
