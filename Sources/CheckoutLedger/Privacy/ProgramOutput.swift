import Cryptography

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs a program without a shell and reads what it prints.
enum ProgramOutput {
    /// Everything on its standard output; its errors go where ours go.
    ///
    /// Throws `ROOT_KEY_MISSING` when it cannot be run, fails, prints too much or takes longer
    /// than the limit.
    static func read(_ words: [String]) throws(LedgerError) -> SecretBytes {
        guard let program = words.first, program.hasPrefix("/") else {
            throw failure("is not named by its whole path", words)
        }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw failure("has no pipe", words) }
        defer { close(ends[0]) }
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        let child = spawn(program, words, output: ends[1])
        close(ends[1])
        guard let child else { throw failure("cannot be started", words) }
        let output = drain(ends[0])
        if output == nil { kill(child, SIGKILL) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard let output else { throw failure("took too long or printed too much", words) }
        guard status == 0 else { throw failure("failed", words) }
        return output
    }

    private static func spawn(_ program: String, _ words: [String], output: Int32) -> pid_t? {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
        #else
            var actions: posix_spawn_file_actions_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        if output != 1 { posix_spawn_file_actions_addclose(&actions, output) }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        return posix_spawn(&child, program, &actions, nil, arguments, environ) == 0 ? child : nil
    }

    /// Nil when it takes longer than the limit or is longer than a key can be.
    private static func drain(_ descriptor: Int32) -> SecretBytes? {
        var isWhole = false
        let output = SecretBytes(capacity: Limits.rootKeyBytes + 1) { memory in
            var filled = 0
            var waited = 0
            while filled < memory.count {
                var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                if poll(&state, 1, 1_000) == 0 {
                    waited += 1
                    if waited >= Limits.rootKeyCommandSeconds { break }
                    continue
                }
                let rest = UnsafeMutableRawBufferPointer(rebasing: memory[filled...])
                let count = Files.read(descriptor, rest) { false }
                isWhole = count == 0
                guard count > 0 else { break }
                filled += count
            }
            return filled
        }
        return isWhole ? output : nil
    }

    private static func failure(_ what: String, _ words: [String]) -> LedgerError {
        LedgerError(
            .rootKeyMissing, "The program \(words.first ?? "") that gives the root key \(what).",
            hint: "Run it by hand; it must print 64 hexadecimal digits and end with 0.")
    }
}
