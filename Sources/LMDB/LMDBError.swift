/// Why the store did not do what it was asked; it never carries keys or values.
public struct LMDBError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, for programs.
    public let code: Code
    /// One sentence for a person.
    public let message: String
    /// What to do about it.
    public let hint: String
    /// The number that LMDB (negative) or the system (`errno`) gave; 0 when this module refused.
    public let number: Int32
    /// The file or directory it is about, when it is about one.
    public let path: String?
    /// True when a commit failed in a way that leaves open whether it will be there after a
    /// restart.
    ///
    /// The environment writes nothing more. Reopen it and repeat what was asked idempotently.
    public let outcomeUnknown: Bool

    /// For errors of this module and of those that refuse on its behalf.
    package init(
        _ code: Code, _ message: String, hint: String, number: Int32 = 0, path: String? = nil,
        outcomeUnknown: Bool = false
    ) {
        self.code = code
        self.message = message
        self.hint = hint
        self.number = number
        self.path = path
        self.outcomeUnknown = outcomeUnknown
    }

    /// Code, sentence and hint on one line.
    public var description: String { "\(code): \(message) \(hint)" }

    /// The same error, of a commit whose outcome is not known.
    var withUnknownOutcome: LMDBError {
        LMDBError(
            code, message,
            hint: "Whether it was written is not known. Reopen the store and repeat the request.",
            number: number, path: path, outcomeUnknown: true)
    }
}

extension LMDBError {
    /// A stable name of what went wrong; new codes may be added.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// Upper-case words joined by `_`.
        public let rawValue: String

        /// For codes read back from text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The code's text.
        public var description: String { rawValue }

        /// This process has the directory open already.
        public static let alreadyOpen = Code(rawValue: "ALREADY_OPEN")
        /// A copy would overwrite a store.
        public static let alreadyExists = Code(rawValue: "ALREADY_EXISTS")
        /// Used in a child after `fork`; only the process that opened a store may use it.
        public static let usedAfterFork = Code(rawValue: "USED_AFTER_FORK")
        /// Used after `close`.
        public static let closed = Code(rawValue: "CLOSED")
        /// A file there is not an LMDB data file (`MDB_INVALID`).
        public static let notAStore = Code(rawValue: "NOT_A_STORE")
        /// Nothing is there.
        public static let notFound = Code(rawValue: "NOT_FOUND")
        /// `EACCES`, `EPERM` or `EROFS`; the path says where.
        public static let permissionDenied = Code(rawValue: "PERMISSION_DENIED")
        /// Locks and maps are not kept the same across machines there.
        public static let networkFileSystem = Code(rawValue: "NETWORK_FILE_SYSTEM")
        /// Another format of LMDB (`MDB_VERSION_MISMATCH`).
        public static let versionMismatch = Code(rawValue: "VERSION_MISMATCH")
        /// Pages that contradict each other (`MDB_CORRUPTED`, `MDB_PAGE_NOTFOUND`).
        public static let corrupted = Code(rawValue: "CORRUPTED")
        /// The byte ceiling or the address space is reached (`MDB_MAP_FULL`).
        public static let mapFull = Code(rawValue: "MAP_FULL")
        /// Another process grew the store (`MDB_MAP_RESIZED`).
        public static let mapResized = Code(rawValue: "MAP_RESIZED")
        /// One transaction touched too many pages (`MDB_TXN_FULL`).
        public static let transactionFull = Code(rawValue: "TXN_FULL")
        /// All reader slots are taken (`MDB_READERS_FULL`).
        public static let readersFull = Code(rawValue: "READERS_FULL")
        /// More databases than the store was opened for (`MDB_DBS_FULL`).
        public static let databasesFull = Code(rawValue: "DATABASES_FULL")
        /// A database that was not named when the store was opened.
        public static let unknownDatabase = Code(rawValue: "UNKNOWN_DATABASE")
        /// A database whose keys are of another kind (`MDB_INCOMPATIBLE`).
        public static let incompatible = Code(rawValue: "INCOMPATIBLE")
        /// The key is there already, or is not above the last one (`MDB_KEYEXIST`).
        public static let keyExists = Code(rawValue: "KEY_EXISTS")
        /// A key of no bytes or of more than 511.
        public static let keySize = Code(rawValue: "KEY_SIZE")
        /// A value of a length that LMDB does not store (`MDB_BAD_VALSIZE`).
        public static let valueSize = Code(rawValue: "VALUE_SIZE")
        /// The disk, the quota or the file size limit is reached: `ENOSPC`, `EDQUOT`, `EFBIG`.
        public static let diskFull = Code(rawValue: "DISK_FULL")
        /// `EIO`.
        public static let inputOutput = Code(rawValue: "IO_ERROR")
        /// An earlier commit failed half-way; the environment writes nothing more (`MDB_PANIC`).
        public static let panic = Code(rawValue: "PANIC")
        /// The transaction failed before and can only be given up (`MDB_BAD_TXN`).
        public static let badTransaction = Code(rawValue: "BAD_TRANSACTION")
        /// A write to an environment that was opened for reading.
        public static let readOnly = Code(rawValue: "READ_ONLY")
        /// Any other error of the system; the number says which.
        public static let system = Code(rawValue: "SYSTEM_ERROR")
    }
}
