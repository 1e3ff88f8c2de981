#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The directory of a keystore: which of the stores in it counts, and how the others go.
///
/// | name | what |
/// |---|---|
/// | `data.mdb`, `lock.mdb` | the first generation |
/// | `g1/`, `g2/` … | a later one; the greatest counts |
/// | `g3.unfinished/` | one that is being written; nobody reads it |
/// | `erasing.lock` | locked by the process that erases or rotates |
///
/// A rename of a whole directory is what makes a generation count. Renaming over `data.mdb` was
/// refused: LMDB's lock file would stay and tell the transaction numbers of the old file to those
/// who open the new one.
package struct KeystoreDirectory: Sendable {
    let path: String

    /// Locked by whoever erases or rotates: one process and one thread at a time.
    var lockPath: String { path + "/erasing.lock" }

    func path(of generation: UInt64) -> String {
        generation == 0 ? path : "\(path)/g\(generation)"
    }

    func unfinishedPath(of generation: UInt64) -> String { path(of: generation) + ".unfinished" }

    /// The generation that counts; 0 also where there is none yet.
    func newest() -> UInt64 { generations().max() ?? 0 }

    /// True when there are keys of any generation.
    var holdsKeys: Bool {
        Files.exists(path(of: newest()) + "/data.mdb")
    }

    private func generations() -> [UInt64] {
        Files.names(in: path).compactMap { name in
            guard name.first == "g", let number = UInt64(name.dropFirst()), number > 0,
                Files.exists("\(path)/\(name)/data.mdb")
            else { return nil }
            return number
        }
    }

    /// Gives a finished generation its name.
    func finish(_ generation: UInt64) throws(LedgerError) {
        let unfinished = unfinishedPath(of: generation)
        unlink(unfinished + "/lock.mdb")
        try Files.flushDirectory(unfinished)
        guard rename(unfinished, path(of: generation)) == 0 else {
            throw Files.failure("name", unfinished)
        }
        try Files.flushDirectory(path)
    }

    /// Removes what crashed rewritings left: unfinished generations and such as count no more.
    ///
    /// Only for the holder of the lock.
    func removeLeftovers() {
        for name in Files.names(in: path) where name.hasSuffix(".unfinished") {
            remove(at: "\(path)/\(name)")
        }
        let newest = newest()
        for generation in generations() where generation < newest { remove(generation) }
        if newest > 0, Files.exists(path + "/data.mdb") { remove(0) }
    }

    /// Removes every generation and the lock: the keys of a ledger that is thrown away.
    package static func removeAll(in path: String) {
        let directory = KeystoreDirectory(path: path)
        directory.removeLeftovers()
        directory.remove(directory.newest())
        unlink(directory.lockPath)
    }

    /// True when there is something to remove.
    var hasLeftovers: Bool {
        let names = Files.names(in: path)
        return names.contains { $0.hasSuffix(".unfinished") } || generations().count > 1
            || newest() > 0 && names.contains("data.mdb")
    }

    /// Removes a generation that this process has closed; true when its bytes were overwritten.
    ///
    /// Not overwritten while another process has it open: that one would read nonsense. It then
    /// keeps the nameless file until it notices the next generation.
    @discardableResult
    func remove(_ generation: UInt64) -> Bool { remove(at: path(of: generation)) }

    @discardableResult
    private func remove(at place: String) -> Bool {
        let isAlone = Self.isUnused(lockFile: place + "/lock.mdb")
        let isOverwritten = isAlone && Files.overwrite(place + "/data.mdb")
        unlink(place + "/data.mdb")
        unlink(place + "/lock.mdb")
        if place != path { rmdir(place) }
        try? Files.flushDirectory(path)
        return isOverwritten
    }

    /// Whether no process has the store of that lock file open: LMDB holds its first byte.
    private static func isUnused(lockFile: String) -> Bool {
        let descriptor = open(lockFile, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT }
        defer { close(descriptor) }
        var range = flock()
        range.l_type = Int16(F_WRLCK)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = 0
        range.l_len = 1
        return fcntl(descriptor, F_SETLK, &range) == 0
    }
}

extension Files {
    /// The names in a directory but `.` and `..`, in no order; none where it cannot be read.
    static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Writes zeros over a file's bytes and flushes them; what the medium keeps is its own matter.
    static func overwrite(_ path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return overwrite(descriptor)
    }

    static func overwrite(_ descriptor: Int32) -> Bool {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { return false }
        let zeros = [UInt8](repeating: 0, count: Limits.readBytes)
        var offset = 0
        while offset < Int(information.st_size) {
            let count = min(zeros.count, Int(information.st_size) - offset)
            let written = zeros.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, count, off_t(offset))
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            offset += written
        }
        return fsync(descriptor) == 0
    }
}
