#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A lock on a file that this user's processes, and the threads of one, take in turn; ends with its
/// process.
///
/// The file is made where it is not there, mode 0600, and stays.
struct FileLock: Sendable {
    private let descriptor: Int32

    /// Waits for its turn; throws `FILE_FAILED`.
    init(_ path: String) throws(LedgerError) {
        guard let lock = try FileLock(path, waits: true) else { throw Files.failure("lock", path) }
        self = lock
    }

    /// Nil when somebody else has the lock and `waits` is false.
    init?(_ path: String, waits: Bool) throws(LedgerError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Files.failure("open", path) }
        while flock(descriptor, LOCK_EX | (waits ? 0 : LOCK_NB)) != 0 {
            if errno == EINTR { continue }
            let isHeld = errno == EWOULDBLOCK
            let failure = Files.failure("lock", path)
            close(descriptor)
            if isHeld { return nil }
            throw failure
        }
    }

    /// Lets the next one in; to be called once.
    func end() { close(descriptor) }
}
