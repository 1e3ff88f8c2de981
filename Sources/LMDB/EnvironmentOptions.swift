/// How keys of a database are ordered.
public enum KeyKind: Sendable, Hashable {
    /// As unsigned 64-bit numbers, in the machine's byte order. The fastest.
    case integer
    /// As bytes, first byte first; a key before every longer key that begins with it.
    case bytes
}

/// A named database that must be there once the environment is open.
public struct DatabaseDeclaration: Sendable, Hashable {
    /// ASCII; part of the file.
    public let name: String
    /// Part of the file: a database opened with another kind is refused.
    public let keys: KeyKind

    /// Names a database and the kind of its keys.
    public init(_ name: String, keys: KeyKind) {
        self.name = name
        self.keys = keys
    }
}

/// How an environment is opened.
///
/// Durability is not here: every commit is flushed before it returns. Flags that trade that away,
/// and those that map the file writable, were refused.
public struct EnvironmentOptions: Sendable {
    /// All databases that will be used; they are opened, or created, in one transaction.
    public var databases: [DatabaseDeclaration]
    /// Opens an existing store for reading only.
    ///
    /// The lock file is still written, so that readers are seen.
    public var isReadOnly = false
    /// Address space to reserve at first.
    ///
    /// Less is taken where there is not enough; the map then grows by itself. It is no file size:
    /// the file has the pages that are used. 256 GiB let five hundred stores be open at a time in
    /// the 128 TiB of a process.
    public var mapBytes = 1 << 38
    /// The data file never grows beyond this; writes then fail with `MAP_FULL`.
    public var maximumBytes = 1 << 44
    /// The most named databases.
    public var maximumDatabases = 32
    /// Reader slots in the lock file, shared by all processes.
    ///
    /// Only the first to open decides.
    public var maximumReaders = 1024
    /// The most readers of this process at a time; more wait.
    ///
    /// Below ``maximumReaders``, so that other processes find slots.
    public var concurrentReaders = 768
    /// Opens on network file systems too, where damage is possible: only for one process on one
    /// machine.
    public var allowsNetworkFileSystem = false

    /// The defaults and the databases given.
    public init(databases: [DatabaseDeclaration] = []) { self.databases = databases }
}
