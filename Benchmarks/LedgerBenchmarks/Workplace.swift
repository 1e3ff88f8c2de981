#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The directory that a run works in: made new, removed at the end.
struct Workplace {
    let path: String

    init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "."
        var template = Array("\(parent)/ledger-benchmark-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw BenchmarkFailure("no directory can be made in \(parent)")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A new directory inside.
    func directory(_ name: String) throws -> String {
        let directory = "\(path)/\(name)"
        guard mkdir(directory, 0o700) == 0 else {
            throw BenchmarkFailure("\(directory) cannot be made")
        }
        return directory
    }

    /// Removes a directory made by ``directory(_:)`` with everything in it.
    func remove(_ name: String) { removeTree("\(path)/\(name)") }

    func remove() { removeTree(path) }

    private func removeTree(_ path: String) {
        if let directory = opendir(path) {
            while let entry = readdir(directory) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != "." && name != ".." { removeTree("\(path)/\(name)") }
            }
            closedir(directory)
            rmdir(path)
        } else {
            unlink(path)
        }
    }

    /// Cores, file system and the cost of a flush: what the figures depend on.
    func facts() throws -> String {
        let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        let flush = try FlushedFile(path: "\(path)/flush")
        var times: [Double] = []
        for _ in 0..<64 {
            times.append(try nanoseconds { try flush.append([UInt8](repeating: 7, count: 256)) })
        }
        unlink("\(path)/flush")
        let fileSystem = fileSystemName()
        let warning =
            fileSystem == "tmpfs"
            ? " (a flush costs nothing there: durable figures mean little; set TMPDIR to a disk)"
            : ""
        return "\(cores) cores; \(fileSystem)\(warning); "
            + "256 bytes with fdatasync \(decimal(times.median / 1_000)) µs"
    }

    /// The type of the mount that the directory is on, from the kernel's list; Glibc's `statfs` is
    /// not among what Swift imports.
    private func fileSystemName() -> String {
        guard let resolved = realpath(path, nil) else { return "unknown file system" }
        defer { free(resolved) }
        let here = String(cString: resolved)
        var best = (length: -1, name: "unknown file system")
        for line in textFile("/proc/mounts").split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 2, words[1].utf8.count >= best.length else { continue }
            let isAbove = words[1] == "/" || here == words[1] || here.hasPrefix(words[1] + "/")
            if isAbove { best = (words[1].utf8.count, String(words[2])) }
        }
        return best.name
    }
}

/// The text of a small file; empty when it cannot be read.
private func textFile(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
        bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// A file that is flushed after each write: the least that durability costs.
final class FlushedFile {
    private let descriptor: Int32
    private var offset: off_t = 0

    init(path: String) throws {
        descriptor = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0o600)
        guard descriptor >= 0 else { throw BenchmarkFailure("\(path) cannot be opened") }
    }

    deinit { close(descriptor) }

    func append(_ bytes: [UInt8]) throws {
        guard pwrite(descriptor, bytes, bytes.count, offset) == bytes.count else {
            throw BenchmarkFailure("a write failed")
        }
        offset += off_t(bytes.count)
        #if canImport(Glibc)
            let status = fdatasync(descriptor)
        #else
            let status = fcntl(descriptor, F_FULLFSYNC)
        #endif
        guard status == 0 else { throw BenchmarkFailure("a flush failed") }
    }
}
