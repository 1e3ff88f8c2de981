import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Environment {
    /// Copies the store, as it is now and without its free pages, into another directory while
    /// everything goes on.
    ///
    /// The directory is made with mode 0700 when it is missing; its parent must exist. The copy is
    /// whole and flushed before it has its name, so a failure leaves no half copy. It is a read
    /// for as long as it takes.
    ///
    /// Throws `ALREADY_EXISTS` when there is a data file already, `PERMISSION_DENIED`,
    /// `DISK_FULL`, `IO_ERROR`, and as ``read(_:)``.
    public func copy(compactingTo directory: String) throws {
        // Takes over a map that another process grew; LMDB's own reader below cannot.
        try read { _ in }
        try gate.enterRead()
        defer { gate.leaveRead() }
        let isNew = mkdir(directory, 0o700) == 0
        guard isNew || errno == EEXIST else {
            throw LMDBError(errno, "make the directory", path: directory)
        }
        let target = directory + "/data.mdb"
        if access(target, F_OK) == 0 { throw Self.alreadyExists(target) }
        // Another process may be copying here too.
        let unfinished = directory + "/data.mdb.unfinished-\(getpid())"
        do throws(LMDBError) {
            try CompactCopy(raw: raw).write(to: unfinished)
            // A link, unlike a rename, never replaces what is there.
            guard link(unfinished, target) == 0 else {
                throw errno == EEXIST
                    ? Self.alreadyExists(target) : LMDBError(errno, "name the copy", path: target)
            }
            unlink(unfinished)
            try StoreDirectory.synchronize(directory: directory)
            if isNew {
                try StoreDirectory.synchronize(directory: StoreDirectory.parent(of: directory))
            }
        } catch {
            unlink(unfinished)
            if isNew { rmdir(directory) }
            throw error
        }
    }

    private static func alreadyExists(_ path: String) -> LMDBError {
        LMDBError(
            .alreadyExists, "There is a store already (\(path)).",
            hint: "Copy into a new directory; nothing was overwritten.", path: path)
    }
}

/// Not part of the environment, whose `open` and `close` would hide those of the system.
private struct CompactCopy {
    let raw: OpaquePointer

    func write(to path: String) throws(LMDBError) {
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw LMDBError(errno, "make the copy", path: path) }
        defer { close(descriptor) }
        let status = mdb_env_copyfd2(raw, descriptor, UInt32(MDB_CP_COMPACT))
        guard status == MDB_SUCCESS else { throw LMDBError(status, "copy the store", path: path) }
        guard fsync(descriptor) == 0 else { throw LMDBError(errno, "flush the copy", path: path) }
    }
}
