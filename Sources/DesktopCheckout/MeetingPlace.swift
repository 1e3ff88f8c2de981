import CheckoutFlow

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The socket in the user's own folder where the handler of a scheme meets the process that waits.
///
/// One line a connection, both ways: the URL, then `ok`.
struct MeetingPlace: Sendable {
    let path: String

    /// What the one who waits answers.
    static let answer = Array("ok\n".utf8)

    /// Makes the folder, mode 0700, and refuses one that others could use.
    ///
    /// Throws `PLATFORM_ERROR`.
    init(_ scheme: SchemeName, _ environment: DesktopEnvironment) throws(CheckoutError) {
        guard let folder = environment.meetingFolder else {
            throw CheckoutError(
                .platform, "None of XDG_RUNTIME_DIR, XDG_STATE_HOME and HOME is set.",
                hint: "Set one of them; processes of one user meet below it.")
        }
        path = "\(folder)/\(scheme.text).socket"
        guard path.utf8.count <= DesktopLimits.socketPathBytes else {
            throw CheckoutError(
                .platform, "The path of the socket is too long for this system.",
                hint: "Set XDG_RUNTIME_DIR to a shorter one.")
        }
        var status = stat()
        guard Folder.make(folder, mode: 0o700), lstat(folder, &status) == 0,
            status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0
        else {
            throw CheckoutError(
                .platform, "The folder where processes meet is not this user's alone.",
                hint: "Remove it, or make it private: chmod 700 \(folder)")
        }
    }

    /// What the one who waits holds: the socket, and the right to be the only one.
    struct Seat: Sendable {
        let socket: Int32
        fileprivate let lock: Int32
    }

    /// Lets the next one wait here; the socket is still to be closed.
    func leave(_ seat: Seat) {
        // While the lock is held the name is certainly this one's.
        unlink(path)
        // Not by closing alone: a program that is just being started may have a copy.
        flock(seat.lock, LOCK_UN)
        close(seat.lock)
    }

    /// A socket that listens here; throws `PORT_IN_USE` when another process does.
    ///
    /// A lock decides who waits, and ends with its process. Asking whether somebody answers at the
    /// socket would let two that start at once take each other's name away.
    func listen() throws(CheckoutError) -> Seat {
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw Self.failed() }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            let error = isTaken ? Self.taken : Self.failed()
            close(lock)
            throw error
        }
        do throws(CheckoutError) {
            return Seat(socket: try bound(), lock: lock)
        } catch {
            close(lock)
            throw error
        }
    }

    private func bound() throws(CheckoutError) -> Int32 {
        // Nobody waits, so the name is one that a dead process left.
        unlink(path)
        guard let handle = Self.socket() else { throw Self.failed() }
        // The folder keeps others out until the socket does so itself.
        let isBound = withAddress { systemBind(handle, $0, $1) } == 0
        guard isBound, chmod(path, 0o600) == 0, systemListen(handle) == 0 else {
            let error = Self.failed()
            close(handle)
            throw error
        }
        _ = fcntl(handle, F_SETFL, O_NONBLOCK)
        return handle
    }

    /// A connection to the process that listens; nil when none does.
    func connect() -> Int32? {
        guard let handle = Self.socket() else { return nil }
        guard withAddress({ systemConnect(handle, $0, $1) }) == 0 else {
            close(handle)
            return nil
        }
        return handle
    }

    private static func socket() -> Int32? {
        #if canImport(Darwin)
            let handle = systemSocket(AF_UNIX, SOCK_STREAM)
            var on: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            if handle >= 0 { setsockopt(handle, SOL_SOCKET, SO_NOSIGPIPE, &on, size) }
        #else
            let handle = systemSocket(
                AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue))
        #endif
        guard handle >= 0 else { return nil }
        _ = fcntl(handle, F_SETFD, FD_CLOEXEC)
        return handle
    }

    private func withAddress(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withSocketAddress(&address, body)
    }

    private static var taken: CheckoutError {
        CheckoutError(
            .portInUse, "Another process waits for a return of this scheme.",
            hint: "Let it end, or use a loopback listener, which serves many at a time.")
    }

    private static func failed() -> CheckoutError {
        CheckoutError(
            .platform, "Cannot listen for forwarded URLs: \(String(cString: strerror(errno))).",
            hint: "See that the user's runtime folder may be written.")
    }
}

private func systemSocket(_ family: Int32, _ kind: Int32) -> Int32 { socket(family, kind, 0) }

private func systemListen(_ handle: Int32) -> Int32 {
    listen(handle, Int32(DesktopLimits.connections))
}

private func systemBind(
    _ handle: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t
) -> Int32 {
    bind(handle, address, size)
}

private func systemConnect(
    _ handle: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t
) -> Int32 {
    connect(handle, address, size)
}
