// Every number that LMDB and the system give, as a code, a sentence and a hint.

import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension LMDBError {
    /// The error of a failed call; `action` says what was tried, as in "could not ⟨action⟩".
    @usableFromInline
    init(_ number: Int32, _ action: String, path: String? = nil) {
        let row = Self.row(of: number)
        let place = path.map { " (\($0))" } ?? ""
        self.init(
            row.code, "Could not \(action)\(place): \(row.reason).", hint: row.hint,
            number: number, path: path)
    }

    private struct Row {
        let code: Code
        let reason: String
        let hint: String
    }

    private static func row(of number: Int32) -> Row {
        library[number] ?? system[number]
            ?? Row(
                code: .system, reason: String(cString: mdb_strerror(number)),
                hint: "Look up number \(number) in the system's list of errors.")
    }

    private static let library: [Int32: Row] = [
        MDB_KEYEXIST: Row(
            code: .keyExists, reason: "the key is there already or is not above the last one",
            hint: "Append keys in rising order, each once."),
        MDB_NOTFOUND: Row(
            code: .notFound, reason: "nothing is there", hint: "Check the name or the key."),
        MDB_PAGE_NOTFOUND: corruption,
        MDB_CORRUPTED: corruption,
        MDB_PANIC: Row(
            code: .panic, reason: "an earlier commit failed half-way",
            hint: "Close and reopen the store; check the disk first."),
        MDB_VERSION_MISMATCH: Row(
            code: .versionMismatch, reason: "the files are of another LMDB format",
            hint: "Use the version of the program that wrote them."),
        MDB_INVALID: Row(
            code: .notAStore, reason: "the file is not an LMDB data file",
            hint: "Choose another directory; the file was not changed."),
        MDB_MAP_FULL: Row(
            code: .mapFull, reason: "the store reached its largest size",
            hint: "Raise the byte ceiling, or make room by copying the store compacted."),
        MDB_DBS_FULL: Row(
            code: .databasesFull, reason: "the store has more databases than it was opened for",
            hint: "Raise the number of databases in the options."),
        MDB_READERS_FULL: Row(
            code: .readersFull, reason: "all reader slots are taken",
            hint: "End readers that take long, or raise the number of readers."),
        MDB_TXN_FULL: Row(
            code: .transactionFull, reason: "one transaction touched too many pages",
            hint: "Write in smaller transactions."),
        MDB_MAP_RESIZED: Row(
            code: .mapResized, reason: "another process grew the store",
            hint: "End the transactions of this thread and try again."),
        MDB_INCOMPATIBLE: Row(
            code: .incompatible, reason: "the database is of another kind",
            hint: "Open it with the key kind it was made with."),
        MDB_BAD_RSLOT: Row(
            code: .badTransaction, reason: "the reader slot is in use",
            hint: "Report this: it is a fault of the program."),
        MDB_BAD_TXN: Row(
            code: .badTransaction, reason: "the transaction failed before",
            hint: "Do not go on in a transaction after an error; nothing of it was written."),
        MDB_BAD_VALSIZE: Row(
            code: .valueSize, reason: "a key or value has a length that cannot be stored",
            hint: "Keys have 1 to 511 bytes, values less than 4 GiB."),
        MDB_BAD_DBI: Row(
            code: .unknownDatabase, reason: "the database handle is not valid",
            hint: "Use handles only with the environment that gave them."),
    ]

    private static let system: [Int32: Row] = [
        ENOSPC: fullDisk,
        EDQUOT: fullDisk,
        EFBIG: fullDisk,
        EIO: Row(
            code: .inputOutput, reason: "the disk reported an error",
            hint: "Check the disk and the system's log."),
        EACCES: permission,
        EPERM: permission,
        EROFS: Row(
            code: .permissionDenied, reason: "the file system is read-only",
            hint: "Copy the store to a place that can be written; readers need their lock file."),
        ENOENT: Row(
            code: .notFound, reason: "nothing is there",
            hint: "Check the path, or create the store first."),
        ENOTDIR: Row(
            code: .notAStore, reason: "a file stands where a directory is due",
            hint: "Choose another directory; the file was not changed."),
        ENOMEM: Row(
            code: .system, reason: "there is no memory or address space left",
            hint: "Raise the address space limit of the process, or ask for a smaller map."),
    ]

    private static let corruption = Row(
        code: .corrupted, reason: "its pages contradict each other",
        hint: "Keep a copy of the files, check the disk, and restore from a backup.")
    private static let fullDisk = Row(
        code: .diskFull, reason: "there is no room left",
        hint: "Nothing of it was written. Make room; writing then goes on.")
    private static let permission = Row(
        code: .permissionDenied, reason: "permission is missing",
        hint: "Run as the owner, or change owner and mode; readers must write the lock file too.")
}
