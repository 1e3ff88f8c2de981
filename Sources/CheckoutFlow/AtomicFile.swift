#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A small file that is replaced as a whole, so that no end of the process leaves half of it.
package struct AtomicFile: Sendable {
    let path: String

    /// Takes a path in a folder that is there.
    package init(path: String) { self.path = path }

    /// The reason of the last failed call, in the system's words.
    package struct Failure: Error {
        package let reason: String
        package let isMissing: Bool

        /// For a content that is not what it should be.
        package init(reason: String, isMissing: Bool = false) {
            self.reason = reason
            self.isMissing = isMissing
        }

        static var last: Failure {
            let number = errno
            return Failure(reason: String(cString: strerror(number)), isMissing: number == ENOENT)
        }
    }

    /// The whole content.
    package func read() throws(Failure) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .last }
        defer { close(file) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Self.repeating { systemRead(file, &buffer, buffer.count) }
            guard count >= 0 else { throw .last }
            if count == 0 { return content }
            content += buffer[..<count]
        }
    }

    /// Replaces the content; it is on disk, under its name, when this returns.
    package func replace(with content: [UInt8]) throws(Failure) {
        let temporary = path + ".new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .last }
        do throws(Failure) {
            try Self.write(content, to: file)
            guard Self.sync(file) else { throw .last }
        } catch {
            close(file)
            unlink(temporary)
            throw error
        }
        close(file)
        guard rename(temporary, path) == 0 else { throw .last }
        try syncFolder()
    }

    /// Gives the file another name beside it, `….damaged-1` and so on, and replaces none.
    func moveAside() throws(Failure) {
        var number = 1
        // A link fails where there is something, which a renaming would replace.
        while link(path, "\(path).damaged-\(number)") != 0 {
            guard errno == EEXIST else {
                // Some file systems have no links.
                guard rename(path, "\(path).damaged") == 0 else { throw .last }
                return try syncFolder()
            }
            number += 1
        }
        guard unlink(path) == 0 else { throw .last }
        try syncFolder()
    }

    /// Runs while no other process does the same with this file.
    package func locked<Value>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw .last }
        defer { close(lock) }
        guard Self.repeating({ Int(flock(lock, LOCK_EX)) }) == 0 else { throw .last }
        return try body()
    }

    private func syncFolder() throws(Failure) {
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let handle = open(folder, O_RDONLY | O_CLOEXEC)
        guard handle >= 0 else { throw .last }
        defer { close(handle) }
        guard Self.sync(handle) else { throw .last }
    }

    private static func write(_ content: [UInt8], to file: Int32) throws(Failure) {
        var done = 0
        while done < content.count {
            let count = content.withUnsafeBytes { bytes in
                repeating { systemWrite(file, bytes.baseAddress! + done, bytes.count - done) }
            }
            guard count > 0 else { throw .last }
            done += count
        }
    }

    private static func sync(_ file: Int32) -> Bool {
        #if canImport(Darwin)
            // fsync leaves the data in the drive's own memory there.
            if fcntl(file, F_FULLFSYNC) == 0 { return true }
        #endif
        return repeating { Int(fsync(file)) } == 0
    }

    private static func repeating(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(file, buffer, count)
}

private func systemWrite(_ file: Int32, _ buffer: UnsafeRawPointer, _ count: Int) -> Int {
    write(file, buffer, count)
}
