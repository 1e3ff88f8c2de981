// What is looked at before LMDB opens a directory. No file of the store may be opened here once
// this process has it open in LMDB: closing it again would drop LMDB's file locks.

import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A directory that holds, or will hold, a store.
struct StoreDirectory {
    let path: String
    let identity: FileIdentity
    /// Nil on a file system of this machine.
    let networkFileSystem: String?
    var dataPath: String { path + "/data.mdb" }
    var lockPath: String { path + "/lock.mdb" }

    /// Opens the directory, making it with mode 0700 unless `mustExist`.
    init(
        _ path: String, mustExist: Bool, networkFileSystem: (Int32) -> String?
    ) throws(LMDBError) {
        if !mustExist, mkdir(path, 0o700) == 0 {
            try Self.synchronize(directory: Self.parent(of: path))
        }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBError(errno, "open the directory", path: path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw LMDBError(errno, "look at the directory", path: path)
        }
        self.path = path
        identity = FileIdentity(status)
        self.networkFileSystem = networkFileSystem(descriptor)
    }

    /// Throws the error that says which file is in the way.
    func checkPermissions(isReadOnly: Bool) throws(LMDBError) {
        if !isReadOnly || access(lockPath, F_OK) != 0 {
            // Without a lock file one must be made, by readers too.
            try check(path, W_OK | X_OK, "use the directory")
        }
        if access(dataPath, F_OK) == 0 {
            try check(dataPath, isReadOnly ? R_OK : R_OK | W_OK, "open the data file")
        }
        if access(lockPath, F_OK) == 0 {
            try check(lockPath, R_OK | W_OK, "open the lock file")
        }
    }

    private func check(_ path: String, _ mode: Int32, _ action: String) throws(LMDBError) {
        // With the effective user, unlike access(2): that is who opens the file.
        guard faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0 else {
            throw LMDBError(errno, action, path: path)
        }
    }

    /// Flushes the names in a directory, so that a new file is still there after a power cut.
    static func synchronize(directory path: String) throws(LMDBError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBError(errno, "open the directory", path: path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw LMDBError(errno, "flush the directory", path: path)
        }
    }

    /// The directory that holds `path`.
    static func parent(of path: String) -> String {
        let trimmed = path.hasSuffix("/") && path.utf8.count > 1 ? String(path.dropLast()) : path
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }

    /// True when a file cannot grow: its file system has no room worth the name, or the process
    /// may not make it larger.
    static func cannotGrow(_ path: String) -> Bool {
        var file = stat()
        var limit = rlimit()
        if stat(path, &file) == 0, Self.fileSizeLimit(&limit) == 0,
            UInt64(file.st_size) + UInt64(Limits.mapGranularity) > UInt64(limit.rlim_cur)
        {
            return true
        }
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return false }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize) < Limits.fullDiskBytes
    }

    private static func fileSizeLimit(_ limit: inout rlimit) -> Int32 {
        #if canImport(Glibc)
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        #else
            getrlimit(RLIMIT_FSIZE, &limit)
        #endif
    }
}

/// File systems on which locks and maps are not the same for every machine.
package enum NetworkFileSystem {
    /// The name of the network file system that an open file is on; nil for others.
    static func name(of descriptor: Int32) -> String? {
        var status = statfs()
        guard fstatfs(descriptor, &status) == 0 else { return nil }
        #if canImport(Glibc)
            return name(magic: UInt32(truncatingIfNeeded: status.f_type))
        #else
            if status.f_flags & UInt32(MNT_LOCAL) != 0 { return nil }
            return withUnsafeBytes(of: status.f_fstypename) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
        #endif
    }

    /// Source: `statfs(2)` and the kernel's `include/uapi/linux/magic.h`.
    package static func name(magic: UInt32) -> String? {
        switch magic {
        case 0x6969: "NFS"
        case 0x517B: "SMB"
        case 0xFE53_4D42: "SMB2"
        case 0xFF53_4D42: "CIFS"
        case 0x0102_1997: "9p"
        case 0x6573_5546: "FUSE"
        case 0x5346_414F, 0x6B41_4653: "AFS"
        case 0x00C3_6400: "Ceph"
        case 0x0BD0_0BD0: "Lustre"
        case 0x786F_4256: "VirtualBox shared folder"
        case 0x7461_636F: "OCFS2"
        case 0x0116_1970: "GFS2"
        case 0x4750_4653: "GPFS"
        default: nil
        }
    }
}
