import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Ctrl-C as a flag.
///
/// A command that works in steps looks at it between two of them, keeps what is done and ends with
/// `ExitCode.interrupted`; a second Ctrl-C ends the process at once.
package enum Interrupt {
    private static let seen = Atomic<Bool>(false)

    /// True once the first signal came.
    package static var isRequested: Bool { seen.load(ordering: .relaxed) }

    /// Forgets the first signal, for a command whose ordinary end it is: its exit code is then its
    /// own.
    ///
    /// A second signal that came before has ended the process already.
    package static func settle() { seen.store(false, ordering: .relaxed) }

    /// Catches SIGINT and SIGTERM from now on.
    ///
    /// A blocking read on another thread returns early: the handler is installed without
    /// `SA_RESTART`.
    package static func watch() {
        // The first access initialises the flag; a signal handler must never be the one to do it.
        _ = isRequested
        var action = sigaction()
        let handler: @convention(c) (Int32) -> Void = { _ in
            if Interrupt.seen.exchange(true, ordering: .relaxed) {
                _exit(ExitCode.interruptedNumber)
            }
        }
        #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = handler
        #else
            action.__sigaction_handler.sa_handler = handler
        #endif
        _ = sigaction(SIGINT, &action, nil)
        _ = sigaction(SIGTERM, &action, nil)
    }
}
