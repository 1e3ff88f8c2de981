#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The few file operations a ledger needs, with typed errors and flushes where they matter.
///
/// Without Foundation, which would double the command's start-up.
public enum Files {
    /// The whole content; throws `FILE_FAILED` when it is longer than `limit`.
    public static func read(
        _ path: String, limit: Int = .max, isStopped: () -> Bool = { false }
    ) throws(LedgerError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("read", path) }
        defer { close(descriptor) }
        return try read(descriptor, named: path, limit: limit, isStopped: isStopped)
    }

    /// The whole rest of an open descriptor, such as standard input.
    ///
    /// `isStopped` is asked when a signal came between; throws `INTERRUPTED` where it says so.
    public static func read(
        _ descriptor: Int32, named path: String, limit: Int = .max,
        isStopped: () -> Bool = { false }
    ) throws(LedgerError) -> [UInt8] {
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0, isStopped) }
            if count == 0 { return content }
            guard count > 0 else { throw failure("read", path) }
            content += chunk[..<count]
            guard content.count <= limit else {
                throw LedgerError(
                    .tooLong, "\(path) is longer than \(limit) bytes.",
                    hint: "Check that it is the right file.")
            }
        }
    }

    /// As the system's own `read`, begun again where a signal came between.
    static func read(
        _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ isStopped: () -> Bool
    ) -> Int {
        while true {
            #if canImport(Glibc)
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #else
                let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
            if count >= 0 || errno != EINTR || isStopped() { return count }
        }
    }

    /// Makes a file that must not exist yet, mode 0600, flushed with its directory.
    public static func writeNew(_ path: String, _ bytes: [UInt8]) throws(LedgerError) {
        try writeNew(path) { (descriptor) throws(LedgerError) in
            try write(descriptor, bytes[...], named: path)
        }
    }

    static func writeNew(
        _ path: String, _ fill: (Int32) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("create", path) }
        defer { close(descriptor) }
        try fill(descriptor)
        guard fsync(descriptor) == 0 else { throw failure("flush", path) }
        try flushDirectory(parent(of: path))
    }

    /// Puts a file in the place of another, mode 0600: a reader sees the old bytes or the new.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(LedgerError) {
        let unfinished = path + ".unfinished-\(getpid())"
        unlink(unfinished)
        try writeNew(unfinished, bytes)
        guard rename(unfinished, path) == 0 else { throw failure("replace", path) }
        try flushDirectory(parent(of: path))
    }

    /// Runs `body` while no other process that asks for the same lock does; makes the lock's file.
    package static func whileLocked<R>(_ path: String, _ body: () throws -> R) throws -> R {
        let lock = try FileLock(path)
        defer { lock.end() }
        return try body()
    }

    /// The content of a file that only its owner may read; nil when there is no such file.
    ///
    /// Throws `MALFORMED_KEY` when others may read it.
    static func readPrivate(_ path: String, limit: Int) throws(LedgerError) -> [UInt8]? {
        try refuseShared(path)
        return exists(path) ? try read(path, limit: limit) : nil
    }

    /// Throws `MALFORMED_KEY` when others than its owner may read a file.
    static func refuseShared(_ path: String) throws(LedgerError) {
        guard let permissions = try permissions(path), permissions & 0o077 != 0 else { return }
        throw LedgerError(
            .malformedKey, "The key file \(path) can be read by others.",
            hint: "Make it private: chmod 600 \(path)")
    }

    static func write(
        _ descriptor: Int32, _ bytes: ArraySlice<UInt8>, named path: String
    ) throws(LedgerError) {
        let written: Result<Void, LedgerError> = bytes.withUnsafeBytes { bytes in
            do throws(LedgerError) {
                return .success(try write(descriptor, bytes, named: path))
            } catch {
                return .failure(error)
            }
        }
        try written.get()
    }

    static func write(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, named path: String
    ) throws(LedgerError) {
        var rest = bytes
        while !rest.isEmpty {
            #if canImport(Glibc)
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            #else
                let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
            #endif
            if count < 0 {
                if errno == EINTR { continue }
                throw failure("write", path)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }

    /// Makes a directory and those above it, mode 0700; an existing one is left as it is.
    public static func makePrivateDirectory(_ path: String) throws(LedgerError) {
        if path.isEmpty || path == "/" || isDirectory(path) { return }
        try makePrivateDirectory(parent(of: path))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("create", path) }
    }

    static func flushDirectory(_ path: String) throws(LedgerError) {
        let descriptor = open(path.isEmpty ? "." : path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("flush", path) }
    }

    /// Permission bits; nil when there is no such file.
    static func permissions(_ path: String) throws(LedgerError) -> mode_t? {
        var information = stat()
        guard stat(path, &information) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure("look at", path)
        }
        return information.st_mode & 0o777
    }

    /// True when something of that name exists.
    public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// False only where nothing is for certain: a place that may not be looked into may hold it.
    static func mayExist(_ path: String) -> Bool { exists(path) || errno == EACCES }

    static func isDirectory(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }

    /// A path that stands in the file `other`: relative ones begin at that file's folder.
    public static func path(_ path: String, besideFile other: String) -> String {
        path.hasPrefix("/") ? path : "\(parent(of: other))/\(path)"
    }

    /// The path without links; nil when there is nothing there.
    static func realPath(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The user's state directory for this product, by the XDG rules.
    static func stateDirectory(_ environment: [String: String]) -> String {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            return state + "/checkout-ledger"
        }
        return (environment["HOME"] ?? "/var/lib") + "/.local/state/checkout-ledger"
    }

    static func failure(_ verb: String, _ path: String) -> LedgerError {
        if errno == EINTR {
            return LedgerError(
                .interrupted, "Interrupted while waiting for \(path).",
                hint: "What was recorded before stays.")
        }
        let reason = String(cString: strerror(errno))
        return LedgerError(
            .fileFailed, "Cannot \(verb) \(path): \(reason).", hint: "Check the path and its owner."
        )
    }
}
