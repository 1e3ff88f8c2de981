#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// One line of a text, without its LF.
public struct TextLine: Sendable, Hashable {
    /// From 1.
    public let number: Int
    /// Offset in bytes of its first byte in the whole text.
    public let offset: Int
    /// The line as it stands, a CR at its end included.
    public let bytes: [UInt8]
    /// False for a last line that no LF follows.
    public let isEnded: Bool

    /// A line that came by another way than a ``LineReader``.
    public init(number: Int, offset: Int, bytes: [UInt8], isEnded: Bool) {
        self.number = number
        self.offset = offset
        self.bytes = bytes
        self.isEnded = isEnded
    }

    /// The line without the CR of a CRLF.
    public var text: [UInt8] {
        isEnded && bytes.last == UInt8(ascii: "\r") ? Array(bytes.dropLast()) : bytes
    }

    /// True when nothing but blanks stands in it.
    public var isBlank: Bool { text.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
}

/// Reads lines from a file or from standard input, one at a time, in constant memory.
///
/// By bytes: to Swift's `Character` CR LF is one, so that a split at LF would find a single line.
public struct LineReader: ~Copyable {
    private let descriptor: Int32
    private let path: String
    private let isStopped: @Sendable () -> Bool
    private var held: [UInt8] = []
    private var start = 0
    private var offset = 0
    private var number = 0
    private var isAtEnd = false

    /// Opens a file, or takes standard input for `-`; throws `FILE_FAILED`.
    ///
    /// `isStopped` is asked before each line; `next` throws `INTERRUPTED` where it says so.
    public init(
        _ path: String, isStopped: @escaping @Sendable () -> Bool = { false }
    ) throws(LedgerError) {
        let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Files.failure("read", path) }
        self.descriptor = descriptor
        self.isStopped = isStopped
        self.path = path == "-" ? "standard input" : path
    }

    deinit { if descriptor > 0 { close(descriptor) } }

    /// The next line; nil at the end.
    ///
    /// Throws `FILE_FAILED`, `INTERRUPTED`, and `TOO_LONG` for a line beyond `Limits.lineBytes`.
    public mutating func next() throws(LedgerError) -> TextLine? {
        if isStopped() {
            errno = EINTR
            throw Files.failure("read", path)
        }
        var searched = start
        while true {
            if let end = held[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                return take(upTo: end, isEnded: true)
            }
            guard held.count - start <= Limits.lineBytes else {
                throw LedgerError(
                    .tooLong,
                    "Line \(number + 1) of \(path) is longer than \(Limits.lineBytes) bytes.",
                    hint: "Check that it is a file of JSON lines.")
            }
            if isAtEnd { return start < held.count ? take(upTo: held.count, isEnded: false) : nil }
            held.removeFirst(start)
            start = 0
            searched = held.count
            try fill()
        }
    }

    private mutating func take(upTo end: Int, isEnded: Bool) -> TextLine {
        number += 1
        let line = TextLine(
            number: number, offset: offset, bytes: Array(held[start..<end]), isEnded: isEnded)
        offset += end - start + 1
        start = min(end + 1, held.count)
        return line
    }

    private mutating func fill() throws(LedgerError) {
        let before = held.count
        held.append(contentsOf: repeatElement(0, count: Limits.readBytes))
        let count = held.withUnsafeMutableBytes { buffer in
            Files.read(
                descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[before...]), isStopped)
        }
        held.removeLast(Limits.readBytes - max(0, count))
        guard count >= 0 else { throw Files.failure("read", path) }
        isAtEnd = count == 0
    }
}

/// Writes a new file that has its name only once it is whole and flushed.
package struct NewFile: ~Copyable {
    private let path: String
    private let unfinished: String
    private let descriptor: Int32

    /// Begins the file, mode 0600; throws `FILE_FAILED` when there is one of that name.
    package init(_ path: String) throws(LedgerError) {
        let unfinished = path + ".unfinished-\(getpid())"
        guard !Files.exists(path) else {
            throw LedgerError(
                .fileFailed, "There is a file at \(path) already.",
                hint: "Name another one; nothing was overwritten.")
        }
        unlink(unfinished)
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Files.failure("create", path) }
        self.path = path
        self.unfinished = unfinished
        self.descriptor = descriptor
    }

    /// What was not finished leaves nothing behind.
    deinit {
        close(descriptor)
        unlink(unfinished)
    }

    package func write(_ bytes: [UInt8]) throws(LedgerError) {
        try Files.write(descriptor, bytes[...], named: path)
    }

    /// Flushes the file and gives it its name.
    package func finish() throws(LedgerError) {
        guard fsync(descriptor) == 0 else { throw Files.failure("flush", path) }
        // A link, unlike a rename, never replaces what is there.
        guard link(unfinished, path) == 0 else { throw Files.failure("create", path) }
        try Files.flushDirectory(Files.parent(of: path))
    }
}
