#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A program that was started without a shell: its words reach it as they stand.
struct ChildProcess: Sendable, Hashable {
    let id: pid_t

    /// How a program ended.
    enum Ending: Sendable, Hashable {
        case exit(Int32)
        case signal(Int32)

        var isSuccess: Bool { self == .exit(0) }
    }

    /// The system's number for why a program did not start.
    struct Refusal: Error {
        let number: Int32
        var reason: String { String(cString: strerror(number)) }
    }

    /// Starts a program with nothing to read.
    ///
    /// In a process group of its own, so that Ctrl-C in a terminal is not for it. Of this process's
    /// open files it gets `output` alone: a browser may stay for hours and must not hold what the
    /// host left open to it.
    init(
        _ path: String, _ words: [String], _ environment: DesktopEnvironment, output: Int32? = nil
    ) throws(Refusal) {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        let nowhere = "/dev/null"
        posix_spawn_file_actions_addopen(&actions, 0, nowhere, O_RDONLY, 0)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, nowhere, O_WRONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, 2, nowhere, O_WRONLY, 0)
        var flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        #if canImport(Darwin)
            flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #else
            _ = Self.closeFrom?(&actions, 3)
        #endif
        posix_spawnattr_setflags(&attributes, Int16(flags))
        posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        var child = pid_t()
        let number = Self.withTexts([path] + words) { arguments in
            Self.withTexts(environment.variables.map { "\($0.key)=\($0.value)" }) { variables in
                posix_spawn(&child, path, &actions, &attributes, arguments, variables)
            }
        }
        guard number == 0 else { throw Refusal(number: number) }
        id = child
    }

    #if !canImport(Darwin)
        private typealias CloseFrom =
            @convention(c) (
                UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32
            ) -> Int32

        /// Has all files from a number on closed; not among the declarations that Swift sees, and
        /// missing before glibc 2.34, where files that are not marked so stay open.
        private static let closeFrom: CloseFrom? =
            dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
                unsafeBitCast($0, to: CloseFrom.self)
            }
    #endif

    /// Waits for the end, on a thread of its own, and then says how it was.
    ///
    /// The thread stays until then, so that no dead process is left behind.
    func whenEnded(_ body: @escaping @Sendable (Ending) -> Void) {
        let child = self
        startThread { body(child.wait()) }
    }

    /// Waits for the end.
    func wait() -> Ending {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 {
            // Somebody else waits for all children: how it ended is not known.
            guard errno == EINTR else { return .exit(0) }
        }
        let signal = status & 0x7F
        return signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal)
    }

    /// Asks the program, and what it started in its group, to end.
    func terminate() { kill(-id, SIGTERM) }

    private static func withTexts<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}

/// Runs a body on a new thread, which ends with it.
func startThread(_ body: @escaping @Sendable () -> Void) {
    let start = Unmanaged.passRetained(ThreadStart(body)).toOpaque()
    #if canImport(Darwin)
        var thread: pthread_t?
        let number = pthread_create(
            &thread, nil,
            { context in
                Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, start)
        if number == 0, let thread { pthread_detach(thread) }
    #else
        var thread = pthread_t()
        let number = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, start)
        if number == 0 { pthread_detach(thread) }
    #endif
    precondition(number == 0, "the system has no room for one more thread")
}

private final class ThreadStart: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
