// One environment per directory per process. LMDB lets a process open a store twice; closing one
// of the two then drops the file locks of both, and another process resets the lock file while
// this one is reading.

import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A directory whatever path leads to it.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

/// The directories that this process has open.
enum OpenRegistry {
    /// With the process that claimed them: a child of `fork` inherits the list, not the claims.
    private static let claims = Mutex<[FileIdentity: pid_t]>([:])

    /// False when this process has the directory open already.
    static func claim(_ identity: FileIdentity) -> Bool {
        claims.withLock { claims in
            if claims[identity] == getpid() { return false }
            claims[identity] = getpid()
            return true
        }
    }

    static func release(_ identity: FileIdentity) {
        claims.withLock { _ = $0.removeValue(forKey: identity) }
    }
}
