import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Environment {
    /// Opens the store in a directory, making both unless the options say read-only.
    ///
    /// The parent directory must exist. A new directory gets mode 0700 and the files 0600. Slots
    /// of readers that died are cleared, and what the system still holds of the file is flushed,
    /// so that nothing is trusted that a power cut could take back.
    ///
    /// Throws `ALREADY_OPEN`, `NOT_FOUND`, `NOT_A_STORE`, `VERSION_MISMATCH`, `CORRUPTED`,
    /// `PERMISSION_DENIED`, `NETWORK_FILE_SYSTEM`, `INCOMPATIBLE`, `DATABASES_FULL`, `DISK_FULL`.
    public static func open(
        directory path: String, _ options: EnvironmentOptions
    ) throws(LMDBError) -> Environment {
        try open(directory: path, options, networkFileSystem: NetworkFileSystem.name(of:))
    }

    /// The same with another way to tell network file systems, for tests.
    package static func open(
        directory path: String, _ options: EnvironmentOptions,
        networkFileSystem: (Int32) -> String?
    ) throws(LMDBError) -> Environment {
        precondition(
            options.concurrentReaders > 0 && options.concurrentReaders < options.maximumReaders,
            "some reader slots must stay for other processes")
        let directory = try StoreDirectory(
            path, mustExist: options.isReadOnly, networkFileSystem: networkFileSystem)
        if let name = directory.networkFileSystem, !options.allowsNetworkFileSystem {
            throw LMDBError(
                .networkFileSystem, "The directory \(path) is on a network file system (\(name)).",
                hint: "Keep the store on a disk of this machine.", path: path)
        }
        guard OpenRegistry.claim(directory.identity) else {
            throw LMDBError(
                .alreadyOpen, "This process has the store open already (\(path)).",
                hint: "Share the environment that is open.", path: path)
        }
        do throws(LMDBError) {
            return try open(directory, options)
        } catch {
            OpenRegistry.release(directory.identity)
            throw error
        }
    }

    private static func open(
        _ directory: StoreDirectory, _ options: EnvironmentOptions
    ) throws(LMDBError) -> Environment {
        try directory.checkPermissions(isReadOnly: options.isReadOnly)
        try DataFileHeader.check(directory.dataPath)
        let isNew = access(directory.dataPath, F_OK) != 0
        if isNew && options.isReadOnly {
            throw LMDBError(ENOENT, "open the data file", path: directory.dataPath)
        }
        let raw = try openRaw(directory, options)
        do throws(LMDBError) {
            try flush(raw, directory)
            if isNew { try StoreDirectory.synchronize(directory: directory.path) }
            var dead: Int32 = 0
            mdb_reader_check(raw, &dead)
            let handles = try DatabaseOpener(raw: raw, path: directory.path, options: options)
                .openAll()
            return Environment(
                raw: raw, path: directory.path, identity: directory.identity, options: options,
                handles: handles)
        } catch {
            mdb_env_close(raw)
            throw error
        }
    }

    /// Tries smaller and smaller maps while the address space is too small.
    private static func openRaw(
        _ directory: StoreDirectory, _ options: EnvironmentOptions
    ) throws(LMDBError) -> OpaquePointer {
        var status: Int32 = 0
        for size in options.reservations {
            var raw: OpaquePointer?
            status = mdb_env_create(&raw)
            guard status == MDB_SUCCESS, let raw else { break }
            mdb_env_set_mapsize(raw, size)
            mdb_env_set_maxdbs(raw, UInt32(options.maximumDatabases))
            mdb_env_set_maxreaders(raw, UInt32(options.maximumReaders))
            let flags = UInt32(MDB_NOTLS) | (options.isReadOnly ? UInt32(MDB_RDONLY) : 0)
            status = mdb_env_open(raw, directory.path, flags, 0o600)
            if status == MDB_SUCCESS { return raw }
            mdb_env_close(raw)
            guard status == ENOMEM else { break }
        }
        throw LMDBError(status, "open the store", path: directory.path)
    }

    private static func flush(
        _ raw: OpaquePointer, _ directory: StoreDirectory
    ) throws(LMDBError) {
        var descriptor: Int32 = -1
        mdb_env_get_fd(raw, &descriptor)
        #if canImport(Glibc)
            let status = fdatasync(descriptor)
        #else
            let status = fsync(descriptor)
        #endif
        guard status == 0 else {
            throw LMDBError(errno, "flush the data file", path: directory.dataPath)
        }
    }
}

/// Opens all databases of an environment that nobody else uses yet.
struct DatabaseOpener {
    let raw: OpaquePointer
    let path: String
    let options: EnvironmentOptions

    typealias Handles = [String: (index: UInt32, keys: KeyKind)]

    /// Opens what is there by reading only, so that a store which another process is writing opens
    /// at once; creates under the write lock only when something is missing.
    func openAll() throws(LMDBError) -> Handles {
        do throws(LMDBError) {
            return try openAll(creating: false)
        } catch {
            guard error.number == MDB_NOTFOUND, !options.isReadOnly else { throw error }
            return try openAll(creating: true)
        }
    }

    private func openAll(creating: Bool) throws(LMDBError) -> Handles {
        var (status, transaction) = begin(creating ? 0 : UInt32(MDB_RDONLY))
        if status == MDB_MAP_RESIZED {
            // Another process grew the store between the opening of the file and now.
            mdb_env_set_mapsize(raw, 0)
            (status, transaction) = begin(creating ? 0 : UInt32(MDB_RDONLY))
        }
        guard status == MDB_SUCCESS, let transaction else {
            throw LMDBError(status, "open the databases", path: path)
        }
        var handles: Handles = [:]
        do throws(LMDBError) {
            for declaration in options.databases {
                let index = try open(declaration, transaction, creating: creating)
                handles[declaration.name] = (index, declaration.keys)
            }
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        // Handles live on only if their transaction commits, also one that only reads.
        let committed = mdb_txn_commit(transaction)
        guard committed == MDB_SUCCESS else {
            throw LMDBError(committed, "open the databases", path: path)
        }
        return handles
    }

    private func begin(_ flags: UInt32) -> (Int32, OpaquePointer?) {
        var transaction: OpaquePointer?
        return (mdb_txn_begin(raw, nil, flags, &transaction), transaction)
    }

    private func open(
        _ declaration: DatabaseDeclaration, _ transaction: OpaquePointer, creating: Bool
    ) throws(LMDBError) -> UInt32 {
        let kind = declaration.keys == .integer ? UInt32(MDB_INTEGERKEY) : 0
        var index: MDB_dbi = 0
        let status = mdb_dbi_open(
            transaction, declaration.name, kind | (creating ? UInt32(MDB_CREATE) : 0), &index)
        guard status == MDB_SUCCESS else {
            throw LMDBError(status, "open the database \(declaration.name)", path: path)
        }
        // LMDB takes the stored kind and says nothing when another was asked for.
        var stored: UInt32 = 0
        mdb_dbi_flags(transaction, index, &stored)
        guard stored == kind else {
            throw LMDBError(
                MDB_INCOMPATIBLE, "open the database \(declaration.name)", path: path)
        }
        return index
    }
}
