#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the two meta pages of a data file say, read before LMDB maps it.
///
/// LMDB itself makes a lock file before it looks, and reads beyond the end of a file that was cut,
/// which kills the process.
struct DataFileHeader {
    private static let magic: UInt32 = 0xBEEF_C0DE
    private static let version: UInt32 = 1

    /// Throws `NOT_A_STORE`, `VERSION_MISMATCH` or `CORRUPTED`; a missing or empty file is fine, as
    /// LMDB fills it.
    ///
    /// Changes nothing.
    static func check(_ path: String) throws(LMDBError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw LMDBError(errno, "look at the data file", path: path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            // Following a link would hide from the registry which store it is.
            throw notAStore(path, "is not a regular file")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBError(errno, "open the data file", path: path) }
        defer { close(descriptor) }
        if status.st_size == 0 { return }
        while true {
            let newest = try newestMeta(descriptor, path)
            if try isWhole(descriptor, newest, path) { return }
            // Another process may have written since; only a state that stands still is damage.
            if try newestMeta(descriptor, path).transaction == newest.transaction { break }
        }
        throw LMDBError(
            .corrupted, "The data file was cut: it lacks pages that are in use (\(path)).",
            hint: "Restore it from a backup.", path: path)
    }

    private static func newestMeta(
        _ descriptor: Int32, _ path: String
    ) throws(LMDBError) -> Meta {
        let first = try meta(descriptor, at: 0, path)
        guard first.pageBytes.isPowerOfTwo, (512...65_536).contains(first.pageBytes) else {
            throw notAStore(path, "has no page size that LMDB uses")
        }
        let second = try meta(descriptor, at: first.pageBytes, path)
        return first.transaction > second.transaction ? first : second
    }

    /// True when every page that is in use lies inside the file.
    private static func isWhole(
        _ descriptor: Int32, _ meta: Meta, _ path: String
    ) throws(LMDBError) -> Bool {
        // After the meta page was read: files only grow, and pages are written before it is.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw LMDBError(errno, "look at the data file", path: path)
        }
        let pages = UInt64(status.st_size) / UInt64(meta.pageBytes)
        if meta.lastPage < pages { return true }
        let list = FreePageList(
            descriptor: descriptor, pageBytes: meta.pageBytes, pages: pages, root: meta.freeRoot)
        let lacking = meta.lastPage - pages + 1
        return list.map { UInt64($0.missing.count) == lacking } ?? false
    }

    private struct Meta {
        let pageBytes: Int
        let transaction: UInt64
        let lastPage: UInt64
        let freeRoot: UInt64
    }

    private static func meta(
        _ descriptor: Int32, at offset: Int, _ path: String
    ) throws(LMDBError) -> Meta {
        var page = [UInt8](repeating: 0, count: Limits.metaBytes)
        let count = pread(descriptor, &page, page.count, off_t(offset))
        guard count >= 0 else { throw LMDBError(errno, "read the data file", path: path) }
        // After the 16 bytes of every page: magic, version, address, map size, two databases of
        // 48 bytes each (the first begins with the page size), last page, transaction.
        let field = { (offset: Int) in
            page.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        }
        guard count == page.count, UInt32(truncatingIfNeeded: field(16)) == magic else {
            throw notAStore(path, "does not begin as an LMDB data file does")
        }
        guard UInt32(truncatingIfNeeded: field(16) >> 32) == version else {
            throw LMDBError(
                .versionMismatch, "The data file is of another LMDB format (\(path)).",
                hint: "Use the version of the program that wrote it; it was not changed.",
                path: path)
        }
        return Meta(
            pageBytes: Int(UInt32(truncatingIfNeeded: field(40))), transaction: field(144),
            lastPage: field(136), freeRoot: field(80))
    }

    private static func notAStore(_ path: String, _ reason: String) -> LMDBError {
        LMDBError(
            .notAStore, "The file \(path) \(reason).",
            hint: "Choose another directory; the file was not changed.", path: path)
    }
}

extension Int {
    fileprivate var isPowerOfTwo: Bool { self > 0 && self & (self - 1) == 0 }
}
