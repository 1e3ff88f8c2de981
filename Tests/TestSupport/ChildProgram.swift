public import Foundation
private import Synchronization

/// A program of this machine, running as a child of the tests.
///
/// Not Foundation's `Process`: on Linux that watches its children through a run loop shared by all
/// threads, and has crashed when many tests started programs at once.
public final class ChildProgram: Sendable {
    /// Where one of the child's three streams goes.
    public enum Stream: Sendable {
        /// To `/dev/null`.
        case nothing
        /// To where this process's own goes.
        case shared
        /// From a file, or to one that is made, or emptied.
        case file(String)
        /// To or from this process: see `input`, `output` and `errors`.
        case pipe
    }

    /// How a child ended.
    public enum Ending: Sendable, Hashable {
        /// By itself, with this code.
        case exit(Int32)
        /// By this signal.
        case signal(Int32)

        /// The exit code, or the negative number of the signal.
        public var code: Int32 {
            switch self {
            case .exit(let code): code
            case .signal(let number): -number
            }
        }
    }

    /// Why a child did not start: the system's number and what was asked for.
    public struct Refusal: Error {
        /// The system's number.
        public let number: Int32
        /// What was to be started.
        public let program: String
    }

    /// The process's number.
    public let id: pid_t
    /// What the child reads, where that is a pipe; close it to end its input.
    public let input: FileHandle?
    /// What the child prints, where that is a pipe.
    public let output: FileHandle?
    /// What the child complains, where that is a pipe.
    public let errors: FileHandle?
    private let ending = Mutex<Ending?>(nil)

    /// Starts a program by its whole path; `environment` nil hands on this process's own.
    public init(
        _ program: String, _ words: [String], in folder: URL? = nil,
        environment: [String: String]? = nil, input: Stream = .nothing, output: Stream = .nothing,
        errors: Stream = .nothing
    ) throws {
        var spawn = Spawn()
        defer { spawn.end() }
        self.input = try spawn.connect(0, input)
        self.output = try spawn.connect(1, output)
        self.errors = try spawn.connect(2, errors)
        // `env` changes the folder: the call for it is not declared everywhere.
        let start = folder.map { ("/usr/bin/env", ["-C", $0.path, program]) } ?? (program, [])
        let variables = environment ?? ProcessInfo.processInfo.environment
        id = try spawn.run(start.0, start.1 + words, variables)
    }

    /// Kills and buries a child that nobody waited for.
    deinit {
        signal(SIGKILL)
        wait()
    }

    /// Sends a signal, unless the child was already waited for.
    public func signal(_ number: Int32) {
        ending.withLock { if $0 == nil { kill(id, number) } }
    }

    /// Waits for the end, on this thread; the answer is kept.
    @discardableResult
    public func wait() -> Ending {
        // The child stays a zombie, so that its number can still be signalled meanwhile.
        var info = siginfo_t()
        while ending.withLock({ $0 }) == nil,
            waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) < 0, errno == EINTR
        {}
        return ending.withLock { ending in
            if let ending { return ending }
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            let found = signal == 0 ? Ending.exit((status >> 8) & 0xFF) : .signal(signal)
            ending = found
            return found
        }
    }

    /// Runs a program to its end, with nothing to read, and drops what it prints.
    public static func run(_ program: String, _ words: [String]) throws -> Ending {
        try ChildProgram(program, words).wait()
    }
}

/// What the system is told before a child starts.
private struct Spawn {
    #if canImport(Darwin)
        private var actions: posix_spawn_file_actions_t?
        private var attributes: posix_spawnattr_t?
    #else
        private var actions = posix_spawn_file_actions_t()
        private var attributes = posix_spawnattr_t()
    #endif
    private var childEnds: [Int32] = []

    init() {
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        // Threads that run tests block signals, which a child would inherit.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    }

    mutating func end() {
        for end in childEnds { close(end) }
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }

    /// Says where a stream goes; gives this process's end of it where it is a pipe.
    mutating func connect(_ number: Int32, _ stream: ChildProgram.Stream) throws -> FileHandle? {
        switch stream {
        case .shared: return nil
        case .nothing: open("/dev/null", as: number)
        case .file(let path): open(path, as: number)
        case .pipe:
            let ends = try pipe()
            let (own, child) = number == 0 ? (ends.write, ends.read) : (ends.read, ends.write)
            childEnds.append(child)
            posix_spawn_file_actions_adddup2(&actions, child, number)
            return FileHandle(fileDescriptor: own, closeOnDealloc: true)
        }
        return nil
    }

    private mutating func open(_ path: String, as number: Int32) {
        let flags = number == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
    }

    /// Held while a pipe is not yet marked and while a child starts, which would inherit its ends.
    private static let starting = Mutex(())

    private func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        let number = Self.starting.withLock { _ in
            guard Foundation.pipe(&ends) == 0 else { return errno }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return 0
        }
        guard number == 0 else { throw ChildProgram.Refusal(number: number, program: "pipe") }
        return (ends[0], ends[1])
    }

    mutating func run(
        _ program: String, _ words: [String], _ environment: [String: String]
    ) throws -> pid_t {
        let copies = ([program] + words).map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for copy in copies + variables { free(copy) } }
        var child = pid_t()
        let number = Self.starting.withLock { _ in
            posix_spawn(&child, program, &actions, &attributes, copies + [nil], variables + [nil])
        }
        guard number == 0 else { throw ChildProgram.Refusal(number: number, program: program) }
        return child
    }
}
